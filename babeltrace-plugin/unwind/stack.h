/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/stack.h: reads words of a sparse stack: bit i of a map says that word
 * i from `start` on was kept, and the kept words are in a dense column. Where
 * a word is in the column is the number of bits below its own. That number is
 * kept for one word of the map and moved along, so a walk from the innermost
 * frame outwards counts each bit once.
 *
 * Borrows everything from the sample; one thread.
 */
#ifndef CODECTL_UNWIND_STACK_H
#define CODECTL_UNWIND_STACK_H

#include "format/event.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_stack {
	uint64_t start;	       /* Address of word 0. */
	uint64_t len;	       /* Bytes that were examined, a multiple of 8. */
	const uint64_t *map;   /* Weak. */
	const uint64_t *words; /* Weak. */
	size_t word_count;
	size_t map_index;     /* Word of the map that `rank` belongs to. */
	size_t rank;	      /* Kept words below it. */
	bool is_inconsistent; /* The map and the number of words disagreed. */
};

static inline __attribute__((always_inline)) unsigned int codectl_stack_count_bits(uint64_t word)
{
	/*
	 * Adds neighbours up in parallel, as baseline amd64 has no instruction for
	 * it. Compilers know these lines and use one where the target has it.
	 */
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned int)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* Looks at the stack of @sample; a map that is too short shortens the stack. */
static inline void codectl_stack_init(
	struct codectl_stack *stack, const struct codectl_event_sample *sample)
{
	uint64_t len = sample->stack_len & ~(uint64_t)7;

	stack->start = sample->stack_start;
	stack->map = sample->stack_map;
	stack->words = sample->stack;
	stack->word_count = sample->stack_count;
	stack->map_index = 0;
	stack->rank = 0;
	stack->is_inconsistent = false;
	if (len / 8 > (uint64_t)sample->stack_map_count * 64) {
		len = (uint64_t)sample->stack_map_count * 64 * 8;
		stack->is_inconsistent = true;
	}
	/* An end that wraps around would make addresses below the start look valid. */
	if (len > UINT64_MAX - stack->start) {
		len = 0;
		stack->is_inconsistent = true;
	}
	stack->len = len;
}

static inline uint64_t codectl_stack_end(const struct codectl_stack *stack)
{
	return stack->start + stack->len;
}

/*
 * Reads word @index, which must be one that was examined. Returns 0 or -ENODATA
 * (not kept).
 */
static inline __attribute__((always_inline)) int codectl_stack_read_index(
	struct codectl_stack *stack, size_t index, uint64_t *value)
{
	size_t map_index = index / 64;
	uint64_t bit = UINT64_C(1) << index % 64;
	uint64_t kept = stack->map[map_index];
	size_t place;

	if (!(kept & bit))
		return -ENODATA;
	for (; stack->map_index < map_index; stack->map_index++)
		stack->rank += codectl_stack_count_bits(stack->map[stack->map_index]);
	while (stack->map_index > map_index)
		stack->rank -= codectl_stack_count_bits(stack->map[--stack->map_index]);
	place = stack->rank + codectl_stack_count_bits(kept & (bit - 1));
	if (place >= stack->word_count) {
		stack->is_inconsistent = true;
		return -ENODATA;
	}
	*value = stack->words[place];
	return 0;
}

/*
 * Reads the aligned word at @address. Returns 0, -EFAULT (not examined) or
 * -ENODATA (not kept; or not aligned as words of this stack are).
 */
static inline __attribute__((always_inline)) int codectl_stack_read(
	struct codectl_stack *stack, uint64_t address, uint64_t *value)
{
	uint64_t offset = address - stack->start;

	if (offset >= stack->len)
		return -EFAULT;
	if (offset % 8)
		return -ENODATA;
	return codectl_stack_read_index(stack, offset / 8, value);
}

#endif /* CODECTL_UNWIND_STACK_H */
