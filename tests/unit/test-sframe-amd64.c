/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What rows of SFrame mean on amd64: as rules, and as CFI with expressions.
 */
#include "lib/sframe-writer.h"
#include "lib/tap.h"

#include "format/dwarf-expr.h"
#include "format/sframe-amd64.h"

#include <errno.h>

#define RULE_MAX 64

/* What codectl_sframe_run_rules() said. */
struct rules {
	size_t count;
	uint64_t starts[RULE_MAX];
	uint64_t ends[RULE_MAX];
	struct codectl_rule rules[RULE_MAX];
};

static int collect(void *user, uint64_t start, uint64_t end, struct codectl_rule rule)
{
	struct rules *rules = user;

	CHECK(start < end);
	CHECK(rules->count == 0 || rules->ends[rules->count - 1] == start);
	CHECK(rules->count < RULE_MAX);
	rules->starts[rules->count] = start;
	rules->ends[rules->count] = end;
	rules->rules[rules->count++] = rule;
	return 0;
}

/* Finishes the section and runs its first function, which must have rules for all of it. */
static int run(struct sframe_writer *writer, struct rules *rules)
{
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;
	int ret;

	sframe_finish(writer);
	rules->count = 0;
	CHECK_INT(sframe_open(writer, &sframe), 0);
	CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), 0);
	ret = codectl_sframe_run_rules(&sframe, &fde, collect, rules);
	if (ret == 0 && fde.size) {
		CHECK_HEX(rules->starts[0], fde.start);
		CHECK_HEX(rules->ends[rules->count - 1], fde.start + fde.size);
	}
	return ret;
}

/* The rule for @fre, in a function which is a signal's frame or not. */
static uint64_t rule_of(const struct codectl_sframe_fre *fre, bool is_signal)
{
	const struct codectl_sframe_fde fde = {.size = 16, .is_signal = is_signal};

	return codectl_rule_from_sframe(&fde, fre).bits;
}

#define RULE(kind, cfa, fp_kind, fp) \
	codectl_rule_make(CODECTL_RULE_##kind, cfa, CODECTL_RULE_FP_##fp_kind, fp).bits
#define BARE(kind, is_signal) codectl_rule_make_bare(CODECTL_RULE_##kind, is_signal).bits

TEST(rules)
{
	const struct codectl_sframe_place ra = AT_CFA(-8);

	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = ra), false), RULE(SP, 8, SAME, 0));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(6, 16), .ra = ra, .fp = AT_CFA(-16)), false),
		RULE(FP, 16, AT_CFA, -16));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 100008), .ra = ra, .fp = AT_CFA(-16)), false),
		RULE(SP, 100008, AT_CFA, -16));
	CHECK_HEX(rule_of(FRE(.cfa = MEMORY(6, -8), .ra = ra, .fp = MEMORY(6, 0)), false),
		RULE(FP_DEREF, -8, AT_FP, 0));
	CHECK_HEX(rule_of(FRE(.is_outermost = true), false), BARE(OUTERMOST, false));
	CHECK_HEX(rule_of(FRE(.is_outermost = true), true), BARE(OUTERMOST, false));
	/* What takes other registers, or the full evaluator. */
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = ra), true), BARE(SLOW_REG, true));
	CHECK_HEX(rule_of(FRE(.cfa = MEMORY(7, 160), .ra = MEMORY(7, 168)), true),
		BARE(SLOW_EXPR, true));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(10, 0), .ra = ra), false), BARE(SLOW_REG, false));
	CHECK_HEX(rule_of(FRE(.cfa = MEMORY(10, 0), .ra = ra), false), BARE(SLOW_EXPR, false));
	CHECK_HEX(
		rule_of(FRE(.cfa = VALUE(7, 8), .ra = VALUE(5, 0)), false), BARE(SLOW_REG, false));
	CHECK_HEX(
		rule_of(FRE(.cfa = VALUE(7, 8), .ra = AT_CFA(-16)), false), BARE(SLOW_REG, false));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = SAME), false), BARE(SLOW_REG, false));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = ra, .fp = VALUE(3, 0)), false),
		BARE(SLOW_REG, false));
	/* FP further away than a rule can say. */
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = ra, .fp = AT_CFA(-32768)), false),
		RULE(SP, 8, AT_CFA, -32768));
	CHECK_HEX(rule_of(FRE(.cfa = VALUE(7, 8), .ra = ra, .fp = AT_CFA(-32776)), false),
		BARE(SLOW_REG, false));
}

