/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-threads: N threads, each in a function of its own, for the CPU seconds
 * given. Usage: prog-threads THREADS SECONDS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static double seconds;
static volatile uint64_t sink;

static double thread_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#define WORKER(number)                                             \
	static NOINLINE void spin_##number(void)                   \
	{                                                          \
		while (thread_time() < seconds)                    \
			for (int i = 0; i < 20000; i++)            \
				sink = sink * 31 + number;         \
	}                                                          \
	static NOINLINE void *worker_##number(void *argument)      \
	{                                                          \
		char name[16];                                     \
		snprintf(name, sizeof(name), "worker-%d", number); \
		pthread_setname_np(pthread_self(), name);          \
		spin_##number();                                   \
		sink++;                                            \
		return argument;                                   \
	}

WORKER(0)
WORKER(1)
WORKER(2)
WORKER(3)
WORKER(4)
WORKER(5)
WORKER(6)
WORKER(7)

int main(int argc, char **argv)
{
	static void *(*const workers[])(void *) = {
		worker_0, worker_1, worker_2, worker_3, worker_4, worker_5, worker_6, worker_7};
	pthread_t threads[8];
	int count = argc > 1 ? atoi(argv[1]) : 8;

	seconds = argc > 2 ? atof(argv[2]) : 1;
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, workers[i % 8], NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
