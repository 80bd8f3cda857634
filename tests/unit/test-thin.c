/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "sampler/maps.h"
#include "sampler/thin.h"

#include <errno.h>

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

TEST(rule_a)
{
	static const uint64_t sp = 0x7ffe00000100;
	const struct codectl_thin_rule rule = {
		.executable = code,
		.executable_count = COUNT_OF(code),
		.stack = {0x7ffe00000000, 0x7ffe00001000},
	};
	const uint64_t words[] = {
		0,		    /* Program data. */
		0x1234,		    /* Code. */
		0x3000,		    /* Between two executable ranges. */
		sp + 7 * 8,	    /* The last word that is examined. */
		sp - 8,		    /* Below, in the mapping. */
		0x7ffe00001000,	    /* One past the mapping. */
		0xffffffffff600000, /* Above everything. */
		0x7f0000001abc,	    /* Code in a library. */
	};
	uint64_t kept[COUNT_OF(words)], map[1] = {UINT64_MAX};

	CHECK_INT(codectl_thin(&rule, words, COUNT_OF(words), sp, map, kept), 4);
	CHECK_HEX(map[0], 1u << 1 | 1u << 3 | 1u << 4 | 1u << 7);
	CHECK_HEX(kept[0], 0x1234);
	CHECK_HEX(kept[1], sp + 7 * 8);
	CHECK_HEX(kept[2], sp - 8);
	CHECK_HEX(kept[3], 0x7f0000001abc);
}

/* Without a known mapping the examined range counts as the stack, and no more. */
TEST(unknown_stack)
{
	const struct codectl_thin_rule rule = {.executable_count = 0};
	uint64_t words[] = {0x8000, 0x8008, 0x800f, 0x8010, 0x7fff};
	uint64_t map[1], kept[COUNT_OF(words)];

	CHECK_INT(codectl_thin(&rule, words, 2, 0x8000, map, kept), 2);
	CHECK_HEX(map[0], 3);
	CHECK_INT(codectl_thin(&rule, words + 2, 3, 0x7ff8, map, kept), 2);
	CHECK_HEX(map[0], 5);
	CHECK_INT(codectl_thin(&rule, words + 2, 3, 0x8000, map, kept), 2);
	CHECK_HEX(map[0], 3);
	CHECK_INT(codectl_thin(&rule, words + 2, 3, 0x9000, map, kept), 0);
}

/* More than one word of map; the last ones stay, be they zero or not. */
TEST(long_stack_in_place)
{
	const struct codectl_thin_rule rule = {
		.executable = code, .executable_count = COUNT_OF(code)};
	uint64_t words[200], map[4];

	CHECK_INT(codectl_thin_map_count(200), 4);
	CHECK_INT(codectl_thin_map_count(192), 3);
	CHECK_INT(codectl_thin_map_count(0), 0);
	memset(words, 0, sizeof(words));
	memset(map, 0xff, sizeof(map));
	words[63] = 0x1001;
	words[64] = 0x1002;
	words[127] = 0x1003;
	CHECK_INT(codectl_thin(&rule, words, 200, 0x100000, map, words), 3);
	CHECK_HEX(map[0], (uint64_t)1 << 63);
	CHECK_HEX(map[1], (uint64_t)1 << 63 | 1);
	CHECK_HEX(map[2], 0);
	CHECK_HEX(map[3], 0);
	CHECK_HEX(words[0], 0x1001);
	CHECK_HEX(words[2], 0x1003);
}

TEST(full_copy)
{
	const struct codectl_thin_rule rule = {.is_full = true};
	uint64_t words[65], map[2], kept[65];

	for (size_t i = 0; i < COUNT_OF(words); i++)
		words[i] = i * 3;
	CHECK_INT(codectl_thin(&rule, words, 65, 0x100000, map, kept), 65);
	CHECK_HEX(map[0], UINT64_MAX);
	CHECK_HEX(map[1], 1);
	CHECK(!memcmp(words, kept, sizeof(words)));
	CHECK_INT(codectl_thin(&rule, words, 0, 0x100000, map, kept), 0);
}

static const char maps_text[] =
	"55d000000000-55d000001000 r--p 00000000 fe:00 1234                       /usr/bin/app\n"
	"55d000001000-55d000003000 r-xp 00001000 fe:00 1234                       /usr/bin/app\n"
	"55d000003000-55d000004000 rw-p 00003000 fe:00 1234                       /usr/bin/app\n"
	"55d000010000-55d000020000 rw-p 00000000 00:00 0                          [heap]\n"
	"not a line\n"
	"7f0000000000-7f0000010000 rwxp 00000000 00:00 0 \n"
	"7f0000010000-7f0000011000 r-xp 00000000 00:00 0 \n"
	"7f1000000000-7f1000001000 ---p 00000000 00:00 0 \n"
	"7f1000001000-7f1000801000 rw-p 00000000 00:00 0 \n"
	"7f1000900000-7f1000a01000 rw-p 00000000 00:00 0 \n"
	"7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0                          [stack]\n"
	"7ffe00030000-7ffe00032000 r-xp 00000000 00:00 0                          [vdso]\n"
	"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n";