TEST(ranges)
{
	struct sframe_writer writer;
	struct rules rules;

	for (uint8_t version = 1; version <= 3; version++) {
		sframe_write_usual(&writer, version, SFRAME_SORTED);
		CHECK_INT(run(&writer, &rules), 0);
		CHECK_INT(rules.count, 4);
		CHECK_HEX(rules.starts[3], 0x107f);
		CHECK_HEX(rules.rules[2].bits, RULE(FP, 16, AT_CFA, -16));
		/* Nothing is said about the beginning, nor about anything. */
		sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
		sframe_begin_fde(&writer, 0x1000, 0x80, 0);
		CHECK_INT(run(&writer, &rules), 0);
		CHECK_INT(rules.count, 1);
		CHECK_HEX(rules.rules[0].bits, BARE(NONE, false));
		SFRAME_ROW(&writer, 0x10, SFRAME_SP, 8);
		CHECK_INT(run(&writer, &rules), 0);
		CHECK_INT(rules.count, 2);
		CHECK_HEX(rules.rules[0].bits, BARE(NONE, false));
		CHECK_HEX(rules.starts[1], 0x1010);
		/* No code. */
		writer.fdes[0].size = 0;
		CHECK_INT(run(&writer, &rules), 0);
		CHECK_INT(rules.count, 0);
		/* Malformed. */
		writer.fdes[0].size = 0x10;
		CHECK_INT(run(&writer, &rules), -EINVAL);
	}
}

static int stop(void *user, uint64_t start, uint64_t end, struct codectl_rule rule)
{
	(void)user;
	(void)end;
	(void)rule;
	return start == 0x1001 ? 42 : 0;
}

TEST(stopped)
{
	struct sframe_writer writer;
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;

	sframe_write_usual(&writer, 1, SFRAME_SORTED);
	sframe_finish(&writer);
	CHECK_INT(sframe_open(&writer, &sframe), 0);
	CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), 0);
	CHECK_INT(codectl_sframe_run_rules(&sframe, &fde, stop, NULL), 42);
}

/* A function of blocks of @block bytes that begin with a push at @at. */
static void write_blocks(
	struct sframe_writer *writer, uint64_t start, uint32_t size, uint8_t block, uint32_t at)
{
	sframe_writer_init(writer, 2, CODECTL_SFRAME_AMD64, 0);
	sframe_begin_fde(writer, start, size, SFRAME_BLOCKS)->block = block;
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
	if (at)
		SFRAME_ROW(writer, at, SFRAME_SP, 16);
}

TEST(plt)
{
	struct sframe_writer writer;
	struct rules rules;

	write_blocks(&writer, 0x1010, 0x40, 16, 11);
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 1);
	CHECK_HEX(rules.rules[0].bits, RULE(PLT, 8, SAME, 11));
	/* One rule for all, as in .plt.got. */
	write_blocks(&writer, 0x1010, 0x40, 16, 0);
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 1);
	CHECK_HEX(rules.rules[0].bits, RULE(SP, 8, SAME, 0));
	/* What linkers say of that by mistake. */
	writer.fres[2] = 16;
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_HEX(rules.rules[0].bits, RULE(SP, 8, SAME, 0));
	/* The first version does not say how long blocks are. */
	write_blocks(&writer, 0x1010, 0x40, 0, 11);
	writer.version = 1;
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 1);
	CHECK_HEX(rules.rules[0].bits, RULE(PLT, 8, SAME, 11));
}

