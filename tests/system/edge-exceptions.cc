/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-exceptions: throws through some frames with destructors, and catches,
 * all the time. Usage: edge-exceptions MS
 */
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>

#define NOINLINE __attribute__((noinline))

struct guard {
	volatile int *count;
	explicit guard(volatile int *counted) : count(counted)
	{
	}
	NOINLINE ~guard()
	{
		*count = *count + 1;
	}
};

static volatile int destroyed;

NOINLINE static void thrower(int level)
{
	guard here(&destroyed);

	if (level == 0)
		throw std::runtime_error("level " + std::to_string(destroyed));
	thrower(level - 1);
}

NOINLINE static int catcher(int levels)
{
	try {
		thrower(levels);
	} catch (const std::exception &caught) {
		return caught.what()[0];
	}
	return 0;
}

int main(int argc, char **argv)
{
	std::clock_t end = std::clock() +
			   (argc > 1 ? std::atol(argv[1]) : 10) * (CLOCKS_PER_SEC / 1000);
	int sum = 0;

	while (std::clock() < end)
		for (int i = 0; i < 20; i++)
			sum += catcher(i % 12);
	return sum == 0;
}
