/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Callers of code without unwind information: by frame pointer, or by the call
 * instruction that a word of the stack returns to.
 */
#include "unwind/walk.h"

#include "unwind/module.h"

#include <string.h>

/* Words that are looked at. Functions without CFI are small: assembler. */
#define SCAN_WORDS 64
/* A call leads into the function at hand if its target is at most so far below the pc. */
#define FUNCTION_MAX 65536
/* The longest call by register or memory: prefix, opcode, ModRM, SIB, 32-bit offset. */
#define CALL_MAX    8
#define DIRECT_CALL 5

/* A word of the stack that may be the return address. */
struct candidate {
	uint64_t slot;
	uint64_t pc;
	uint64_t target; /* Of the direct call before pc. */
};

static bool uses_fp(const struct codectl_walk *walk)
{
	return walk->ops->mode == CODECTL_UNWIND_AUTO || walk->ops->mode == CODECTL_UNWIND_FP;
}

static bool find_code(
	const struct codectl_walk *walk, uint64_t pc, struct codectl_unwind_code *code)
{
	return pc != 0 && walk->ops->find_code(walk->ops->user, pc - 1, code) == 0;
}

static bool is_code(const struct codectl_walk *walk, uint64_t pc)
{
	struct codectl_unwind_code code;

	return find_code(walk, pc, &code);
}

/* Reads what is before @pc. Returns whether it is at hand. */
static bool read_before(const struct codectl_walk *walk, uint64_t pc, uint8_t *bytes, size_t len)
{
	return walk->ops->read_code && pc >= len &&
	       walk->ops->read_code(walk->ops->user, pc - len, bytes, len) == 0;
}

/* Whether a direct call (E8, 32-bit offset) is before @pc. */
static bool is_direct_call(const struct codectl_walk *walk, uint64_t pc, uint64_t *target)
{
	uint8_t bytes[DIRECT_CALL];
	uint32_t offset = 0;

	if (!read_before(walk, pc, bytes, sizeof(bytes)) || bytes[0] != 0xe8)
		return false;
	for (unsigned int i = 0; i < 4; i++)
		offset |= (uint32_t)bytes[1 + i] << 8 * i;
	*target = pc + (uint64_t)(int64_t)(int32_t)offset;
	return true;
}

/* The length of an indirect call (FF /2) whose ModRM and SIB bytes are @modrm and @sib. */
static size_t indirect_call_len(uint8_t modrm, uint8_t sib)
{
	static const uint8_t offsets[] = {0, 1, 4, 0};
	uint8_t mode = modrm >> 6;
	uint8_t reg = modrm & 7;
	size_t len = 2u + offsets[mode];

	if (mode == 3)
		return len;
	if (reg == 4) {
		len++;
		reg = sib & 7;
	}
	/* Without a base register, or relative to the pc. */
	if (mode == 0 && reg == 5)
		len += 4;
	return len;
}

/* Whether any call instruction ends at @pc. */
static bool is_call(const struct codectl_walk *walk, uint64_t pc)
{
	uint8_t bytes[CALL_MAX];
	uint64_t target;

	if (is_direct_call(walk, pc, &target))
		return true;
	if (!read_before(walk, pc, bytes, sizeof(bytes)))
		return false;
	for (size_t len = 2; len < CALL_MAX; len++) {
		const uint8_t *call = bytes + CALL_MAX - len;

		if (call[0] == 0xff && (call[1] >> 3 & 7) == 2 &&
			indirect_call_len(call[1], len > 2 ? call[2] : 0) == len)
			return true;
	}
	return false;
}

/* Whether there is a frame at @frame's FP. */
static bool is_fp_plausible(struct codectl_walk *walk, const struct codectl_walk_frame *frame)
{
	uint64_t pc;

	return frame->has_fp && frame->fp >= frame->sp &&
	       codectl_stack_read(&walk->stack, frame->fp + 8, &pc) == 0 && is_code(walk, pc);
}

/* Takes the return address in @slot; the frame pointer is below it if it points there. */
static void return_through(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	uint64_t slot, struct codectl_walk_frame *caller)
{
	*caller = (struct codectl_walk_frame){
		.sp = slot + 8,
		.fp = frame->fp,
		.has_fp = frame->has_fp,
		.via = CODECTL_FRAME_VIA_SCAN,
	};
	codectl_stack_read(&walk->stack, slot, &caller->pc);
	if (frame->has_fp && slot == frame->fp + 8) {
		caller->via = CODECTL_FRAME_VIA_FP;
		caller->has_fp = codectl_stack_read(&walk->stack, frame->fp, &caller->fp) == 0;
	}
}

