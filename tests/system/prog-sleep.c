/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-sleep: threads that sleep in different system calls while the main
 * thread runs, all for the seconds given. Prints how often a sleep was
 * interrupted. Usage: prog-sleep SECONDS
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static double seconds = 1;
static volatile uint64_t sink;
static _Atomic int interruptions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int ret)
{
	if (ret < 0 && errno == EINTR)
		interruptions++;
	sink++;
}

static NOINLINE void sleep_in_poll(void)
{
	note(poll(NULL, 0, (int)(seconds * 1000)));
}

static NOINLINE void sleep_in_nanosleep(void)
{
	const struct timespec time = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};

	note(nanosleep(&time, NULL));
}

static NOINLINE void sleep_in_epoll(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event;

	note(epoll_wait(fd, &event, 1, (int)(seconds * 1000)));
	close(fd);
}

static NOINLINE void wait_for_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	sink++;
}

static NOINLINE void spin(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (int i = 0; i < 100000; i++)
			sink = sink * 31 + 1;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
		 seconds);
}

static void *run(void *function)
{
	((void (*)(void))function)();
	sink++;
	return NULL;
}

int main(int argc, char **argv)
{
	void (*const functions[])(void) = {
		sleep_in_poll, sleep_in_nanosleep, sleep_in_epoll, wait_for_lock};
	pthread_t threads[4];

	if (argc > 1)
		seconds = atof(argv[1]);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, (void *)functions[i]);
	spin();
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", interruptions);
	return 0;
}
