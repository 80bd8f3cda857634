/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * truth.h: where the program under stress was, in its own words. A record a
 * call; check.py reads them.
 */
#ifndef CODECTL_TESTS_STRESS_TRUTH_H
#define CODECTL_TESTS_STRESS_TRUTH_H

#include <stdint.h>
#include <time.h>

/*
 * CLOCK_MONOTONIC, ns. The caller takes the outer times, the function of the
 * plugin the inner ones: between the inner ones the thread is in the plugin for
 * certain, and outside of the outer ones for certain not.
 */
struct truth {
	uint64_t outer_begin;
	uint64_t inner_begin;
	uint64_t inner_end;
	uint64_t outer_end;
	int32_t pid;
	int32_t tid;
	uint32_t plugin;
	uint32_t unused;
};
_Static_assert(sizeof(struct truth) == 48, "check.py reads it");

static inline uint64_t truth_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What each plugin exports as `plugin_work`: works for @duration_ns, and notes the inner times. */
typedef void truth_work(struct truth *truth, uint64_t duration_ns);

#endif /* CODECTL_TESTS_STRESS_TRUTH_H */
