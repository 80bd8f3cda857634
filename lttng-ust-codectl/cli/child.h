/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/child.h: the recorded program. One thread.
 */
#ifndef CODECTL_CLI_CHILD_H
#define CODECTL_CLI_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the preloads are told through the environment. Where it is NULL or 0, a
 * variable that is there stays, else the preload's default holds.
 */
struct codectl_child_options {
	uint32_t frequency; /* Samples per second. */
	uint64_t recording; /* The number of this recording; see struct codectl_event. */
	const char *clock;
	const char *stack_mode;
	uint32_t stack_size;
	int signal_number;
	const char *jit;
	bool has_no_children;
	bool has_other_events; /* The trace takes more than our own. */
};

/*
 * Blocks the signals that codectl_child_run() waits for and passes on, so that
 * none of them (nor SIGPIPE) ends us between starting a daemon and stopping it. Writes the
 * mask as it was to @before: it is the program's.
 */
void codectl_child_block_signals(sigset_t *before);

/*
 * Lets a short-lived process of ours register with the session daemon, and waits
 * for it. After that the trace describes all its streams, whatever happens to
 * the program: one that is killed while it registers leaves a stream without a
 * description, and a trace that no reader takes. Failing is harmless.
 */
void codectl_child_prime_session(void);

/*
 * Starts @argv (NULL-terminated) with our libraries preloaded. Signals have to
 * be blocked as above; the program gets the mask @signals. Returns 0 with its
 * pid, or a negative errno after an error message: -ENOENT if there is no such
 * program, -EINTR if one of the signals came before.
 */
int codectl_child_start(const struct codectl_child_options *options, const char *const *argv,
	const sigset_t *signals, pid_t *pid);

/*
 * Waits for the end of the program, @timeout_ms at most. Signals sent to us
 * meanwhile are passed on; those of the terminal reach the program by
 * themselves. Returns 0 with its wait status, or -ETIMEDOUT.
 */
int codectl_child_wait(pid_t pid, uint64_t timeout_ms, int *wait_status);

#endif /* CODECTL_CLI_CHILD_H */
