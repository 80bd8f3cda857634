/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/cfa-program.h"

#include "format/dwarf-constants.h"
#include "format/reader.h"

#include <errno.h>

/* Compilers nest one or two deep. */
#define REMEMBERED_MAX 32

struct machine {
	const struct codectl_cfi_section *section;
	const struct codectl_cfi_cie *cie;
	bool is_initial; /* It is the CIE's own program: no locations, nothing to restore. */
	struct codectl_reader reader;
	struct codectl_cfi_rules rules;
	uint64_t location;
	uint64_t end;
	codectl_cfa_row_function *row;
	void *user;
	size_t depth;
	struct codectl_cfi_rules remembered[REMEMBERED_MAX];
};

/* Values beyond 32 bits occur in no real frame: they fail the program. */
static int32_t narrow(struct codectl_reader *reader, int64_t value)
{
	if (value != (int32_t)value)
		codectl_reader_fail(reader);
	return (int32_t)value;
}

static int32_t read_unsigned_offset(struct codectl_reader *reader)
{
	uint64_t value = codectl_reader_uleb128(reader);

	return narrow(reader, value <= INT32_MAX ? (int64_t)value : INT64_MAX);
}

static int32_t scale(struct machine *machine, int64_t factored)
{
	int64_t value;

	if (__builtin_mul_overflow(factored, machine->cie->data_align, &value))
		codectl_reader_fail(&machine->reader);
	return narrow(&machine->reader, value);
}

static int32_t read_factored_unsigned(struct machine *machine)
{
	return scale(machine, read_unsigned_offset(&machine->reader));
}

static int32_t read_factored_signed(struct machine *machine)
{
	return scale(machine, codectl_reader_sleb128(&machine->reader));
}

/* Steps over an expression; its place is its value. */
static int32_t read_expression(struct machine *machine)
{
	int32_t offset = (int32_t)machine->reader.offset;
	uint64_t len = codectl_reader_uleb128(&machine->reader);

	codectl_reader_bytes(&machine->reader, len);
	return offset;
}

/* Rules of vector and other registers are of no use to us. */
static void set(struct machine *machine, uint64_t reg, enum codectl_cfi_kind kind, int32_t value)
{
	if (reg >= CODECTL_AMD64_REG_COUNT || machine->reader.is_failed)
		return;
	machine->rules.kinds[reg] = (uint8_t)kind;
	machine->rules.values[reg] = value;
}

static void restore(struct machine *machine, uint64_t reg)
{
	const struct codectl_cfi_rules *initial = &machine->cie->initial;

	if (machine->is_initial)
		codectl_reader_fail(&machine->reader);
	else if (reg < CODECTL_AMD64_REG_COUNT)
		set(machine, reg, (enum codectl_cfi_kind)initial->kinds[reg], initial->values[reg]);
}

static int set_cfa(struct machine *machine, uint64_t reg, int32_t offset)
{
	if (reg >= CODECTL_AMD64_REG_COUNT)
		return -EINVAL;
	machine->rules.cfa_kind = CODECTL_CFA_REGISTER;
	machine->rules.cfa_reg = (uint8_t)reg;
	machine->rules.cfa_offset = offset;
	return 0;
}

/* Hands out the row that ends at @location. Returns what the callback did. */
static int move_to(struct machine *machine, uint64_t location)
{
	uint64_t start = machine->location;

	if (machine->is_initial || location < start || machine->reader.is_failed)
		return -EINVAL;
	if (location > machine->end)
		location = machine->end;
	if (location == start)
		return 0;
	if (machine->rules.cfa_kind == CODECTL_CFA_UNSET)
		return -EINVAL;
	machine->location = location;
	return machine->row(machine->user, start, location, &machine->rules);
}

static int advance(struct machine *machine, uint64_t factored)
{
	uint64_t delta;

	if (__builtin_mul_overflow(factored, machine->cie->code_align, &delta) ||
		delta > machine->end - machine->location)
		delta = machine->end - machine->location;
	return move_to(machine, machine->location + delta);
}

/* An absolute location in the encoding of the FDE's start. */
static int set_location(struct machine *machine)
{
	struct codectl_reader *reader = &machine->reader;
	uint8_t encoding = machine->cie->fde_encoding;
	uint64_t vaddr = machine->section->vaddr;

	return move_to(machine, codectl_cfi_read_pointer(reader, encoding, vaddr, 0));
}

