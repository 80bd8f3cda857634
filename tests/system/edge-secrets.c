/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-secrets: has secrets on its stack, many times: as text at each alignment,
 * as numbers, and as such that could be addresses by their size. They are put
 * there once: a sample of that moment would have one in a register.
 * test-stacks.sh makes the same numbers. Usage: edge-secrets MS
 */
#include "edge.h"

#include <stdio.h>

#define COPIES 40
#define TEXT   32

static uint64_t state = UINT64_C(0x243f6a8885a308d3);

/* splitmix64 (G. Steele and others, 2014). */
static uint64_t next_number(void)
{
	uint64_t number = state += UINT64_C(0x9e3779b97f4a7c15);

	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

static NOINLINE void use_secrets(void)
{
	volatile char texts[COPIES][TEXT + 1];
	volatile uint64_t numbers[COPIES];
	volatile uint64_t addresses[COPIES];
	uint64_t end = edge_cpu_ns() + edge_budget_ns;

	for (int i = 0; i < TEXT; i++) {
		char letter = (char)('a' + next_number() % 26);

		for (int k = 0; k < COPIES; k++)
			texts[k][i] = letter;
	}
	for (int i = 0; i < COPIES; i++) {
		numbers[i] = next_number();
		/* Like the address of code, of data, of a stack, but of nothing that is there. */
		addresses[i] = (i % 2 ? UINT64_C(0x7f) << 40 : UINT64_C(0x55) << 40) |
			       (next_number() & UINT64_C(0xffffffff));
	}
	while (edge_cpu_ns() < end)
		spin();
	numbers[0] = addresses[0] = 0;
	texts[0][0] = 0;
}

int main(int argc, char **argv)
{
	edge_take_budget(argc, argv);
	use_secrets();
	NO_TAIL_CALL();
	puts("done");
	return 0;
}