TEST(blocks_one_by_one)
{
	struct sframe_writer writer;
	struct rules rules;

	/* Not where the rule for PLTs counts from. */
	write_blocks(&writer, 0x1008, 0x24, 16, 11);
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 5);
	CHECK_HEX(rules.starts[1], 0x1013);
	CHECK_HEX(rules.starts[2], 0x1018);
	CHECK_HEX(rules.starts[4], 0x1028);
	CHECK_HEX(rules.rules[0].bits, RULE(SP, 8, SAME, 0));
	CHECK_HEX(rules.rules[3].bits, RULE(SP, 16, SAME, 0));
	/* Blocks of another size, the last one cut off. */
	write_blocks(&writer, 0x1000, 0x4a, 32, 11);
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 5);
	CHECK_HEX(rules.starts[3], 0x102b);
	/* About whose beginning nothing is said. */
	sframe_writer_init(&writer, 2, CODECTL_SFRAME_AMD64, 0);
	sframe_begin_fde(&writer, 0x1000, 32, SFRAME_BLOCKS)->block = 16;
	SFRAME_ROW(&writer, 4, SFRAME_SP, 8);
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 4);
	CHECK_HEX(rules.rules[2].bits, BARE(NONE, false));
	/* Nothing at all. */
	writer.fdes[0].fre_count = 0;
	CHECK_INT(run(&writer, &rules), 0);
	CHECK_INT(rules.count, 1);
	CHECK_HEX(rules.rules[0].bits, BARE(NONE, false));
}

TEST(too_many_blocks)
{
	struct sframe_writer writer;
	struct rules rules;

	write_blocks(&writer, 0x1000, UINT32_MAX, 2, 1);
	CHECK_INT(run(&writer, &rules), -EINVAL);
	write_blocks(&writer, 0x1000, CODECTL_SFRAME_REPEAT_MAX, 2, 1);
	CHECK_INT(run(&writer, &rules), -EINVAL);
	/* However many, if one rule says them all. */
	write_blocks(&writer, 0x1000, UINT32_MAX, 1, 0);
	CHECK_INT(run(&writer, &rules), 0);
	/* Rows in each. */
	write_blocks(&writer, 0x1000, 0x100, 255, 0);
	for (uint32_t i = 1; i <= 16; i++)
		SFRAME_ROW(&writer, i, SFRAME_SP, (int32_t)(8 * i));
	CHECK_INT(run(&writer, &rules), -EINVAL);
}

static int read_memory(void *user, uint64_t address, size_t size, uint64_t *value)
{
	(void)user;
	CHECK_INT(size, 8);
	*value = address ^ 0xff000000;
	return 0;
}

/* The value of an expression, where register i is 0x10000 * i and the CFA 0xcfa000. */
static uint64_t evaluate(
	const struct codectl_cfi_section *section, int32_t offset, const uint64_t *initial)
{
	uint64_t regs[CODECTL_AMD64_REG_COUNT];
	struct codectl_dwarf_expr_context context = {.regs = regs,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.reg_mask = UINT32_MAX,
		.read_memory = read_memory};
	uint64_t value;
	size_t len;
	const uint8_t *expr = codectl_cfi_expression(section, offset, &len);

	for (uint64_t i = 0; i < CODECTL_AMD64_REG_COUNT; i++)
		regs[i] = 0x10000 * i;
	CHECK(expr);
	CHECK_INT(codectl_dwarf_expr_evaluate(&context, expr, len, initial, &value), 0);
	return value;
}

