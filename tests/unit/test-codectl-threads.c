/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl() from many threads, and in the children of forks.
 */
#include "lib/codectl-calls.h"
#include "lib/tap.h"

#include "provider/helper.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS	   8
#define PER_THREAD 300

static uint64_t shared_wins[THREADS];

static void *register_many(void *arg)
{
	uint64_t index = (uintptr_t)arg;

	for (uint64_t i = 0; i < PER_THREAD; i++) {
		uint64_t own = 0x1000000 + (i * THREADS + index) * 0x10;
		uint64_t shared = 0x100000 + i * 0x10;
		int ret = register_range(shared, shared + 0x10);

		CHECK_INT(register_range(own, own + 0x10), 0);
		CHECK(ret == 0 || ret == -EEXIST);
		shared_wins[index] += ret == 0;
		if (i % 2)
			CHECK_INT(unregister_range(own, own + 0x10), 0);
	}
	return NULL;
}

/*
 * With small stacks: in a forked child, LTTng-UST's destructor looks at threads of the
 * parent, and glibc unmaps their stacks once the child has given back 40 MiB of them.
 */
static void start_threads(pthread_t *threads)
{
	pthread_attr_t attributes;

	CHECK_INT(pthread_attr_init(&attributes), 0);
	CHECK_INT(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK_INT(pthread_create(&threads[i], &attributes, register_many, (void *)i), 0);
	pthread_attr_destroy(&attributes);
}

static uint64_t join_threads(const pthread_t *threads)
{
	uint64_t wins = 0;

	for (size_t i = 0; i < THREADS; i++) {
		CHECK_INT(pthread_join(threads[i], NULL), 0);
		wins += shared_wins[i];
	}
	return wins;
}

TEST(threads)
{
	pthread_t threads[THREADS];
	uint64_t before = codectl_provider_last_serial();

	start_threads(threads);
	/* Each shared range was won once, and each serial number given once. */
	CHECK_INT(join_threads(threads), PER_THREAD);
	CHECK_INT(codectl_provider_last_serial(),
		before + PER_THREAD + THREADS * PER_THREAD + THREADS * PER_THREAD / 2);
	for (uint64_t i = 0; i < PER_THREAD * THREADS; i++)
		CHECK_INT(unregister_range(0x1000000 + i * 0x10, 0x1000010 + i * 0x10),
			i / THREADS % 2 ? -ENOENT : 0);
}

static void check_child(void (*run)(void), void (*end)(int))
{
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		alarm(20); /* A lock that nobody gives back. */
		run();
		end(EXIT_SUCCESS);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
}

static void use_in_child(void)
{
	CHECK_INT(register_range(0x1800, 0x1900), -EEXIST);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	CHECK_INT(register_range(0x5000, 0x6000), 0);
	CHECK_INT(codectl_helper_tid(), 0);
}

TEST(fork)
{
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	check_child(use_in_child, exit);
	/* The child's registrations are its own. */
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	CHECK_INT(unregister_range(0x5000, 0x6000), -ENOENT);
}

#ifndef TAP_HAS_ADDRESS_SANITIZER
/*
 * Whatever the other threads were doing at the moment of the fork. What they had
 * allocated is lost in the child: it does not exit() where leaks are looked for.
 */
static void use_all(void)
{
	for (uint64_t i = 0; i < PER_THREAD; i++) {
		uint64_t at = 0x100000 + i * 0x10;

		register_range(at, at + 0x10);
		CHECK_INT(unregister_range(at, at + 0x10), 0);
	}
}

TEST(fork_while_threads_register)
{
	pthread_t threads[THREADS];

	start_threads(threads);
	for (int i = 0; i < 20; i++)
		check_child(use_all, _exit);
	CHECK_INT(join_threads(threads), PER_THREAD);
}
#endif
