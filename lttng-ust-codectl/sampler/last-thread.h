/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/last-thread.h: a process ends when its last thread does. The threads of
 * LTTng-UST and ours never end, so that a program of which all threads are gone (its
 * main thread called pthread_exit(), or it is the child of a fork in a thread that
 * returned) would stay for ever. Helper thread.
 */
#ifndef CODECTL_SAMPLER_LAST_THREAD_H
#define CODECTL_SAMPLER_LAST_THREAD_H

#include <stdint.h>

/* Ends the process, after the round, if nobody is left. Looks twice a second. */
void codectl_last_thread_look(uint64_t now);

#endif /* CODECTL_SAMPLER_LAST_THREAD_H */
