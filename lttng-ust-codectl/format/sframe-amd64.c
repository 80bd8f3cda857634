/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/sframe-amd64.h"

#include "format/dwarf-constants.h"

#include <errno.h>
#include <string.h>

/* Rules of the PLT count within blocks of this size, at addresses that are multiples of it. */
#define PLT_BLOCK 16
/* Rows of a block; real ones have two. */
#define BLOCK_ROW_MAX 16

static bool is_at(
	const struct codectl_sframe_place *place, enum codectl_sframe_kind kind, uint16_t base)
{
	return place->kind == kind && place->base == base;
}

/* Where the caller's FP is. Returns whether a rule can say it. */
static bool find_rule_fp(const struct codectl_sframe_place *fp, enum codectl_rule_fp *kind)
{
	if (fp->kind == CODECTL_SFRAME_SAME)
		*kind = CODECTL_RULE_FP_SAME;
	else if (is_at(fp, CODECTL_SFRAME_MEMORY, CODECTL_SFRAME_BASE_CFA))
		*kind = CODECTL_RULE_FP_AT_CFA;
	else if (is_at(fp, CODECTL_SFRAME_MEMORY, CODECTL_AMD64_RBP))
		*kind = CODECTL_RULE_FP_AT_FP;
	else
		return false;
	return *kind == CODECTL_RULE_FP_SAME || fp->offset == (int16_t)fp->offset;
}

/* How the CFA is found: CODECTL_RULE_NONE if no fast rule can say it. */
static enum codectl_rule_kind find_rule_kind(const struct codectl_sframe_place *cfa)
{
	if (is_at(cfa, CODECTL_SFRAME_VALUE, CODECTL_AMD64_RSP))
		return CODECTL_RULE_SP;
	if (is_at(cfa, CODECTL_SFRAME_VALUE, CODECTL_AMD64_RBP))
		return CODECTL_RULE_FP;
	if (is_at(cfa, CODECTL_SFRAME_MEMORY, CODECTL_AMD64_RBP))
		return CODECTL_RULE_FP_DEREF;
	return CODECTL_RULE_NONE;
}

struct codectl_rule codectl_rule_from_sframe(
	const struct codectl_sframe_fde *fde, const struct codectl_sframe_fre *fre)
{
	enum codectl_rule_kind kind;
	enum codectl_rule_fp fp_kind;

	if (fre->is_outermost)
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	kind = find_rule_kind(&fre->cfa);
	if (!fde->is_signal && kind != CODECTL_RULE_NONE && find_rule_fp(&fre->fp, &fp_kind) &&
		is_at(&fre->ra, CODECTL_SFRAME_MEMORY, CODECTL_SFRAME_BASE_CFA) &&
		fre->ra.offset == -8)
		return codectl_rule_make(kind, fre->cfa.offset, fp_kind,
			fp_kind == CODECTL_RULE_FP_SAME ? 0 : (int16_t)fre->fp.offset);
	return codectl_rule_make_bare(fre->cfa.kind == CODECTL_SFRAME_VALUE
					      ? CODECTL_RULE_SLOW_REG
					      : CODECTL_RULE_SLOW_EXPR,
		fde->is_signal);
}

/* A function whose rows are not repeated. */
struct plain {
	const struct codectl_sframe_fde *fde;
	codectl_sframe_rule_function *take;
	void *user;
	bool has_begun;
};

static int take_plain(
	void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	struct plain *plain = user;
	uint64_t base = plain->fde->start;
	int ret = 0;

	if (!plain->has_begun && start)
		ret = plain->take(plain->user, base, base + start,
			codectl_rule_make_bare(CODECTL_RULE_NONE, false));
	plain->has_begun = true;
	return ret ? ret
		   : plain->take(plain->user, base + start, base + end,
			     codectl_rule_from_sframe(plain->fde, fre));
}

/* What holds in each of the repeated blocks. */
struct block {
	const struct codectl_sframe_fde *fde;
	size_t count;
	uint32_t starts[BLOCK_ROW_MAX]; /* The first is 0. */
	struct codectl_rule rules[BLOCK_ROW_MAX];
};

static int take_block(
	void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	struct block *block = user;

	(void)end;
	if (block->count == 0 && start)
		block->rules[block->count++] = codectl_rule_make_bare(CODECTL_RULE_NONE, false);
	if (block->count == BLOCK_ROW_MAX)
		return -EINVAL;
	block->starts[block->count] = start;
	block->rules[block->count++] = codectl_rule_from_sframe(block->fde, fre);
	return 0;
}

/* Whether one rule says the whole of @block: nothing changes, or a stub pushes a word. */
static bool find_common_rule(const struct block *block, struct codectl_rule *rule)
{
	struct codectl_rule first = block->rules[0], second = block->rules[1];

	*rule = first;
	if (block->count == 1)
		return true;
	if (block->count != 2 || block->fde->block != PLT_BLOCK || block->fde->start % PLT_BLOCK ||
		codectl_rule_kind(first) != CODECTL_RULE_SP ||
		codectl_rule_fp_kind(first) != CODECTL_RULE_FP_SAME ||
		second.bits != codectl_rule_make(CODECTL_RULE_SP,
				       (int32_t)((uint32_t)codectl_rule_cfa(first) + 8),
				       CODECTL_RULE_FP_SAME, 0)
				       .bits)
		return false;
	*rule = codectl_rule_make(CODECTL_RULE_PLT, codectl_rule_cfa(first), CODECTL_RULE_FP_SAME,
		(int16_t)block->starts[1]);
	return true;
}