static int remember(struct machine *machine)
{
	if (machine->depth == REMEMBERED_MAX)
		return -EINVAL;
	machine->remembered[machine->depth++] = machine->rules;
	return 0;
}

static int recall(struct machine *machine)
{
	if (machine->depth == 0)
		return -EINVAL;
	machine->rules = machine->remembered[--machine->depth];
	return 0;
}

/*
 * Operations that change one half and leave the other. After an expression
 * they return to the register and offset before it: the standard does not
 * allow that, but assembler code relies on it, as in libgcrypt.
 */
static int set_cfa_offset(struct machine *machine, int32_t offset)
{
	return set_cfa(machine, machine->rules.cfa_reg, offset);
}

static int set_cfa_register(struct machine *machine, uint64_t reg)
{
	if (machine->rules.cfa_reg == CODECTL_CFA_NO_REG)
		return -EINVAL;
	return set_cfa(machine, reg, machine->rules.cfa_offset);
}

/* Sets both, from operands in one order but two forms. */
static int define_cfa(struct machine *machine, bool is_factored)
{
	uint64_t reg = codectl_reader_uleb128(&machine->reader);

	return set_cfa(machine, reg,
		is_factored ? read_factored_signed(machine)
			    : read_unsigned_offset(&machine->reader));
}

