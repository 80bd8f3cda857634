/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/perf.h: a perf event on the CPU time of each thread, which sends the
 * sampling signal to that thread. Unlike timers it is not bound to the kernel's
 * tick. It is good for one sample, after which the handler asks for the next: a
 * thread that blocks the signal has one pending at most, for if signals piled
 * up until there is no room, the kernel would send SIGIO instead, which kills.
 *
 * It costs a file descriptor per thread. Those are kept away from the low
 * numbers, and never more than a quarter of what the program may open.
 */
#ifndef CODECTL_SAMPLER_PERF_H
#define CODECTL_SAMPLER_PERF_H

#include "sampler/slot.h"

#include <stdbool.h>
#include <stdint.h>

/* @interval in ns of CPU time. Once per process. */
void codectl_perf_init(uint64_t interval, int signal_number);

/* Makes the event of the slot with that index. Returns 0 or a negative errno. */
int codectl_perf_open(struct codectl_slot *slot, int index);

/* Whether the slot has one. */
bool codectl_perf_has(const struct codectl_slot *slot);

void codectl_perf_start(struct codectl_slot *slot);
void codectl_perf_stop(struct codectl_slot *slot);

/*
 * Whether the event is still there: the program may have closed all files. If
 * so, the signal is made to reach the thread whatever user it is by now.
 */
bool codectl_perf_check(struct codectl_slot *slot);

void codectl_perf_close(struct codectl_slot *slot);

/* In the child of a fork, before the slots are freed. */
void codectl_perf_after_fork(void);

/* The slot whose event has that file descriptor, or NULL. Async-signal-safe. */
struct codectl_slot *codectl_perf_find_slot(int fd);

/* In the handler: asks for the next sample. Async-signal-safe. */
void codectl_perf_continue(struct codectl_slot *slot);

#endif /* CODECTL_SAMPLER_PERF_H */
