/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/pointer-map.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define MIN_CAPACITY 16

void codectl_pointer_map_fini(struct codectl_pointer_map *map)
{
	free(map->slots);
	*map = (struct codectl_pointer_map){0};
}

/* The slot where the search for a key begins; the low bits of an address say little. */
static size_t home_slot(const struct codectl_pointer_map *map, const void *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(hash >> 32) & (map->capacity - 1);
}

/* The slot of @key, or the free one where it would go. The map is never full. */
static size_t find_slot(const struct codectl_pointer_map *map, const void *key)
{
	size_t slot = home_slot(map, key);

	while (map->slots[slot].key && map->slots[slot].key != key)
		slot = (slot + 1) & (map->capacity - 1);
	return slot;
}

void *codectl_pointer_map_find(const struct codectl_pointer_map *map, const void *key)
{
	if (map->count == 0)
		return NULL;
	return map->slots[find_slot(map, key)].value;
}

static int grow(struct codectl_pointer_map *map)
{
	struct codectl_pointer_map larger = {
		.capacity = map->capacity ? map->capacity * 2 : MIN_CAPACITY,
		.count = map->count,
	};

	larger.slots = calloc(larger.capacity, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->slots[i].key)
			larger.slots[find_slot(&larger, map->slots[i].key)] = map->slots[i];
	}
	free(map->slots);
	*map = larger;
	return 0;
}

int codectl_pointer_map_insert(struct codectl_pointer_map *map, const void *key, void *value)
{
	/* At most half full, so that searches stay short. */
	if (map->count * 2 >= map->capacity) {
		int ret = grow(map);
		if (ret < 0)
			return ret;
	}
	map->slots[find_slot(map, key)] = (struct codectl_pointer_map_slot){
		.key = key, .value = value};
	map->count++;
	return 0;
}

void *codectl_pointer_map_remove(struct codectl_pointer_map *map, const void *key)
{
	if (map->count == 0)
		return NULL;
	size_t mask = map->capacity - 1;
	size_t hole = find_slot(map, key);
	void *value = map->slots[hole].value;
	if (!map->slots[hole].key)
		return NULL;
	/* Moves up what would no longer be found across the hole. */
	for (size_t slot = (hole + 1) & mask; map->slots[slot].key; slot = (slot + 1) & mask) {
		size_t home = home_slot(map, map->slots[slot].key);
		if (((slot - home) & mask) >= ((slot - hole) & mask)) {
			map->slots[hole] = map->slots[slot];
			hole = slot;
		}
	}
	map->slots[hole] = (struct codectl_pointer_map_slot){0};
	map->count--;
	return value;
}

void *codectl_pointer_map_next(const struct codectl_pointer_map *map, size_t *cursor)
{
	while (*cursor < map->capacity) {
		const struct codectl_pointer_map_slot *slot = &map->slots[(*cursor)++];
		if (slot->key)
			return slot->value;
	}
	return NULL;
}
