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
			larger.slots[codectl_pointer_map_slot_of(&larger, map->slots[i].key)] =
				map->slots[i];
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
	map->slots[codectl_pointer_map_slot_of(map, key)] = (struct codectl_pointer_map_slot){
		.key = key, .value = value};
	map->count++;
	return 0;
}

void *codectl_pointer_map_remove(struct codectl_pointer_map *map, const void *key)
{
	if (map->count == 0)
		return NULL;
	size_t mask = map->capacity - 1;
	size_t hole = codectl_pointer_map_slot_of(map, key);
	void *value = map->slots[hole].value;
	if (!map->slots[hole].key)
		return NULL;
	/* Moves up what would no longer be found across the hole. */
	for (size_t slot = (hole + 1) & mask; map->slots[slot].key; slot = (slot + 1) & mask) {
		size_t home = codectl_pointer_map_home(map, map->slots[slot].key);
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
