/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/unrecorded.h: takes note of programs which this process starts or becomes
 * and to which nothing can be preloaded, so that a recording tells what is not in
 * it. A note is taken where exec and its like are called, perhaps in the child of
 * a vfork() or in a signal handler, without a lock; the helper thread emits it.
 */
#ifndef CODECTL_SAMPLER_UNRECORDED_H
#define CODECTL_SAMPLER_UNRECORDED_H

/*
 * @path, or what execvp() would run for @file, is about to be run with that
 * environment. Nothing happens unless samples are wanted, nor in a sandbox.
 * Async-signal-safe, keeps errno; any thread; 3 KiB of stack.
 */
void codectl_unrecorded_note(const char *path, char *const *environment);
void codectl_unrecorded_note_search(const char *file, char *const *environment);

/* Emits what was noted since the last time. Helper thread (or finish()) only. */
void codectl_unrecorded_emit(void);

/* In the child of a fork: the notes are the parent's. */
void codectl_unrecorded_after_fork(void);

#endif /* CODECTL_SAMPLER_UNRECORDED_H */
