/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/hook.h: has an empty function of the program, one that exists only for a
 * debugger's breakpoint, call one of ours. Symbol interposition cannot do that
 * where a library has bound the function locally, as libLLVM has.
 *
 * The function's first bytes are replaced by a jump in one store of 8 bytes, to
 * a few instructions near it, which keep all registers: a compiler that saw an
 * empty function may have left its callers' values in any of them.
 */
#ifndef CODECTL_JIT_HOOK_H
#define CODECTL_JIT_HOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the @len bytes of code at @code, which is at @address, are an empty
 * function whose first 8 bytes can be replaced: a return, maybe after
 * instructions that do nothing, and room up to the next function.
 */
bool codectl_hook_is_empty_function(const uint8_t *code, size_t len, uint64_t address);

/*
 * Makes the empty function at @function call @callback with @argument, for ever:
 * both must outlive the process's use of it. Returns 0; -ENOTSUP if the function
 * is another, or on another processor; -EACCES and the like if its memory may not
 * be changed. Any thread, one at a time; not from a signal handler.
 */
int codectl_hook_set(void *function, void (*callback)(void *argument), void *argument);

#endif /* CODECTL_JIT_HOOK_H */
