/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/registry.h"

#include "provider/emit.h"
#include "provider/helper.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* Where the lists begin. */
static struct codectl_registry_link heads[CODECTL_CODE_KIND_COUNT][CODECTL_REGISTRY_LEVELS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t last_serial;
static _Atomic size_t registration_count;
/* The state of a pseudo-random sequence; any value but 0 does. Under the lock. */
static uint64_t level_seed = 0x9e3779b97f4a7c15;
/* Under the lock: whether somebody reads without; and what to free when that is over. */
static bool has_reader;
static struct codectl_registration *removed;

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

static struct codectl_registration *follow(const struct codectl_registry_link *link)
{
	return atomic_load_explicit(&link->to, memory_order_acquire);
}

/* Readers that see the link see what it leads to. */
static void set_link(struct codectl_registry_link *link, struct codectl_registration *registration)
{
	atomic_store_explicit(&link->to, registration, memory_order_release);
}

/*
 * The first one that ends above @address; @path, if not NULL, gets the links of
 * each level that pass over it or lead to it.
 */
static struct codectl_registration *search(enum codectl_code_kind kind, uint64_t address,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS])
{
	struct codectl_registry_link *links = heads[kind];
	struct codectl_registration *found = NULL;

	for (size_t level = CODECTL_REGISTRY_LEVELS; level-- > 0;) {
		while ((found = follow(&links[level])) && found->text_end <= address)
			links = found->next;
		if (path)
			path[level] = &links[level];
	}
	return found;
}

struct codectl_registration *codectl_registry_find(enum codectl_code_kind kind, uint64_t address)
{
	return search(kind, address, NULL);
}

struct codectl_registration *codectl_registry_next(const struct codectl_registration *registration)
{
	return follow(&registration->next[0]);
}

size_t codectl_registry_count(void)
{
	return atomic_load(&registration_count);
}

/* One in four reaches the next level (xorshift64). */
static unsigned int pick_level_count(void)
{
	unsigned int count = 1;

	level_seed ^= level_seed << 13;
	level_seed ^= level_seed >> 7;
	level_seed ^= level_seed << 17;
	for (uint64_t bits = level_seed; count < CODECTL_REGISTRY_LEVELS && (bits & 3) == 0;
		bits >>= 2)
		count++;
	return count;
}

/* From the lowest level upwards: with the first store, it is there. */
static void link_in(struct codectl_registration *registration,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS])
{
	registration->level_count = pick_level_count();
	for (size_t level = 0; level < registration->level_count; level++) {
		set_link(&registration->next[level], follow(path[level]));
		set_link(path[level], registration);
	}
}

/*
 * From the highest level downwards: with the last store, it is gone. In the child
 * of a fork that interrupted this or the other, it is not at all of its levels. Its
 * own links stay, for readers who are at it.
 */
static void link_out(struct codectl_registration *registration,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS])
{
	for (size_t level = registration->level_count; level-- > 0;) {
		if (follow(path[level]) == registration)
			set_link(path[level], follow(&registration->next[level]));
	}
}

int codectl_registry_add(struct codectl_registration *registration)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);

	const struct codectl_registration *behind = search(
		registration->kind, registration->text_start, path);

	if (behind && behind->text_start < registration->text_end) {
		codectl_registry_unlock(&saved_mask);
		return -EEXIST;
	}
	registration->timestamp = codectl_provider_now();
	registration->serial = atomic_load(&last_serial) + 1;
	/* First the serial, so that the child of a fork never gives it out again. */
	atomic_store(&last_serial, registration->serial);
	atomic_fetch_add(&registration_count, 1);
	link_in(registration, path);
	registration->ops->emit(registration, NULL);
	codectl_registry_unlock(&saved_mask);
	return 0;
}

static void destroy_all(struct codectl_registration *list)
{
	while (list) {
		struct codectl_registration *next = list->next_removed;

		list->ops->destroy(list);
		list = next;
	}
}

/* Under the lock. Returns what is to be destroyed without it. */
static struct codectl_registration *take_removed(void)
{
	struct codectl_registration *list = has_reader ? NULL : removed;

	if (list)
		removed = NULL;
	return list;
}

int codectl_registry_remove(enum codectl_code_kind kind, uint64_t text_start, uint64_t text_end)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);

	struct codectl_registration *found = search(kind, text_start, path);

	if (!found || found->text_start != text_start || found->text_end != text_end) {
		codectl_registry_unlock(&saved_mask);
		return -ENOENT;
	}
	if (found->ops->drain)
		found->ops->drain(found);

	struct codectl_event event = {
		.type = CODECTL_EVENT_UNREGISTER,
		.timestamp = codectl_provider_now(),
		.unregister =
			{
				.serial = atomic_load(&last_serial) + 1,
				.registered_serial = found->serial,
				.text_start = text_start,
				.text_end = text_end,
			},
	};

	atomic_store(&last_serial, event.unregister.serial);
	atomic_fetch_sub(&registration_count, 1);
	link_out(found, path);
	codectl_emit_live(&event);
	found->next_removed = removed;
	removed = found;

	struct codectl_registration *list = take_removed();

	codectl_registry_unlock(&saved_mask);
	destroy_all(list);
	return 0;
}

void codectl_registry_begin_read(void)
{
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	has_reader = true;
	codectl_registry_unlock(&saved_mask);
}

void codectl_registry_end_read(void)
{
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	has_reader = false;

	struct codectl_registration *list = take_removed();

	codectl_registry_unlock(&saved_mask);
	destroy_all(list);
}

void codectl_registry_after_fork(void)
{
	pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
	size_t count = 0;

	memcpy(&lock, &fresh, sizeof(lock));
	has_reader = false;
	for (int kind = 0; kind < CODECTL_CODE_KIND_COUNT; kind++) {
		for (const struct codectl_registration *at = follow(&heads[kind][0]); at;
			at = codectl_registry_next(at))
			count++;
	}
	atomic_store(&registration_count, count);
}
