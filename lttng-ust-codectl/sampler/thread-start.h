/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/thread-start.h: our own pthread_create() and thrd_create() stand
 * before the C library's, so that a new thread is sampled from its first
 * instruction to its last: the helper thread's next round is too late for those
 * that live a few milliseconds.
 *
 * The creator claims a slot, the new thread starts its own clock, hands the slot
 * over to the helper thread and jumps to the start routine: no frame of ours is
 * on its stack, and how it ends is none of our business. Nothing is allocated.
 * While nobody wants samples, or if no slot can be had, the C library's function
 * is called as if we were not there.
 */
#ifndef CODECTL_SAMPLER_THREAD_START_H
#define CODECTL_SAMPLER_THREAD_START_H

#include <stdbool.h>
#include <stdint.h>

/* Once, from a constructor. */
void codectl_thread_start_init(void);

/* Whether new threads are to be sampled. Helper thread. */
void codectl_thread_start_enable(bool is_enabled);

/* Threads that are created, but have not handed their slots over yet. Any thread. */
uint32_t codectl_thread_start_count(void);

/* In the child of a fork. */
void codectl_thread_start_after_fork(void);

#endif /* CODECTL_SAMPLER_THREAD_START_H */
