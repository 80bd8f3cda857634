/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/timers.h: a POSIX timer on the CPU clock of each thread, which sends
 * the sampling signal to that thread. Every slot has one, whatever the clock
 * that samples: it tells a thread from a later one with the same tid. Owned by
 * the slot; used by whoever owns the slot. System calls are made directly:
 * nothing of it concerns the C library's timers.
 */
#ifndef CODECTL_SAMPLER_TIMERS_H
#define CODECTL_SAMPLER_TIMERS_H

#include "sampler/slot.h"

#include <stdbool.h>
#include <stdint.h>

/* @frequency per second of CPU time, with @signal_number. Once per process. */
void codectl_timers_init(uint32_t frequency, int signal_number);

/* The interval in ns. Async-signal-safe. */
uint64_t codectl_timers_interval(void);

/*
 * Creates the timer of the slot with that index, whose tid is set. Returns 0 or
 * a negative errno; -EINVAL if there is no such thread.
 */
int codectl_timers_create(struct codectl_slot *slot, int index);

/* Start and stop it. Return false if the thread has ended. */
bool codectl_timers_start(struct codectl_slot *slot);
bool codectl_timers_stop(const struct codectl_slot *slot);

/* Whether the thread lives; @is_running tells whether its timer does. */
bool codectl_timers_is_alive(const struct codectl_slot *slot, bool is_running);

/* Deletes the timer, before the slot is freed. */
void codectl_timers_delete(struct codectl_slot *slot);

/* Looks at the thread's CPU clock; keeps what was last known of one that is gone. */
void codectl_timers_update_cpu_time(struct codectl_slot *slot);

#endif /* CODECTL_SAMPLER_TIMERS_H */
