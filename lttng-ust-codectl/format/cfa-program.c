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

/* The loop over operations and what it calls for nearly all of them are one function. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* What holds, and the rule that says so; of kind NONE until it is asked for. */
struct state {
	struct codectl_cfi_rules rules;
	struct codectl_rule rule;
};

static const struct codectl_rule no_rule = {0};

struct machine {
	const struct codectl_cfi_section *section;
	const struct codectl_cfi_cie *cie;
	bool is_initial; /* It is the CIE's own program: no locations, nothing to restore. */
	struct codectl_reader reader;
	struct state state;
	uint64_t location;
	uint64_t end;
	/* Who takes the rows; or, if NULL, who takes the rules. */
	codectl_cfa_row_function *row;
	codectl_cfa_rule_function *take_rule;
	void *user;
	struct codectl_rule last; /* The rule that was handed out last. */
	size_t depth;
	struct state remembered[REMEMBERED_MAX];
};

/* Values beyond 32 bits occur in no real frame: they fail the program. */
static ALWAYS_INLINE int32_t narrow(struct codectl_reader *reader, int64_t value)
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

static ALWAYS_INLINE int32_t scale(struct machine *machine, int64_t factored)
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
static ALWAYS_INLINE void set(
	struct machine *machine, uint64_t reg, enum codectl_cfi_kind kind, int32_t value)
{
	/* What else a program saves says nothing to the walk with SP, FP and pc. */
	const uint64_t spoken_of = UINT64_C(1) << CODECTL_AMD64_RBP |
				   UINT64_C(1) << CODECTL_AMD64_RSP |
				   UINT64_C(1) << CODECTL_AMD64_RIP;

	if (reg >= CODECTL_AMD64_REG_COUNT || machine->reader.is_failed)
		return;
	machine->state.rules.kinds[reg] = (uint8_t)kind;
	machine->state.rules.values[reg] = value;
	if (spoken_of >> reg & 1)
		machine->state.rule = no_rule;
}

static ALWAYS_INLINE void restore(struct machine *machine, uint64_t reg)
{
	const struct codectl_cfi_rules *initial = &machine->cie->initial;

	if (machine->is_initial)
		codectl_reader_fail(&machine->reader);
	else if (reg < CODECTL_AMD64_REG_COUNT)
		set(machine, reg, (enum codectl_cfi_kind)initial->kinds[reg], initial->values[reg]);
}

static ALWAYS_INLINE int set_cfa(struct machine *machine, uint64_t reg, int32_t offset)
{
	if (reg >= CODECTL_AMD64_REG_COUNT)
		return -EINVAL;
	machine->state.rules.cfa_kind = CODECTL_CFA_REGISTER;
	machine->state.rules.cfa_reg = (uint8_t)reg;
	machine->state.rules.cfa_offset = offset;
	machine->state.rule = no_rule;
	return 0;
}

/* Hands out the rule that holds from @start on, unless it did before. */
static ALWAYS_INLINE int give_rule(struct machine *machine, uint64_t start)
{
	struct state *state = &machine->state;

	if (codectl_rule_kind(state->rule) == CODECTL_RULE_NONE) {
		if (state->rules.cfa_kind == CODECTL_CFA_UNSET)
			return -EINVAL;
		state->rule = codectl_rule_from_cfi(machine->section, machine->cie, &state->rules);
	}
	if (state->rule.bits == machine->last.bits)
		return 0;
	machine->last = state->rule;
	return machine->take_rule(machine->user, start, state->rule);
}

/* Hands out what holds until @location, which is within bounds. Returns what the callback did. */
static ALWAYS_INLINE int move_to(struct machine *machine, uint64_t location)
{
	uint64_t start = machine->location;

	if (location == start)
		return 0;
	machine->location = location;
	if (!machine->row)
		return give_rule(machine, start);
	if (machine->state.rules.cfa_kind == CODECTL_CFA_UNSET)
		return -EINVAL;
	return machine->row(machine->user, start, location, &machine->state.rules);
}

/* A CIE's program has no locations. */
static int refuse_row(
	void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	(void)user;
	(void)start;
	(void)end;
	(void)rules;
	return -EINVAL;
}

static ALWAYS_INLINE int advance(struct machine *machine, uint64_t factored)
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
	uint64_t location = codectl_cfi_read_pointer(reader, encoding, machine->section->vaddr, 0);

	if (reader->is_failed || location < machine->location)
		return -EINVAL;
	return move_to(machine, location < machine->end ? location : machine->end);
}

static ALWAYS_INLINE int remember(struct machine *machine)
{
	if (machine->depth == REMEMBERED_MAX)
		return -EINVAL;
	machine->remembered[machine->depth++] = machine->state;
	return 0;
}

static ALWAYS_INLINE int recall(struct machine *machine)
{
	if (machine->depth == 0)
		return -EINVAL;
	machine->state = machine->remembered[--machine->depth];
	return 0;
}

/*
 * Operations that change one half and leave the other. After an expression
 * they return to the register and offset before it: the standard does not
 * allow that, but assembler code relies on it, as in libgcrypt.
 */
