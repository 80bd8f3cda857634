/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "symbolize/ranges.h"

#include <stdlib.h>

#define NONE UINT32_MAX

static uint32_t find(const struct codectl_ranges *ranges, uint64_t address)
{
	const struct codectl_range *range = codectl_ranges_find(ranges, address);

	return range ? range->value : NONE;
}

TEST(empty)
{
	struct codectl_ranges ranges = {0};

	CHECK_INT(codectl_ranges_add(&ranges, 5, 5, 0, 0), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 6, 5, 0, 0), 0);
	CHECK_INT(codectl_ranges_flatten(&ranges), 0);
	CHECK_INT(find(&ranges, 5), NONE);
	CHECK_HEX(codectl_ranges_next_start(&ranges, 0), UINT64_MAX);
	codectl_ranges_fini(&ranges);
}

TEST(innermost_holds)
{
	struct codectl_ranges ranges = {0};

	CHECK_INT(codectl_ranges_add(&ranges, 10, 50, 1, 0), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 20, 30, 2, 0), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 25, 27, 3, 0), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 60, UINT64_MAX, 4, 0), 0);
	CHECK_INT(codectl_ranges_flatten(&ranges), 0);
	CHECK_INT(find(&ranges, 9), NONE);
	CHECK_INT(find(&ranges, 10), 1);
	CHECK_INT(find(&ranges, 20), 2);
	CHECK_INT(find(&ranges, 26), 3);
	CHECK_INT(find(&ranges, 27), 2);
	CHECK_INT(find(&ranges, 30), 1);
	CHECK_INT(find(&ranges, 50), NONE);
	CHECK_INT(find(&ranges, UINT64_MAX - 1), 4);
	CHECK_INT(find(&ranges, UINT64_MAX), NONE);
	CHECK_HEX(codectl_ranges_next_start(&ranges, 50), 60);
	codectl_ranges_fini(&ranges);
}

TEST(best_rank_of_equal_starts)
{
	struct codectl_ranges ranges = {0};

	CHECK_INT(codectl_ranges_add(&ranges, 10, 20, 1, 2), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 10, 16, 2, 0), 0);
	CHECK_INT(codectl_ranges_add(&ranges, 10, 18, 3, 1), 0);
	CHECK_INT(codectl_ranges_flatten(&ranges), 0);
	CHECK_INT(find(&ranges, 10), 2);
	CHECK_INT(find(&ranges, 16), 3);
	CHECK_INT(find(&ranges, 18), 1);
	CHECK_INT(ranges.count, 3);
	codectl_ranges_fini(&ranges);
}

/* What the header promises, by looking at every range. */
static uint32_t find_slowly(const struct codectl_range *ranges, size_t count, uint64_t address)
{
	const struct codectl_range *best = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct codectl_range *range = &ranges[i];

		if (address < range->start || address >= range->end)
			continue;
		if (!best || range->start > best->start ||
			(range->start == best->start && range->rank < best->rank))
			best = range;
	}
	return best ? best->value : NONE;
}

TEST(random_overlaps)
{
	struct codectl_range input[12];

	srand(1);
	for (int round = 0; round < 20000; round++) {
		struct codectl_ranges ranges = {0};
		size_t count = 1 + (size_t)rand() % 12;

		for (size_t i = 0; i < count; i++) {
			input[i].start = (uint64_t)rand() % 40;
			input[i].end = input[i].start + 1 + (uint64_t)rand() % 20;
			input[i].value = (uint32_t)i;
			/* All different, as equal ranks leave the choice open. */
			input[i].rank = (uint32_t)(i * 7 % 13);
			CHECK_INT(codectl_ranges_add(&ranges, input[i].start, input[i].end,
					  input[i].value, input[i].rank),
				0);
		}
		CHECK_INT(codectl_ranges_flatten(&ranges), 0);
		CHECK(ranges.count <= 2 * count);
		for (uint64_t address = 0; address < 64; address++)
			CHECK_INT(find(&ranges, address), find_slowly(input, count, address));
		codectl_ranges_fini(&ranges);
	}
}
