/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/walk.h: what the fast and the slow walk of one sample share. Private
 * to unwind/; lives on the stack of codectl_unwind().
 */
#ifndef CODECTL_UNWIND_WALK_H
#define CODECTL_UNWIND_WALK_H

#include "unwind/stack.h"
#include "unwind/unwind.h"

struct codectl_walk {
	const struct codectl_unwind_ops *ops;	   /* Weak. */
	const struct codectl_event_sample *sample; /* Weak. */
	struct codectl_stack stack;
	struct codectl_unwind_frame *frames; /* Weak. */
	size_t frame_max;
	size_t frame_count;
};

/* Appends a frame. Returns false if there is no room. */
static inline bool codectl_walk_add_frame(
	struct codectl_walk *walk, uint64_t pc, bool is_exact, enum codectl_frame_via via)
{
	if (walk->frame_count == walk->frame_max)
		return false;
	walk->frames[walk->frame_count++] = (struct codectl_unwind_frame){
		.pc = pc, .is_exact = is_exact, .via = via};
	return true;
}

/*
 * Why a walk cannot go on from a frame at @sp to its caller at @cfa, whose
 * return address could not be read with @error.
 */
enum codectl_stack_end codectl_walk_end_at(
	const struct codectl_walk *walk, uint64_t sp, uint64_t cfa, int error);

/* A frame, as far as code without unwind information needs to know it. */
struct codectl_walk_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
	bool has_fp;		    /* Whether fp is known. */
	bool is_exact;		    /* As in struct codectl_unwind_frame. */
	enum codectl_frame_via via; /* What found it. */
};

/*
 * Whether @fp is the FP of the frame from @sp to @cfa, where a rule says that
 * the caller's FP is saved at an offset of FP, and the CFA is found by another
 * register. gcc says so of realigned frames up to their last instruction, even
 * behind the `leave` that has restored the caller's FP, which is outside of the
 * frame, already.
 */
static inline bool codectl_walk_is_own_fp(uint64_t fp, uint64_t sp, uint64_t cfa)
{
	return fp >= sp && fp < cfa;
}

/*
 * The last resort for code that nothing is known of: finds the caller of
 * @frame by its frame pointer, or by scanning the stack for the return address
 * of a call into it. A return address always leads into registered code.
 * Returns whether there is one; if not, *@end says why.
 */
bool codectl_walk_guess_caller(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller, enum codectl_stack_end *end);

/*
 * In generated code that keeps frame pointers, FP is the caller's in functions
 * that have no frame of their own (V8's bytecode handlers), and until they have
 * made it. Finds out by the top of the stack whether @frame, whose pc was
 * sampled, is such a one; then @caller is its caller.
 */
bool codectl_walk_generated_leaf(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller);

/*
 * Whether the word at @slot leads into registered code, behind a call instruction
 * as far as the code is known.
 */
bool codectl_walk_is_return_address_at(struct codectl_walk *walk, uint64_t slot);

/*
 * Whether the last frame, whose own return address leads to no code, is where
 * somebody made a stack: its pc was written there by hand, as no call is before
 * it but the beginning of a function, or its first byte. So begin Go's
 * goroutines: goexit() returns behind its nop.
 */
bool codectl_walk_ends_at_base(const struct codectl_walk *walk);

/*
 * Walks with all registers, from the sampled pc on, and executes the CFA
 * programs themselves. Replaces what is in walk->frames.
 */
enum codectl_stack_end codectl_walk_slowly(struct codectl_walk *walk);

#endif /* CODECTL_UNWIND_WALK_H */
