/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/pointer-map.h: a hash table from the address of an object to what
 * we know of it. Owns neither keys nor values; one thread.
 */
#ifndef CODECTL_TRACE_IR_POINTER_MAP_H
#define CODECTL_TRACE_IR_POINTER_MAP_H

#include <stddef.h>

struct codectl_pointer_map_slot {
	const void *key; /* Weak; NULL: the slot is free. */
	void *value;	 /* Weak. */
};

/* All zero is an empty map. */
struct codectl_pointer_map {
	struct codectl_pointer_map_slot *slots; /* Owned. */
	size_t capacity;			/* 0 or a power of two. */
	size_t count;
};

void codectl_pointer_map_fini(struct codectl_pointer_map *map);

/* The value of @key, or NULL. */
void *codectl_pointer_map_find(const struct codectl_pointer_map *map, const void *key);

/* Adds a @key that is not in the map yet; neither may be NULL. Returns 0 or -ENOMEM. */
int codectl_pointer_map_insert(struct codectl_pointer_map *map, const void *key, void *value);

/* Removes @key; returns its value, or NULL if it was not in the map. */
void *codectl_pointer_map_remove(struct codectl_pointer_map *map, const void *key);

/*
 * Walks the values in no order: start with *@cursor 0; NULL at the end. The
 * map must not change meanwhile.
 */
void *codectl_pointer_map_next(const struct codectl_pointer_map *map, size_t *cursor);

#endif /* CODECTL_TRACE_IR_POINTER_MAP_H */
