/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-tracef: a program with a tracepoint of its own, lttng_ust_tracef:event.
 * Usage: prog-tracef ROUNDS; each round is some work and one event.
 */
#include <lttng/tracef.h>

#include <stdint.h>
#include <stdlib.h>

static volatile uint64_t sink;

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 1000000; i++)
			sink = sink * 31 + 1;
		lttng_ust_tracef("round %d", round);
	}
	return 0;
}
