/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/handler.h: the signal handler, which copies registers and stack of
 * the thread it interrupts into the ring of the thread's slot, and what it
 * writes there. It calls no LTTng, no allocator, no loader, no TLS but libc's
 * errno and getcpu, and never reads memory that may be unmapped.
 */
#ifndef CODECTL_SAMPLER_HANDLER_H
#define CODECTL_SAMPLER_HANDLER_H

#include "format/event.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of stack that a capture holds at most. */
#define CODECTL_CAPTURE_STACK_MAX 262144u

/* Of the value that a signal for a wall-clock sample carries: the index of the slot. */
#define CODECTL_COOKIE_INDEX_MASK UINT64_C(0xffff)

/* One record of a slot's ring. */
struct codectl_capture {
	uint64_t timestamp;
	uint64_t serial;
	uint32_t cpu;
	uint32_t weight;
	uint64_t regs[CODECTL_AMD64_REG_COUNT];
	uint64_t stack_start; /* See struct codectl_event_sample. */
	uint64_t stack[];     /* From there upwards; the record's length tells the end. */
};

/*
 * Installs the handler for @signal_number, to copy up to @stack_size bytes.
 * Returns 0, or -EBUSY if the program uses the signal itself, or a negative
 * errno. Not from a signal handler.
 */
int codectl_handler_install(int signal_number, uint32_t stack_size);

/*
 * Sampling begins: from now on the program cannot have the signal. Returns 0,
 * or -EBUSY if it has taken it since the handler was installed.
 */
int codectl_handler_claim(void);

/* Whether our handler is (still) what the kernel calls. */
bool codectl_handler_is_in_place(void);

/*
 * Puts our handler back where the program has reset the signal by the system
 * call itself. Returns whether it is in place now: not if the program has set a
 * handler of its own.
 */
bool codectl_handler_restore(void);

/* The signal that is ours, or 0 if the handler is not installed. Async-signal-safe. */
int codectl_handler_signal(void);

/*
 * The program wants the signal for itself. Returns whether it can have it:
 * then the handler counts as not installed. Async-signal-safe.
 */
bool codectl_handler_give_up(void);

/*
 * Where the frames of the main thread end: the kernel put the arguments and the
 * environment there. Async-signal-safe.
 */
uint64_t codectl_handler_main_stack_end(void);

/*
 * The segments that the kernel saved when the handler was last called, by which
 * frames of other signals are recognized (REG_CSGSFS); 0 before. Any thread.
 */
uint64_t codectl_handler_segments(void);

#endif /* CODECTL_SAMPLER_HANDLER_H */
