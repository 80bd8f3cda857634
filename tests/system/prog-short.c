/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-short: threads that live for some ms of CPU time each, begun in every
 * way that POSIX and C know and ended in every way. Prints the CPU time, in ms,
 * that they took together. Usage: prog-short THREADS MS
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define FAIL(what)                                         \
	do {                                               \
		fprintf(stderr, "prog-short: " what "\n"); \
		exit(1);                                   \
	} while (0)

static volatile uint64_t sink;
static _Atomic uint64_t total; /* ns. */
static _Atomic int detached_count;
static uint64_t work; /* ns of each thread. */

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(void)
{
	do {
		for (int i = 0; i < 1000; i++)
			sink = sink * 31 + 1;
	} while (cpu_time() < work);
	total += cpu_time();
}

static void *run_returning(void *argument)
{
	if (errno != 0)
		FAIL("errno of a new thread is not 0");
	spin();
	return argument;
}

static void *run_exiting(void *argument)
{
	spin();
	pthread_exit(argument);
}

static void note_cancellation(void *argument)
{
	*(int *)argument = 1;
}

static void *run_cancelled(void *argument)
{
	pthread_cleanup_push(note_cancellation, argument);
	spin();
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *run_detached(void *argument)
{
	spin();
	detached_count--;
	return argument;
}

static int run_c11(void *argument)
{
	spin();
	return *(int *)argument;
}

static void join_expecting(pthread_t thread, void *expected)
{
	void *result;

	if (pthread_join(thread, &result) || result != expected)
		FAIL("a thread does not return what it should");
}

static void begin_small(pthread_t *thread, void *argument)
{
	pthread_attr_t attributes;
	void *stack;
	size_t size;
	int detach_state;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) ||
		pthread_create(thread, &attributes, run_returning, argument))
		FAIL("no thread with the smallest stack");
	pthread_attr_destroy(&attributes);
	if (pthread_getattr_np(*thread, &attributes) ||
		pthread_attr_getstack(&attributes, &stack, &size) ||
		pthread_attr_getdetachstate(&attributes, &detach_state))
		FAIL("no attributes");
	if (size > 2 * (size_t)PTHREAD_STACK_MIN || detach_state != PTHREAD_CREATE_JOINABLE)
		FAIL("wrong attributes");
	pthread_attr_destroy(&attributes);
}

static void begin_detached(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	detached_count++;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, run_detached, NULL))
		FAIL("no detached thread");
	pthread_attr_destroy(&attributes);
}

static void fail_to_begin(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	/* More than there are addresses. */
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)1 << 50);
	if (pthread_create(&thread, &attributes, run_returning, NULL) != EAGAIN)
		FAIL("an impossible thread was created");
	pthread_attr_destroy(&attributes);
}

static void run_one_of_each(int number)
{
	pthread_t thread;
	thrd_t c11;
	int is_cleaned = 0, result = 0, value = number % 256;

	if (pthread_create(&thread, NULL, run_returning, &value))
		FAIL("pthread_create");
	join_expecting(thread, &value);
	if (pthread_create(&thread, NULL, run_exiting, &value))
		FAIL("pthread_create");
	join_expecting(thread, &value);
	if (pthread_create(&thread, NULL, run_cancelled, &is_cleaned) || pthread_cancel(thread))
		FAIL("pthread_cancel");
	join_expecting(thread, PTHREAD_CANCELED);
	begin_small(&thread, &value);
	join_expecting(thread, &value);
	begin_detached();
	if (thrd_create(&c11, run_c11, &value) != thrd_success ||
		thrd_join(c11, &result) != thrd_success || result != value)
		FAIL("thrd_create");
	fail_to_begin();
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 60;

	work = (uint64_t)((argc > 2 ? atof(argv[2]) : 2) * 1e6);
	for (int i = 0; i < count / 6; i++)
		run_one_of_each(i);
	while (detached_count > 0)
		usleep(1000);
	printf("%.0f\n", (double)total / 1e6);
	return 0;
}
