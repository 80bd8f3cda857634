/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/unwind.h: from the registers and the stack of a sample to its chain
 * of frames and the reason why it ended. Pure: no I/O, no allocation, no log,
 * no global state; any thread. What it needs to know of the process comes
 * through callbacks.
 */
#ifndef CODECTL_UNWIND_UNWIND_H
#define CODECTL_UNWIND_UNWIND_H

#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_unwind_module;

/* Why a stack ended; the texts are in doc/trace-format.md. */
enum codectl_stack_end {
	/*
	 * Rules say that there is no caller, or the return address is 0; or it
	 * leads to no code, in a frame that no call instruction has made.
	 */
	CODECTL_STACK_END_OUTERMOST,
	/* Memory beyond what was examined is needed, or a register whose value was not kept. */
	CODECTL_STACK_END_TRUNCATED,
	/*
	 * No code is registered at the last frame's pc; or the word with the
	 * return address was examined and not kept, so it points to no code.
	 */
	CODECTL_STACK_END_NO_MAP,
	/* Code without unwind information, and FP leads to no plausible caller. */
	CODECTL_STACK_END_NO_RULE,
	/*
	 * The caller's frame is on another stack: its SP is below the sampled
	 * one, or further beyond the end of what was examined than the default
	 * size of a stack; or a signal interrupted it, and its SP is not just
	 * above the signal's frame. (Then its pc is known, and the last frame.)
	 */
	CODECTL_STACK_END_STACK_SWITCH,
	/* The caller's SP is not above the frame's own: following on would never end. */
	CODECTL_STACK_END_NO_PROGRESS,
	CODECTL_STACK_END_DEPTH,    /* More frames than asked for. */
	CODECTL_STACK_END_BAD_RULE, /* Unwind information that makes no sense. */
	CODECTL_STACK_END_COUNT
};

/* Which unwind information is used. */
enum codectl_unwind_mode {
	CODECTL_UNWIND_AUTO, /* All there is: at each address what is best. */
	CODECTL_UNWIND_FP,   /* Frame pointers alone. */
	/* Of modules alone, which have been made for it: see codectl_unwind_files. */
	CODECTL_UNWIND_SFRAME,
	CODECTL_UNWIND_EH_FRAME, /* And .debug_frame. */
};

/* Which source found a frame. */
enum codectl_frame_via {
	CODECTL_FRAME_VIA_REGS, /* The sampled pc itself. */
	CODECTL_FRAME_VIA_JIT,
	CODECTL_FRAME_VIA_EH_FRAME,
	CODECTL_FRAME_VIA_DEBUG_FRAME,
	CODECTL_FRAME_VIA_SFRAME,
	CODECTL_FRAME_VIA_FP,
	CODECTL_FRAME_VIA_SCAN,
	CODECTL_FRAME_VIA_INLINE,
	CODECTL_FRAME_VIA_COUNT
};

struct codectl_unwind_frame {
	uint64_t pc;
	/*
	 * Whether pc is an instruction that was or will be executed (sampled, or
	 * interrupted by a signal) and not a return address. A return address is
	 * looked up one byte before: see codectl_unwind_frame_lookup_pc().
	 */
	bool is_exact;
	enum codectl_frame_via via;
};

static inline uint64_t codectl_unwind_frame_lookup_pc(const struct codectl_unwind_frame *frame)
{
	return frame->is_exact ? frame->pc : frame->pc - 1;
}

/* The code at an address. */
struct codectl_unwind_code {
	/* Weak; owned by whoever answers, valid until the walk returns. NULL: no unwind information. */
	const struct codectl_unwind_module *module;
	uint64_t bias;	   /* pc - bias is the vaddr in the module's ELF file. */
	bool is_generated; /* A JIT compiler's: read_code() has not got it. */
};

struct codectl_unwind_ops {
	/*
	 * Tells what code is at @lookup_pc. Returns 0 and fills @code, or
	 * -ENOENT if nothing is registered there. Must not call the unwinder.
	 */
	int (*find_code)(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code);
	void *user;
	/*
	 * Names the answers of find_code(): as long as it is the same number,
	 * the same address has the same code, and the unwinder may remember it.
	 * Never 0, and never used again for other answers.
	 */
	uint64_t generation;
	enum codectl_unwind_mode mode; /* The same for all walks of one unwinder. */
	/*
	 * Copies the @len bytes of code at @address, as they are in the file.
	 * Returns 0 or -ENOENT: not at hand, or not executable. May be NULL; then
	 * no call instruction can be looked at. Must not call the unwinder.
	 */
	int (*read_code)(void *user, uint64_t address, uint8_t *bytes, size_t len);
};

struct codectl_unwind_stats {
	uint64_t samples;
	uint64_t frames;
	uint64_t slow_samples; /* Restarted with all registers. */
	uint64_t cache_hits;
};

struct codectl_unwinder;

/*
 * An unwinder holds only scratch memory and statistics; one thread at a time.
 * Returns NULL without memory. The caller owns it.
 */
struct codectl_unwinder *codectl_unwinder_create(void);
void codectl_unwinder_destroy(struct codectl_unwinder *unwinder);

/*
 * Walks the stack of @sample (its registers by DWARF number for amd64, the
 * return address column last). Writes up to @frame_max frames, innermost
 * first, to @frames and their number to @frame_count; the first one is the
 * sampled pc if the sample has registers. Returns why the stack ended. A
 * malformed sample (too few registers, counts that disagree) ends with
 * CODECTL_STACK_END_BAD_RULE and what could be found.
 */
enum codectl_stack_end codectl_unwind(struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, const struct codectl_event_sample *sample,
	struct codectl_unwind_frame *frames, size_t frame_max, size_t *frame_count);

const struct codectl_unwind_stats *codectl_unwinder_borrow_stats(
	const struct codectl_unwinder *unwinder);

/* The texts of the trace format: "outermost", "no-map" …; "eh_frame", "fp" … */
const char *codectl_stack_end_name(enum codectl_stack_end end);
const char *codectl_frame_via_name(enum codectl_frame_via via);

#endif /* CODECTL_UNWIND_UNWIND_H */
