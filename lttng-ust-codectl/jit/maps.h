/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/maps.h: the lines of /proc/self/maps, for adapters that look for memory
 * of a kind. Any thread but a signal handler.
 */
#ifndef CODECTL_JIT_MAPS_H
#define CODECTL_JIT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct codectl_jit_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;    /* In the file. */
	uint64_t inode;	    /* 0: no file. */
	bool is_accessible; /* Has any permission at all. */
	bool is_executable;
	const char *path; /* Weak, for the call; "" if there is none. */
};

/* Calls @visit with each mapping, in ascending order. Returns 0 or a negative errno. */
int codectl_jit_maps_each(
	void (*visit)(void *user, const struct codectl_jit_mapping *mapping), void *user);

/*
 * When to look again after a look that began at @begun (both CLOCK_MONOTONIC ns): after
 * @interval ns, but later if it took long, for some programs have very many mappings.
 */
uint64_t codectl_jit_maps_next_look(uint64_t begun, uint64_t interval);

#endif /* CODECTL_JIT_MAPS_H */
