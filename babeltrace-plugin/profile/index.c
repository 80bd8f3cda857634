/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/index.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_SLOT_COUNT 64
#define FIRST_CAPACITY	 16

uint64_t codectl_index_hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *byte = bytes;

	/* FNV-1a. */
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t codectl_index_hash_u64(uint64_t hash, uint64_t value)
{
	/* Each bit of the value must reach the high half, of which the table is made. */
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	hash ^= hash >> 32;
	return hash * UINT64_C(0xd6e8feb86659fd93);
}

/* The high half of a product depends on all of its factors, the low half does not. */
static uint32_t fold(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

uint32_t codectl_index_find(const struct codectl_index *index, uint64_t hash,
	codectl_index_is_equal *is_equal, const void *user, const void *key)
{
	const uint32_t folded = fold(hash);

	if (!index->slot_count)
		return CODECTL_INDEX_NONE;
	for (size_t i = folded & (index->slot_count - 1);; i = (i + 1) & (index->slot_count - 1)) {
		const struct codectl_index_slot *slot = &index->slots[i];

		if (slot->position == CODECTL_INDEX_NONE)
			return CODECTL_INDEX_NONE;
		if (slot->hash == folded && is_equal(user, slot->position, key))
			return slot->position;
	}
}

static void put(struct codectl_index_slot *slots, size_t slot_count, struct codectl_index_slot new)
{
	size_t i = new.hash &(slot_count - 1);

	while (slots[i].position != CODECTL_INDEX_NONE)
		i = (i + 1) & (slot_count - 1);
	slots[i] = new;
}

static int grow(struct codectl_index *index)
{
	const size_t slot_count = index->slot_count ? index->slot_count * 2 : FIRST_SLOT_COUNT;
	struct codectl_index_slot *slots = reallocarray(NULL, slot_count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < slot_count; i++)
		slots[i].position = CODECTL_INDEX_NONE;
	for (size_t i = 0; i < index->slot_count; i++) {
		if (index->slots[i].position != CODECTL_INDEX_NONE)
			put(slots, slot_count, index->slots[i]);
	}
	free(index->slots);
	index->slots = slots;
	index->slot_count = slot_count;
	return 0;
}

int codectl_index_add(struct codectl_index *index, uint64_t hash, uint32_t position)
{
	const struct codectl_index_slot new = {.hash = fold(hash), .position = position};

	/* At most two thirds full, so that a search always meets a free slot soon. */
	if ((index->used_count + 1) * 3 > index->slot_count * 2) {
		int ret = grow(index);

		if (ret < 0)
			return ret;
	}
	put(index->slots, index->slot_count, new);
	index->used_count++;
	return 0;
}

void codectl_index_fini(struct codectl_index *index)
{
	free(index->slots);
	*index = (struct codectl_index){0};
}

void *codectl_array_reserve(void *array, size_t *capacity, size_t count, size_t element_size)
{
	const size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
	void *grown;

	if (count < *capacity)
		return array;
	grown = reallocarray(array, wanted, element_size);
	if (grown)
		*capacity = wanted;
	return grown;
}
