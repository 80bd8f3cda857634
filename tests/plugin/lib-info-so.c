/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * lib-info-so: code for addresses of all kinds: functions of several lines,
 * static ones, calls inlined into calls, loops, a part that is moved away.
 */
volatile int sink;
int outside(int);

static inline __attribute__((always_inline)) int innermost(int number)
{
	sink += number;
	return sink * 3;
}

static inline __attribute__((always_inline)) int middle(int number)
{
	int result = innermost(number);

	if (result > 100)
		result -= innermost(number + 1);
	return result;
}

static __attribute__((noinline)) int local(int number)
{
	for (int i = 0; i < number; i++)
		sink += middle(i);
	return sink;
}

__attribute__((cold, noinline)) static void report(int number)
{
	sink = -number;
}

int exported(int number)
{
	if (__builtin_expect(number < 0, 0)) {
		report(number);
		sink += middle(number) + outside(number);
	}
	return local(number) + middle(number);
}

int last(int number)
{
	return exported(number + 1) - 1;
}
