/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "sampler/thin.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct codectl_range code[] = {
	{0x1000, 0x2000}, {0x5000, 0x5008}, {0x7f0000001000, 0x7f0000002000}};

TEST(find_range)
{
	CHECK(!codectl_thin_find(code, 0, 0x1000));
	CHECK(!codectl_thin_find(code, 3, 0xfff));
	CHECK(codectl_thin_find(code, 3, 0x1000));
	CHECK(codectl_thin_find(code, 3, 0x1fff));
	CHECK(!codectl_thin_find(code, 3, 0x2000));
	CHECK(codectl_thin_find(code, 3, 0x5007));
	CHECK(!codectl_thin_find(code, 3, 0x5008));
	CHECK(codectl_thin_find(code, 3, 0x7f0000001fff));
	CHECK(!codectl_thin_find(code, 3, 0x7f0000002000));
	CHECK(!codectl_thin_find(code, 3, UINT64_MAX));
}

#define SP    0x7ffe00000100u
#define WORDS 128

/* A stack of small numbers, and what becomes of it. */
static struct {
	uint64_t words[WORDS];
	uint64_t map[WORDS / 64];
	uint64_t kept[WORDS];
	size_t kept_count;
	struct codectl_thin_scratch scratch;
} stack;

static struct codectl_thin_rule rule;

static uint64_t slot(size_t index)
{
	return SP + 8 * index;
}

static void begin(void)
{
	for (size_t i = 0; i < WORDS; i++)
		stack.words[i] = i;
	rule = (struct codectl_thin_rule){
		.executable = code,
		.executable_count = COUNT_OF(code),
		.stack = {SP - 0x100, SP + 0xf00},
	};
}

static void thin(size_t word_count)
{
	memset(stack.map, 0xff, sizeof(stack.map));
	memset(&stack.scratch, 0xff, sizeof(stack.scratch));
	stack.kept_count = codectl_thin(
		&rule, &stack.scratch, stack.words, word_count, SP, stack.map, stack.kept);
}

static bool is_kept(size_t index)
{
	return stack.map[index / 64] >> index % 64 & 1;
}

/* Whether just @first and @last are kept: of what is between them and outside, nothing. */
static void check_kept(size_t first, size_t last)
{
	for (size_t i = 0; i < WORDS; i++)
		CHECK_INT(is_kept(i), i == first || i == last);
}

TEST(code_and_data)
{
	begin();
	stack.words[1] = 0x1234;
	stack.words[2] = 0x3000;	     /* Between two executable ranges. */
	stack.words[3] = 0xffffffffff600000; /* Above everything. */
	stack.words[4] = 0x55d000001234;     /* The heap, say. */
	stack.words[100] = 0x7f0000001abc;   /* Code in a library. */
	thin(WORDS);
	check_kept(1, 100);
	CHECK_INT(stack.kept_count, 2);
	CHECK_HEX(stack.kept[0], 0x1234);
	CHECK_HEX(stack.kept[1], 0x7f0000001abc);
}

/* Where registers are pushed: up to eight words below a return address. */
TEST(saved_registers)
{
	for (size_t distance = 1; distance < 12; distance++) {
		begin();
		stack.words[70] = 0x1234;
		stack.words[70 - distance] = slot(100);
		thin(WORDS);
		check_kept(70, distance <= 8 ? 70 - distance : 70);
	}
	/* What points downwards, to itself, or between words was no frame address. */
	for (size_t i = 0; i < 3; i++) {
		const uint64_t values[] = {slot(10), slot(69), slot(100) + 4};

		begin();
		stack.words[70] = 0x1234;
		stack.words[69] = values[i];
		thin(WORDS);
		check_kept(70, 70);
	}
	/* Above what was examined, in the mapping; and above that. */
	begin();
	stack.words[70] = 0x1234;
	stack.words[69] = SP + 0xe00;
	stack.words[68] = SP + 0xf00;
	thin(WORDS);
	check_kept(69, 70);
	/* Without a known mapping the examined range is the stack, and no more. */
	rule.stack = (struct codectl_range){0, 0};
	stack.words[68] = slot(WORDS - 1);
	thin(WORDS);
	check_kept(68, 70);
}

