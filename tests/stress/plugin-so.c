/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * plugin-so: a plugin of the program under stress, compiled with a NUMBER of
 * two digits in the names of its functions. All of them are of one size, so
 * that one is loaded where another one was.
 */
#include "truth.h"

#define JOIN_NAMES(a, b, c) a##b##c
#define JOIN(a, b, c)	    JOIN_NAMES(a, b, c)
#define FUNCTION(name)	    JOIN(plugin_, NUMBER, name)
#define NOT_INLINED	    __attribute__((noinline))
#define PADDING_BYTES	    200000

/* As much as makes a plugin take some pages. */
__attribute__((used)) static const char padding[PADDING_BYTES] = {1};

static NOT_INLINED uint64_t FUNCTION(_leaf)(uint64_t value)
{
	for (int i = 0; i < 200; i++)
		value = value * 6364136223846793005 + 1442695040888963407;
	return value;
}

static NOT_INLINED uint64_t FUNCTION(_middle)(uint64_t value, int depth)
{
	return depth ? FUNCTION(_middle)(value, depth - 1) + 1 : FUNCTION(_leaf)(value) + 1;
}

NOT_INLINED void FUNCTION(_work)(struct truth *truth, uint64_t duration_ns)
{
	static volatile uint64_t sink;
	const uint64_t begin = truth_now();
	uint64_t now = begin;

	truth->inner_begin = begin;
	while (now - begin < duration_ns) {
		sink = FUNCTION(_middle)(sink, (int)(now & 7));
		now = truth_now();
	}
	truth->inner_end = now;
}

/* A call that is not a jump, so that the name is on the stack. */
void plugin_work(struct truth *truth, uint64_t duration_ns)
{
	FUNCTION(_work)(truth, duration_ns);
	__asm__ volatile("");
}
