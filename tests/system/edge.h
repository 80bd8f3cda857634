/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge.h: phases of the edge-* programs. phase_NAME() calls NAME() again and
 * again for as much CPU time as main()'s argument says, in milliseconds. The
 * names of the functions are what test-edges.sh knows the stacks by, so
 * nothing here may be inlined or become a jump.
 */
#ifndef TESTS_SYSTEM_EDGE_H
#define TESTS_SYSTEM_EDGE_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))
/* Behind a call at a function's end: what follows keeps it from being a jump. */
#define NO_TAIL_CALL() __asm__ volatile("" ::: "memory")

static uint64_t edge_budget_ns;

static inline uint64_t edge_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline void edge_take_budget(int argc, char **argv)
{
	edge_budget_ns = (argc > 1 ? strtoull(argv[1], NULL, 10) : 10) * 1000000;
}

#define PHASE(name)                                            \
	static NOINLINE void phase_##name(void)                \
	{                                                      \
		uint64_t end = edge_cpu_ns() + edge_budget_ns; \
                                                               \
		while (edge_cpu_ns() < end)                    \
			name();                                \
	}

/* A moment in a function that calls nothing. */
NOINLINE void spin(void);

#ifndef EDGE_NO_SPIN
NOINLINE void spin(void)
{
	for (volatile int i = 0; i < 200000; i++)
		;
}
#endif

#endif /* TESTS_SYSTEM_EDGE_H */
