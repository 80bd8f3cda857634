/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/child.h: the recorded program. One thread.
 */
#ifndef CODECTL_CLI_CHILD_H
#define CODECTL_CLI_CHILD_H

#include <signal.h>
#include <stdint.h>

/* What the preloads are told through the environment. */
struct codectl_child_options {
	uint32_t frequency; /* Samples per second of CPU time. */
	uint64_t recording; /* The number of this recording; see struct codectl_event. */
};

/*
 * Blocks the signals that codectl_child_run() waits for and passes on, so that
 * none of them ends us between starting a daemon and stopping it. Writes the
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
 * Runs @argv (NULL-terminated) with our libraries preloaded and waits for its
 * end. Signals sent to us meanwhile are passed on; those of the terminal reach
 * the program by themselves. Signals have to be blocked as above. Returns 0 with its wait status, or a negative
 * errno if it could not be started, after an error message: -ENOENT if there is
 * no such program, -EINTR if one of the signals came before.
 */
int codectl_child_run(const struct codectl_child_options *options, const char *const *argv,
	const sigset_t *signals, int *wait_status);

#endif /* CODECTL_CLI_CHILD_H */
