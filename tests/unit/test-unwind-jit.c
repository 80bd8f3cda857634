/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Unwinding generated code: by rows, sound and unsound, by frame pointers, and by
 * sections that the program has handed over.
 */
#include "lib/cfi-writer.h"
#include "lib/tap.h"

#include "format/dwarf-constants.h"
#include "unwind/jit-rows.h"
#include "unwind/jit.h"

#include <stdlib.h>

#define TEXT  UINT64_C(0x700000000)
#define SIZE  UINT64_C(0x10000)
#define STACK UINT64_C(0x7ffc00001000)

/* As CODE_JIT_INFO_* of codectl/codectl.h. */
#define INFO_SP	       0x43
#define INFO_SP_FP     0x45
#define INFO_FP	       0x42
#define INFO_FP_FP     0x44
#define INFO_OUTERMOST 0x41

static struct codectl_unwind_jit_stats stats;

static struct codectl_unwind_jit *create(uint32_t format)
{
	struct codectl_unwind_jit *jit = codectl_unwind_jit_create(format, TEXT, TEXT + SIZE);

	CHECK(jit);
	memset(&stats, 0, sizeof(stats));
	return jit;
}

/* One row as number @first of table @table. */
static void add(
	struct codectl_unwind_jit *jit, uint32_t table, uint64_t first, struct codectl_jit_row row)
{
	const struct codectl_event_jit_rows event = {
		.table = table,
		.first = first,
		.ip_off = &row.start,
		.ip_off_count = 1,
		.size = &row.size,
		.cfa_off = &row.cfa_off,
		.ra_off = &row.ra_off,
		.fp_off = &row.fp_off,
		.info = &row.info,
		.flags = &row.flags,
		.flags_count = 1,
	};

	CHECK_INT(codectl_unwind_jit_add_rows(jit, &event, &stats), 0);
}

static struct codectl_jit_row make_row(uint32_t start, uint32_t size, int32_t cfa, uint8_t info)
{
	return (struct codectl_jit_row){
		.start = start,
		.size = size,
		.cfa_off = cfa,
		.ra_off = -8,
		.fp_off = -16,
		.info = info,
	};
}

static struct codectl_rule rule_at(const struct codectl_unwind_jit *jit, uint64_t offset)
{
	uint64_t bias;
	const struct codectl_unwind_module *module = codectl_unwind_jit_borrow_module(jit, &bias);

	return module ? codectl_unwind_module_find_rule(module, TEXT + offset - bias)
		      : codectl_rule_make_bare(CODECTL_RULE_NONE, false);
}

static int kind_at(const struct codectl_unwind_jit *jit, uint64_t offset)
{
	return codectl_rule_kind(rule_at(jit, offset));
}

static int cfa_at(const struct codectl_unwind_jit *jit, uint64_t offset)
{
	return kind_at(jit, offset) == CODECTL_RULE_NONE ? 0
							 : codectl_rule_cfa(rule_at(jit, offset));
}

TEST(what_rows_mean)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);

	add(jit, 0, 0, make_row(0, 16, 8, INFO_SP));
	add(jit, 0, 1, make_row(16, 16, 24, INFO_SP_FP));
	add(jit, 0, 2, make_row(32, 16, 16, INFO_FP_FP));
	add(jit, 0, 3, make_row(48, 16, 16, INFO_FP));
	add(jit, 0, 4, make_row(80, 16, 0, INFO_OUTERMOST));
	CHECK_INT(stats.rows, 5);
	CHECK_INT(kind_at(jit, 0), CODECTL_RULE_SP);
	CHECK_INT(cfa_at(jit, 15), 8);
	CHECK_INT(codectl_rule_fp_kind(rule_at(jit, 0)), CODECTL_RULE_FP_SAME);
	CHECK_INT(codectl_rule_origin(rule_at(jit, 0)), CODECTL_FRAME_VIA_JIT);
	CHECK_INT(cfa_at(jit, 16), 24);
	CHECK_INT(codectl_rule_fp_kind(rule_at(jit, 16)), CODECTL_RULE_FP_AT_CFA);
	CHECK_INT(codectl_rule_fp(rule_at(jit, 16)), -16);
	CHECK_INT(kind_at(jit, 32), CODECTL_RULE_FP);
	CHECK_INT(codectl_rule_fp_kind(rule_at(jit, 48)), CODECTL_RULE_FP_SAME);
	CHECK_INT(kind_at(jit, 64), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(jit, 79), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(jit, 80), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(jit, 96), CODECTL_RULE_NONE);
	codectl_unwind_jit_destroy(jit);
}