static int run_register(struct machine *machine, uint8_t op)
{
	struct codectl_reader *reader = &machine->reader;
	uint64_t reg = codectl_reader_uleb128(reader);

	switch (op) {
	case DW_CFA_offset_extended:
		set(machine, reg, CODECTL_CFI_OFFSET, read_factored_unsigned(machine));
		break;
	case DW_CFA_offset_extended_sf:
		set(machine, reg, CODECTL_CFI_OFFSET, read_factored_signed(machine));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set(machine, reg, CODECTL_CFI_OFFSET,
			narrow(reader, -(int64_t)read_factored_unsigned(machine)));
		break;
	case DW_CFA_val_offset:
		set(machine, reg, CODECTL_CFI_VAL_OFFSET, read_factored_unsigned(machine));
		break;
	case DW_CFA_val_offset_sf:
		set(machine, reg, CODECTL_CFI_VAL_OFFSET, read_factored_signed(machine));
		break;
	case DW_CFA_restore_extended:
		restore(machine, reg);
		break;
	case DW_CFA_undefined:
		set(machine, reg, CODECTL_CFI_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set(machine, reg, CODECTL_CFI_SAME, 0);
		break;
	case DW_CFA_register:
		set(machine, reg, CODECTL_CFI_REGISTER, read_unsigned_offset(reader));
		break;
	case DW_CFA_expression:
		set(machine, reg, CODECTL_CFI_EXPRESSION, read_expression(machine));
		break;
	default: /* DW_CFA_val_expression */
		set(machine, reg, CODECTL_CFI_VAL_EXPRESSION, read_expression(machine));
		break;
	}
	return 0;
}

/* An operation which uses all eight bits. */
static int run_extended(struct machine *machine, uint8_t op)
{
	struct codectl_reader *reader = &machine->reader;

	switch (op) {
	case DW_CFA_nop:
		return 0;
	case DW_CFA_set_loc:
		return set_location(machine);
	case DW_CFA_advance_loc1:
		return advance(machine, codectl_reader_u8(reader));
	case DW_CFA_advance_loc2:
		return advance(machine, codectl_reader_u16(reader));
	case DW_CFA_advance_loc4:
		return advance(machine, codectl_reader_u32(reader));
	case DW_CFA_MIPS_advance_loc8:
		return advance(machine, codectl_reader_u64(reader));
	case DW_CFA_remember_state:
		return remember(machine);
	case DW_CFA_restore_state:
		return recall(machine);
	case DW_CFA_def_cfa:
		return define_cfa(machine, false);
	case DW_CFA_def_cfa_sf:
		return define_cfa(machine, true);
	case DW_CFA_def_cfa_register:
		return set_cfa_register(machine, codectl_reader_uleb128(reader));
	case DW_CFA_def_cfa_offset:
		return set_cfa_offset(machine, read_unsigned_offset(reader));
	case DW_CFA_def_cfa_offset_sf:
		return set_cfa_offset(machine, read_factored_signed(machine));
	case DW_CFA_def_cfa_expression:
		machine->rules.cfa_kind = CODECTL_CFA_EXPRESSION;
		machine->rules.cfa_expression = read_expression(machine);
		return 0;
	case DW_CFA_offset_extended ... DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset ... DW_CFA_val_expression:
	case DW_CFA_GNU_negative_offset_extended:
		return run_register(machine, op);
	case DW_CFA_GNU_args_size:
		codectl_reader_uleb128(reader);
		return 0;
	default:
		return -EINVAL;
	}
}

static int run(struct machine *machine, size_t offset, size_t len)
{
	struct codectl_reader *reader = &machine->reader;
	int ret = 0;

	codectl_reader_init(reader, machine->section->bytes, offset + len);
	codectl_reader_seek(reader, offset);
	while (ret == 0 && codectl_reader_left(reader) > 0) {
		uint8_t op = codectl_reader_u8(reader);
		uint8_t operand = op & 0x3f;

		switch (op & 0xc0) {
		case DW_CFA_advance_loc:
			ret = advance(machine, operand);
			break;
		case DW_CFA_offset:
			set(machine, operand, CODECTL_CFI_OFFSET, read_factored_unsigned(machine));
			break;
		case DW_CFA_restore:
			restore(machine, operand);
			break;
		default:
			ret = run_extended(machine, op);
			break;
		}
	}
	if (ret)
		return ret;
	return reader->is_failed ? -EINVAL : 0;
}

int codectl_cfa_program_run(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde,
	codectl_cfa_row_function *row, void *user)
{
	struct machine machine;
	int ret;

	machine.section = section;
	machine.cie = cie;
	machine.is_initial = false;
	machine.rules = cie->initial;
	machine.location = fde->start;
	machine.end = fde->start + fde->size;
	machine.row = row;
	machine.user = user;
	machine.depth = 0;
	ret = run(&machine, fde->program_offset, fde->program_len);
	return ret ? ret : move_to(&machine, machine.end);
}

int codectl_cfa_program_run_initial(const struct codectl_cfi_section *section,
	struct codectl_cfi_cie *cie, size_t offset, size_t len)
{
	struct machine machine;
	int ret;

	machine.section = section;
	machine.cie = cie;
	machine.is_initial = true;
	memset(&machine.rules, 0, sizeof(machine.rules));
	machine.rules.cfa_reg = CODECTL_CFA_NO_REG;
	machine.location = 0;
	machine.end = 0;
	machine.depth = 0;
	ret = run(&machine, offset, len);
	cie->initial = machine.rules;
	return ret;
}

/*
 * The expression that linkers give lazy PLT stubs:
 * breg7 (rsp) cfa; breg16 (rip) 0; lit15; and; lit N; ge; lit3; shl; plus.
 */
static bool match_plt(const uint8_t *expr, size_t len, struct codectl_rule *rule)
{
	static const uint8_t tail[] = {DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl, DW_OP_plus};
	struct codectl_reader reader;
	int64_t cfa;
	const uint8_t *rest;

	codectl_reader_init(&reader, expr, len);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RSP)
		return false;
	cfa = codectl_reader_sleb128(&reader);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RIP ||
		codectl_reader_sleb128(&reader) != 0)
		return false;
	rest = codectl_reader_bytes(&reader, 3 + sizeof(tail));
	if (!rest || codectl_reader_left(&reader) || rest[0] != DW_OP_lit0 + 15 ||
		rest[1] != DW_OP_and || rest[2] < DW_OP_lit0 || rest[2] > DW_OP_lit0 + 15 ||
		memcmp(rest + 3, tail, sizeof(tail)) != 0 || cfa != (int32_t)cfa)
		return false;
	*rule = codectl_rule_make(CODECTL_RULE_PLT, (int32_t)cfa, CODECTL_RULE_FP_SAME,
		(int16_t)(rest[2] - DW_OP_lit0));
	return true;
}

