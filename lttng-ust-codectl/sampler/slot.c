/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/slot.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct codectl_slot *table; /* Owned; mapped once, touched as far as it was used. */
static size_t ring_size;

/* The helper thread's. */
static uint16_t used[CODECTL_SLOT_MAX]; /* Indexes, by tid. */
static size_t used_count;
static uint32_t newcomers_taken; /* The rest of a list that was taken: index + 1. */

/*
 * Any thread's. Free slots are a stack: index + 1 of the first one, and above
 * it a count of changes, without which a thread that is late could put back an
 * old state which looks like the present one.
 */
static uint64_t free_stack;
static uint32_t touched_count;		   /* Slots that were ever used. */
static uint32_t newcomers;		   /* Index + 1 of the last one. */
static uint32_t next_of[CODECTL_SLOT_MAX]; /* In either list: index + 1. */

#define INDEX_MASK UINT64_C(0xffffffff)
#define ONE_CHANGE (INDEX_MASK + 1)

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

static void push_free(uint32_t index)
{
	uint64_t head = __atomic_load_n(&free_stack, __ATOMIC_RELAXED);
	uint64_t wanted;

	do {
		__atomic_store_n(&next_of[index], (uint32_t)(head & INDEX_MASK), __ATOMIC_RELAXED);
		wanted = ((head & ~INDEX_MASK) + ONE_CHANGE) | (index + 1);
		/* Release: whoever claims it finds it as it was left. */
	} while (!__atomic_compare_exchange_n(
		&free_stack, &head, wanted, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* Returns index + 1, or 0 if none is free. */
static uint32_t pop_free(void)
{
	uint64_t head = __atomic_load_n(&free_stack, __ATOMIC_ACQUIRE);
	uint64_t wanted;

	do {
		uint32_t first = (uint32_t)(head & INDEX_MASK);

		if (first == 0)
			return 0;
		wanted = ((head & ~INDEX_MASK) + ONE_CHANGE) |
			 __atomic_load_n(&next_of[first - 1], __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(
		&free_stack, &head, wanted, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	return (uint32_t)(head & INDEX_MASK);
}

/* A slot that was never used: index + 1, or 0 if there is none. */
static uint32_t touch_another(void)
{
	uint32_t count = __atomic_load_n(&touched_count, __ATOMIC_RELAXED);

	do {
		if (count == CODECTL_SLOT_MAX)
			return 0;
	} while (!__atomic_compare_exchange_n(
		&touched_count, &count, count + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return count + 1;
}

int codectl_slot_claim(void)
{
	if (!table)
		return -ENOSPC;

	uint32_t found = pop_free();

	if (found == 0)
		found = touch_another();
	if (found == 0)
		return -ENOSPC;

	struct codectl_slot *slot = &table[found - 1];
	struct codectl_ring ring = slot->ring;

	/* A fork in the middle of an initialisation may have left half of one. */
	if (!ring.bytes || ring.size == 0) {
		int ret = codectl_ring_init(&ring, ring_size);

		if (ret) {
			push_free(found - 1);
			return ret;
		}
	}
	*slot = (struct codectl_slot){
		.timer_id = -1,
		.perf_fd = -1,
		.ring = ring,
		.state = CODECTL_SLOT_IDLE,
	};
	return (int)(found - 1);
}

static void free_index(uint32_t index)
{
	struct codectl_slot *slot = &table[index];

	codectl_ring_reset(&slot->ring);
	slot->state = CODECTL_SLOT_FREE;
	__atomic_store_n(&slot->timer_id, -1, __ATOMIC_RELAXED);
	push_free(index);
}

void codectl_slot_unclaim(size_t index)
{
	free_index((uint32_t)index);
}

void codectl_slot_hand_over(size_t index)
{
	uint32_t last = __atomic_load_n(&newcomers, __ATOMIC_RELAXED);

	do {
		__atomic_store_n(&next_of[index], last, __ATOMIC_RELAXED);
		/* Release: what the thread has filled in is the helper thread's now. */
	} while (!__atomic_compare_exchange_n(
		&newcomers, &last, (uint32_t)index + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void insert_used(uint16_t index)
{
	size_t position = find_position(table[index].tid);

	memmove(&used[position + 1], &used[position], (used_count - position) * sizeof(*used));
	used[position] = index;
	used_count++;
}

struct codectl_slot *codectl_slot_take_newcomer(void)
{
	if (newcomers_taken == 0)
		newcomers_taken = __atomic_exchange_n(&newcomers, 0, __ATOMIC_ACQUIRE);
	if (newcomers_taken == 0)
		return NULL;

	uint16_t index = (uint16_t)(newcomers_taken - 1);

	newcomers_taken = __atomic_load_n(&next_of[index], __ATOMIC_RELAXED);
	insert_used(index);
	return &table[index];
}

bool codectl_slot_has_newcomers(void)
{
	return newcomers_taken != 0 || __atomic_load_n(&newcomers, __ATOMIC_RELAXED) != 0;
}

int codectl_slot_take(int32_t tid)
{
	int index = codectl_slot_claim();

	if (index >= 0) {
		table[index].tid = tid;
		insert_used((uint16_t)index);
	}
	return index;
}

void codectl_slot_free_used(size_t position)
{
	uint16_t index = used[position];

	used_count--;
	memmove(&used[position], &used[position + 1], (used_count - position) * sizeof(*used));
	free_index(index);
}

struct codectl_slot *codectl_slot_find_own(void)
{
	uint32_t count = __atomic_load_n(&touched_count, __ATOMIC_RELAXED);
	int32_t tid = count ? (int32_t)syscall(SYS_gettid) : 0;

	for (uint32_t i = 0; i < count; i++) {
		if (table[i].tid == tid && table[i].timer_id >= 0 &&
			table[i].state != CODECTL_SLOT_ENDED)
			return &table[i];
	}
	return NULL;
}

size_t codectl_slot_index(const struct codectl_slot *slot)
{
	return (size_t)(slot - table);
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
	newcomers_taken = 0;
	__atomic_store_n(&newcomers, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&free_stack, 0, __ATOMIC_RELAXED);
	for (uint32_t i = touched_count; i > 0; i--)
		free_index(i - 1);
}
