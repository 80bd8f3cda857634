/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * space/segments.h: the address space of a process as disjoint segments in order,
 * cut wherever a registration ever began or ended. Private to space/. One thread.
 *
 * They are in chunks of bounded size, so that adding one moves few others, in whatever
 * order addresses come. A process of some twenty objects has one small chunk.
 */
#ifndef CODECTL_SPACE_SEGMENTS_H
#define CODECTL_SPACE_SEGMENTS_H

#include "space/space.h"

struct codectl_segment {
	uint64_t start;
	uint64_t end;
	struct codectl_mapping **mappings; /* Owned array of weak pointers, oldest first. */
	size_t mapping_count;
};

struct codectl_segment_chunk {
	struct codectl_segment *segments; /* Owned; by rising address; never none. */
	size_t count;
	size_t capacity;
};

/* All zero: none. */
struct codectl_segments {
	struct codectl_segment_chunk *chunks; /* Owned; by rising address. */
	size_t count;
	size_t capacity;
	uint64_t moved; /* Segments and chunks that made room for others, in all. */
};

/* A segment, or the place behind the last one. Good until the next insertion. */
struct codectl_segment_place {
	size_t chunk;
	size_t index;
};

void codectl_segments_fini(struct codectl_segments *segments);

/* The first segment that ends above @address. */
struct codectl_segment_place codectl_segments_seek(
	const struct codectl_segments *segments, uint64_t address);

/* What is at @place; NULL behind the last one. Weak, until the next insertion. */
struct codectl_segment *codectl_segments_borrow(
	const struct codectl_segments *segments, struct codectl_segment_place place);

/* The place after @place, which has a segment. */
struct codectl_segment_place codectl_segments_next(
	const struct codectl_segments *segments, struct codectl_segment_place place);

/*
 * Puts an empty segment before @place. Returns 0 with *@place its own, or -ENOMEM and
 * nothing has changed.
 */
int codectl_segments_insert(struct codectl_segments *segments, struct codectl_segment_place *place,
	uint64_t start, uint64_t end);

#endif /* CODECTL_SPACE_SEGMENTS_H */
