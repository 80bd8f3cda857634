/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/threads.h: finds the threads of the process, gives each a slot and a
 * clock that samples it, and notices when it has ended. Threads that
 * pthread_create() starts come with a slot (sampler/thread-start.h); all others
 * are found in /proc/self/task. Helper thread.
 */
#ifndef CODECTL_SAMPLER_THREADS_H
#define CODECTL_SAMPLER_THREADS_H

#include "sampler/slot.h"

#include <stdbool.h>
#include <stdint.h>

/* @signal_number is the one that a thread must not block. Once per process. */
void codectl_threads_init(int signal_number);

/*
 * One round while samples are wanted: gives slots to threads that have
 * appeared, starts their clocks, marks slots of threads that are gone as
 * ENDED. @now is CLOCK_MONOTONIC in ns; every second also names, CPU times and
 * signal masks are looked at, and true is returned.
 */
bool codectl_threads_round(uint64_t now);

/* Nobody wants samples: stops all clocks. Cheap if that has been done. */
void codectl_threads_disarm(void);

/* In the child of a fork, when all slots were freed. */
void codectl_threads_after_fork(void);

#endif /* CODECTL_SAMPLER_THREADS_H */
