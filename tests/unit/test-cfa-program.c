/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/cfi-writer.h"
#include "lib/tap.h"

#include "format/cfa-program.h"
#include "format/dwarf-constants.h"

#include <errno.h>
#include <stdlib.h>

#define ENCODING (DW_EH_PE_pcrel | DW_EH_PE_sdata4)
#define START	 0x1000
#define SIZE	 0x100

/* Runs one program, of an FDE whose CIE says CFA = rsp + 8, rbx same, rip at CFA - 8. */
#define RUN(rows, ...)                                      \
	({                                                  \
		struct cfi_writer run_writer;               \
		struct codectl_cfi_cie run_cie;             \
		cfi_writer_init(&run_writer);               \
		cfi_add_usual_cie(&run_writer);             \
		cfi_begin_fde(&run_writer, START, SIZE);    \
		CFI(&run_writer, __VA_ARGS__);              \
		cfi_end(&run_writer);                       \
		cfi_run_first(&run_writer, &run_cie, rows); \
	})

#define CHECK_CFA(row, reg, value)                               \
	do {                                                     \
		CHECK_INT((row).cfa_kind, CODECTL_CFA_REGISTER); \
		CHECK_INT((row).cfa_reg, reg);                   \
		CHECK_INT((row).cfa_offset, value);              \
	} while (0)

#define CHECK_REG(row, reg, kind, value)             \
	do {                                         \
		CHECK_INT((row).kinds[reg], kind);   \
		CHECK_INT((row).values[reg], value); \
	} while (0)

TEST(locations)
{
	struct cfi_rows rows;

	CHECK_INT(RUN(&rows, DW_CFA_nop), 0);
	CHECK_INT(rows.count, 1);
	CHECK_HEX(rows.starts[0], START);
	CHECK_HEX(rows.end, START + SIZE);
	CHECK_CFA(rows.rules[0], 7, 8);
	CHECK_REG(rows.rules[0], 16, CODECTL_CFI_OFFSET, -8);

	CHECK_INT(RUN(&rows, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc1,
			  2, DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc2, 4, 0,
			  DW_CFA_def_cfa_offset, 32, DW_CFA_advance_loc4, 8, 0, 0, 0,
			  DW_CFA_def_cfa_offset, 40, DW_CFA_MIPS_advance_loc8, 16, 0, 0, 0, 0, 0, 0,
			  0, DW_CFA_def_cfa_offset, 48),
		0);
	CHECK_INT(rows.count, 6);
	for (unsigned int i = 0; i < 6; i++) {
		CHECK_HEX(rows.starts[i], START + (1u << i) - 1);
		CHECK_CFA(rows.rules[i], 7, 8 + 8 * (int)i);
	}
	CHECK_HEX(rows.end, START + SIZE);

	/* Beyond the end: the rest is of no interest. */
	CHECK_INT(RUN(&rows, DW_CFA_advance_loc2, 0xff, 0xff, DW_CFA_def_cfa_offset, 16,
			  DW_CFA_advance_loc | 1),
		0);
	CHECK_INT(rows.count, 1);
	CHECK_HEX(rows.end, START + SIZE);
}

/* DW_CFA_set_loc has a pointer in the encoding of the FDE's start; never backwards. */
TEST(set_location)
{
	for (int backwards = 0; backwards < 2; backwards++) {
		struct cfi_writer writer;
		struct codectl_cfi_cie cie;
		struct cfi_rows rows;

		cfi_writer_init(&writer);
		cfi_add_usual_cie(&writer);
		cfi_begin_fde(&writer, START, SIZE);
		CFI(&writer, DW_CFA_advance_loc | 8, DW_CFA_set_loc);
		cfi_write_uint(
			&writer, START + (backwards ? 4 : 0x10) - (writer.vaddr + writer.len), 4);
		CFI(&writer, DW_CFA_def_cfa_offset, 16);
		cfi_end(&writer);
		CHECK_INT(cfi_run_first(&writer, &cie, &rows), backwards ? -EINVAL : 0);
		if (backwards)
			continue;
		CHECK_INT(rows.count, 3);
		CHECK_HEX(rows.starts[2], START + 0x10);
		CHECK_CFA(rows.rules[2], 7, 16);
	}
}

