/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/jit.h: generated code. The options of codectl() which speak of it; and
 * the same for our own preloads (jit/), which know that what they point to can be
 * read, and may tell of what happened a while ago. Exported by
 * liblttng-ust-codectl.so; not installed, no stable ABI.
 *
 * How an adapter of a JIT compiler does its work:
 *
 *  - A range that only has generated code is registered once, by
 *    codectl_jit_add(): by frame pointers (CODE_JIT_FORMAT_FP), or
 *    CODE_JIT_FORMAT_NONE if nothing is known. One object of code with unwind
 *    information of its own is registered by CODE_JIT_FORMAT_EH_FRAME or _SFRAME
 *    (the section is copied), or with rows by codectl_jit_add_code().
 *  - Each function gets a name by codectl_jit_add_symbol(). It needs no registered
 *    range around it.
 *  - Who follows a file or a pipe does so in the task of the helper's REGISTER
 *    stage (provider/helper.h): it runs before samples are emitted, so that the
 *    names that a sample needs precede it. Times are CLOCK_MONOTONIC, ns.
 *
 * All calls: any thread, not from a signal handler. They copy what they are
 * given, return 0 or a negative errno as codectl() has it, and may emit: they take the
 * registry's lock (a leaf) and no other.
 */
#ifndef CODECTL_PROVIDER_JIT_H
#define CODECTL_PROVIDER_JIT_H

#include "codectl/ext.h"
#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of a code object that is complete, at most. */
#define CODECTL_JIT_CODE_ROWS_MAX 1048576

/* Of codectl(): what is passed need not be readable. @format: enum codectl_jit_format. */
int codectl_register_jit(uint32_t format, const void *user_info, size_t size);
int codectl_register_jit_code(const void *user_info, size_t size);
int codectl_register_jit_symbol(const void *user_info, size_t size);
int codectl_unload_jit_symbol(const void *user_info, size_t size);
int codectl_register_sframe(const void *user_setup, size_t size);
int codectl_unregister_sframe(const void *user_setup, size_t size);

/* Whether the structure says what can be. Returns 0 or -EINVAL. Any context. */
int codectl_jit_check(const struct code_jit_info *info);

/* Finds the registration whose section is at @address. */
bool codectl_jit_find_blob(uint64_t address, uint64_t *text_start, uint64_t *text_end);

/*
 * Emits the rows that have appeared in live tables. Helper thread, or at exit: pauses
 * for the buffers' sake if there are very many.
 */
void codectl_jit_poll(void);

/* The same, but not more often than is good: each live table costs a system call. */
void codectl_jit_poll_seldom(void);

/*
 * Emits the rows that have appeared in the tables of code which the SAMPLE @event is
 * in, or may return to: they precede it then. Helper thread, or at exit.
 */
void codectl_jit_prepare_sample(const struct codectl_event *event);

/*
 * Registers generated code as CODE_REGISTER_JIT does, info->format being any
 * CODE_JIT_FORMAT_*. A section (EH_FRAME, SFRAME) is copied from @blob, or if that is
 * NULL from info->unwind_head, the address it is made for.
 */
int codectl_jit_add(const struct code_jit_info *info, const void *blob);

/*
 * Registers memory with code of which nothing is known, until somebody who knows more
 * registers any part of it.
 */
int codectl_jit_add_unknown(uint64_t text_start, uint64_t text_end);

/* Registers a finished code object with @count rows, in any order. */
int codectl_jit_add_code(uint64_t text_start, uint64_t text_end,
	const struct code_jit_unwind_fre_v2 *rows, size_t count);

/* Ends the registration of generated code with just that range, and the symbols within. */
int codectl_jit_remove(uint64_t text_start, uint64_t text_end);

/*
 * Names a function; all pointers in @symbol can be read. @timestamp: since when it has been
 * there; 0: since now. Ends older symbols that it overlaps.
 */
int codectl_jit_add_symbol(const struct code_jit_symbol *symbol, uint64_t timestamp);

/* The function at @start has gone at @timestamp (0: now); with an @id that is not 0, that one only. */
int codectl_jit_remove_symbol(uint64_t start, uint64_t id, uint64_t timestamp);

#endif /* CODECTL_PROVIDER_JIT_H */
