/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/helper-thread.h: the helper thread as the rest of the provider sees
 * it; provider/helper.h is what the preloads see.
 */
#ifndef CODECTL_PROVIDER_HELPER_THREAD_H
#define CODECTL_PROVIDER_HELPER_THREAD_H

/* The constructor is done: from now on the thread may start, and does if there is work. */
void codectl_helper_begin(void);

/* Starts the thread if there is none yet and it may. Keeps errno. Returns 0 or a negative errno. */
int codectl_helper_start(void);

/* Starts a round soon; starts the thread if there is none. Any thread, LTTng's listener too. */
void codectl_helper_wake(void);

/*
 * Has the helper run a last round, then runs the tasks' finish(); no round begins
 * after this. Waits for the helper, but not for long: the host's exit never hangs.
 */
void codectl_helper_finish(void);

/* In the child of a fork. */
void codectl_helper_after_fork(void);

#endif /* CODECTL_PROVIDER_HELPER_THREAD_H */
