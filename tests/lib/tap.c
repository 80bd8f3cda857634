/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_SKIPPED	 77
#define TEST_SECONDS_MAX 300

static struct tap_test *tests;
static struct tap_test **tests_tail = &tests;

void tap_register(struct tap_test *test)
{
	*tests_tail = test;
	tests_tail = &test->next;
}

void tap_skip(const char *format, ...)
{
	va_list args;

	printf("# skip: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(EXIT_SKIPPED);
}

void tap_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	_exit(EXIT_FAILURE);
}

static int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	if (!dir)
		return -1;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void run_checked(const struct tap_test *test)
{
	int before = count_fds();

	test->run();

	int after = count_fds();

	if (before != after)
		tap_fail(test->name, 0, "%d file descriptors leaked", after - before);
}

/* A skip counts as a failure where everything that the tests need is installed. */
static bool is_skip_failure(void)
{
	const char *value = getenv("CODECTL_TESTS_REQUIRE_ALL");

	return value && !strcmp(value, "1");
}

static bool run_forked(const struct tap_test *test, int number)
{
	int status;

	fflush(NULL);

	pid_t pid = fork();

	if (pid == 0) {
		/* One that hangs fails, and the rest goes on. */
		alarm(TEST_SECONDS_MAX);
		run_checked(test);
		exit(EXIT_SUCCESS);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		printf("not ok %d - %s # cannot run\n", number, test->name);
		return false;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) {
		printf("ok %d - %s\n", number, test->name);
		return true;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED && !is_skip_failure()) {
		printf("ok %d - %s # SKIP\n", number, test->name);
		return true;
	}
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	printf("not ok %d - %s\n", number, test->name);
	return false;
}

int main(int argc, char **argv)
{
	int number = 0;
	bool is_good = true;

	for (const struct tap_test *test = tests; test; test = test->next) {
		if (argc > 1) {
			if (!strcmp(argv[1], test->name))
				run_checked(test);
			continue;
		}
		if (!run_forked(test, ++number))
			is_good = false;
	}
	if (argc > 1)
		return EXIT_SUCCESS;
	printf("1..%d\n", number);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
