/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/sandbox.h: whether the program has put itself into a seccomp sandbox,
 * which may kill for a system call. What threads of the program do on our
 * behalf, in the signal handler or when they start, must make no more system
 * calls then; the handler just copies. Filters that the process was started
 * with, as in a container, count only where stated: our own helper thread lives
 * under them as well. Async-signal-safe, any thread, except where stated.
 */
#ifndef CODECTL_SAMPLER_SANDBOX_H
#define CODECTL_SAMPLER_SANDBOX_H

#include "sampler/procfs.h"

#include <stdbool.h>

/* Notes what the process was started with. Once, from a constructor. */
void codectl_sandbox_init(void);

/* The program has made, or is about to make, a sandbox: for good. */
void codectl_sandbox_close(void);

/*
 * As codectl_sandbox_close(), one that may have the time stamp counter
 * forbidden too: the handler must not read it.
 */
void codectl_sandbox_close_strictly(void);

/*
 * As codectl_sandbox_close(), one that the helper thread is in too: it makes no
 * system calls any more but those which it cannot do without, so that threads
 * are not looked for.
 */
void codectl_sandbox_close_for_all(void);

/* Closes the sandbox if a thread's status tells that there is one. */
void codectl_sandbox_look(const struct codectl_thread_status *status);

/* Whether the program has made one since it was started. */
bool codectl_sandbox_is_closed(void);

/* The same, or the process was started in one. */
bool codectl_sandbox_is_any(void);

/* Whether the helper thread is in it. */
bool codectl_sandbox_is_for_all(void);

/* Whether the time stamp counter may be forbidden. */
bool codectl_sandbox_is_strict(void);

#endif /* CODECTL_SAMPLER_SANDBOX_H */