static int repeat(const struct block *block, codectl_sframe_rule_function *take, void *user)
{
	const struct codectl_sframe_fde *fde = block->fde;
	struct codectl_rule rule;

	if (find_common_rule(block, &rule))
		return take(user, fde->start, fde->start + fde->size, rule);
	if (fde->size / fde->block >= CODECTL_SFRAME_REPEAT_MAX / block->count)
		return -EINVAL;
	for (uint32_t offset = 0; offset < fde->size; offset += fde->block) {
		uint32_t left = fde->size - offset;
		uint32_t block_end = left < fde->block ? left : fde->block;

		for (size_t i = 0; i < block->count && block->starts[i] < block_end; i++) {
			uint32_t end = block_end;
			int ret;

			if (i + 1 < block->count && block->starts[i + 1] < end)
				end = block->starts[i + 1];
			ret = take(user, fde->start + offset + block->starts[i],
				fde->start + offset + end, block->rules[i]);
			if (ret)
				return ret;
		}
	}
	return 0;
}

int codectl_sframe_run_rules(const struct codectl_sframe *sframe,
	const struct codectl_sframe_fde *fde, codectl_sframe_rule_function *take, void *user)
{
	struct plain plain = {.fde = fde, .take = take, .user = user};
	struct block block;
	int ret;

	if (!fde->block) {
		ret = codectl_sframe_run(sframe, fde, take_plain, &plain);
		if (ret || plain.has_begun || !fde->size)
			return ret;
		return take(user, fde->start, fde->start + fde->size,
			codectl_rule_make_bare(CODECTL_RULE_NONE, false));
	}
	block.fde = fde;
	block.count = 0;
	block.starts[0] = 0;
	ret = codectl_sframe_run(sframe, fde, take_block, &block);
	if (ret || !fde->size)
		return ret;
	if (block.count == 0)
		block.rules[block.count++] = codectl_rule_make_bare(CODECTL_RULE_NONE, false);
	return repeat(&block, take, user);
}

/*
 * Writes the expression that @place is: breg or bregx, a signed offset, and
 * @has_deref. Returns its offset in the section.
 */
static int32_t write_expression(struct codectl_cfi_section *section, uint8_t *expressions,
	const struct codectl_sframe_place *place, bool has_deref)
{
	size_t start = section->len++;
	int64_t offset = place->offset;

	/* Registers below 32: amd64's general registers, and those of which we know no value. */
	expressions[section->len++] =
		(uint8_t)(DW_OP_breg0 + (place->base < 32 ? place->base : 31));
	for (; offset < -64 || offset > 63; offset >>= 7)
		expressions[section->len++] = (uint8_t)(offset | 0x80);
	expressions[section->len++] = (uint8_t)(offset & 0x7f);
	if (has_deref)
		expressions[section->len++] = DW_OP_deref;
	expressions[start] = (uint8_t)(section->len - start - 1);
	return (int32_t)start;
}

/* The rule for @reg, which is at @place. */
static void set_register(struct codectl_cfi_rules *rules, unsigned int reg,
	const struct codectl_sframe_place *place, uint8_t *expressions,
	struct codectl_cfi_section *section)
{
	bool is_memory = place->kind == CODECTL_SFRAME_MEMORY;

	if (place->kind == CODECTL_SFRAME_SAME) {
		rules->kinds[reg] = CODECTL_CFI_SAME;
	} else if (place->base == CODECTL_SFRAME_BASE_CFA) {
		rules->kinds[reg] = is_memory ? CODECTL_CFI_OFFSET : CODECTL_CFI_VAL_OFFSET;
		rules->values[reg] = place->offset;
	} else {
		rules->kinds[reg] = is_memory ? CODECTL_CFI_EXPRESSION : CODECTL_CFI_VAL_EXPRESSION;
		rules->values[reg] = write_expression(section, expressions, place, false);
	}
}

void codectl_sframe_to_cfi(const struct codectl_sframe_fre *fre, struct codectl_cfi_rules *rules,
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX], struct codectl_cfi_section *section)
{
	*section = (struct codectl_cfi_section){.bytes = expressions};
	memset(rules, 0, sizeof(*rules));
	memset(rules->kinds, CODECTL_CFI_UNDEFINED, sizeof(rules->kinds));
	if (fre->is_outermost)
		return;
	rules->kinds[CODECTL_AMD64_RSP] = CODECTL_CFI_UNSPECIFIED;
	if (fre->cfa.kind == CODECTL_SFRAME_VALUE && fre->cfa.base < CODECTL_AMD64_RIP) {
		rules->cfa_kind = CODECTL_CFA_REGISTER;
		rules->cfa_reg = (uint8_t)fre->cfa.base;
		rules->cfa_offset = fre->cfa.offset;
	} else {
		rules->cfa_kind = CODECTL_CFA_EXPRESSION;
		rules->cfa_expression = write_expression(
			section, expressions, &fre->cfa, fre->cfa.kind == CODECTL_SFRAME_MEMORY);
	}
	set_register(rules, CODECTL_AMD64_RIP, &fre->ra, expressions, section);
	set_register(rules, CODECTL_AMD64_RBP, &fre->fp, expressions, section);
}