/*
 * Looks for the return address of a direct call into the function at
 * frame->pc: of those found, the one whose target is nearest below the pc. Where
 * FP points to a frame, what is beyond belongs to others.
 */
static bool scan(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller)
{
	uint64_t end = frame->sp + (uint64_t)8 * SCAN_WORDS;
	struct candidate best = {.slot = 0};

	if (frame->sp > UINT64_MAX - (uint64_t)8 * SCAN_WORDS)
		return false;
	if (is_fp_plausible(walk, frame) && frame->fp + 16 < end)
		end = frame->fp + 16;
	for (uint64_t slot = frame->sp; slot < end; slot += 8) {
		struct candidate candidate = {.slot = slot};
		int ret = codectl_stack_read(&walk->stack, slot, &candidate.pc);

		if (ret == -EFAULT)
			break;
		if (ret || !is_code(walk, candidate.pc) ||
			!is_direct_call(walk, candidate.pc, &candidate.target) ||
			frame->pc - candidate.target >= FUNCTION_MAX)
			continue;
		if (!best.slot || candidate.target > best.target ||
			(candidate.target == best.target && frame->has_fp && slot == frame->fp + 8))
			best = candidate;
	}
	if (!best.slot)
		return false;
	return_through(walk, frame, best.slot, caller);
	return true;
}

bool codectl_walk_is_return_address_at(struct codectl_walk *walk, uint64_t slot)
{
	struct codectl_unwind_code code = {.module = NULL};
	uint64_t pc;

	return codectl_stack_read(&walk->stack, slot, &pc) == 0 && find_code(walk, pc, &code) &&
	       (code.is_generated || is_call(walk, pc));
}

bool codectl_walk_generated_leaf(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller)
{
	uint64_t slot = frame->sp;
	uint64_t word;

	/* The first instruction of a frame has just pushed FP. */
	if (codectl_stack_read(&walk->stack, slot, &word) == 0 && word == frame->fp &&
		frame->fp != frame->sp)
		slot += 8;
	if (!frame->is_exact || !frame->has_fp || slot == frame->fp + 8 ||
		!codectl_walk_is_return_address_at(walk, slot))
		return false;
	return_through(walk, frame, slot, caller);
	return true;
}

/*
 * Where the return address is at an instruction of a prologue or epilogue, at
 * which FP is still, or again, the caller's. Returns whether it is one.
 */
static bool find_slot_by_code(
	const struct codectl_walk *walk, const struct codectl_walk_frame *frame, uint64_t *slot)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	static const uint8_t push_fp = 0x55;
	static const uint8_t set_fp[] = {0x48, 0x89, 0xe5}; /* mov %rsp,%rbp */
	/* The byte before, and what is to be executed; int3 where nothing is known. */
	uint8_t bytes[9] = {0xcc, 0xcc};
	const uint8_t *next = bytes + 1;

	if (!walk->ops->read_code ||
		(walk->ops->read_code(walk->ops->user, frame->pc - 1, bytes, 9) &&
			walk->ops->read_code(walk->ops->user, frame->pc - 1, bytes, 2)))
		return false;
	*slot = frame->sp;
	/* ret, with or without a number of bytes to drop, or with a prefix. */
	if (next[0] == 0xc3 || next[0] == 0xc2 ||
		((next[0] == 0xf2 || next[0] == 0xf3) && next[1] == 0xc3))
		return true;
	if (!memcmp(next, set_fp, sizeof(set_fp)) && bytes[0] == push_fp) {
		*slot += 8;
		return true;
	}
	if (!memcmp(next, endbr64, sizeof(endbr64)))
		next += sizeof(endbr64);
	return next[0] == push_fp && !memcmp(next + 1, set_fp, sizeof(set_fp));
}

/*
 * Whether somebody wrote the return address frame->pc by hand, as the base of a
 * stack: a function begins there, and no call is before it. So do
 * makecontext() and its like; what is above on the stack is no frame.
 */
static bool is_stack_base(const struct codectl_walk *walk, const struct codectl_walk_frame *frame)
{
	struct codectl_unwind_code code = {.module = NULL};
	uint8_t bytes[CALL_MAX];

	return !frame->is_exact && frame->via != CODECTL_FRAME_VIA_FP &&
	       frame->via != CODECTL_FRAME_VIA_SCAN &&
	       walk->ops->find_code(walk->ops->user, frame->pc, &code) == 0 && code.module &&
	       codectl_unwind_module_has_start(code.module, frame->pc - code.bias) &&
	       read_before(walk, frame->pc, bytes, sizeof(bytes)) && !is_call(walk, frame->pc);
}

