/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/settings.h: which values of the preloads' settings make sense. The
 * preloads read them from the environment and go on with defaults if they do
 * not; `codectl record` refuses them. Async-signal-safe.
 */
#ifndef CODECTL_FORMAT_SETTINGS_H
#define CODECTL_FORMAT_SETTINGS_H

#include <signal.h>
#include <stdbool.h>

#define CODECTL_SETTINGS_FREQUENCY_MAX 10000

/* What all our preloads have in their names. */
#define CODECTL_SETTINGS_PRELOAD_NAME "liblttng-ust-codectl"

/* Bytes of a stack to examine. */
#define CODECTL_SETTINGS_STACK_MIN     1024
#define CODECTL_SETTINGS_STACK_MAX     262144
#define CODECTL_SETTINGS_STACK_DEFAULT 131072

/*
 * Whether a timer may use it: not the signals which faults raise, nor those
 * which cannot be caught, nor those which glibc keeps for itself (numbers from
 * 32 below SIGRTMIN).
 */
static inline bool codectl_settings_is_usable_signal(int number)
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

#endif /* CODECTL_FORMAT_SETTINGS_H */
