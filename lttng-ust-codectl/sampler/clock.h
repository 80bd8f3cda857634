/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/clock.h: what decides when a thread is sampled: a timer on its CPU
 * clock, a perf event that counts its CPU time, or the helper thread, which
 * goes by the wall clock. Used by whoever owns the slot.
 */
#ifndef CODECTL_SAMPLER_CLOCK_H
#define CODECTL_SAMPLER_CLOCK_H

#include "provider/helper.h"
#include "sampler/slot.h"

#include <stdbool.h>

/* Once per process, before the others. Helper thread, or a constructor. */
void codectl_clock_init(enum codectl_clock clock, uint32_t frequency, int signal_number);

/*
 * Makes the clock of the slot with that index, whose tid is set; it does not run
 * yet. Returns 0 or a negative errno; -EINVAL or -ESRCH if there is no such thread.
 */
int codectl_clock_open(struct codectl_slot *slot, int index);

/* Start and stop it. Return false if the thread has ended. */
bool codectl_clock_start(struct codectl_slot *slot);
bool codectl_clock_stop(struct codectl_slot *slot);

/* Whether the thread lives. */
bool codectl_clock_is_alive(const struct codectl_slot *slot);

/*
 * The calling thread is about to become another program, whose signals are all
 * at their defaults: none of ours may be pending then. (The kernel sees to it
 * for timers.) If that fails, its clock goes on with the next
 * codectl_clock_check(). Async-signal-safe.
 */
void codectl_clock_hold(void);

/*
 * Repairs what the program may have broken. Returns whether anything was: then
 * the clocks of other threads need it too.
 */
bool codectl_clock_check(struct codectl_slot *slot);

/* Before the slot is freed. */
void codectl_clock_close(struct codectl_slot *slot);

/* In the child of a fork, before the slots are freed. */
void codectl_clock_after_fork(void);

#endif /* CODECTL_SAMPLER_CLOCK_H */
