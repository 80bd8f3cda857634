/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/adapters.h: the preload liblttng-ust-codectl-jit.so, which listens where
 * run times of generated code tell others of it, and registers it:
 *
 *  frames  __register_frame() of libgcc: unwind information
 *  gdb     the JIT interface of GDB: names, unwind information
 *  files   perf maps and jitdumps: names, lines
 *  v8      code of V8, which keeps frame pointers
 *  unknown executable memory that none of the others knows
 *
 * Which are on is read once from LTTNG_UST_CODECTL_JIT: `all` (the default),
 * `none`, or a list of them with commas between. With `unlink` in the list, a perf
 * map or jitdump is removed once it is open: nobody else has asked for it.
 */
#ifndef CODECTL_JIT_ADAPTERS_H
#define CODECTL_JIT_ADAPTERS_H

#include <stdbool.h>
#include <stdint.h>

enum codectl_jit_adapter {
	CODECTL_JIT_ADAPTER_FRAMES,
	CODECTL_JIT_ADAPTER_GDB,
	CODECTL_JIT_ADAPTER_FILES,
	CODECTL_JIT_ADAPTER_V8,
	CODECTL_JIT_ADAPTER_UNKNOWN,
	CODECTL_JIT_ADAPTER_COUNT
};

/* Whether files that have been found are to be removed. */
bool codectl_jit_files_are_ours(void);

/* Any thread, also before the preload's constructor. */
bool codectl_jit_adapter_is_on(enum codectl_jit_adapter adapter);

/* Around a fork; the second one in the parent and in the child. */
void codectl_jit_frames_before_fork(void);
void codectl_jit_frames_after_fork(void);
void codectl_jit_gdb_before_fork(void);
void codectl_jit_gdb_after_fork(void);

/* Looks for objects with the interface that have been loaded. Helper thread. */
void codectl_jit_gdb_round(void);

/* Before all else: files that are older than this are of another process. */
void codectl_jit_files_begin(void);

/* Finds the files and registers what they say since the last round. Helper thread. */
void codectl_jit_files_round(void);

/* Finds memory for generated code: V8's, or of unknown run times. Helper thread. */
void codectl_jit_regions_round(void);

/* In the child of a fork: the files are the parent's. */
void codectl_jit_files_after_fork(void);

#endif /* CODECTL_JIT_ADAPTERS_H */
