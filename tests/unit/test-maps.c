/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "sampler/maps.h"
#include "sampler/thin.h"

#include <errno.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

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
