/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * space/internal.h: how the files of this room share their work; nobody else
 * includes it.
 *
 * A process keeps its address space as disjoint segments. A segment lists all the
 * registrations that ever covered it: few, unless an address is reused often. So
 * no version of the map is ever rebuilt.
 */
#ifndef CODECTL_SPACE_INTERNAL_H
#define CODECTL_SPACE_INTERNAL_H

#include "space/jit-symbols.h"
#include "space/segments.h"
#include "space/space.h"

struct codectl_object_entry {
	struct codectl_code_object *object; /* Owned. */
	uint64_t hash;
	struct codectl_object_entry *next; /* Owned. */
};

/* All code objects of a space; they live as long as it. */
struct codectl_object_table {
	struct codectl_object_entry **buckets; /* Owned. */
	size_t bucket_count;		       /* A power of 2, or 0. */
	size_t entry_count;
	uint64_t last_id;
};

/* The object that @elf speaks of, made on first sight. Weak; NULL without memory. */
struct codectl_code_object *codectl_object_table_get(
	struct codectl_object_table *table, const struct codectl_event_register_elf *elf);

void codectl_object_table_fini(struct codectl_object_table *table);

struct codectl_process {
	int32_t vpid;
	uint64_t start_time;
	struct codectl_process *next; /* Weak; the next one in the same bucket. */
	/* Weak; by when somebody told of it or looked for it last. */
	struct codectl_process *older;
	struct codectl_process *newer;
	uint64_t kept; /* What it adds to the number in struct codectl_space_stats. */

	struct codectl_mapping **mappings; /* Owned; by rising serial. */
	size_t mapping_count;
	size_t mapping_capacity;

	struct codectl_segments segments;

	struct codectl_jit_symbols symbols;

	uint64_t *times; /* Owned; each begin and end there is, sorted. */
	size_t time_count;
	size_t time_capacity;
	uint64_t generation; /* Of the answers before times[0]. */

	uint64_t complete_serial; /* All that happened up to it is known, */
	uint64_t complete_from;	  /* from this one on; what was before, a dump does not tell. */
	uint64_t *early_serials;  /* Owned; seen beyond complete_serial, sorted. */
	size_t early_count;
	size_t early_capacity;

	struct {
		bool is_open;
		uint64_t serial;
		uint64_t count;
		uint64_t seen;
		uint64_t rows;
		uint64_t rows_seen;
		uint64_t timestamp;
		uint64_t number; /* Names the dump; see struct codectl_mapping. */
	} dump;
};

struct codectl_process *codectl_process_create(int32_t vpid, uint64_t start_time);
void codectl_process_destroy(struct codectl_process *process);

/* The registration with that serial, or NULL. */
struct codectl_mapping *codectl_process_find_serial(
	const struct codectl_process *process, uint64_t serial);

/* Takes @mapping over. Returns 0, or -ENOMEM and it stays the caller's. */
int codectl_process_add(struct codectl_process *process, struct codectl_mapping *mapping);

/* Ends @mapping, which lives, at @time. Returns 0 or -ENOMEM. */
int codectl_process_end_mapping(
	struct codectl_process *process, struct codectl_mapping *mapping, uint64_t time);

/* Takes note that answers change at @time. Returns 0 or -ENOMEM. */
int codectl_process_add_time(struct codectl_process *process, uint64_t time);

/* Takes note that the event with @serial was seen. Returns 0 or -ENOMEM. */
int codectl_process_saw_serial(struct codectl_process *process, uint64_t serial);

/* Takes note that the map holds all that happened up to @serial. */
void codectl_process_set_complete(struct codectl_process *process, uint64_t serial);

/* Makes room for one more element. Returns 0 or -ENOMEM. */
int codectl_space_grow(void **array, size_t count, size_t *capacity, size_t element_size);

#endif /* CODECTL_SPACE_INTERNAL_H */
