/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/interpose.h: our own sigaction(), signal() and the like stand before
 * the C library's. A program that resets all signals would be killed by the
 * next sample, so for our signal, once the handler is installed, they pretend
 * success and do nothing; every other call goes through. Waiting for signals
 * never returns ours.
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

/* Looks up all that is interposed, before main() has had a chance to call it from a handler. */
void codectl_interpose_init(void);

#endif /* CODECTL_SAMPLER_INTERPOSE_H */
