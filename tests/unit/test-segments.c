/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "space/segments.h"

#define COUNT 100000

/* The address of segment @number of COUNT, which each number has once. */
static uint64_t scattered(uint64_t number)
{
	return 0x1000 * (1 + number * UINT64_C(61803) % COUNT);
}

static void insert(struct codectl_segments *segments, uint64_t start, uint64_t end)
{
	struct codectl_segment_place place = codectl_segments_seek(segments, start);

	CHECK_INT(codectl_segments_insert(segments, &place, start, end), 0);
	CHECK(codectl_segments_borrow(segments, place)->start == start);
}

/* How many segments there are, in order. */
static size_t walk(const struct codectl_segments *segments)
{
	struct codectl_segment_place place = {0};
	const struct codectl_segment *segment;
	uint64_t last = 0;
	size_t count = 0;

	while ((segment = codectl_segments_borrow(segments, place))) {
		CHECK(segment->start >= last);
		last = segment->end;
		count++;
		place = codectl_segments_next(segments, place);
	}
	return count;
}

TEST(nothing)
{
	struct codectl_segments segments = {0};

	CHECK(!codectl_segments_borrow(&segments, codectl_segments_seek(&segments, 0)));
	codectl_segments_fini(&segments);
}

TEST(what_ends_above)
{
	struct codectl_segments segments = {0};
	const struct codectl_segment *segment;

	insert(&segments, 100, 200);
	insert(&segments, 300, 400);
	segment = codectl_segments_borrow(&segments, codectl_segments_seek(&segments, 199));
	CHECK(segment && segment->start == 100);
	segment = codectl_segments_borrow(&segments, codectl_segments_seek(&segments, 200));
	CHECK(segment && segment->start == 300);
	CHECK(!codectl_segments_borrow(&segments, codectl_segments_seek(&segments, 400)));
	codectl_segments_fini(&segments);
}

/* In whatever order: what is moved grows with their number, not with its square. */
TEST(many_in_any_order)
{
	struct codectl_segments segments = {0};

	for (uint64_t i = 0; i < COUNT; i++)
		insert(&segments, scattered(i), scattered(i) + 0x800);
	CHECK_INT(walk(&segments), COUNT);
	for (uint64_t i = 0; i < COUNT; i++) {
		const struct codectl_segment *segment = codectl_segments_borrow(
			&segments, codectl_segments_seek(&segments, scattered(i) + 0x7ff));

		CHECK(segment && segment->start == scattered(i));
	}
	CHECK(segments.moved < UINT64_C(200) * COUNT);
	codectl_segments_fini(&segments);
}

TEST(many_downwards)
{
	struct codectl_segments segments = {0};

	for (uint64_t i = COUNT; i > 0; i--)
		insert(&segments, i * 0x1000, i * 0x1000 + 0x1000);
	CHECK_INT(walk(&segments), COUNT);
	CHECK(segments.moved < UINT64_C(200) * COUNT);
	codectl_segments_fini(&segments);
}
