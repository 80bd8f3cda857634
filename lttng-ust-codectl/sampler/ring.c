/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/ring.h"

#include <errno.h>
#include <sys/mman.h>

/* Each record begins with its length in bytes, this word not counted. */
#define HEADER_SIZE sizeof(uint64_t)
/* In place of a length: the next record is at the beginning of the ring. */
#define SKIP_MARK UINT64_MAX
/* What a ring keeps in memory when it changes hands. */
#define KEPT_SIZE (64 * 1024)

static size_t round_up(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

static uint64_t *word_at(const struct codectl_ring *ring, uint64_t position)
{
	return (uint64_t *)(void *)(ring->bytes + (position & (ring->size - 1)));
}

int codectl_ring_init(struct codectl_ring *ring, size_t size)
{
	size_t rounded = 4096;

	while (rounded < size)
		rounded *= 2;

	void *bytes = mmap(NULL, rounded, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == MAP_FAILED)
		return -ENOMEM;
	*ring = (struct codectl_ring){.bytes = bytes, .size = rounded};
	return 0;
}

void codectl_ring_fini(struct codectl_ring *ring)
{
	if (ring->bytes)
		munmap(ring->bytes, ring->size);
	*ring = (struct codectl_ring){.bytes = NULL};
}

void codectl_ring_reset(struct codectl_ring *ring)
{
	if (ring->touched > KEPT_SIZE)
		madvise(ring->bytes + KEPT_SIZE, ring->size - KEPT_SIZE, MADV_DONTNEED);
	*ring = (struct codectl_ring){.bytes = ring->bytes, .size = ring->size};
}

void *codectl_ring_reserve(struct codectl_ring *ring, size_t len)
{
	/* Acquire: the consumer has read what it frees before we write over it. */
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	size_t needed = HEADER_SIZE + round_up(len);

	if (!ring->bytes || needed > ring->size)
		return NULL;

	size_t place = head & (ring->size - 1);
	uint64_t position = head;
	uint64_t oldest = tail > ring->restart_to ? tail : ring->restart_to;

	ring->is_restart = head == tail && place > 0;
	if (ring->is_restart || place + needed > ring->size)
		position += ring->size - place;
	if (ring->is_restart)
		oldest = position;
	if (position + needed - oldest > ring->size)
		return NULL;
	ring->pending = position;
	return (uint8_t *)word_at(ring, position) + HEADER_SIZE;
}

bool codectl_ring_is_half_full(const struct codectl_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
	uint64_t oldest = tail > ring->restart_to ? tail : ring->restart_to;

	return head > oldest && head - oldest > ring->size / 2;
}

void codectl_ring_commit(struct codectl_ring *ring, size_t len)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	uint64_t position = ring->pending;
	uint64_t end = position + HEADER_SIZE + round_up(len);
	uint64_t end_place = (position & (ring->size - 1)) + (end - position);

	if (ring->is_restart) {
		ring->restart_from = head;
		ring->restart_to = position;
	} else if (position != head) {
		/* Its place is free: records are whole words, and never fill more than the ring. */
		*word_at(ring, head) = SKIP_MARK;
	}
	*word_at(ring, position) = len;
	if (end_place > ring->touched)
		ring->touched = end_place;
	/* Release: the record is whole before the consumer sees it. */
	__atomic_store_n(&ring->head, end, __ATOMIC_RELEASE);
}

const void *codectl_ring_peek(struct codectl_ring *ring, size_t *len)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);

	if (head == tail)
		return NULL;

	bool is_restart = tail == ring->restart_from && tail < ring->restart_to;

	if (is_restart || *word_at(ring, tail) == SKIP_MARK) {
		tail += ring->size - (tail & (ring->size - 1));
		__atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
	}

	const uint64_t *header = word_at(ring, tail);

	*len = *header;
	return header + 1;
}

void codectl_ring_release(struct codectl_ring *ring)
{
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
	uint64_t len = *word_at(ring, tail);

	/* Release: the reads of the record come before the producer's reuse. */
	__atomic_store_n(&ring->tail, tail + HEADER_SIZE + round_up(len), __ATOMIC_RELEASE);
}
