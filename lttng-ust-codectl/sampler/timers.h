/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/timers.h: a POSIX timer on the CPU clock of each thread, which sends
 * the sampling signal to that thread. Gives each thread a slot and notices
 * when it has ended. Helper thread, except where stated.
 */
#ifndef CODECTL_SAMPLER_TIMERS_H
#define CODECTL_SAMPLER_TIMERS_H

#include "sampler/slot.h"

#include <stdbool.h>
#include <stdint.h>

/* @frequency per second of CPU time, with @signal_number. Once per process. */
void codectl_timers_init(uint32_t frequency, int signal_number);

/*
 * One round while samples are wanted: gives slots to threads that have
 * appeared, arms what is not armed, marks slots of threads that are gone as
 * ENDED. @now is CLOCK_MONOTONIC in ns; every second also names, CPU times and
 * signal masks are looked at, and true is returned.
 */
bool codectl_timers_round(uint64_t now);

/* Nobody wants samples: disarms all timers. Cheap if that has been done. */
void codectl_timers_disarm(void);

/* Looks at the thread's CPU clock; keeps what was last known of one that is gone. */
void codectl_timers_update_cpu_time(struct codectl_slot *slot);

/* Deletes the timer of a slot, before the slot is freed. */
void codectl_timers_release(struct codectl_slot *slot);

/* In the child of a fork, when all slots were freed: the child has no timers. */
void codectl_timers_after_fork(void);

#endif /* CODECTL_SAMPLER_TIMERS_H */