/* A stack pointer that was put away: of the word above a return address, or of pushes below. */
TEST(saved_stack_pointer)
{
	for (size_t target = 85; target < 105; target++) {
		begin();
		stack.words[3] = slot(target);
		stack.words[100] = 0x1234;
		thin(WORDS);
		check_kept(100, target >= 92 && target <= 101 ? 3 : 100);
	}
	/* Far below what is examined, it points to what nobody knows. */
	begin();
	stack.words[3] = SP + 0xe00;
	thin(WORDS);
	CHECK_INT(stack.kept_count, 0);
}

TEST(signal_frame)
{
	const size_t trampoline = 20, registers = trampoline + 6, segments = registers + 18;

	begin();
	rule.segments = 0x2b000000000033;
	stack.words[trampoline] = 0x1234;
	stack.words[registers] = slot(100) + 1;	      /* r8: whatever it is. */
	stack.words[registers + 4] = slot(3);	      /* r12: downwards too. */
	stack.words[registers + 8] = 0x55d000001234;  /* rdi: data. */
	stack.words[registers + 16] = 0x7f0000001abc; /* rip */
	stack.words[segments] = rule.segments;
	thin(WORDS);
	CHECK_INT(stack.kept_count, 4);
	CHECK(is_kept(trampoline) && is_kept(registers) && is_kept(registers + 4) &&
		is_kept(registers + 16));
	/* Not a signal's frame. */
	stack.words[segments]++;
	thin(WORDS);
	CHECK_INT(stack.kept_count, 2);
	/* Its end is not there. */
	stack.words[segments]--;
	thin(segments);
	CHECK_INT(stack.kept_count, 2);
	thin(segments + 1);
	CHECK_INT(stack.kept_count, 4);
	/* Nobody knows yet what it looks like. */
	rule.segments = 0;
	stack.words[segments] = 0;
	thin(WORDS);
	CHECK_INT(stack.kept_count, 2);
}

/* The 0 where a chain of frame pointers ends, which begins in the register or in a frame. */
TEST(end_of_frame_pointers)
{
	begin();
	stack.words[10] = 0;
	stack.words[11] = 0x1234;
	stack.words[20] = 0; /* Nothing leads to this one. */
	stack.words[21] = 0x1235;
	thin(WORDS);
	check_kept(11, 21);
	rule.frame_pointer = slot(10);
	thin(WORDS);
	CHECK_INT(stack.kept_count, 3);
	CHECK(is_kept(10));
	rule.frame_pointer = slot(4);
	stack.words[4] = slot(10);
	stack.words[5] = 0x1236;
	thin(WORDS);
	CHECK_INT(stack.kept_count, 5);
	CHECK(is_kept(10) && is_kept(4));
	/* At the last word there is no room for a return address. */
	begin();
	rule.frame_pointer = slot(63);
	stack.words[63] = 0;
	thin(64);
	CHECK_INT(stack.kept_count, 0);
}

/* The last ones stay, be they zero or not; and the words may be thinned in place. */
TEST(map_boundaries)
{
	CHECK_INT(codectl_thin_map_count(200), 4);
	CHECK_INT(codectl_thin_map_count(192), 3);
	CHECK_INT(codectl_thin_map_count(0), 0);
	begin();
	stack.words[60] = slot(90);
	stack.words[63] = 0x1001;
	stack.words[64] = 0x1002;
	stack.words[127] = 0x1003;
	memset(stack.map, 0xff, sizeof(stack.map));
	CHECK_INT(
		codectl_thin(&rule, &stack.scratch, stack.words, WORDS, SP, stack.map, stack.words),
		4);
	CHECK_HEX(stack.map[0], UINT64_C(9) << 60);
	CHECK_HEX(stack.map[1], UINT64_C(1) << 63 | 1);
	CHECK_HEX(stack.words[0], slot(90));
	CHECK_HEX(stack.words[3], 0x1003);
	CHECK_INT(
		codectl_thin(&rule, &stack.scratch, stack.words, 0, SP, stack.map, stack.kept), 0);
}

TEST(full_copy)
{
	begin();
	rule.is_full = true;
	thin(65);
	CHECK_INT(stack.kept_count, 65);
	CHECK_HEX(stack.map[0], UINT64_MAX);
	CHECK_HEX(stack.map[1], 1);
	CHECK(!memcmp(stack.words, stack.kept, 65 * sizeof(*stack.words)));
}
