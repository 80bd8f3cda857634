/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/registry.h: the code which is registered now, ordered by address,
 * and the serial numbers.
 *
 * One mutex guards it all, and makes publishing a change and emitting its event
 * one step: a state dump, which runs under the same lock, never shows a
 * registration after the event that ended it. It is a leaf lock: its holder
 * emits events, and otherwise calls nothing which takes a lock of the loader,
 * of LTTng-UST or of the allocator. LTTng's listener thread takes it with
 * ust_lock held. All signals are blocked while it is held.
 *
 * Other threads may stop anywhere when a process forks, so the table is never
 * changed in place: a new one replaces it with a single store.
 */
#ifndef CODECTL_PROVIDER_REGISTRY_H
#define CODECTL_PROVIDER_REGISTRY_H

#include "format/event.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_registration {
	/*
	 * The event which registered it, its strings in storage[]; `serial` and
	 * `timestamp` are set by codectl_registry_add().
	 */
	struct codectl_event event;
	char storage[];
};

/*
 * Registers and emits. Takes @registration (malloc()ed) over if it succeeds.
 * Returns 0, -EEXIST (overlap) or -ENOMEM.
 */
int codectl_registry_add(struct codectl_registration *registration);

/* Unregisters what has exactly this range, and emits. Returns 0, -ENOENT or -ENOMEM. */
int codectl_registry_remove(uint64_t text_start, uint64_t text_end);

/* The last serial given out. Async-signal-safe. */
uint64_t codectl_registry_last_serial(void);

void codectl_registry_lock(sigset_t *saved_mask);
void codectl_registry_unlock(const sigset_t *saved_mask);

/* Gives up after @timeout_ns. Returns whether it is locked. */
bool codectl_registry_lock_timed(sigset_t *saved_mask, uint64_t timeout_ns);

/* Number of registrations a moment ago, for a guess. Any thread, without the lock. */
size_t codectl_registry_likely_count(void);

/* Number of registrations; and one of them, in ascending order, weak until unlock. Locked only. */
size_t codectl_registry_count(void);
const struct codectl_event *codectl_registry_borrow(size_t index);

/* In the child of a fork, whatever other threads were doing. */
void codectl_registry_after_fork(void);

#endif /* CODECTL_PROVIDER_REGISTRY_H */
