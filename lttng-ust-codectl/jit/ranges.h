/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/ranges.h: a few ranges of code, of which those that are near each other
 * are one. Plain data, of fixed size.
 */
#ifndef CODECTL_JIT_RANGES_H
#define CODECTL_JIT_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define CODECTL_JIT_RANGE_MAX 64

struct codectl_jit_range {
	uint64_t start;
	uint64_t end;
};

struct codectl_jit_ranges {
	struct codectl_jit_range ranges[CODECTL_JIT_RANGE_MAX];
	size_t count;
};

/* Adds [start, end); what does not fit is left out. */
void codectl_jit_ranges_add(struct codectl_jit_ranges *ranges, uint64_t start, uint64_t end);

/* Once all are added: makes those one which have grown together. */
void codectl_jit_ranges_join(struct codectl_jit_ranges *ranges);

/*
 * Adds the code of the FDEs in .eh_frame, @len bytes at @bytes as if they were at
 * @address, and joins.
 */
void codectl_jit_ranges_add_fdes(
	struct codectl_jit_ranges *ranges, const uint8_t *bytes, size_t len, uint64_t address);

/* Registers that section for each of the ranges, and keeps those for which it worked. */
void codectl_jit_ranges_register(
	struct codectl_jit_ranges *ranges, const uint8_t *bytes, size_t len, uint64_t address);

/* Ends what codectl_jit_ranges_register() began. */
void codectl_jit_ranges_unregister(const struct codectl_jit_ranges *ranges);

#endif /* CODECTL_JIT_RANGES_H */