TEST(cfi_of_registers)
{
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX];
	struct codectl_cfi_section section;
	struct codectl_cfi_rules rules;

	codectl_sframe_to_cfi(FRE(.cfa = VALUE(10, 16), .ra = AT_CFA(-8), .fp = AT_CFA(-24)),
		&rules, expressions, &section);
	CHECK_INT(rules.cfa_kind, CODECTL_CFA_REGISTER);
	CHECK_INT(rules.cfa_reg, 10);
	CHECK_INT(rules.cfa_offset, 16);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RIP], CODECTL_CFI_OFFSET);
	CHECK_INT(rules.values[CODECTL_AMD64_RIP], -8);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RBP], CODECTL_CFI_OFFSET);
	CHECK_INT(rules.values[CODECTL_AMD64_RBP], -24);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RSP], CODECTL_CFI_UNSPECIFIED);
	/* SFrame does not say where these are: the caller must not take ours for its own. */
	CHECK_INT(rules.kinds[CODECTL_AMD64_RBX], CODECTL_CFI_UNDEFINED);
	CHECK_INT(rules.kinds[CODECTL_AMD64_R15], CODECTL_CFI_UNDEFINED);

	codectl_sframe_to_cfi(
		FRE(.cfa = VALUE(7, 8), .ra = VALUE(CODECTL_SFRAME_BASE_CFA, 8), .fp = SAME),
		&rules, expressions, &section);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RIP], CODECTL_CFI_VAL_OFFSET);
	CHECK_INT(rules.values[CODECTL_AMD64_RIP], 8);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RBP], CODECTL_CFI_SAME);

	codectl_sframe_to_cfi(FRE(.is_outermost = true), &rules, expressions, &section);
	CHECK_INT(rules.kinds[CODECTL_AMD64_RIP], CODECTL_CFI_UNDEFINED);
}

TEST(cfi_of_expressions)
{
	static const int32_t offsets[] = {
		0, 63, 64, -64, -65, 8191, -8192, 8192, 1 << 20, INT32_MAX, INT32_MIN};
	const uint64_t cfa = 0xcfa000;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX];
		struct codectl_cfi_section section;
		struct codectl_cfi_rules rules;
		uint64_t offset = (uint64_t)(int64_t)offsets[i];

		codectl_sframe_to_cfi(FRE(.cfa = MEMORY(7, offsets[i]), .ra = MEMORY(3, offsets[i]),
					      .fp = VALUE(12, offsets[i])),
			&rules, expressions, &section);
		CHECK(section.len <= sizeof(expressions));
		CHECK_INT(rules.cfa_kind, CODECTL_CFA_EXPRESSION);
		CHECK_HEX(evaluate(&section, rules.cfa_expression, NULL),
			(0x70000 + offset) ^ 0xff000000);
		CHECK_INT(rules.kinds[CODECTL_AMD64_RIP], CODECTL_CFI_EXPRESSION);
		CHECK_HEX(evaluate(&section, rules.values[CODECTL_AMD64_RIP], &cfa),
			0x30000 + offset);
		CHECK_INT(rules.kinds[CODECTL_AMD64_RBP], CODECTL_CFI_VAL_EXPRESSION);
		CHECK_HEX(evaluate(&section, rules.values[CODECTL_AMD64_RBP], &cfa),
			0xc0000 + offset);
	}
}

/* A register that no sample has. */
TEST(cfi_of_unknown_register)
{
	uint64_t regs[CODECTL_AMD64_REG_COUNT] = {0};
	struct codectl_dwarf_expr_context context = {
		.regs = regs, .reg_count = CODECTL_AMD64_REG_COUNT, .reg_mask = UINT32_MAX};
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX];
	struct codectl_cfi_section section;
	struct codectl_cfi_rules rules;
	const uint8_t *expr;
	uint64_t value;
	size_t len;

	codectl_sframe_to_cfi(
		FRE(.cfa = VALUE(999, 8), .ra = AT_CFA(-8)), &rules, expressions, &section);
	CHECK_INT(rules.cfa_kind, CODECTL_CFA_EXPRESSION);
	expr = codectl_cfi_expression(&section, rules.cfa_expression, &len);
	CHECK(expr);
	CHECK(codectl_dwarf_expr_evaluate(&context, expr, len, NULL, &value) < 0);
}