/* What a rule cannot say goes through the walk with all registers. */
TEST(rows_for_the_slow_walk)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);
	struct codectl_jit_row row = make_row(0, 16, 32, INFO_SP_FP);
	struct codectl_unwind_module_cfi cfi;
	uint64_t bias;

	row.ra_off = -24;
	add(jit, 0, 0, row);
	row = make_row(16, 16, 100000, INFO_SP_FP);
	row.fp_off = -70000;
	add(jit, 0, 1, row);
	row = make_row(32, 16, 8, INFO_SP);
	row.flags = CODECTL_JIT_FLAG_SIGNAL;
	add(jit, 0, 2, row);
	for (uint64_t offset = 0; offset < 48; offset += 16)
		CHECK(codectl_rule_is_slow(rule_at(jit, offset)));
	CHECK_INT(codectl_unwind_module_find_cfi(
			  codectl_unwind_jit_borrow_module(jit, &bias), 0, &cfi),
		0);
	CHECK_HEX(bias, TEXT);
	CHECK_INT(cfi.via, CODECTL_FRAME_VIA_JIT);
	CHECK_INT(cfi.rules.cfa_reg, CODECTL_AMD64_RSP);
	CHECK_INT(cfi.rules.cfa_offset, 32);
	CHECK_INT(cfi.rules.values[CODECTL_AMD64_RIP], -24);
	CHECK_INT(cfi.rules.values[CODECTL_AMD64_RBP], -16);
	CHECK(!cfi.is_signal_frame);
	CHECK_INT(codectl_unwind_module_find_cfi(
			  codectl_unwind_jit_borrow_module(jit, &bias), 32, &cfi),
		0);
	CHECK(cfi.is_signal_frame);
	codectl_unwind_jit_destroy(jit);
}

TEST(rows_that_make_no_sense)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);
	uint64_t first = 0;

	add(jit, 0, first++, make_row(0, 0, 8, INFO_SP));
	add(jit, 0, first++, make_row(SIZE - 1, 2, 8, INFO_SP));
	add(jit, 0, first++, make_row(UINT32_MAX, UINT32_MAX, 8, INFO_SP));
	add(jit, 0, first++, make_row(0, 16, 8, 0x03)); /* Offsets of one byte. */
	add(jit, 0, first++, make_row(0, 16, 8, 0x23)); /* Of two. */
	add(jit, 0, first++, make_row(0, 16, 8, 0x47)); /* Three offsets. */
	add(jit, 0, first++, make_row(0, 16, 8, 0x43 | 0x80));
	CHECK_INT(stats.bad_rows, first);
	CHECK_INT(stats.rows, 0);
	CHECK_INT(kind_at(jit, 0), CODECTL_RULE_NONE);
	codectl_unwind_jit_destroy(jit);
}

TEST(unsorted_rows_are_used_and_counted)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);

	add(jit, 0, 0, make_row(64, 16, 64, INFO_SP));
	add(jit, 0, 1, make_row(0, 16, 8, INFO_SP));
	add(jit, 1, 0, make_row(32, 16, 32, INFO_SP));
	CHECK_INT(stats.unsorted, 2);
	CHECK_INT(cfa_at(jit, 0), 8);
	CHECK_INT(cfa_at(jit, 40), 32);
	CHECK_INT(cfa_at(jit, 79), 64);
	codectl_unwind_jit_destroy(jit);
	jit = create(CODECTL_JIT_UNSORTED);
	add(jit, 0, 0, make_row(64, 16, 64, INFO_SP));
	add(jit, 0, 1, make_row(0, 16, 8, INFO_SP));
	CHECK_INT(stats.unsorted, 0);
	codectl_unwind_jit_destroy(jit);
}

TEST(rows_of_a_dump_are_known)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);

	add(jit, 0, 0, make_row(0, 16, 8, INFO_SP));
	add(jit, 0, 1, make_row(16, 16, 16, INFO_SP));
	add(jit, 0, 0, make_row(0, 16, 99, INFO_SP));
	CHECK_INT(stats.rows, 2);
	CHECK_INT(cfa_at(jit, 0), 8);
	CHECK_INT(stats.overlaps, 0);
	CHECK_INT(stats.lost_rows, 0);
	add(jit, 0, 7, make_row(64, 16, 64, INFO_SP));
	CHECK_INT(stats.lost_rows, 5);
	/* A number out of all proportion allocates nothing. */
	add(jit, UINT32_MAX, 0, make_row(128, 16, 64, INFO_SP));
	CHECK_INT(stats.bad_tables, 1);
	add(jit, 5, UINT64_MAX, make_row(128, 16, 64, INFO_SP));
	CHECK_INT(stats.bad_tables, 2);
	codectl_unwind_jit_destroy(jit);
}

