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
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The kernel has 64 signals; the C library has room for more. */
#define KERNEL_MASK_SIZE 8

/* Where the lists begin. */
static struct codectl_registry_link heads[CODECTL_CODE_KIND_COUNT][CODECTL_REGISTRY_LEVELS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t quiet_thread; /* 0: none. */
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

/* By the system call: before pthread_sigmask() others stand, the sampler among them. */
static void set_mask(const sigset_t *mask, sigset_t *saved_mask)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, saved_mask, KERNEL_MASK_SIZE);
}

/* Whether the calling thread takes no signals anyway. */
static bool is_quiet(void)
{
	return atomic_load_explicit(&quiet_thread, memory_order_relaxed) == pthread_self();
}

static void block_signals(sigset_t *saved_mask)
{
	sigset_t all;

	if (is_quiet())
		return;
	/* Without the signals that the C library keeps for itself. */
	sigfillset(&all);
	set_mask(&all, saved_mask);
}

static void restore_signals(const sigset_t *saved_mask)
{
	if (!is_quiet())
		set_mask(saved_mask, NULL);
}

void codectl_registry_set_quiet_thread(pthread_t thread)
{
	atomic_store(&quiet_thread, thread);
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
	restore_signals(saved_mask);
	return false;
}

void codectl_registry_unlock(const sigset_t *saved_mask)
{
	pthread_mutex_unlock(&lock);
	restore_signals(saved_mask);
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

uint64_t codectl_registry_take_serial(void)
{
	uint64_t serial = atomic_load(&last_serial) + 1;

	atomic_store(&last_serial, serial);
	return serial;
}

/* Adds it where @path leads, and emits. */
static void put_in(struct codectl_registration *registration,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS])
{
	if (!registration->timestamp)
		registration->timestamp = codectl_provider_now();
	/* First the serial, so that the child of a fork never gives it out again. */
	registration->serial = codectl_registry_take_serial();
	atomic_fetch_add(&registration_count, 1);
	link_in(registration, path);
	registration->ops->emit(registration, NULL);
}

/* Takes out what @path leads to. It is freed later: see take_removed(). */
static void take_out(struct codectl_registration *registration,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS])
{
	atomic_fetch_sub(&registration_count, 1);
	link_out(registration, path);
	registration->next_removed = removed;
	removed = registration;
}

/* Drains, takes out and emits that. @timestamp: when it ended; 0: now. */
static void end(struct codectl_registration *registration,
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS], uint64_t timestamp)
{
	struct codectl_event event = {.type = CODECTL_EVENT_UNREGISTER};

	if (registration->ops->drain)
		registration->ops->drain(registration);

	uint64_t serial = codectl_registry_take_serial();

	if (registration->ops->make_end)
		registration->ops->make_end(registration, serial, &event);
	else
		event.unregister = (struct codectl_event_unregister){
			.serial = serial,
			.registered_serial = registration->serial,
			.text_start = registration->text_start,
			.text_end = registration->text_end,
		};
	event.timestamp = timestamp ? timestamp : codectl_provider_now();
	/* It may have begun a little before it was seen, but it cannot have ended then. */
	if (event.timestamp < registration->timestamp)
		event.timestamp = registration->timestamp;
	take_out(registration, path);
	codectl_emit_live(&event);
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

/* Unlocks, and frees what has been removed if nobody reads it. */
static void unlock_and_free(const sigset_t *saved_mask)
{
	struct codectl_registration *list = take_removed();

	codectl_registry_unlock(saved_mask);
	destroy_all(list);
}

/* The first one of @kind that overlaps @registration and yields (or does not). */
static struct codectl_registration *find_overlapped(
	const struct codectl_registration *registration, enum codectl_code_kind kind, bool yields)
{
	struct codectl_registration *other = codectl_registry_find(kind, registration->text_start);

	while (other && other->text_start < registration->text_end && other->yields != yields)
		other = codectl_registry_next(other);
	return other && other->text_start < registration->text_end ? other : NULL;
}

/* Ends what yields to @registration, of whatever kind: now more is known of that memory. */
static void end_yielding(const struct codectl_registration *registration)
{
	for (int kind = 0; kind < CODECTL_CODE_KIND_COUNT; kind++) {
		struct codectl_registration *other;

		while ((other = find_overlapped(
				registration, (enum codectl_code_kind)kind, true))) {
			struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];

			search(other->kind, other->text_start, path);
			end(other, path, registration->timestamp);
		}
	}
}

int codectl_registry_add(struct codectl_registration *registration)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);

	int ret = find_overlapped(registration, registration->kind, false) ? -EEXIST : 0;

	if (ret == 0) {
		end_yielding(registration);
		search(registration->kind, registration->text_start, path);
		put_in(registration, path);
	}
	unlock_and_free(&saved_mask);
	return ret;
}

void codectl_registry_replace(struct codectl_registration *registration)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	struct codectl_registration *behind;
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	while ((behind = search(registration->kind, registration->text_start, path)) &&
		behind->text_start < registration->text_end)
		end(behind, path, registration->timestamp);
	put_in(registration, path);
	unlock_and_free(&saved_mask);
}

int codectl_registry_remove_if(enum codectl_code_kind kind, uint64_t text_start, uint64_t timestamp,
	bool (*is_it)(const struct codectl_registration *registration, const void *user),
	const void *user)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	int ret = -ENOENT;
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);

	struct codectl_registration *found = search(kind, text_start, path);

	if (found && found->text_start == text_start && is_it(found, user)) {
		end(found, path, timestamp);
		ret = 0;
	}
	unlock_and_free(&saved_mask);
	return ret;
}

static bool ends_at(const struct codectl_registration *registration, const void *text_end)
{
	return registration->text_end == *(const uint64_t *)text_end;
}

int codectl_registry_remove(enum codectl_code_kind kind, uint64_t text_start, uint64_t text_end)
{
	return codectl_registry_remove_if(kind, text_start, 0, ends_at, &text_end);
}

void codectl_registry_forget_within(
	enum codectl_code_kind kind, uint64_t text_start, uint64_t text_end)
{
	struct codectl_registry_link *path[CODECTL_REGISTRY_LEVELS];
	uint64_t from = text_start;
	struct codectl_registration *found;
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	while ((found = search(kind, from, path)) && found->text_start < text_end) {
		from = found->text_end;
		if (found->text_start >= text_start && found->text_end <= text_end)
			take_out(found, path);
	}
	unlock_and_free(&saved_mask);
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
	unlock_and_free(&saved_mask);
}

void codectl_registry_after_fork(void)
{
	pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
	size_t count = 0;

	memcpy(&lock, &fresh, sizeof(lock));
	has_reader = false;
	atomic_store(&quiet_thread, (pthread_t)0);
	for (int kind = 0; kind < CODECTL_CODE_KIND_COUNT; kind++) {
		for (const struct codectl_registration *at = follow(&heads[kind][0]); at;
			at = codectl_registry_next(at))
			count++;
	}
	atomic_store(&registration_count, count);
}
