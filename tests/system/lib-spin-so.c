/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * lib-spin-so: spin() calls the function named by -DNAME=…, which burns CPU; and so
 * do its constructor and destructor, with -DAROUND=SECONDS.
 */
#include <stdint.h>
#include <time.h>

void spin(double seconds);
void NAME(double seconds);

static volatile uint64_t sink;

__attribute__((noinline)) void NAME(double seconds)
{
	struct timespec now, start;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (int i = 0; i < 20000; i++)
			sink = sink * 31 + (uint64_t)i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
		 seconds);
}

void spin(double seconds)
{
	NAME(seconds);
	sink++;
}

#ifdef AROUND
__attribute__((constructor)) static void come(void)
{
	NAME(AROUND);
	sink++;
}

__attribute__((destructor)) static void go(void)
{
	NAME(AROUND);
	sink++;
}
#endif