TEST(maps)
{
	struct codectl_maps maps = {0};
	struct codectl_range stack;

	CHECK_INT(codectl_maps_parse(&maps, maps_text, strlen(maps_text)), 0);
	CHECK_INT(maps.mapping_count, 12);
	CHECK_INT(maps.executable.count, 3);
	CHECK_HEX(maps.executable.ranges[0].start, 0x55d000001000);
	CHECK_HEX(maps.executable.ranges[0].end, 0x55d000003000);
	CHECK_HEX(maps.executable.ranges[1].start, 0x7f0000000000);
	CHECK_HEX(maps.executable.ranges[1].end, 0x7f0000011000);
	CHECK_HEX(maps.executable.ranges[2].end, 0x7ffe00032000);
	CHECK(!codectl_maps_find(&maps, 0x55d000004000));
	CHECK_HEX(codectl_maps_find(&maps, 0x55d000003fff)->start, 0x55d000003000);
	CHECK(!codectl_maps_find(&maps, 0));
	CHECK_INT(codectl_maps_find_main_stack(&maps, &stack), 0);
	CHECK_HEX(stack.start, 0x7ffe00000000);
	/* A thread's stack ends at its control block and has a guard below. */
	CHECK_INT(codectl_maps_find_thread_stack(&maps, 0x7f1000800700, &stack), 0);
	CHECK_HEX(stack.start, 0x7f1000001000);
	CHECK_HEX(stack.end, 0x7f1000800700);
	CHECK_INT(codectl_maps_find_thread_stack(&maps, 0x7f1000a00700, &stack), -ENOENT);
	CHECK_INT(codectl_maps_find_thread_stack(&maps, 0x55d000003700, &stack), -ENOENT);
	CHECK_INT(codectl_maps_find_thread_stack(&maps, 0x10, &stack), -ENOENT);
	codectl_maps_fini(&maps);
}

/* A JIT that makes its memory writable for a while: it stays code until it is unmapped. */
TEST(maps_sticky_code)
{
	static const char executable[] = "7f0000010000-7f0000012000 r-xp 00000000 00:00 0 \n";
	static const char writable[] = "7f0000000000-7f0000011000 rw-p 00000000 00:00 0 \n"
				       "7f0000011000-7f0000012000 r-xp 00000000 00:00 0 \n";
	static const char gone[] = "7f0000011000-7f0000013000 rw-p 00000000 00:00 0 \n";
	static const char file[] = "7f0000010000-7f0000012000 rw-p 00000000 fe:00 7 /x\n";
	struct codectl_maps maps = {0};

	CHECK_INT(codectl_maps_parse(&maps, executable, strlen(executable)), 0);
	for (int round = 0; round < 3; round++) {
		CHECK_INT(codectl_maps_parse(&maps, writable, strlen(writable)), 0);
		CHECK_INT(maps.executable.count, 1);
		CHECK_HEX(maps.executable.ranges[0].start, 0x7f0000010000);
		CHECK_HEX(maps.executable.ranges[0].end, 0x7f0000012000);
	}
	CHECK_INT(codectl_maps_parse(&maps, gone, strlen(gone)), 0);
	CHECK_INT(maps.executable.count, 1);
	CHECK_HEX(maps.executable.ranges[0].start, 0x7f0000011000);
	CHECK_HEX(maps.executable.ranges[0].end, 0x7f0000012000);
	CHECK_INT(codectl_maps_parse(&maps, file, strlen(file)), 0);
	CHECK_INT(maps.executable.count, 0);
	codectl_maps_fini(&maps);
}

/* This process: our code is executable, our stack is the main one. */
TEST(maps_of_this_process)
{
	struct codectl_maps maps = {0};
	struct codectl_range stack;

	CHECK_INT(codectl_maps_read(&maps), 0);
	CHECK(codectl_thin_find(
		maps.executable.ranges, maps.executable.count, (uint64_t)(uintptr_t)codectl_thin));
	CHECK(!codectl_thin_find(
		maps.executable.ranges, maps.executable.count, (uint64_t)(uintptr_t)&maps));
	CHECK_INT(codectl_maps_find_main_stack(&maps, &stack), 0);
	CHECK(codectl_range_has(&stack, (uint64_t)(uintptr_t)__builtin_frame_address(0)));
	codectl_maps_fini(&maps);
}

TEST(ranges_of_two_times)
{
	struct codectl_range old[] = {{0x1000, 0x2000}, {0x4000, 0x6000}, {0x9000, 0xa000}};
	struct codectl_range new[] = {{0x1800, 0x2800}, {0x3000, 0x4000}, {0x4800, 0x5000}};
	const struct codectl_ranges some = {.ranges = old, .count = COUNT_OF(old)};
	const struct codectl_ranges others = {.ranges = new, .count = COUNT_OF(new)};
	const struct codectl_ranges none = {0};
	struct codectl_ranges all = {0};

	CHECK_INT(codectl_ranges_unite(&all, &some, &others), 0);
	CHECK_INT(all.count, 3);
	CHECK_HEX(all.ranges[0].start, 0x1000);
	CHECK_HEX(all.ranges[0].end, 0x2800);
	CHECK_HEX(all.ranges[1].start, 0x3000);
	CHECK_HEX(all.ranges[1].end, 0x6000);
	CHECK_HEX(all.ranges[2].start, 0x9000);
	CHECK_INT(codectl_ranges_unite(&all, &none, &others), 0);
	CHECK_INT(all.count, 3);
	CHECK_HEX(all.ranges[2].end, 0x5000);
	CHECK_INT(codectl_ranges_unite(&all, &none, &none), 0);
	CHECK_INT(all.count, 0);
	codectl_ranges_fini(&all);
}