TEST(cfa_operations)
{
	struct cfi_rows rows;

	CHECK_INT(RUN(&rows, DW_CFA_def_cfa, 3, 0x80, 1), 0);
	CHECK_CFA(rows.rules[0], 3, 128);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_sf, 3, 0x7e), 0);
	CHECK_CFA(rows.rules[0], 3, 16);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_register, 6), 0);
	CHECK_CFA(rows.rules[0], 6, 8);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_offset_sf, 0x7d), 0);
	CHECK_CFA(rows.rules[0], 7, 24);
	CHECK_INT(RUN(&rows, DW_CFA_GNU_args_size, 0x80, 1), 0);
	CHECK_CFA(rows.rules[0], 7, 8);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_expression, 2, DW_OP_breg0 + 7, 8), 0);
	CHECK_INT(rows.rules[0].cfa_kind, CODECTL_CFA_EXPRESSION);
	/* From an expression back to the halves before it. */
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_expression, 2, DW_OP_breg0 + 7, 8,
			  DW_CFA_def_cfa_offset, 24),
		0);
	CHECK_CFA(rows.rules[0], 7, 24);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_expression, 2, DW_OP_breg0 + 7, 8,
			  DW_CFA_def_cfa_register, 6),
		0);
	CHECK_CFA(rows.rules[0], 6, 8);
	/* A register that we do not have, an offset beyond reason. */
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_register, 17), -EINVAL);
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 0x0f), -EINVAL);
}

/* Half a CFA, or none, where nothing was said before. */
TEST(cfa_never_set)
{
	static const uint8_t halves[] = {
		DW_CFA_nop, DW_CFA_def_cfa_offset, DW_CFA_def_cfa_register};

	for (size_t i = 0; i < sizeof(halves); i++) {
		struct cfi_writer writer;
		struct codectl_cfi_cie cie;
		struct cfi_rows rows;

		cfi_writer_init(&writer);
		cfi_begin_cie(&writer, 1, "R", ENCODING);
		cfi_end(&writer);
		cfi_begin_fde(&writer, START, SIZE);
		CFI(&writer, halves[i], 0);
		cfi_end(&writer);
		CHECK_INT(cfi_run_first(&writer, &cie, &rows), -EINVAL);
	}
}

TEST(register_operations)
{
	struct cfi_rows rows;

	CHECK_INT(RUN(&rows, DW_CFA_offset | 3, 2, DW_CFA_offset_extended, 6, 3,
			  DW_CFA_offset_extended_sf, 12, 0x7f, DW_CFA_GNU_negative_offset_extended,
			  13, 1, DW_CFA_val_offset, 14, 4, DW_CFA_val_offset_sf, 15, 0x7e,
			  DW_CFA_undefined, 0, DW_CFA_same_value, 1, DW_CFA_register, 16, 5,
			  DW_CFA_expression, 2, 2, DW_OP_breg0 + 7, 8, DW_CFA_val_expression, 4, 1,
			  DW_OP_lit0),
		0);
	CHECK_INT(rows.count, 1);
	CHECK_REG(rows.rules[0], 3, CODECTL_CFI_OFFSET, -16);
	CHECK_REG(rows.rules[0], 6, CODECTL_CFI_OFFSET, -24);
	CHECK_REG(rows.rules[0], 12, CODECTL_CFI_OFFSET, 8);
	CHECK_REG(rows.rules[0], 13, CODECTL_CFI_OFFSET, 8);
	CHECK_REG(rows.rules[0], 14, CODECTL_CFI_VAL_OFFSET, -32);
	CHECK_REG(rows.rules[0], 15, CODECTL_CFI_VAL_OFFSET, 16);
	CHECK_REG(rows.rules[0], 0, CODECTL_CFI_UNDEFINED, 0);
	CHECK_REG(rows.rules[0], 1, CODECTL_CFI_SAME, 0);
	CHECK_REG(rows.rules[0], 16, CODECTL_CFI_REGISTER, 5);
	CHECK_INT(rows.rules[0].kinds[2], CODECTL_CFI_EXPRESSION);
	CHECK_INT(rows.rules[0].kinds[4], CODECTL_CFI_VAL_EXPRESSION);
	CHECK_INT(rows.rules[0].kinds[5], CODECTL_CFI_UNSPECIFIED);
	/* Vector registers are stepped over. */
	CHECK_INT(RUN(&rows, DW_CFA_offset | 17, 2, DW_CFA_restore | 17, DW_CFA_undefined, 0xff,
			  0x7f),
		0);
}

