/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/pause.h"

#include "provider/helper.h"
#include "provider/registry.h"

#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MAX 1000000000u /* ns. */

static _Atomic uint32_t wake_count; /* A futex. */
/* Threads that want no more rounds for now; and whether there are none. A futex. */
static _Atomic uint32_t pause_count;
/* Those of the pauses at whose end there may be no image any more. */
static _Atomic uint32_t ending_count;
static _Atomic uint32_t is_parked;

uint32_t codectl_pause_wake_count(void)
{
	return atomic_load(&wake_count);
}

void codectl_pause_sleep(uint32_t seen, long timeout_ns)
{
	struct timespec timeout = {.tv_nsec = timeout_ns};

	syscall(SYS_futex, &wake_count, FUTEX_WAIT_PRIVATE, seen, timeout_ns ? &timeout : NULL,
		NULL, 0);
}

void codectl_pause_wake(void)
{
	atomic_fetch_add(&wake_count, 1);
	syscall(SYS_futex, &wake_count, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

bool codectl_pause_is_wanted(bool *is_ending)
{
	bool is_wanted = atomic_load(&pause_count) > 0;

	*is_ending = atomic_load(&ending_count) > 0;
	return is_wanted;
}

static void set_parked(bool is_now)
{
	atomic_store(&is_parked, is_now);
	syscall(SYS_futex, &is_parked, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Waits until that is @wanted, until @deadline at most. */
static void wait_for_parked(bool wanted, uint64_t deadline)
{
	for (;;) {
		uint64_t now = codectl_provider_now();

		if (atomic_load(&is_parked) == wanted || now >= deadline)
			return;

		/* Less than a second. */
		struct timespec left = {.tv_nsec = (long)(deadline - now - 1)};

		syscall(SYS_futex, &is_parked, FUTEX_WAIT_PRIVATE, !wanted, &left, NULL, 0);
	}
}

void codectl_pause_park(bool is_ending)
{
	sigset_t saved_mask;

	if (is_ending)
		codectl_registry_lock(&saved_mask);
	set_parked(true);
	for (;;) {
		uint32_t seen = atomic_load(&wake_count);

		if (is_ending && atomic_load(&ending_count) == 0) {
			codectl_registry_unlock(&saved_mask);
			is_ending = false;
		}
		if (atomic_load(&pause_count) == 0)
			break;
		codectl_pause_sleep(seen, 0);
	}
	set_parked(false);
	if (is_ending)
		codectl_registry_unlock(&saved_mask);
}

void codectl_pause_begin(bool is_ending)
{
	uint64_t deadline = codectl_provider_now() + WAIT_MAX;

	if (is_ending)
		atomic_fetch_add(&ending_count, 1);
	atomic_fetch_add(&pause_count, 1);
	codectl_pause_wake();
	wait_for_parked(true, deadline);
}

void codectl_pause_end(void)
{
	atomic_fetch_sub(&ending_count, 1);

	bool is_last = atomic_fetch_sub(&pause_count, 1) == 1;

	codectl_pause_wake();
	/* Whoever pauses next needs a round of its own, and not the lock that this one took. */
	if (is_last)
		wait_for_parked(false, codectl_provider_now() + WAIT_MAX);
}

void codectl_pause_after_fork(void)
{
	atomic_store(&pause_count, 0);
	atomic_store(&ending_count, 0);
	atomic_store(&is_parked, 0);
}
