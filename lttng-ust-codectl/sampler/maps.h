/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/maps.h: a snapshot of /proc/self/maps, reduced to what thinning and
 * the capture of stacks ask of it. Owns its tables. One thread, never a signal
 * handler.
 */
#ifndef CODECTL_SAMPLER_MAPS_H
#define CODECTL_SAMPLER_MAPS_H

#include "sampler/thin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_mapping {
	uint64_t start;
	uint64_t end;
	bool is_readable;
	bool is_writable;
	bool is_executable;
	bool is_anonymous; /* No file behind it: heap, stack, or generated code. */
	bool is_main_stack;
};

/* Ascending and disjoint; neighbours are merged. */
struct codectl_ranges {
	struct codectl_range *ranges; /* Owned. */
	size_t count;
	size_t capacity;
};

struct codectl_maps {
	struct codectl_mapping *mappings; /* Owned; ascending, disjoint. */
	size_t mapping_count;
	size_t mapping_capacity;
	/*
	 * Executable memory. Anonymous memory that was executable once stays in
	 * the table while it is mapped, because JIT compilers take the permission
	 * away while they write.
	 */
	struct codectl_ranges executable;
	struct codectl_ranges sticky; /* The anonymous ones among them. */
	struct codectl_ranges spare;  /* Memory for the next sticky. */
};

/*
 * Replaces the snapshot with the text of a maps file. Lines that are none are
 * skipped. Returns 0, or -ENOMEM with the snapshot incomplete but sound.
 */
int codectl_maps_parse(struct codectl_maps *maps, const char *text, size_t len);

/*
 * Replaces the snapshot with the process as it is now. Returns 0 or a negative
 * errno; the old snapshot is kept if the file cannot be read.
 */
int codectl_maps_read(struct codectl_maps *maps);

void codectl_maps_fini(struct codectl_maps *maps);

/*
 * Makes @all what is in @some or in @others, neither of which it may be.
 * Returns 0, or -ENOMEM with a part of it.
 */
int codectl_ranges_unite(struct codectl_ranges *all, const struct codectl_ranges *some,
	const struct codectl_ranges *others);

/*
 * Adds a range that begins no earlier than the last one. Returns 0, or -ENOMEM and
 * the list is as it was.
 */
int codectl_ranges_add(struct codectl_ranges *list, uint64_t start, uint64_t end);

void codectl_ranges_fini(struct codectl_ranges *list);

/* The mapping that holds @address, weak until the next snapshot, or NULL. */
const struct codectl_mapping *codectl_maps_find(const struct codectl_maps *maps, uint64_t address);

/*
 * The stack of a thread whose control block is at @tcb, where it is certain to
 * be mapped as long as the thread lives: the C library puts the control block
 * at the upper end of a stack it allocates, above a guard area. Returns 0,
 * or -ENOENT if @tcb is in no such mapping.
 */
int codectl_maps_find_thread_stack(
	const struct codectl_maps *maps, uint64_t tcb, struct codectl_range *stack);

/* The main thread's stack, as far as it has grown. Returns 0 or -ENOENT. */
int codectl_maps_find_main_stack(const struct codectl_maps *maps, struct codectl_range *stack);

#endif /* CODECTL_SAMPLER_MAPS_H */
