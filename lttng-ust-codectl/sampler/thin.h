/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/thin.h: makes a sparse stack out of a copied one. Unwinding reads
 * return addresses and what callees have saved of their callers' registers;
 * everything else is program data, which has no business in a trace. Pure:
 * literals in, arrays out; no code is looked at. Kept are
 *
 * - words that point into executable memory;
 * - words that point upwards into the stack, aligned as frames are, if they can
 *   be a frame address that somebody has saved: near a return address, where
 *   prologues push registers, or pointing near one, as a stack pointer does
 *   that was put away before it was realigned (OpenSSL);
 * - in the kernel's frame of a signal, registers that point into the stack or
 *   into executable memory;
 * - the 0 at the end of a chain of frame pointers.
 */
#ifndef CODECTL_SAMPLER_THIN_H
#define CODECTL_SAMPLER_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of stack that can be examined at most. */
#define CODECTL_THIN_WORDS_MAX 32768
#define CODECTL_THIN_MAP_MAX   (CODECTL_THIN_WORDS_MAX / 64)

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
	/*
	 * The code and stack segments as the kernel saves them for signals
	 * (REG_CSGSFS), the same in all threads; 0: not known.
	 */
	uint64_t segments;
	uint64_t frame_pointer; /* The register of the sampled thread. */
};

/* What codectl_thin() needs besides; its contents mean nothing to others. */
struct codectl_thin_scratch {
	uint64_t code[CODECTL_THIN_MAP_MAX + 1];
	uint64_t upward[CODECTL_THIN_MAP_MAX];
};

/* The number of map words for @word_count stack words. */
static inline size_t codectl_thin_map_count(size_t word_count)
{
	return (word_count + 63) / 64;
}

/*
 * Examines the @word_count words, at most CODECTL_THIN_WORDS_MAX, that were at
 * address @start and upwards. Bit i of @map, which has codectl_thin_map_count()
 * words and is overwritten, says that word i was kept; @kept, with room for
 * @word_count words, gets those words in ascending order and may be @words
 * itself. A word that points into the examined range counts as pointing into
 * the stack. Returns how many words were kept.
 */
size_t codectl_thin(const struct codectl_thin_rule *rule, struct codectl_thin_scratch *scratch,
	const uint64_t *words, size_t word_count, uint64_t start, uint64_t *map, uint64_t *kept);

/* Whether @address is in one of the @count ascending, disjoint @ranges. */
bool codectl_thin_find(const struct codectl_range *ranges, size_t count, uint64_t address);

#endif /* CODECTL_SAMPLER_THIN_H */
