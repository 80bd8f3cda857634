/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/thin.h: makes a sparse stack out of a copied one. Unwinding reads
 * return addresses and saved frame pointers, so a word is kept if it points
 * into executable memory or into the stack; everything else is program data,
 * which has no business in a trace. Pure: literals in, arrays out.
 */
#ifndef CODECTL_SAMPLER_THIN_H
#define CODECTL_SAMPLER_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Half-open: start <= address < end. */
struct codectl_range {
	uint64_t start;
	uint64_t end;
};

static inline bool codectl_range_has(const struct codectl_range *range, uint64_t address)
{
	return address - range->start < range->end - range->start;
}

struct codectl_thin_rule {
	const struct codectl_range *executable; /* Weak; ascending, disjoint. */
	size_t executable_count;
	struct codectl_range stack; /* The thread's stack mapping; empty if unknown. */
	bool is_full;		    /* Keep every word. */
};

/* The number of map words for @word_count stack words. */
static inline size_t codectl_thin_map_count(size_t word_count)
{
	return (word_count + 63) / 64;
}

/*
 * Examines the @word_count words that were at address @start and upwards. Bit i
 * of @map, which has codectl_thin_map_count() words and is overwritten, says
 * that word i was kept; @kept, with room for @word_count words, gets those
 * words in ascending order and may be @words itself. A word that points into
 * the examined range counts as pointing into the stack. Returns how many words
 * were kept.
 */
size_t codectl_thin(const struct codectl_thin_rule *rule, const uint64_t *words, size_t word_count,
	uint64_t start, uint64_t *map, uint64_t *kept);

/* Whether @address is in one of the @count ascending, disjoint @ranges. */
bool codectl_thin_find(const struct codectl_range *ranges, size_t count, uint64_t address);

#endif /* CODECTL_SAMPLER_THIN_H */
