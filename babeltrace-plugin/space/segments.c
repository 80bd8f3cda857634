/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/segments.h"

#include "space/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As many segments as a chunk has at most. */
#define CHUNK_MAX 128

void codectl_segments_fini(struct codectl_segments *segments)
{
	for (size_t i = 0; i < segments->count; i++) {
		struct codectl_segment_chunk *chunk = &segments->chunks[i];

		for (size_t j = 0; j < chunk->count; j++)
			free(chunk->segments[j].mappings);
		free(chunk->segments);
	}
	free(segments->chunks);
	*segments = (struct codectl_segments){0};
}

/* Index of the first chunk with a segment that ends above @address. */
static size_t find_chunk(const struct codectl_segments *segments, uint64_t address)
{
	size_t low = 0, high = segments->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct codectl_segment_chunk *chunk = &segments->chunks[middle];

		if (chunk->segments[chunk->count - 1].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct codectl_segment_place codectl_segments_seek(
	const struct codectl_segments *segments, uint64_t address)
{
	struct codectl_segment_place place = {.chunk = find_chunk(segments, address)};

	if (place.chunk == segments->count)
		return place;

	const struct codectl_segment_chunk *chunk = &segments->chunks[place.chunk];
	size_t high = chunk->count - 1;

	while (place.index < high) {
		size_t middle = place.index + (high - place.index) / 2;

		if (chunk->segments[middle].end <= address)
			place.index = middle + 1;
		else
			high = middle;
	}
	return place;
}

struct codectl_segment *codectl_segments_borrow(
	const struct codectl_segments *segments, struct codectl_segment_place place)
{
	return place.chunk < segments->count ? &segments->chunks[place.chunk].segments[place.index]
					     : NULL;
}

struct codectl_segment_place codectl_segments_next(
	const struct codectl_segments *segments, struct codectl_segment_place place)
{
	place.index++;
	if (place.index == segments->chunks[place.chunk].count)
		place = (struct codectl_segment_place){.chunk = place.chunk + 1};
	return place;
}

/* Makes room for a chunk at index @at. Returns 0 or -ENOMEM. */
static int insert_chunk(struct codectl_segments *segments, size_t at)
{
	if (codectl_space_grow((void **)&segments->chunks, segments->count, &segments->capacity,
		    sizeof(*segments->chunks)))
		return -ENOMEM;
	memmove(segments->chunks + at + 1, segments->chunks + at,
		(segments->count - at) * sizeof(*segments->chunks));
	segments->moved += segments->count - at;
	segments->chunks[at] = (struct codectl_segment_chunk){0};
	segments->count++;
	return 0;
}

/* Moves the upper half of the chunk @at, which is full, into one of its own. */
static int split_chunk(struct codectl_segments *segments, size_t at)
{
	const size_t half = CHUNK_MAX / 2;
	struct codectl_segment *upper = calloc(CHUNK_MAX, sizeof(*upper));

	if (!upper || insert_chunk(segments, at + 1)) {
		free(upper);
		return -ENOMEM;
	}

	struct codectl_segment_chunk *chunk = &segments->chunks[at];

	memcpy(upper, chunk->segments + half, (CHUNK_MAX - half) * sizeof(*upper));
	segments->moved += CHUNK_MAX - half;
	chunk[1] = (struct codectl_segment_chunk){
		.segments = upper, .count = CHUNK_MAX - half, .capacity = CHUNK_MAX};
	chunk->count = half;
	return 0;
}

/* The first one: it has a chunk of its own. */
static int insert_first(struct codectl_segments *segments, uint64_t start, uint64_t end)
{
	struct codectl_segment_chunk chunk = {0};

	if (codectl_space_grow(
		    (void **)&chunk.segments, 0, &chunk.capacity, sizeof(*chunk.segments)) ||
		insert_chunk(segments, 0)) {
		free(chunk.segments);
		return -ENOMEM;
	}
	chunk.segments[0] = (struct codectl_segment){.start = start, .end = end};
	chunk.count = 1;
	segments->chunks[0] = chunk;
	return 0;
}

int codectl_segments_insert(struct codectl_segments *segments, struct codectl_segment_place *place,
	uint64_t start, uint64_t end)
{
	struct codectl_segment_place at = *place;

	if (segments->count == 0)
		return insert_first(segments, start, end);
	if (at.chunk == segments->count) {
		at.chunk--;
		at.index = segments->chunks[at.chunk].count;
	}
	if (segments->chunks[at.chunk].count == CHUNK_MAX) {
		if (split_chunk(segments, at.chunk))
			return -ENOMEM;
		if (at.index > segments->chunks[at.chunk].count) {
			at.index -= segments->chunks[at.chunk].count;
			at.chunk++;
		}
	}

	struct codectl_segment_chunk *chunk = &segments->chunks[at.chunk];

	if (codectl_space_grow((void **)&chunk->segments, chunk->count, &chunk->capacity,
		    sizeof(*chunk->segments)))
		return -ENOMEM;
	memmove(chunk->segments + at.index + 1, chunk->segments + at.index,
		(chunk->count - at.index) * sizeof(*chunk->segments));
	segments->moved += chunk->count - at.index;
	chunk->segments[at.index] = (struct codectl_segment){.start = start, .end = end};
	chunk->count++;
	*place = at;
	return 0;
}
