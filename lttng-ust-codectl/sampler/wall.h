/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/wall.h: samples by the wall clock, of threads that run and threads
 * that sleep. A signal would wake a sleeping thread, and most system calls that
 * wait for a time or for several things end with EINTR then, whatever flags the
 * handler has. So a thread that sleeps is never disturbed:
 *
 * - one that has used no CPU time since it was last looked at is where it was:
 *   its last sample counts once more;
 * - one that waits in a system call is sampled from outside: the kernel tells
 *   its stack pointer and pc, and while it waits its stack does not change;
 * - only one that runs gets the signal.
 *
 * Equal samples of a sleeping thread are one event with the weight of all.
 * Helper thread.
 */
#ifndef CODECTL_SAMPLER_WALL_H
#define CODECTL_SAMPLER_WALL_H

#include "format/event.h"
#include "sampler/handler.h"
#include "sampler/slot.h"

#include <stddef.h>
#include <stdint.h>

/* What becomes of a sample that was taken from outside. */
typedef void (*codectl_wall_take)(
	struct codectl_slot *slot, const struct codectl_capture *capture, size_t len);

/* @interval in ns of real time; stacks of @stack_size bytes. Once per process. */
void codectl_wall_init(uint64_t interval, int signal_number, uint32_t stack_size);

/* Samples all threads, if it is time at @now; what sleeps goes to @take. */
void codectl_wall_round(uint64_t now, codectl_wall_take take);

/*
 * Emits a SAMPLE event of the slot's thread, after what the last one still
 * stands for; @is_asleep if it was taken from outside. One that equals the last
 * one only makes it weigh more.
 */
void codectl_wall_emit(struct codectl_slot *slot, struct codectl_event *event, bool is_asleep);

/* Emits what the last sample still stands for: once a second, and at the end. */
void codectl_wall_flush(struct codectl_slot *slot);

/* Before the slot is freed. */
void codectl_wall_release(struct codectl_slot *slot);

#endif /* CODECTL_SAMPLER_WALL_H */
