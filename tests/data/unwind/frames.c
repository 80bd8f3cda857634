/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Functions with frames of all common kinds, for tests/system/test-files.c.
 */
#ifdef BOTH_SECTIONS
__asm__(".cfi_sections .eh_frame, .debug_frame");
#endif

#include <stdlib.h>

__attribute__((noinline)) static int sum(const int *numbers, int count)
{
	int result = 0;

	for (int i = 0; i < count; i++)
		result += numbers[i];
	return result + rand();
}

/* Its frame's size is not known: it needs a frame pointer. */
__attribute__((noinline)) int variable(int count)
{
	int *numbers = __builtin_alloca((size_t)count * sizeof(*numbers));

	for (int i = 0; i < count; i++)
		numbers[i] = i + rand();
	return sum(numbers, count);
}

/* Saves many registers. */
__attribute__((noinline)) int fixed(int a, int b)
{
	int c = rand(), d = rand(), e = rand();

	return variable(a + 8) + a + b * rand() + c * rand() + d * rand() + e;
}

int main(int argc, char **argv)
{
	(void)argv;
	return fixed(argc, argc + 1) & 1;
}
