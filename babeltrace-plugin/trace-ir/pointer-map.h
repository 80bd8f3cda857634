/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/pointer-map.h: a hash table from the address of an object to what
 * we know of it. Owns neither keys nor values; one thread.
 */
#ifndef CODECTL_TRACE_IR_POINTER_MAP_H
#define CODECTL_TRACE_IR_POINTER_MAP_H

#include "format/likely.h"

#include <stddef.h>
#include <stdint.h>

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

/* The slot where the search for a key begins; the low bits of an address say little. */
static inline size_t codectl_pointer_map_home(
	const struct codectl_pointer_map *map, const void *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(hash >> 32) & (map->capacity - 1);
}

/* The slot of @key, or the free one where it would go, of a map with slots. It is never full. */
static inline size_t codectl_pointer_map_slot_of(
	const struct codectl_pointer_map *map, const void *key)
{
	size_t slot = codectl_pointer_map_home(map, key);

	while (CODECTL_UNLIKELY(map->slots[slot].key != key) && map->slots[slot].key)
		slot = (slot + 1) & (map->capacity - 1);
	return slot;
}

/* The value of @key, or NULL. Here, since it is asked several times for each event. */
static inline void *codectl_pointer_map_find(const struct codectl_pointer_map *map, const void *key)
{
	if (CODECTL_UNLIKELY(map->count == 0))
		return NULL;
	return map->slots[codectl_pointer_map_slot_of(map, key)].value;
}

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