bool codectl_walk_ends_at_base(const struct codectl_walk *walk)
{
	const struct codectl_unwind_frame *last;
	struct codectl_unwind_code code = {.module = NULL};
	uint8_t bytes[CALL_MAX];
	uint64_t vaddr;

	if (walk->frame_count == 0)
		return false;
	last = &walk->frames[walk->frame_count - 1];
	if (last->is_exact || last->via == CODECTL_FRAME_VIA_FP ||
		last->via == CODECTL_FRAME_VIA_SCAN ||
		walk->ops->find_code(walk->ops->user, last->pc - 1, &code) || !code.module)
		return false;
	/* Of a landing pad, which looks like it for a moment, no function begins there. */
	vaddr = last->pc - code.bias;
	return (codectl_unwind_module_has_start(code.module, vaddr) ||
		       codectl_unwind_module_has_start(code.module, vaddr - 1)) &&
	       read_before(walk, last->pc, bytes, sizeof(bytes)) && !is_call(walk, last->pc);
}

/*
 * Whether FP says that the stack begins here: the ABI has it cleared where a
 * process or thread begins (psABI, 3.4.1). It may also hold just any number, in
 * code that does not use it so: unless a chain of frame pointers has led here,
 * nothing on the stack may look like a return address.
 */
static bool is_fp_cleared(struct codectl_walk *walk, const struct codectl_walk_frame *frame)
{
	uint64_t pc;

	if (frame->is_exact || !frame->has_fp || frame->fp != 0 || !uses_fp(walk))
		return false;
	if (frame->via == CODECTL_FRAME_VIA_FP)
		return true;
	/* A scan does not know what the callee has done to FP. */
	if (frame->via == CODECTL_FRAME_VIA_SCAN || !walk->ops->read_code ||
		frame->sp > UINT64_MAX - (uint64_t)8 * SCAN_WORDS)
		return false;
	for (uint64_t i = 0; i < SCAN_WORDS; i++) {
		int ret = codectl_stack_read(&walk->stack, frame->sp + 8 * i, &pc);

		if (ret == -EFAULT)
			break;
		if (ret == 0 && is_code(walk, pc) && is_call(walk, pc))
			return false;
	}
	return true;
}

/* Why no caller is found. */
static enum codectl_stack_end end_without_caller(
	struct codectl_walk *walk, const struct codectl_walk_frame *frame)
{
	const struct codectl_stack *stack = &walk->stack;

	if (is_fp_cleared(walk, frame))
		return CODECTL_STACK_END_OUTERMOST;
	if (is_stack_base(walk, frame)) {
		/* It will return to that function's first instruction, and is named by it. */
		walk->frames[walk->frame_count - 1].is_exact = true;
		return CODECTL_STACK_END_OUTERMOST;
	}
	if (!frame->has_fp || frame->via != CODECTL_FRAME_VIA_FP)
		return CODECTL_STACK_END_NO_RULE;
	/* A chain of frame pointers that goes on, but not upwards, or too far. */
	if (frame->fp >= stack->start && frame->fp < frame->sp)
		return CODECTL_STACK_END_NO_PROGRESS;
	if (frame->fp >= frame->sp && frame->fp - stack->start + 16 > stack->len &&
		codectl_walk_end_at(walk, frame->sp, frame->fp + 16, -EFAULT) ==
			CODECTL_STACK_END_TRUNCATED)
		return CODECTL_STACK_END_TRUNCATED;
	return CODECTL_STACK_END_NO_RULE;
}

/* The caller of a frame that may be anywhere in its function. */
static bool guess_without_fp(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller)
{
	uint64_t slot;

	if (!find_slot_by_code(walk, frame, &slot) ||
		!codectl_walk_is_return_address_at(walk, slot)) {
		if (scan(walk, frame, caller))
			return true;
		/* A leaf called through a pointer or the PLT, that has pushed nothing. */
		slot = frame->sp;
		if (!codectl_walk_is_return_address_at(walk, slot))
			return false;
	}
	return_through(walk, frame, slot, caller);
	return true;
}

bool codectl_walk_guess_caller(struct codectl_walk *walk, const struct codectl_walk_frame *frame,
	struct codectl_walk_frame *caller, enum codectl_stack_end *end)
{
	bool uses_scan = walk->ops->mode == CODECTL_UNWIND_AUTO;

	/* At a call, FP has been set up; at any instruction it may still be the caller's. */
	if (frame->is_exact && uses_scan && guess_without_fp(walk, frame, caller))
		return true;
	if (uses_fp(walk) && is_fp_plausible(walk, frame)) {
		return_through(walk, frame, frame->fp + 8, caller);
		return true;
	}
	if (!frame->is_exact && uses_scan && scan(walk, frame, caller))
		return true;
	*end = end_without_caller(walk, frame);
	return false;
}
