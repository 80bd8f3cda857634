/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/ring.h: a ring of records of any length between one producer, the
 * signal handler of one thread, and one consumer, the helper thread. It owns
 * its memory, which is mapped at once and touched only where records are: each
 * time the ring is found empty the producer starts at the beginning again, so
 * that a ring which is drained regularly stays in a few pages.
 *
 * Records are contiguous and 8-byte aligned. A record that finds no room is
 * not stored; its loss is the caller's to count.
 */
#ifndef CODECTL_SAMPLER_RING_H
#define CODECTL_SAMPLER_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_ring {
	uint8_t *bytes; /* Owned, mapped; NULL if the ring has no memory. */
	size_t size;	/* A power of two. */
	/*
	 * Positions only ever grow; the place in the ring is the position modulo
	 * the size. The producer alone writes head, the consumer alone tail, and
	 * both are accessed with __atomic builtins.
	 */
	uint64_t head;
	uint64_t tail;
	/*
	 * The last time that the producer found the ring empty and went on at its
	 * beginning: from which position to which. Written by the producer while
	 * the ring is empty, read by the consumer while it is not.
	 */
	uint64_t restart_from;
	uint64_t restart_to;
	uint64_t touched; /* Bytes from the start of the ring ever written; producer. */
	uint64_t pending; /* Position of the reserved record; producer. */
	bool is_restart;  /* Whether the reserved record is the first after a restart. */
};

/*
 * Maps at least @size bytes. Returns 0 or -ENOMEM. The caller keeps the ring
 * at its place and calls codectl_ring_fini().
 */
int codectl_ring_init(struct codectl_ring *ring, size_t size);

void codectl_ring_fini(struct codectl_ring *ring);

/*
 * Empties the ring, with no producer and no consumer at work, and gives memory
 * beyond the first few pages back to the kernel.
 */
void codectl_ring_reset(struct codectl_ring *ring);

/*
 * Producer: room for @len bytes, or NULL if there is not enough. Nothing is
 * visible to the consumer before codectl_ring_commit(); a reservation that is
 * not committed is forgotten by the next one. Async-signal-safe.
 */
void *codectl_ring_reserve(struct codectl_ring *ring, size_t len);

/*
 * Producer: publishes the first @len bytes, at most those reserved, of the
 * reserved record. Async-signal-safe.
 */
void codectl_ring_commit(struct codectl_ring *ring, size_t len);

/* Producer: whether records take more than half of it. Async-signal-safe. */
bool codectl_ring_is_half_full(const struct codectl_ring *ring);

/*
 * Consumer: the oldest record, valid until codectl_ring_release(), or NULL if
 * the ring is empty.
 */
const void *codectl_ring_peek(struct codectl_ring *ring, size_t *len);

/* Consumer: frees the record that codectl_ring_peek() returned last. */
void codectl_ring_release(struct codectl_ring *ring);

#endif /* CODECTL_SAMPLER_RING_H */
