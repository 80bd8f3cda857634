/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/jit-emitter.h: a JIT compiler for tests: emits x86-64 functions of
 * several frame shapes, with a row (codectl/codectl.h) for each stretch of code.
 * Every function burns some time, calls another one or not, and returns. No state
 * but what the caller owns; any thread.
 */
#ifndef CODECTL_TESTS_JIT_EMITTER_H
#define CODECTL_TESTS_JIT_EMITTER_H

#include "codectl/codectl.h"

#include <stddef.h>
#include <stdint.h>

enum jit_shape {
	JIT_SHAPE_SP,	/* Room on the stack, nothing saved. */
	JIT_SHAPE_PUSH, /* Registers pushed, then room. */
	JIT_SHAPE_FP,	/* A frame pointer. */
	JIT_SHAPE_RBP,	/* rbp saved, then used for a number. */
	JIT_SHAPE_COUNT
};

#define JIT_FUNCTION_MAX 128 /* Bytes of code. */
#define JIT_ROW_MAX	 12  /* Rows. */

struct jit_function {
	enum jit_shape shape;
	uint64_t callee;     /* 0: none. */
	uint32_t loop_count; /* How long it burns time, before the call. */
	uint32_t room;	     /* On the stack, in units of 16 bytes. */
};

struct jit_rows {
	struct code_jit_unwind_fre rows[JIT_ROW_MAX];
	size_t count;
};

/* The letter of a shape, for names. */
char jit_shape_letter(enum jit_shape shape);

/*
 * Writes a function to @code, which has room for JIT_FUNCTION_MAX bytes, and its
 * rows, counted from @ip_off on. Returns its size.
 */
size_t jit_emit(
	uint8_t *code, uint32_t ip_off, const struct jit_function *function, struct jit_rows *rows);

#endif /* CODECTL_TESTS_JIT_EMITTER_H */