/* Against an array that has the last row for each byte. */
TEST(overlapping_rows)
{
	static uint32_t expected[SIZE];
	struct codectl_jit_rows rows = {.count = 0};
	uint64_t random = 1;

	for (uint32_t i = 1; i <= 20000; i++) {
		struct codectl_jit_row row;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		row = make_row((uint32_t)(random >> 40) % (SIZE - 64), 1 + (random >> 33) % 63,
			(int32_t)i, INFO_SP);
		CHECK_INT(codectl_jit_rows_add(&rows, &row), 0);
		for (uint32_t j = 0; j < row.size; j++)
			expected[row.start + j] = i;
	}
	CHECK(rows.overlaps > 0);
	for (uint32_t i = 0; i < SIZE; i++) {
		const struct codectl_jit_row *row = codectl_jit_rows_find(&rows, i);

		CHECK_INT(row ? (uint32_t)row->cfa_off : 0, expected[i]);
	}
	codectl_jit_rows_fini(&rows);
}

TEST(rows_at_the_end_of_4_gib)
{
	struct codectl_jit_rows rows = {.count = 0};
	struct codectl_jit_row row = make_row(UINT32_MAX, 1, 1, INFO_SP);

	CHECK_INT(codectl_jit_rows_add(&rows, &row), 0);
	row = make_row(UINT32_MAX - 15, 16, 2, INFO_SP);
	CHECK_INT(codectl_jit_rows_add(&rows, &row), 0);
	row = make_row(UINT32_MAX - 7, 4, 3, INFO_SP);
	CHECK_INT(codectl_jit_rows_add(&rows, &row), 0);
	CHECK_INT(codectl_jit_rows_find(&rows, UINT32_MAX)->cfa_off, 2);
	CHECK_INT(codectl_jit_rows_find(&rows, UINT32_MAX - 7)->cfa_off, 3);
	CHECK_INT(codectl_jit_rows_find(&rows, UINT32_MAX - 3)->cfa_off, 2);
	CHECK_INT(rows.count, 3);
	codectl_jit_rows_fini(&rows);
}

TEST(frame_pointers_everywhere)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_FP);

	CHECK_INT(kind_at(jit, 0), CODECTL_RULE_FP);
	CHECK_INT(cfa_at(jit, SIZE - 1), 16);
	CHECK_INT(codectl_rule_fp(rule_at(jit, 0)), -16);
	/* Rows do not belong there. */
	add(jit, 0, 0, make_row(0, 16, 8, INFO_SP));
	CHECK_INT(stats.bad_tables, 1);
	codectl_unwind_jit_destroy(jit);
	jit = create(CODECTL_JIT_NONE);
	CHECK_INT(kind_at(jit, 0), CODECTL_RULE_NONE);
	codectl_unwind_jit_destroy(jit);
}

TEST(sections)
{
	static uint8_t noise[4096];

	memset(noise, 0x5a, sizeof(noise));
	for (uint32_t format = CODECTL_JIT_SFRAME; format <= CODECTL_JIT_EH_FRAME; format++) {
		struct codectl_unwind_jit *jit = create(format);

		CHECK_INT(
			codectl_unwind_jit_set_blob(jit, noise, sizeof(noise), TEXT + SIZE, &stats),
			0);
		CHECK_INT(kind_at(jit, 0), CODECTL_RULE_NONE);
		CHECK_INT(stats.bad_blobs, 1);
		codectl_unwind_jit_destroy(jit);
	}
}

/* The code, and a stack of one word after the other. */
struct moment {
	struct codectl_unwind_jit *jit;
};

static int find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	const struct moment *moment = user;

	*code = (struct codectl_unwind_code){.module = NULL};
	if (lookup_pc - TEXT >= SIZE)
		return -1;
	code->is_generated = true;
	code->module = codectl_unwind_jit_borrow_module(moment->jit, &code->bias);
	return 0;
}

