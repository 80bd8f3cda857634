/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-plain: three calls deep, and prints "done". What is unusual is how it
 * is compiled, linked or stripped. Usage: edge-plain MS
 */
#include "edge.h"

#include <stdio.h>

NOINLINE void charlie(int value);
NOINLINE void bravo(int value);
NOINLINE void alpha(void);

NOINLINE void charlie(int value)
{
	volatile int kept[8];

	kept[value & 7] = value;
	spin();
	kept[0] = kept[value & 7];
}

NOINLINE void bravo(int value)
{
	volatile char kept[200];

	kept[0] = (char)value;
	charlie(value + kept[0]);
	kept[1] = kept[0];
}

NOINLINE void alpha(void)
{
	bravo(1);
	NO_TAIL_CALL();
}

PHASE(alpha)

int main(int argc, char **argv)
{
	edge_take_budget(argc, argv);
	phase_alpha();
	puts("done");
	return 0;
}
