/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/ranges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void codectl_ranges_fini(struct codectl_ranges *ranges)
{
	free(ranges->ranges);
	memset(ranges, 0, sizeof(*ranges));
}

int codectl_ranges_add(
	struct codectl_ranges *ranges, uint64_t start, uint64_t end, uint32_t value, uint32_t rank)
{
	if (start >= end)
		return 0;
	if (ranges->count == ranges->capacity) {
		size_t capacity = ranges->capacity ? 2 * ranges->capacity : 64;
		void *larger = reallocarray(ranges->ranges, capacity, sizeof(*ranges->ranges));

		if (!larger)
			return -ENOMEM;
		ranges->ranges = larger;
		ranges->capacity = capacity;
	}
	ranges->ranges[ranges->count++] = (struct codectl_range){
		.start = start, .end = end, .value = value, .rank = rank};
	return 0;
}

/* By start; of equal starts the best comes last, as it shall lie on top. */
static int compare(const void *left, const void *right)
{
	const struct codectl_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->value > b->value ? -1 : a->value < b->value;
}

struct flattening {
	struct codectl_range *output; /* Room for two per input. */
	size_t count;
	const struct codectl_range **open; /* Stack of ranges begun; some may have ended. */
	size_t depth;
	uint64_t position; /* All below is done. */
};

/* Writes the part of the topmost range up to @limit. */
static void emit(struct flattening *state, uint64_t limit)
{
	const struct codectl_range *top = state->open[state->depth - 1];
	struct codectl_range *last = state->count ? &state->output[state->count - 1] : NULL;
	uint64_t end = top->end < limit ? top->end : limit;

	if (end <= state->position)
		return;
	if (last && last->end == state->position && last->value == top->value) {
		last->end = end;
	} else {
		state->output[state->count++] = (struct codectl_range){
			.start = state->position,
			.end = end,
			.value = top->value,
			.rank = top->rank,
		};
	}
	state->position = end;
}

/* Writes all that is open below @limit. */
static void advance(struct flattening *state, uint64_t limit)
{
	while (state->depth > 0) {
		emit(state, limit);
		if (state->open[state->depth - 1]->end > limit)
			break;
		state->depth--;
	}
	state->position = limit;
}

int codectl_ranges_flatten(struct codectl_ranges *ranges)
{
	struct flattening state = {.position = 0};
	int ret = -ENOMEM;

	if (!ranges->count)
		return 0;
	qsort(ranges->ranges, ranges->count, sizeof(*ranges->ranges), compare);
	/* Each range can begin a piece, and bring back the one below when it ends. */
	state.output = calloc(ranges->count, 2 * sizeof(*state.output));
	state.open = calloc(ranges->count, sizeof(*state.open));
	if (state.output && state.open) {
		for (size_t i = 0; i < ranges->count; i++) {
			advance(&state, ranges->ranges[i].start);
			state.open[state.depth++] = &ranges->ranges[i];
		}
		advance(&state, UINT64_MAX);
		ret = 0;
	}
	free(state.open);
	codectl_ranges_fini(ranges);
	if (ret) {
		free(state.output);
		return ret;
	}
	ranges->count = ranges->capacity = state.count;
	ranges->ranges = reallocarray(state.output, state.count, sizeof(*state.output));
	if (!ranges->ranges)
		ranges->ranges = state.output;
	return 0;
}

/* The number of ranges which start at or below @address. */
static size_t count_started(const struct codectl_ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct codectl_range *codectl_ranges_find(
	const struct codectl_ranges *ranges, uint64_t address)
{
	size_t started = count_started(ranges, address);

	if (!started || address >= ranges->ranges[started - 1].end)
		return NULL;
	return &ranges->ranges[started - 1];
}

uint64_t codectl_ranges_next_start(const struct codectl_ranges *ranges, uint64_t address)
{
	size_t started = count_started(ranges, address);

	return started < ranges->count ? ranges->ranges[started].start : UINT64_MAX;
}