/* From code that has changed rbp, over its frame, to code that uses it. */
TEST(a_chain)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_TABLE);
	struct moment moment = {.jit = jit};
	const struct codectl_unwind_ops ops = {
		.find_code = find_code, .user = &moment, .generation = 1};
	uint64_t regs[CODECTL_AMD64_REG_COUNT] = {0};
	const uint64_t stack[] = {1, 2, STACK + 48, TEXT + 40, 5, 6, 0, TEXT + 60};
	const uint64_t stack_map[] = {0xff};
	struct codectl_event_sample sample = {
		.stack_start = STACK,
		.stack_len = sizeof(stack),
		.regs = regs,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.stack_map = stack_map,
		.stack_map_count = 1,
		.stack = stack,
		.stack_count = 8,
	};
	struct codectl_unwinder *unwinder = codectl_unwinder_create();
	struct codectl_unwind_frame frames[8];
	size_t count;

	add(jit, 0, 0, make_row(0, 16, 32, INFO_SP_FP));
	add(jit, 0, 1, make_row(32, 16, 16, INFO_FP_FP));
	add(jit, 0, 2, make_row(48, 16, 0, INFO_OUTERMOST));
	regs[CODECTL_AMD64_RIP] = TEXT + 5;
	regs[CODECTL_AMD64_RSP] = STACK;
	regs[CODECTL_AMD64_RBP] = 42;
	CHECK_INT(codectl_unwind(unwinder, &ops, &sample, frames, 8, &count),
		CODECTL_STACK_END_OUTERMOST);
	CHECK_INT(count, 3);
	CHECK_HEX(frames[1].pc, TEXT + 40);
	CHECK_HEX(frames[2].pc, TEXT + 60);
	CHECK_INT(frames[0].via, CODECTL_FRAME_VIA_REGS);
	CHECK_INT(frames[1].via, CODECTL_FRAME_VIA_JIT);
	CHECK_INT(frames[2].via, CODECTL_FRAME_VIA_JIT);
	codectl_unwinder_destroy(unwinder);
	codectl_unwind_jit_destroy(jit);
}

/* Unwinds a stack of eight words, sampled at its first one, in generated code with FP. */
static size_t unwind_words(const uint64_t *stack, uint64_t fp, struct codectl_unwind_frame *frames)
{
	struct codectl_unwind_jit *jit = create(CODECTL_JIT_FP);
	struct moment moment = {.jit = jit};
	const struct codectl_unwind_ops ops = {
		.find_code = find_code, .user = &moment, .generation = 1};
	uint64_t regs[CODECTL_AMD64_REG_COUNT] = {0};
	const uint64_t stack_map[] = {0xff};
	const struct codectl_event_sample sample = {
		.stack_start = STACK,
		.stack_len = 64,
		.regs = regs,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.stack_map = stack_map,
		.stack_map_count = 1,
		.stack = stack,
		.stack_count = 8,
	};
	struct codectl_unwinder *unwinder = codectl_unwinder_create();
	size_t count;

	regs[CODECTL_AMD64_RIP] = TEXT + 5;
	regs[CODECTL_AMD64_RSP] = STACK;
	regs[CODECTL_AMD64_RBP] = fp;
	codectl_unwind(unwinder, &ops, &sample, frames, 8, &count);
	codectl_unwinder_destroy(unwinder);
	codectl_unwind_jit_destroy(jit);
	return count;
}

TEST(leaves_of_frame_pointer_code)
{
	/* A leaf, a function that has just pushed FP, one with a frame. */
	const uint64_t leaf[] = {TEXT + 40, 2, STACK + 48, TEXT + 48, 5, 6, 0, 0};
	const uint64_t pushed[] = {STACK + 16, TEXT + 40, STACK + 48, TEXT + 48, 5, 6, 0, 0};
	const uint64_t framed[] = {1, 2, STACK + 48, TEXT + 48, 5, 6, 0, 0};
	struct codectl_unwind_frame frames[8];

	CHECK_INT(unwind_words(leaf, STACK + 16, frames), 3);
	CHECK_HEX(frames[1].pc, TEXT + 40);
	CHECK_INT(frames[1].via, CODECTL_FRAME_VIA_SCAN);
	CHECK_HEX(frames[2].pc, TEXT + 48);
	CHECK_INT(frames[2].via, CODECTL_FRAME_VIA_FP);
	CHECK_INT(unwind_words(pushed, STACK + 16, frames), 3);
	CHECK_HEX(frames[1].pc, TEXT + 40);
	CHECK_HEX(frames[2].pc, TEXT + 48);
	CHECK_INT(unwind_words(framed, STACK + 16, frames), 2);
	CHECK_HEX(frames[1].pc, TEXT + 48);
}
