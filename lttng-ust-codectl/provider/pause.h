/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/pause.h: how the helper thread sleeps, is woken, and keeps still for
 * threads that are about to end the process image. Async-signal-safe, any thread,
 * except where stated; errno is not kept.
 */
#ifndef CODECTL_PROVIDER_PAUSE_H
#define CODECTL_PROVIDER_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* How often the helper thread was woken so far; what it hands to codectl_pause_sleep(). */
uint32_t codectl_pause_wake_count(void);

/* Sleeps until woken since that count was @seen; for @timeout_ns at most, if not 0. */
void codectl_pause_sleep(uint32_t seen, long timeout_ns);

void codectl_pause_wake(void);

/* Whether a thread wants no more rounds; and whether one's image may end then. */
bool codectl_pause_is_wanted(bool *is_ending);

/*
 * The helper thread, after a round that began when such was wanted: until nobody
 * pauses. While an image may end nobody else can emit: LTTng's listener begins a
 * state dump at any time, other threads register code, and all of them emit with
 * the registry's lock. It is held no longer than that: who pauses for another
 * reason emits itself.
 */
void codectl_pause_park(bool is_ending);

/* Asks for a round, and waits until the helper thread is parked after it, a second at most. */
void codectl_pause_begin(bool is_ending);

/* Ends a codectl_pause_begin(true). */
void codectl_pause_end(void);

void codectl_pause_after_fork(void);

#endif /* CODECTL_PROVIDER_PAUSE_H */
