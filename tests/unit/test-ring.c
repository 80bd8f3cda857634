/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "sampler/ring.h"

#include <pthread.h>
#include <sched.h>

static uint8_t *push(struct codectl_ring *ring, size_t len, uint8_t fill)
{
	uint8_t *record = codectl_ring_reserve(ring, len);

	if (record) {
		memset(record, fill, len);
		codectl_ring_commit(ring, len);
	}
	return record;
}

/* Takes the oldest record and checks that it is @len times @fill. */
static void pop(struct codectl_ring *ring, size_t len, uint8_t fill)
{
	size_t got = 0;
	const uint8_t *record = codectl_ring_peek(ring, &got);

	CHECK(record);
	CHECK_INT(got, len);
	for (size_t i = 0; i < len; i++)
		CHECK_INT(record[i], fill);
	codectl_ring_release(ring);
}

TEST(empty)
{
	struct codectl_ring ring = {0};
	size_t len;

	CHECK(!codectl_ring_reserve(&ring, 8));
	CHECK_INT(codectl_ring_init(&ring, 5000), 0);
	CHECK_INT(ring.size, 8192);
	CHECK(!codectl_ring_peek(&ring, &len));
	CHECK(!codectl_ring_reserve(&ring, 8192));
	codectl_ring_fini(&ring);
	CHECK(!ring.bytes);
}

TEST(order_and_lengths)
{
	struct codectl_ring ring;
	size_t len;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	CHECK(push(&ring, 1, 1));
	CHECK(push(&ring, 8, 2));
	CHECK(push(&ring, 100, 3));
	CHECK(push(&ring, 0, 4));
	pop(&ring, 1, 1);
	pop(&ring, 8, 2);
	pop(&ring, 100, 3);
	pop(&ring, 0, 4);
	CHECK(!codectl_ring_peek(&ring, &len));
	codectl_ring_fini(&ring);
}

/* A record may turn out shorter than what was reserved, or not come at all. */
TEST(short_commit)
{
	struct codectl_ring ring;
	size_t len;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);

	uint8_t *record = codectl_ring_reserve(&ring, 4000);

	CHECK(record);
	CHECK(!codectl_ring_peek(&ring, &len));
	record[0] = 7;
	codectl_ring_commit(&ring, 1);
	pop(&ring, 1, 7);
	CHECK(codectl_ring_reserve(&ring, 500));
	CHECK(push(&ring, 16, 9));
	pop(&ring, 16, 9);
	CHECK(!codectl_ring_peek(&ring, &len));
	codectl_ring_fini(&ring);
}

TEST(full_then_room_again)
{
	struct codectl_ring ring;
	unsigned int stored = 0;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	while (push(&ring, 120, (uint8_t)stored))
		stored++;
	CHECK_INT(stored, 4096 / 128);
	pop(&ring, 120, 0);
	CHECK(push(&ring, 120, (uint8_t)stored));
	CHECK(!push(&ring, 0, 0));
	for (unsigned int i = 1; i <= stored; i++)
		pop(&ring, 120, (uint8_t)i);
	codectl_ring_fini(&ring);
}

TEST(half_full)
{
	struct codectl_ring ring;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	CHECK(push(&ring, 120, 1));
	pop(&ring, 120, 1);
	/* From the beginning again: what is skipped does not count. */
	for (unsigned int i = 0; i < 16; i++) {
		CHECK(push(&ring, 120, 2));
		CHECK(!codectl_ring_is_half_full(&ring));
	}
	CHECK(push(&ring, 120, 2));
	CHECK(codectl_ring_is_half_full(&ring));
	pop(&ring, 120, 2);
	CHECK(!codectl_ring_is_half_full(&ring));
	codectl_ring_fini(&ring);
}

/* Lengths that do not divide the size: every place of the wrap is met. */
TEST(wrap_around)
{
	struct codectl_ring ring;
	uint8_t first = 0, next = 0;
	size_t lens[256];

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	for (unsigned int i = 0; i < 20000; i++) {
		size_t len = (i * 37) % 700;

		if (push(&ring, len, next)) {
			lens[next++] = len;
		} else {
			CHECK(first != next);
			for (int k = 0; k < 3 && first != next; k++, first++)
				pop(&ring, lens[first], first);
		}
		CHECK((uint8_t)(next - first) < 255);
	}
	for (; first != next; first++)
		pop(&ring, lens[first], first);
	codectl_ring_fini(&ring);
}

/* A ring that is always drained stays at its beginning. */
TEST(empty_ring_restarts)
{
	struct codectl_ring ring;

	CHECK_INT(codectl_ring_init(&ring, 1 << 20), 0);

	uint8_t *start = push(&ring, 1000, 0);

	pop(&ring, 1000, 0);
	for (unsigned int i = 1; i < 100; i++) {
		uint8_t *record = push(&ring, 1000, (uint8_t)i);

		CHECK(record >= start && record < start + 2100);
		pop(&ring, 1000, (uint8_t)i);
	}
	CHECK(ring.touched <= 2100);
	codectl_ring_reset(&ring);
	CHECK(push(&ring, 8, 1) == start);
	codectl_ring_fini(&ring);
}

/* Going on at the beginning costs no room, wherever the ring was found empty. */
TEST(restart_leaves_all_room)
{
	struct codectl_ring ring;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	for (size_t len = 8; len < 4088; len += 56) {
		unsigned int stored = 0;

		CHECK(push(&ring, len, 1));
		pop(&ring, len, 1);
		while (push(&ring, 24, (uint8_t)stored))
			stored++;
		CHECK_INT(stored, 4096 / 32);
		for (unsigned int i = 0; i < stored; i++)
			pop(&ring, 24, (uint8_t)i);
		CHECK(push(&ring, 4088, 2));
		pop(&ring, 4088, 2);
	}
	codectl_ring_fini(&ring);
}

#define STRESS_COUNT 200000

static void *produce(void *argument)
{
	struct codectl_ring *ring = argument;
	uint64_t lost = 0;

	for (uint64_t i = 0; i < STRESS_COUNT;) {
		size_t words = 1 + i % 90;
		uint64_t *record = codectl_ring_reserve(ring, words * 8);

		if (!record) {
			lost++;
			sched_yield();
			continue;
		}
		for (size_t k = 0; k < words; k++)
			record[k] = i;
		codectl_ring_commit(ring, words * 8);
		i++;
	}
	return (void *)(uintptr_t)lost;
}

TEST(two_threads)
{
	struct codectl_ring ring;
	pthread_t producer;

	CHECK_INT(codectl_ring_init(&ring, 4096), 0);
	CHECK_INT(pthread_create(&producer, NULL, produce, &ring), 0);
	for (uint64_t i = 0; i < STRESS_COUNT;) {
		size_t len = 0;
		const uint64_t *record = codectl_ring_peek(&ring, &len);

		if (!record) {
			sched_yield();
			continue;
		}
		CHECK_INT(len, (1 + i % 90) * 8);
		for (size_t k = 0; k < len / 8; k++)
			CHECK_INT(record[k], i);
		codectl_ring_release(&ring);
		i++;
	}
	CHECK_INT(pthread_join(producer, NULL), 0);
	codectl_ring_fini(&ring);
}
