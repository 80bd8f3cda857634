/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/tell.h: registers functions that a file tells of, with the time when
 * they came to be. Helper thread only.
 */
#ifndef CODECTL_JIT_TELL_H
#define CODECTL_JIT_TELL_H

#include "jit/jitdump.h"

/* Pointers are weak, for the call. */
struct codectl_jit_told {
	uint64_t timestamp; /* CLOCK_MONOTONIC, ns. */
	uint64_t start;
	uint64_t size;
	const char *name; /* Not terminated. */
	size_t name_len;
	const struct codectl_jitdump_line *lines;
	size_t line_count;
	bool can_move; /* codectl_jit_tell_move() may follow. */
};

void codectl_jit_tell_symbol(const struct codectl_jit_told *told);

/* What was at @from is at @to from then on. */
void codectl_jit_tell_move(uint64_t timestamp, uint64_t from, uint64_t to, uint64_t size);

#endif /* CODECTL_JIT_TELL_H */
