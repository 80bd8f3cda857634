/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-live: fires tracepoints, one of them with its stack, and computes in between,
 * until a file exists; for two minutes at most. Compiled with frame pointers.
 * Usage: prog-live FILE
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tp-events.h"

#include <time.h>
#include <unistd.h>

static volatile unsigned int sink;

__attribute__((noinline)) void compute(void)
{
	for (unsigned int i = 0; i < 2000000; i++)
		sink = sink * 3 + i;
}

__attribute__((noinline)) void inner(int round)
{
	void *here;

	/* An instruction of this function, as a tracer that interrupts it sees it. */
	__asm__ volatile("lea 0(%%rip), %0" : "=r"(here));
	const uint64_t stack[] = {
		(uint64_t)here,
		(uint64_t)__builtin_return_address(0),
		(uint64_t)__builtin_return_address(1),
	};

	lttng_ust_tracepoint(traced, stack, stack, sizeof(stack) / sizeof(stack[0]));
	lttng_ust_tracepoint(traced, work, round);
}

__attribute__((noinline)) void outer(int round)
{
	inner(round);
	compute();
}

int main(int argc, char **argv)
{
	const time_t end = time(NULL) + 120;

	for (int round = 0; argc == 2 && access(argv[1], F_OK) && time(NULL) < end; round++)
		outer(round);
	return 0;
}
