/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * A second compile unit, with a static function of the same name as one in the
 * first, and one that nobody calls (dropped by --gc-sections).
 */
#include <stdlib.h>

extern volatile int sink;

int second_part(int value);
int never_called(int value);

__attribute__((noinline)) static int hidden(int value)
{
	void *memory = malloc((size_t)value);

	sink += value;
	free(memory);
	return sink;
}

int never_called(int value)
{
	for (int i = 0; i < value; i++)
		sink -= hidden(i);
	return sink;
}

int second_part(int value)
{
	return hidden(value) + 1;
}
