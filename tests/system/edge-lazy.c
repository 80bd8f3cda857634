/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-lazy: calls a library's functions through stubs of the PLT. Run with
 * LD_BIND_NOT=1, each call looks its function up. Usage: edge-lazy MS
 */
#include "edge.h"

void lazy_one(void);
void lazy_two(void);
int lazy_arguments(int a, int b, int c, int d, int e, int f, int g, int h);

static NOINLINE void calls_lazily(void)
{
	for (int i = 0; i < 1000; i++) {
		lazy_one();
		lazy_two();
		lazy_arguments(1, 2, 3, 4, 5, 6, 7, i);
	}
}

PHASE(calls_lazily)

int main(int argc, char **argv)
{
	edge_take_budget(argc, argv);
	phase_calls_lazily();
	return 0;
}