/* Where an expression is found again: its bytes, by the row's value. */
TEST(expressions)
{
	struct cfi_writer writer;
	struct codectl_cfi_cie cie;
	struct cfi_rows rows;
	size_t len;

	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, START, SIZE);
	CFI(&writer, DW_CFA_expression, 3, 2, DW_OP_breg0 + 7, 40);
	cfi_end(&writer);
	CHECK_INT(cfi_run_first(&writer, &cie, &rows), 0);

	struct codectl_cfi_section section = cfi_section(&writer);
	const uint8_t *expr = codectl_cfi_expression(&section, rows.rules[0].values[3], &len);

	CHECK(expr);
	CHECK_INT(len, 2);
	CHECK_INT(expr[1], 40);
}

TEST(restore_and_remember)
{
	struct cfi_rows rows;

	CHECK_INT(RUN(&rows, DW_CFA_offset | 16, 4, DW_CFA_restore | 16), 0);
	CHECK_REG(rows.rules[0], 16, CODECTL_CFI_OFFSET, -8);
	CHECK_INT(RUN(&rows, DW_CFA_offset | 3, 4, DW_CFA_restore_extended, 3), 0);
	CHECK_REG(rows.rules[0], 3, CODECTL_CFI_UNSPECIFIED, 0);
	/* The CFA is remembered too. */
	CHECK_INT(RUN(&rows, DW_CFA_def_cfa_offset, 16, DW_CFA_remember_state,
			  DW_CFA_advance_loc | 1, DW_CFA_def_cfa, 6, 32, DW_CFA_offset | 3, 2,
			  DW_CFA_advance_loc | 1, DW_CFA_restore_state),
		0);
	CHECK_INT(rows.count, 3);
	CHECK_CFA(rows.rules[1], 6, 32);
	CHECK_CFA(rows.rules[2], 7, 16);
	CHECK_REG(rows.rules[2], 3, CODECTL_CFI_UNSPECIFIED, 0);
	CHECK_INT(RUN(&rows, DW_CFA_restore_state), -EINVAL);
}

TEST(remember_is_bounded)
{
	struct cfi_writer writer;
	struct codectl_cfi_cie cie;
	struct cfi_rows rows;

	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, START, SIZE);
	for (int i = 0; i < 1000; i++)
		CFI(&writer, DW_CFA_remember_state);
	cfi_end(&writer);
	CHECK_INT(cfi_run_first(&writer, &cie, &rows), -EINVAL);
}

TEST(unknown_operations)
{
	static const uint8_t unknown[] = {0x17, 0x1c, 0x2d, 0x30, 0x3f};
	struct cfi_rows rows;

	for (size_t i = 0; i < sizeof(unknown); i++)
		CHECK_INT(RUN(&rows, unknown[i], DW_CFA_nop), -EINVAL);
}