/* breg6 (rbp) @offset, and @has_deref behind it: how realigned frames find things. */
static bool match_fp(const uint8_t *expr, size_t len, bool has_deref, int32_t *offset)
{
	struct codectl_reader reader;
	int64_t value;

	codectl_reader_init(&reader, expr, len);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RBP)
		return false;
	value = codectl_reader_sleb128(&reader);
	if (has_deref && codectl_reader_u8(&reader) != DW_OP_deref)
		return false;
	*offset = (int32_t)value;
	return !reader.is_failed && !codectl_reader_left(&reader) && value == *offset;
}

/* Where the caller's FP is. Returns whether a rule can say it. */
static bool find_rule_fp(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, enum codectl_rule_fp *fp_kind, int32_t *fp)
{
	const uint8_t *expr;
	size_t len;

	*fp = rules->values[CODECTL_AMD64_RBP];
	switch (rules->kinds[CODECTL_AMD64_RBP]) {
	case CODECTL_CFI_UNSPECIFIED: /* The callee saves it, so nobody touched it. */
	case CODECTL_CFI_SAME:
		*fp_kind = CODECTL_RULE_FP_SAME;
		return true;
	case CODECTL_CFI_UNDEFINED:
		*fp_kind = CODECTL_RULE_FP_UNDEFINED;
		return true;
	case CODECTL_CFI_OFFSET:
		*fp_kind = CODECTL_RULE_FP_AT_CFA;
		return *fp == (int16_t)*fp;
	case CODECTL_CFI_EXPRESSION:
		expr = codectl_cfi_expression(section, *fp, &len);
		*fp_kind = CODECTL_RULE_FP_AT_FP;
		return expr && match_fp(expr, len, false, fp) && *fp == (int16_t)*fp;
	default:
		return false;
	}
}

/* Where the CFA is an expression: one of those that a rule can say? */
static bool make_expression_rule(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, enum codectl_rule_fp fp_kind, int16_t fp,
	struct codectl_rule *rule)
{
	size_t len;
	const uint8_t *expr = codectl_cfi_expression(section, rules->cfa_expression, &len);
	int32_t cfa;

	if (!expr)
		return false;
	if (fp_kind == CODECTL_RULE_FP_SAME && match_plt(expr, len, rule))
		return true;
	if (!match_fp(expr, len, true, &cfa))
		return false;
	*rule = codectl_rule_make(CODECTL_RULE_FP_DEREF, cfa, fp_kind, fp);
	return true;
}

/* A rule that leads on by SP, FP and pc, if there is one. */
static bool make_fast_rule(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, struct codectl_rule *rule)
{
	enum codectl_rule_fp fp_kind;
	int32_t fp;

	if (rules->kinds[CODECTL_AMD64_RIP] != CODECTL_CFI_OFFSET ||
		rules->values[CODECTL_AMD64_RIP] != -8 ||
		rules->kinds[CODECTL_AMD64_RSP] != CODECTL_CFI_UNSPECIFIED ||
		!find_rule_fp(section, rules, &fp_kind, &fp))
		return false;
	if (rules->cfa_kind == CODECTL_CFA_EXPRESSION)
		return make_expression_rule(section, rules, fp_kind, (int16_t)fp, rule);
	if (rules->cfa_reg != CODECTL_AMD64_RSP && rules->cfa_reg != CODECTL_AMD64_RBP)
		return false;
	*rule = codectl_rule_make(
		rules->cfa_reg == CODECTL_AMD64_RSP ? CODECTL_RULE_SP : CODECTL_RULE_FP,
		rules->cfa_offset, fp_kind, (int16_t)fp);
	return true;
}

struct codectl_rule codectl_rule_from_cfi(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_rules *rules)
{
	struct codectl_rule rule;

	if (rules->kinds[cie->ra_reg] == CODECTL_CFI_UNDEFINED)
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	if (!cie->is_signal_frame && cie->ra_reg == CODECTL_AMD64_RIP &&
		make_fast_rule(section, rules, &rule))
		return rule;
	return codectl_rule_make_bare(rules->cfa_kind == CODECTL_CFA_REGISTER
					      ? CODECTL_RULE_SLOW_REG
					      : CODECTL_RULE_SLOW_EXPR,
		cie->is_signal_frame);
}