static ALWAYS_INLINE int set_cfa_offset(struct machine *machine, int32_t offset)
{
	struct state *state = &machine->state;
	enum codectl_rule_kind kind = codectl_rule_kind(state->rule);

	/* The rule changes as the offset does. */
	if (kind == CODECTL_RULE_SP || kind == CODECTL_RULE_FP) {
		state->rules.cfa_offset = offset;
		state->rule = codectl_rule_with_cfa(state->rule, offset);
		return 0;
	}
	return set_cfa(machine, state->rules.cfa_reg, offset);
}

static int set_cfa_register(struct machine *machine, uint64_t reg)
{
	if (machine->state.rules.cfa_reg == CODECTL_CFA_NO_REG)
		return -EINVAL;
	return set_cfa(machine, reg, machine->state.rules.cfa_offset);
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

/* Any operation. */
static int run_operation(struct machine *machine, uint8_t op)
{
	struct codectl_reader *reader = &machine->reader;

	switch (op) {
	case DW_CFA_advance_loc ... DW_CFA_advance_loc + 0x3f:
		return advance(machine, op & 0x3f);
	case DW_CFA_offset ... DW_CFA_offset + 0x3f:
		set(machine, op & 0x3f, CODECTL_CFI_OFFSET, read_factored_unsigned(machine));
		return 0;
	case DW_CFA_restore ... DW_CFA_restore + 0x3f:
		restore(machine, op & 0x3f);
		return 0;
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
		machine->state.rules.cfa_kind = CODECTL_CFA_EXPRESSION;
		machine->state.rule = no_rule;
		machine->state.rules.cfa_expression = read_expression(machine);
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

/*
 * Runs @op if it is one of the few that nearly all programs consist of. An
 * operand has to be one byte; it is stepped over. Returns whether it was one of
 * them; then *@ret is what became of it.
 */
static ALWAYS_INLINE bool run_common(
	struct machine *machine, uint8_t op, const uint8_t **at, const uint8_t *end, int *ret)
{
	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_advance_loc ... DW_CFA_advance_loc + 0x3f:
		*ret = advance(machine, op & 0x3f);
		return true;
	case DW_CFA_def_cfa_offset:
		if (*at == end || **at & 0x80)
			return false;
		*ret = set_cfa_offset(machine, *(*at)++);
		return true;
	case DW_CFA_offset ... DW_CFA_offset + 0x3f:
		if (*at == end || **at & 0x80)
			return false;
		set(machine, op & 0x3f, CODECTL_CFI_OFFSET, scale(machine, *(*at)++));
		*ret = machine->reader.is_failed ? -EINVAL : 0;
		return true;
	case DW_CFA_advance_loc1:
		if (*at == end)
			return false;
		*ret = advance(machine, *(*at)++);
		return true;
	case DW_CFA_remember_state:
		*ret = remember(machine);
		return true;
	case DW_CFA_restore_state:
		*ret = recall(machine);
		return true;
	default:
		return false;
	}
}

static int run(struct machine *machine, size_t offset, size_t len)
{
	struct codectl_reader *reader = &machine->reader;
	const uint8_t *const start = machine->section->bytes;
	const uint8_t *at = start + offset, *const end = at + len;
	int ret = 0;

	codectl_reader_init(reader, start, offset + len);
	while (at < end) {
		uint8_t op = *at++;

		if (!run_common(machine, op, &at, end, &ret)) {
			codectl_reader_seek(reader, (size_t)(at - start));
			ret = run_operation(machine, op);
			if (reader->is_failed)
				return -EINVAL;
			at = start + reader->offset;
		}
		if (ret)
			return ret;
	}
	return 0;
}

/* Runs the program of @fde for whom @machine knows to take what it says. */
static ALWAYS_INLINE int run_fde(struct machine *machine, const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde)
{
	int ret;

	machine->section = section;
	machine->cie = cie;
	machine->is_initial = false;
	machine->state.rules = cie->initial;
	machine->state.rule = no_rule;
	machine->location = fde->start;
	machine->end = fde->start + fde->size;
	machine->last = no_rule;
	machine->depth = 0;
	ret = run(machine, fde->program_offset, fde->program_len);
	return ret ? ret : move_to(machine, machine->end);
}

int codectl_cfa_program_run(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde,
	codectl_cfa_row_function *row, void *user)
{
	struct machine machine;

	machine.row = row;
	machine.take_rule = NULL;
	machine.user = user;
	return run_fde(&machine, section, cie, fde);
}

int codectl_cfa_program_run_rules(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde,
	codectl_cfa_rule_function *take_rule, void *user)
{
	struct machine machine;

	machine.row = NULL;
	machine.take_rule = take_rule;
	machine.user = user;
	return run_fde(&machine, section, cie, fde);
}

int codectl_cfa_program_run_initial(const struct codectl_cfi_section *section,
	struct codectl_cfi_cie *cie, size_t offset, size_t len)
{
	struct machine machine;
	int ret;

	machine.section = section;
	machine.cie = cie;
	machine.is_initial = true;
	memset(&machine.state, 0, sizeof(machine.state));
	machine.state.rules.cfa_reg = CODECTL_CFA_NO_REG;
	machine.location = 0;
	machine.end = UINT64_MAX;
	machine.row = refuse_row;
	machine.user = NULL;
	machine.depth = 0;
	ret = run(&machine, offset, len);
	cie->initial = machine.state.rules;
	return ret;
}