/* The rule of the last row of a program. */
static struct codectl_rule rule_of(const char *letters, const uint8_t *program, size_t len)
{
	struct cfi_writer writer;
	struct codectl_cfi_section section;
	struct codectl_cfi_cie cie;
	struct cfi_rows rows;

	cfi_writer_init(&writer);
	cfi_begin_cie(&writer, 1, letters, ENCODING);
	CFI(&writer, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
	cfi_end(&writer);
	cfi_begin_fde(&writer, START, SIZE);
	cfi_write(&writer, program, len);
	cfi_end(&writer);
	section = cfi_section(&writer);
	CHECK_INT(cfi_run_first(&writer, &cie, &rows), 0);
	return codectl_rule_from_cfi(&section, &cie, &rows.rules[rows.count - 1]);
}

#define RULE(...) \
	rule_of("R", (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

#define CHECK_RULE(rule, expected_kind, expected_cfa, expected_fp_kind, expected_fp) \
	do {                                                                         \
		struct codectl_rule checked = (rule);                                \
		CHECK_INT(codectl_rule_kind(checked), expected_kind);                \
		CHECK_INT(codectl_rule_cfa(checked), expected_cfa);                  \
		CHECK_INT(codectl_rule_fp_kind(checked), expected_fp_kind);          \
		CHECK_INT(codectl_rule_fp(checked), expected_fp);                    \
	} while (0)

TEST(fast_rules)
{
	CHECK_RULE(RULE(DW_CFA_nop), CODECTL_RULE_SP, 8, CODECTL_RULE_FP_SAME, 0);
	CHECK_RULE(RULE(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2), CODECTL_RULE_SP, 16,
		CODECTL_RULE_FP_AT_CFA, -16);
	CHECK_RULE(RULE(DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2), CODECTL_RULE_FP, 16,
		CODECTL_RULE_FP_AT_CFA, -16);
	CHECK_RULE(RULE(DW_CFA_undefined, 6), CODECTL_RULE_SP, 8, CODECTL_RULE_FP_UNDEFINED, 0);
	CHECK_RULE(RULE(DW_CFA_undefined, 16), CODECTL_RULE_OUTERMOST, 0, CODECTL_RULE_FP_SAME, 0);
	/* A realigned frame. */
	CHECK_RULE(RULE(DW_CFA_def_cfa_expression, 3, DW_OP_breg0 + 6, 0x78, DW_OP_deref,
			   DW_CFA_expression, 6, 2, DW_OP_breg0 + 6, 0),
		CODECTL_RULE_FP_DEREF, -8, CODECTL_RULE_FP_AT_FP, 0);
	/* A lazy PLT stub. */
	CHECK_RULE(RULE(DW_CFA_def_cfa_expression, 11, DW_OP_breg0 + 7, 8, DW_OP_breg0 + 16, 0,
			   DW_OP_lit0 + 15, DW_OP_and, DW_OP_lit0 + 11, DW_OP_ge, DW_OP_lit0 + 3,
			   DW_OP_shl, DW_OP_plus),
		CODECTL_RULE_PLT, 8, CODECTL_RULE_FP_SAME, 11);
}

/* Rules and where they begin to hold, each only where it changes. */
struct rule_list {
	const struct codectl_cfi_section *section;
	const struct codectl_cfi_cie *cie;
	size_t count;
	uint64_t starts[128];
	struct codectl_rule rules[128];
};

static int add_rule(void *user, uint64_t start, struct codectl_rule rule)
{
	struct rule_list *list = user;

	CHECK(list->count < 128);
	list->starts[list->count] = start;
	list->rules[list->count++] = rule;
	return 0;
}

static int add_row(void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	struct rule_list *list = user;
	struct codectl_rule rule = codectl_rule_from_cfi(list->section, list->cie, rules);

	CHECK(start < end);
	if (list->count && list->rules[list->count - 1].bits == rule.bits)
		return 0;
	return add_rule(list, start, rule);
}

static uint32_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33);
}

/* Operations that change what rules say, and any others. */
static void write_any_program(struct cfi_writer *writer, uint64_t *state)
{
	static const uint8_t usual[] = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset,
		DW_CFA_offset | 6, DW_CFA_offset | 16, DW_CFA_offset | 3, DW_CFA_restore | 6,
		DW_CFA_remember_state, DW_CFA_restore_state, DW_CFA_def_cfa_register,
		DW_CFA_same_value, DW_CFA_undefined, DW_CFA_def_cfa_expression, DW_CFA_def_cfa,
		DW_CFA_advance_loc1};

