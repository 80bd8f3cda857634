/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/budget.h: keeps a recurring work whose cost depends on the program,
 * such as listing its threads, at a fixed share of a CPU. Owned by its user;
 * one thread.
 */
#ifndef CODECTL_SAMPLER_BUDGET_H
#define CODECTL_SAMPLER_BUDGET_H

#include "provider/helper.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct codectl_budget {
	uint32_t rest;	     /* How many times its cost the work pauses afterwards. */
	uint64_t not_before; /* CLOCK_MONOTONIC, ns. */
	uint64_t started_at; /* CPU time of the thread, ns: being preempted costs nothing. */
};

static inline uint64_t codectl_budget_cpu_time(void)
{
	struct timespec time = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Whether the work may be done at @now. */
static inline bool codectl_budget_allows(const struct codectl_budget *budget, uint64_t now)
{
	return now >= budget->not_before;
}

static inline void codectl_budget_begin(struct codectl_budget *budget)
{
	budget->started_at = codectl_budget_cpu_time();
}

static inline void codectl_budget_end(struct codectl_budget *budget)
{
	uint64_t cost = codectl_budget_cpu_time() - budget->started_at;

	budget->not_before = codectl_provider_now() + cost * budget->rest;
}

#endif /* CODECTL_SAMPLER_BUDGET_H */
