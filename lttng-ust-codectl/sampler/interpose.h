/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/interpose.h: our own sigaction(), pthread_sigmask() and the like stand
 * before the C library's, and care for our signal alone, while the handler is
 * installed. Every other call goes through.
 *
 * - A program that resets all signals would be killed by the next sample, so
 *   they pretend success and do nothing. A handler of its own it can have as
 *   long as no session has wanted samples.
 * - A thread that blocks everything, as many libraries' do, would never be
 *   sampled. Our handler is safe anywhere and restarts system calls, so the
 *   signal stays unblocked. A set that blocks ours and not all the others is a
 *   purpose of the program's, and left alone.
 * - Waiting for any signal never returns ours.
 */
#ifndef CODECTL_SAMPLER_INTERPOSE_H
#define CODECTL_SAMPLER_INTERPOSE_H

struct sigaction;

/*
 * sigaction() of whoever comes behind us. Returns what that returns, with
 * errno; -1 with ENOSYS if there is none.
 */
int codectl_interpose_real_sigaction(
	int signal_number, const struct sigaction *action, struct sigaction *old);

/*
 * The function @name of whoever comes behind us, looked up at the first use and
 * kept in @real_function. NULL with ENOSYS if there is none.
 */
void *codectl_interpose_find(void **real_function, const char *name);

/* Looks up all that is interposed, before main() has had a chance to call it from a handler. */
void codectl_interpose_init(void);

#endif /* CODECTL_SAMPLER_INTERPOSE_H */
