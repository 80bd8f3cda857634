/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What the provider makes of its environment variables.
 */
#include "lib/tap.h"

#include "provider/helper.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program of its own: the environment is read once, when the provider is loaded. */
static void check_environment(const char *name, const char *value, const char *expected)
{
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		setenv(name, value, 1);
		setenv("CODECTL_TEST_EXPECTED", expected, 1);
		execl("/proc/self/exe", "test-environment", "environment", NULL);
		_exit(127);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	if (status)
		tap_fail(__FILE__, __LINE__, "%s=%s", name, value);
}

TEST(environment)
{
	const struct codectl_env *env = codectl_provider_borrow_env();
	const char *expected = getenv("CODECTL_TEST_EXPECTED");
	char defaults[64], number[64], text[64];

	snprintf(text, sizeof(text), "%u %u %d %d", env->frequency, env->stack_size,
		env->signal_number, env->has_debug);
	if (expected) {
		CHECK_STR(text, expected);
		/* LTTng may be opening files in this process, which are no leak. */
		_exit(EXIT_SUCCESS);
	}
	snprintf(defaults, sizeof(defaults), "99 131072 %d 0", SIGRTMAX - 4);
	CHECK_STR(text, defaults);
	snprintf(text, sizeof(text), "1 131072 %d 0", SIGRTMAX - 4);
	check_environment("LTTNG_UST_CODECTL_HZ", "1", text);
	snprintf(text, sizeof(text), "10000 131072 %d 0", SIGRTMAX - 4);
	check_environment("LTTNG_UST_CODECTL_HZ", "10000", text);
	snprintf(text, sizeof(text), "99 1024 %d 0", SIGRTMAX - 4);
	check_environment("LTTNG_UST_CODECTL_STACK_SIZE", "1031", text);
	snprintf(text, sizeof(text), "99 131072 %d 0", SIGUSR1);
	snprintf(number, sizeof(number), "%d", SIGUSR1);
	check_environment("LTTNG_UST_CODECTL_SIGNAL", number, text);
	snprintf(text, sizeof(text), "99 131072 %d 1", SIGRTMAX - 4);
	check_environment("LTTNG_UST_CODECTL_DEBUG", "1", text);

	static const char *const bad_numbers[] = {
		"", "0", "-1", "262145", "10001", "99x", " 99", "0x10", "99999999999999999999999"};
	static const char *const bad_signals[] = {
		"0", "9", "11", "19", "32", "33", "65", "SIGPROF"};

	for (size_t i = 0; i < sizeof(bad_numbers) / sizeof(bad_numbers[0]); i++) {
		check_environment("LTTNG_UST_CODECTL_HZ", bad_numbers[i], defaults);
		if (strcmp(bad_numbers[i], "10001") != 0)
			check_environment("LTTNG_UST_CODECTL_STACK_SIZE", bad_numbers[i], defaults);
	}
	for (size_t i = 0; i < sizeof(bad_signals) / sizeof(bad_signals[0]); i++)
		check_environment("LTTNG_UST_CODECTL_SIGNAL", bad_signals[i], defaults);
	check_environment("LTTNG_UST_CODECTL_DEBUG", "0", defaults);
	check_environment("LTTNG_UST_CODECTL_DEBUG", "", defaults);
}
