/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/ranges.h: address ranges which may nest and overlap, flattened once
 * so that a look-up is one binary search. Where ranges overlap, the one that
 * starts last holds (the innermost); of those with the same start, the one with
 * the lowest rank. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_RANGES_H
#define CODECTL_SYMBOLIZE_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct codectl_range {
	uint64_t start;
	uint64_t end; /* Exclusive. */
	uint32_t value;
	uint32_t rank; /* Lower is better. */
};

/* All zero: empty. */
struct codectl_ranges {
	struct codectl_range *ranges; /* Owned. */
	size_t count;
	size_t capacity;
};

void codectl_ranges_fini(struct codectl_ranges *ranges);

/* Adds a range; an empty one is ignored. Returns 0 or -ENOMEM. */
int codectl_ranges_add(
	struct codectl_ranges *ranges, uint64_t start, uint64_t end, uint32_t value, uint32_t rank);

/* Sorts and flattens what was added. Returns 0, or -ENOMEM with the ranges emptied. */
int codectl_ranges_flatten(struct codectl_ranges *ranges);

/* The flattened range which holds @address, or NULL. */
const struct codectl_range *codectl_ranges_find(
	const struct codectl_ranges *ranges, uint64_t address);

/* The start of the first flattened range above @address, UINT64_MAX without any. */
uint64_t codectl_ranges_next_start(const struct codectl_ranges *ranges, uint64_t address);

#endif /* CODECTL_SYMBOLIZE_RANGES_H */
