/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The only place which reads the environment. A program with raised
 * privileges gets the defaults: secure_getenv().
 */
#include "provider/export.h"
#include "provider/helper.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FREQUENCY  99
#define DEFAULT_STACK_SIZE 131072
#define MAX_STACK_SIZE	   262144

static struct codectl_env env = {
	.frequency = DEFAULT_FREQUENCY,
	.stack_size = DEFAULT_STACK_SIZE,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A decimal number from @min to @max, else @fallback. */
static long read_number(const char *name, long min, long max, long fallback)
{
	const char *text = secure_getenv(name);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return fallback;
	errno = 0;

	long value = strtol(text, &end, 10);

	if (errno || *end || value < min || value > max)
		return fallback;
	return value;
}

/*
 * Whether a timer may use it: not the signals which faults raise, nor those
 * which cannot be caught, nor those which glibc keeps for itself (numbers from
 * 32 below SIGRTMIN).
 */
static bool is_usable_signal(int number)
{
	switch (number) {
	case SIGKILL:
	case SIGSTOP:
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGABRT:
	case SIGTRAP:
	case SIGCHLD:
		return false;
	default:
		return number > 0 && number <= SIGRTMAX && (number < 32 || number >= SIGRTMIN);
	}
}

static void read_environment(void)
{
	int saved_errno = errno;
	const char *debug = secure_getenv("LTTNG_UST_CODECTL_DEBUG");

	env.frequency = (uint32_t)read_number("LTTNG_UST_CODECTL_HZ", 1, 10000, DEFAULT_FREQUENCY);
	env.stack_size = (uint32_t)read_number("LTTNG_UST_CODECTL_STACK_SIZE", 1024, MAX_STACK_SIZE,
				 DEFAULT_STACK_SIZE) &
			 ~(uint32_t)7;
	env.recording = (uint64_t)read_number("LTTNG_UST_CODECTL_RECORDING", 0, LONG_MAX, 0);
	/* A real-time signal: a program's own SIGPROF is left to it. */
	env.signal_number = SIGRTMAX - 4;

	int number = (int)read_number("LTTNG_UST_CODECTL_SIGNAL", 1, SIGRTMAX, env.signal_number);

	if (is_usable_signal(number))
		env.signal_number = number;
	env.has_debug = debug && *debug && strcmp(debug, "0") != 0;
	errno = saved_errno;
}

CODECTL_EXPORT const struct codectl_env *codectl_provider_borrow_env(void)
{
	pthread_once(&once, read_environment);
	return &env;
}
