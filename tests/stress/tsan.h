/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Included before everything by tsan.sh: ThreadSanitizer of gcc 12 does not know
 * pthread_mutex_clocklock(), and takes the unlock for one too many.
 */
#ifndef CODECTL_TESTS_TSAN_H
#define CODECTL_TESTS_TSAN_H

#include <pthread.h>

static inline int tsan_clocklock(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

#define pthread_mutex_clocklock(mutex, clock, until) tsan_clocklock(mutex)

#endif /* CODECTL_TESTS_TSAN_H */