	for (uint32_t left = draw(state) % 24; left > 0; left--) {
		uint32_t choice = draw(state) % 8;

		if (choice < 6)
			CFI(writer, usual[draw(state) % sizeof(usual)], (uint8_t)(draw(state) % 20),
				DW_CFA_advance_loc | 1);
		else
			CFI(writer, (uint8_t)draw(state));
	}
}

TEST(rules_are_those_of_rows)
{
	struct rule_list by_rows = {.count = 0}, by_rules = {.count = 0};
	uint64_t state = 1;
	size_t sound = 0;

	for (unsigned int round = 0; round < 20000; round++) {
		struct cfi_writer writer;
		struct codectl_cfi_section section;
		struct codectl_cfi_cie cie;
		struct codectl_cfi_fde fde;
		size_t offset = 0;
		int ret;

		cfi_writer_init(&writer);
		cfi_add_usual_cie(&writer);
		cfi_begin_fde(&writer, START, SIZE);
		write_any_program(&writer, &state);
		cfi_end(&writer);
		section = cfi_section(&writer);
		codectl_cfi_cie_init(&cie);
		CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), 0);
		by_rows = (struct rule_list){.section = &section, .cie = &cie};
		by_rules.count = 0;
		ret = codectl_cfa_program_run(&section, &cie, &fde, add_row, &by_rows);
		CHECK_INT(codectl_cfa_program_run_rules(&section, &cie, &fde, add_rule, &by_rules),
			ret);
		CHECK_INT(by_rules.count, by_rows.count);
		for (size_t i = 0; i < by_rows.count; i++) {
			CHECK_HEX(by_rules.starts[i], by_rows.starts[i]);
			CHECK_HEX(by_rules.rules[i].bits, by_rows.rules[i].bits);
		}
		sound += ret == 0 && by_rows.count > 1;
	}
	CHECK(sound > 1000);
}

TEST(slow_rules)
{
	struct codectl_rule rule;
	static const uint8_t nop[] = {DW_CFA_nop};

	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_def_cfa, 3, 8)), CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_register, 16, 5)), CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_offset | 16, 2)), CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_val_offset, 6, 2)), CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_val_offset, 7, 2)), CODECTL_RULE_SLOW_REG);
	/* FP further away than a rule can say. */
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_offset | 6, 0x80, 0x80, 1)), CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_expression, 6, 2, DW_OP_breg0 + 7, 0)),
		CODECTL_RULE_SLOW_REG);
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_def_cfa_expression, 2, DW_OP_breg0 + 7, 8)),
		CODECTL_RULE_SLOW_EXPR);
	/* Almost a PLT stub. */
	CHECK_INT(codectl_rule_kind(RULE(DW_CFA_def_cfa_expression, 11, DW_OP_breg0 + 7, 8,
			  DW_OP_breg0 + 16, 0, DW_OP_lit0 + 15, DW_OP_and, DW_OP_lit0 + 16,
			  DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl, DW_OP_plus)),
		CODECTL_RULE_SLOW_EXPR);
	rule = rule_of("RS", nop, sizeof(nop));
	CHECK_INT(codectl_rule_kind(rule), CODECTL_RULE_SLOW_REG);
	CHECK(codectl_rule_is_signal(rule));
}
