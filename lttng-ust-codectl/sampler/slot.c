/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/slot.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static struct codectl_slot *table; /* Owned; mapped once, touched as far as it was used. */
static size_t ring_size;

static uint16_t used[CODECTL_SLOT_MAX]; /* Indexes, by tid. */
static size_t used_count;
static uint16_t free_stack[CODECTL_SLOT_MAX]; /* Indexes below touched_count that are free. */
static size_t free_count;
static size_t touched_count;

int codectl_slot_init_table(size_t size)
{
	void *memory = mmap(NULL, CODECTL_SLOT_MAX * sizeof(*table), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return -ENOMEM;
	ring_size = size;
	table = memory;
	return 0;
}

struct codectl_slot *codectl_slot_at(size_t index)
{
	return table && index < CODECTL_SLOT_MAX ? &table[index] : NULL;
}

/* Where a slot of @tid belongs: behind all that have the same tid. */
static size_t find_position(int32_t tid)
{
	size_t low = 0, high = used_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table[used[middle]].tid <= tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int codectl_slot_take(int32_t tid)
{
	if (!table || (free_count == 0 && touched_count == CODECTL_SLOT_MAX))
		return -ENOSPC;

	uint16_t index = free_count > 0 ? free_stack[free_count - 1] : (uint16_t)touched_count;
	struct codectl_slot *slot = &table[index];
	struct codectl_ring ring = slot->ring;

	/* A fork in the middle of an initialisation may have left half of one. */
	if (!ring.bytes || ring.size == 0) {
		int ret = codectl_ring_init(&ring, ring_size);

		if (ret)
			return ret;
	}
	if (free_count > 0)
		free_count--;
	else
		touched_count++;

	size_t position = find_position(tid);

	memmove(&used[position + 1], &used[position], (used_count - position) * sizeof(*used));
	used[position] = index;
	used_count++;
	*slot = (struct codectl_slot){
		.tid = tid,
		.timer_id = -1,
		.ring = ring,
		.state = CODECTL_SLOT_IDLE,
	};
	return index;
}

static void free_index(uint16_t index)
{
	struct codectl_slot *slot = &table[index];

	codectl_ring_reset(&slot->ring);
	slot->state = CODECTL_SLOT_FREE;
	__atomic_store_n(&slot->timer_id, -1, __ATOMIC_RELAXED);
	free_stack[free_count++] = index;
}

void codectl_slot_free_used(size_t position)
{
	uint16_t index = used[position];

	used_count--;
	memmove(&used[position], &used[position + 1], (used_count - position) * sizeof(*used));
	free_index(index);
}

size_t codectl_slot_used_count(void)
{
	return used_count;
}

struct codectl_slot *codectl_slot_used(size_t position)
{
	return &table[used[position]];
}

size_t codectl_slot_find_used(int32_t tid)
{
	size_t position = find_position(tid);

	if (position == 0 || table[used[position - 1]].tid != tid)
		return SIZE_MAX;
	return position - 1;
}

void codectl_slot_free_all(void)
{
	/* The fork may have come in the middle of a round: trust no list. */
	used_count = 0;
	free_count = 0;
	for (size_t i = touched_count; i > 0; i--)
		free_index((uint16_t)(i - 1));
}
