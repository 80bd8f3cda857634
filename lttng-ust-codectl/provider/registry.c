/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/registry.h"

#include "provider/emit.h"
#include "provider/helper.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct table {
	size_t count;
	struct codectl_registration *entries[]; /* Owned; ascending text_start, no overlaps. */
};

static struct table *_Atomic current; /* NULL: empty. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t last_serial;
/* Its count, for those who do not hold the lock: the table itself may be freed any time. */
static _Atomic size_t likely_count;

uint64_t codectl_registry_last_serial(void)
{
	return atomic_load_explicit(&last_serial, memory_order_acquire);
}

static void block_signals(sigset_t *saved_mask)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, saved_mask);
}

void codectl_registry_lock(sigset_t *saved_mask)
{
	block_signals(saved_mask);
	pthread_mutex_lock(&lock);
}

bool codectl_registry_lock_timed(sigset_t *saved_mask, uint64_t timeout_ns)
{
	uint64_t deadline = codectl_provider_now() + timeout_ns;
	struct timespec until = {
		.tv_sec = (time_t)(deadline / 1000000000),
		.tv_nsec = (long)(deadline % 1000000000),
	};

	block_signals(saved_mask);
	if (pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until) == 0)
		return true;
	pthread_sigmask(SIG_SETMASK, saved_mask, NULL);
	return false;
}

void codectl_registry_unlock(const sigset_t *saved_mask)
{
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, saved_mask, NULL);
}

void codectl_registry_after_fork(void)
{
	pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	memcpy(&lock, &fresh, sizeof(lock));
}

size_t codectl_registry_count(void)
{
	struct table *table = atomic_load(&current);

	return table ? table->count : 0;
}

size_t codectl_registry_likely_count(void)
{
	return atomic_load(&likely_count);
}

const struct codectl_event *codectl_registry_borrow(size_t index)
{
	return &atomic_load(&current)->entries[index]->event;
}

/* Index of the first entry which ends above @address. */
static size_t find_end_above(uint64_t address)
{
	struct table *table = atomic_load(&current);
	size_t low = 0;
	size_t high = table ? table->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle]->event.register_elf.text_end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Locks, with a table of room for @change entries more than there are, which is
 * allocated while the lock is not held. Returns NULL, unlocked, without memory.
 */
static struct table *lock_with_spare(size_t change, sigset_t *saved_mask)
{
	size_t room = codectl_registry_likely_count() + change;

	for (;;) {
		struct table *spare = malloc(sizeof(*spare) + room * sizeof(spare->entries[0]));

		if (!spare)
			return NULL;
		codectl_registry_lock(saved_mask);
		if (codectl_registry_count() + change <= room)
			return spare;
		room = codectl_registry_count() + change;
		codectl_registry_unlock(saved_mask);
		free(spare);
	}
}

int codectl_registry_add(struct codectl_registration *registration)
{
	struct codectl_event *event = &registration->event;
	sigset_t saved_mask;
	struct table *spare = lock_with_spare(1, &saved_mask);

	if (!spare)
		return -ENOMEM;

	struct table *old = atomic_load(&current);
	size_t count = codectl_registry_count();
	size_t at = find_end_above(event->register_elf.text_start);

	if (at < count && codectl_registry_borrow(at)->register_elf.text_start <
				  event->register_elf.text_end) {
		codectl_registry_unlock(&saved_mask);
		free(spare);
		return -EEXIST;
	}
	event->timestamp = codectl_provider_now();
	event->register_elf.serial = atomic_load(&last_serial) + 1;
	spare->count = count + 1;
	for (size_t i = 0; i < count; i++)
		spare->entries[i < at ? i : i + 1] = old->entries[i];
	spare->entries[at] = registration;
	atomic_store(&current, spare);
	atomic_store(&likely_count, spare->count);
	atomic_store(&last_serial, event->register_elf.serial);
	codectl_emit_live(event);
	codectl_registry_unlock(&saved_mask);
	free(old);
	return 0;
}

int codectl_registry_remove(uint64_t text_start, uint64_t text_end)
{
	sigset_t saved_mask;
	struct table *spare = lock_with_spare(0, &saved_mask);

	if (!spare)
		return -ENOMEM;

	struct table *old = atomic_load(&current);
	size_t count = codectl_registry_count();
	size_t at = find_end_above(text_start);
	struct codectl_registration *found = at < count ? old->entries[at] : NULL;

	if (!found || found->event.register_elf.text_start != text_start ||
		found->event.register_elf.text_end != text_end) {
		codectl_registry_unlock(&saved_mask);
		free(spare);
		return -ENOENT;
	}

	struct codectl_event event = {
		.type = CODECTL_EVENT_UNREGISTER,
		.timestamp = codectl_provider_now(),
		.unregister =
			{
				.serial = atomic_load(&last_serial) + 1,
				.registered_serial = found->event.register_elf.serial,
				.text_start = text_start,
				.text_end = text_end,
			},
	};

	spare->count = count - 1;
	for (size_t i = 0; i < count - 1; i++)
		spare->entries[i] = old->entries[i < at ? i : i + 1];
	atomic_store(&current, spare);
	atomic_store(&likely_count, spare->count);
	atomic_store(&last_serial, event.unregister.serial);
	codectl_emit_live(&event);
	codectl_registry_unlock(&saved_mask);
	free(found);
	free(old);
	return 0;
}
