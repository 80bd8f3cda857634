/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The only place which reads the environment. A program with raised
 * privileges gets the defaults: secure_getenv().
 */
#include "format/settings.h"
#include "provider/export.h"
#include "provider/helper.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FREQUENCY 99

static struct codectl_env env = {
	.frequency = DEFAULT_FREQUENCY,
	.stack_size = CODECTL_SETTINGS_STACK_DEFAULT,
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

static enum codectl_clock read_clock(void)
{
	const char *text = secure_getenv("LTTNG_UST_CODECTL_CLOCK");

	if (text && !strcmp(text, "perf"))
		return CODECTL_CLOCK_PERF;
	if (text && !strcmp(text, "wall"))
		return CODECTL_CLOCK_WALL;
	return CODECTL_CLOCK_CPU;
}

/* Set, and neither empty nor 0. */
static bool read_flag(const char *name)
{
	const char *text = secure_getenv(name);

	return text && *text && strcmp(text, "0") != 0;
}

static void read_environment(void)
{
	int saved_errno = errno;
	const char *jit = secure_getenv("LTTNG_UST_CODECTL_JIT");
	const char *preload = secure_getenv("LD_PRELOAD");
	const char *stack = secure_getenv("LTTNG_UST_CODECTL_STACK");

	env.frequency = (uint32_t)read_number(
		"LTTNG_UST_CODECTL_HZ", 1, CODECTL_SETTINGS_FREQUENCY_MAX, DEFAULT_FREQUENCY);
	env.stack_size = (uint32_t)read_number("LTTNG_UST_CODECTL_STACK_SIZE",
				 CODECTL_SETTINGS_STACK_MIN, CODECTL_SETTINGS_STACK_MAX,
				 CODECTL_SETTINGS_STACK_DEFAULT) &
			 ~(uint32_t)7;
	env.has_full_stack = stack && !strcmp(stack, "full");
	env.recording = (uint64_t)read_number("LTTNG_UST_CODECTL_RECORDING", 0, LONG_MAX, 0);
	env.only_pid = (int32_t)read_number("LTTNG_UST_CODECTL_PID", 1, INT32_MAX, 0);
	/* A real-time signal: a program's own SIGPROF is left to it. */
	env.signal_number = SIGRTMAX - 4;

	int number = (int)read_number("LTTNG_UST_CODECTL_SIGNAL", 1, SIGRTMAX, env.signal_number);

	if (codectl_settings_is_usable_signal(number))
		env.signal_number = number;
	snprintf(env.jit_adapters, sizeof(env.jit_adapters), "%s", jit ? jit : "all");
	env.clock = read_clock();
	env.is_without_thread_start = read_flag("LTTNG_UST_CODECTL_WITHOUT_THREAD_START");
	env.is_preloaded = preload && strstr(preload, CODECTL_SETTINGS_PRELOAD_NAME);
	env.has_debug = read_flag("LTTNG_UST_CODECTL_DEBUG");
	errno = saved_errno;
}

CODECTL_EXPORT const struct codectl_env *codectl_provider_borrow_env(void)
{
	pthread_once(&once, read_environment);
	return &env;
}
