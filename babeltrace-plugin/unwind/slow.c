/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The slow walk: all registers, and the CFA programs themselves.
 */
#include "unwind/walk.h"

#include "format/dwarf-constants.h"
#include "format/dwarf-expr.h"
#include "unwind/module.h"

#include <string.h>

/*
 * The kernel's frame for a signal holds up to about 11 KiB of registers (with
 * AMX); above it are the red zone and alignment, then what was interrupted.
 */
#define SIGNAL_FRAME_MAX (16 * 1024)
/* No code is ever mapped below: who executes there was called through a null pointer. */
#define NULL_MAX 4096

/* The registers that a callee leaves as they were (psABI, 3.2.1). */
#define CALLEE_SAVED                                                                   \
	(1u << CODECTL_AMD64_RBX | 1u << CODECTL_AMD64_RBP | 1u << CODECTL_AMD64_R12 | \
		1u << CODECTL_AMD64_R13 | 1u << CODECTL_AMD64_R14 | 1u << CODECTL_AMD64_R15)

struct registers {
	uint64_t values[CODECTL_AMD64_REG_COUNT];
	uint32_t known; /* Bit i: values[i] is known. */
	/*
	 * Bit i: the frames below may have changed values[i], but say nothing of
	 * it. A CFA that builds on it at a call means that they do not: OpenSSL's
	 * AES-GCM keeps the caller's SP in rax, and its helpers leave that alone.
	 */
	uint32_t assumed;
};

/* One frame, and what its unwind information says. */
struct frame {
	struct codectl_walk *walk;
	const struct registers *regs;
	uint64_t bias;
	struct codectl_unwind_module_cfi cfi;
	struct codectl_dwarf_expr_context context;
};

static bool is_known(const struct registers *regs, unsigned int reg)
{
	return regs->known >> reg & 1;
}

static void set_register(struct registers *regs, unsigned int reg, uint64_t value)
{
	regs->values[reg] = value;
	regs->known |= 1u << reg;
}

/* Reads @size bytes, from the two words where they may be. */
static int read_memory(void *user, uint64_t address, size_t size, uint64_t *value)
{
	struct codectl_stack *stack = user;
	uint64_t offset = address - stack->start;
	unsigned int shift = offset % 8 * 8;
	uint64_t low, high = 0;
	int ret;

	if (offset >= stack->len || size > stack->len - offset)
		return -EFAULT;
	ret = codectl_stack_read_index(stack, offset / 8, &low);
	if (ret == 0 && offset % 8 + size > 8)
		ret = codectl_stack_read_index(stack, offset / 8 + 1, &high);
	if (ret)
		return ret;
	*value = shift ? low >> shift | high << (64 - shift) : low;
	if (size < 8)
		*value &= (UINT64_C(1) << size * 8) - 1;
	return 0;
}

static int evaluate(
	const struct frame *frame, int32_t offset, const uint64_t *initial, uint64_t *value)
{
	size_t len;
	const uint8_t *expr = codectl_cfi_expression(frame->cfi.section, offset, &len);

	return expr ? codectl_dwarf_expr_evaluate(&frame->context, expr, len, initial, value)
		    : -EINVAL;
}

/* The CFA. Returns 0, -EINVAL (malformed), -EFAULT or -ENODATA (not captured). */
static int find_cfa(const struct frame *frame, uint64_t *cfa)
{
	const struct codectl_cfi_rules *rules = &frame->cfi.rules;

	if (rules->cfa_kind == CODECTL_CFA_EXPRESSION)
		return evaluate(frame, rules->cfa_expression, NULL, cfa);
	if (!((frame->regs->known | frame->regs->assumed) >> rules->cfa_reg & 1))
		return -ENODATA;
	*cfa = frame->regs->values[rules->cfa_reg] + (uint64_t)(int64_t)rules->cfa_offset;
	return 0;
}

/* The caller's value of @reg, if a rule says where. Returns as find_cfa(). */
static int find_register(const struct frame *frame, unsigned int reg, uint64_t cfa, uint64_t *value)
{
	struct codectl_stack *stack = &frame->walk->stack;
	int32_t operand = frame->cfi.rules.values[reg];
	uint64_t address = cfa + (uint64_t)(int64_t)operand;
	int ret;

	switch (frame->cfi.rules.kinds[reg]) {
	case CODECTL_CFI_OFFSET:
		return read_memory(stack, address, 8, value);
	case CODECTL_CFI_VAL_OFFSET:
		*value = address;
		return 0;
	case CODECTL_CFI_EXPRESSION:
		ret = evaluate(frame, operand, &cfa, &address);
		return ret ? ret : read_memory(stack, address, 8, value);
	case CODECTL_CFI_VAL_EXPRESSION:
		return evaluate(frame, operand, &cfa, value);
	case CODECTL_CFI_REGISTER:
		reg = (unsigned int)operand;
		if (reg >= CODECTL_AMD64_REG_COUNT)
			return -EINVAL;
		break;
	default: /* The same; what is undefined is not asked for. */
		break;
	}
	if (!is_known(frame->regs, reg))
		return -ENODATA;
	*value = frame->regs->values[reg];
	return 0;
}

/* Whether FP is the caller's already, although a rule says where it is saved. */
static bool is_fp_restored(const struct frame *frame, uint64_t cfa)
{
	const struct codectl_cfi_rules *rules = &frame->cfi.rules;
	const uint64_t *regs = frame->regs->values;
	const uint8_t *expr;
	size_t len;

	if (rules->kinds[CODECTL_AMD64_RBP] != CODECTL_CFI_EXPRESSION ||
		rules->cfa_kind != CODECTL_CFA_REGISTER || rules->cfa_reg == CODECTL_AMD64_RBP ||
		!is_known(frame->regs, CODECTL_AMD64_RBP))
		return false;
	expr = codectl_cfi_expression(frame->cfi.section, rules->values[CODECTL_AMD64_RBP], &len);
	return expr && len > 0 && expr[0] == DW_OP_breg0 + CODECTL_AMD64_RBP &&
	       !codectl_walk_is_own_fp(regs[CODECTL_AMD64_RBP], regs[CODECTL_AMD64_RSP], cfa);
}

/* The caller's registers but the return address. */
static void find_registers(const struct frame *frame, uint64_t cfa, struct registers *caller)
{
	caller->known = 0;
	caller->assumed = 0;
	for (unsigned int reg = 0; reg < CODECTL_AMD64_RIP; reg++) {
		enum codectl_cfi_kind kind = (enum codectl_cfi_kind)frame->cfi.rules.kinds[reg];
		uint64_t value;

		if (kind == CODECTL_CFI_UNDEFINED)
			continue;
		if (kind == CODECTL_CFI_UNSPECIFIED) {
			if (reg == CODECTL_AMD64_RSP) {
				set_register(caller, reg, cfa);
				continue;
			}
			if (!(CALLEE_SAVED >> reg & 1)) {
				caller->values[reg] = frame->regs->values[reg];
				caller->assumed |= (frame->regs->known | frame->regs->assumed) &
						   1u << reg;
				continue;
			}
		}
		if (reg == CODECTL_AMD64_RBP && is_fp_restored(frame, cfa))
			set_register(caller, reg, frame->regs->values[reg]);
		else if (find_register(frame, reg, cfa, &value) == 0)
			set_register(caller, reg, value);
	}
}

/*
 * Whether the frame is about to jump to the landing pad of an exception: gcc's
 * __builtin_eh_return() ends with the address in rcx. That is no return
 * address, and before a landing pad are instructions with another frame.
 */
static bool is_landing(const struct frame *frame)
{
	const struct codectl_cfi_rules *rules = &frame->cfi.rules;

	return rules->kinds[frame->cfi.ra_reg] == CODECTL_CFI_REGISTER &&
	       rules->values[frame->cfi.ra_reg] == CODECTL_AMD64_RCX;
}

/* Where a signal interrupted, on this stack or another. Returns true if the walk can go on. */
static bool is_interrupted_here(const struct frame *frame, const struct registers *caller)
{
	uint64_t sp = frame->regs->values[CODECTL_AMD64_RSP];

	return is_known(caller, CODECTL_AMD64_RSP) && caller->values[CODECTL_AMD64_RSP] > sp &&
	       (caller->values[CODECTL_AMD64_RSP] - sp <= SIGNAL_FRAME_MAX ||
		       caller->values[CODECTL_AMD64_RSP] < codectl_stack_end(&frame->walk->stack));
}

/*
 * Whether @regs are at a null pointer as a call has left them: its return
 * address is the last thing on the stack.
 */
static bool is_null_called(struct codectl_walk *walk, const struct registers *regs)
{
	return regs->values[CODECTL_AMD64_RIP] < NULL_MAX && is_known(regs, CODECTL_AMD64_RSP) &&
	       codectl_walk_is_return_address_at(walk, regs->values[CODECTL_AMD64_RSP]);
}

enum step { STEP_OK, STEP_ENDED, STEP_SWITCHED };

/* From a signal's frame to what it interrupted. The pc is found even on another stack. */
static enum step step_signal(
	const struct frame *frame, struct registers *caller, enum codectl_stack_end *end)
{
	uint64_t cfa = 0;
	uint64_t pc = 0;
	int cfa_error = find_cfa(frame, &cfa);
	int ret = find_register(frame, frame->cfi.ra_reg, cfa, &pc);

	if (cfa_error == -EINVAL || ret == -EINVAL) {
		*end = CODECTL_STACK_END_BAD_RULE;
		return STEP_ENDED;
	}
	if (ret == -EFAULT) {
		*end = CODECTL_STACK_END_TRUNCATED;
		return STEP_ENDED;
	}
	find_registers(frame, cfa, caller);
	set_register(caller, CODECTL_AMD64_RIP, pc);
	/* What was not kept points to no code. It is taken for 0 if a call can have led there. */
	if (ret && !is_null_called(frame->walk, caller)) {
		*end = CODECTL_STACK_END_NO_MAP;
		return STEP_ENDED;
	}
	/* SP was not kept: it points to no word of this stack. */
	if (!cfa_error && is_interrupted_here(frame, caller))
		return STEP_OK;
	*end = cfa_error == -EFAULT ? CODECTL_STACK_END_TRUNCATED : CODECTL_STACK_END_STACK_SWITCH;
	return STEP_SWITCHED;
}

/* From a called function to its caller. */
static enum step step_call(
	const struct frame *frame, struct registers *caller, enum codectl_stack_end *end)
{
	uint64_t sp = frame->regs->values[CODECTL_AMD64_RSP];
	uint8_t ra_kind = frame->cfi.rules.kinds[frame->cfi.ra_reg];
	bool is_ra_register = ra_kind == CODECTL_CFI_REGISTER;
	uint64_t cfa = 0;
	uint64_t pc, caller_sp;
	int ret = find_cfa(frame, &cfa);

	if (ret) {
		*end = ret == -EINVAL ? CODECTL_STACK_END_BAD_RULE : CODECTL_STACK_END_TRUNCATED;
		return STEP_ENDED;
	}
	ret = find_register(frame, frame->cfi.ra_reg, cfa, &pc);
	if (ret) {
		if (ret == -EINVAL)
			*end = CODECTL_STACK_END_BAD_RULE;
		else if (is_ra_register)
			*end = CODECTL_STACK_END_TRUNCATED;
		else
			*end = codectl_walk_end_at(frame->walk, sp, cfa, ret);
		return STEP_ENDED;
	}
	find_registers(frame, cfa, caller);
	set_register(caller, CODECTL_AMD64_RIP, pc);
	if (!is_known(caller, CODECTL_AMD64_RSP)) {
		*end = CODECTL_STACK_END_TRUNCATED;
		return STEP_ENDED;
	}
	/* Where the return address is in a register, nothing may be on the stack. */
	caller_sp = caller->values[CODECTL_AMD64_RSP];
	if (caller_sp < sp || (caller_sp == sp && !is_ra_register)) {
		*end = codectl_walk_end_at(frame->walk, sp, caller_sp, 0);
		return STEP_ENDED;
	}
	return STEP_OK;
}

/* The caller where nothing is known of the code. */
static enum step step_guess(const struct frame *frame, bool is_exact, enum codectl_frame_via *via,
	struct registers *caller, enum codectl_stack_end *end)
{
	const struct codectl_walk_frame known = {
		.pc = frame->regs->values[CODECTL_AMD64_RIP],
		.sp = frame->regs->values[CODECTL_AMD64_RSP],
		.fp = frame->regs->values[CODECTL_AMD64_RBP],
		.has_fp = is_known(frame->regs, CODECTL_AMD64_RBP),
		.is_exact = is_exact,
		.via = *via,
	};
	struct codectl_walk_frame guess;

	if (!codectl_walk_guess_caller(frame->walk, &known, &guess, end))
		return STEP_ENDED;
	*via = guess.via;
	caller->known = 0;
	caller->assumed = 0;
	set_register(caller, CODECTL_AMD64_RIP, guess.pc);
	set_register(caller, CODECTL_AMD64_RSP, guess.sp);
	if (guess.has_fp)
		set_register(caller, CODECTL_AMD64_RBP, guess.fp);
	return STEP_OK;
}

/* The caller of a null pointer: see is_null_called(). */
static void step_null(const struct frame *frame, struct registers *caller)
{
	uint64_t sp = frame->regs->values[CODECTL_AMD64_RSP];
	uint64_t pc = 0;

	codectl_stack_read(&frame->walk->stack, sp, &pc);
	*caller = *frame->regs;
	set_register(caller, CODECTL_AMD64_RIP, pc);
	set_register(caller, CODECTL_AMD64_RSP, sp + 8);
}

/* The module may know that without having CFI there. */
static bool is_outermost(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_kind(codectl_unwind_module_find_rule(module, vaddr)) ==
	       CODECTL_RULE_OUTERMOST;
}

/* Moves from @regs to the @caller's. */
static enum step step(struct codectl_walk *walk, const struct registers *regs, bool *is_exact,
	enum codectl_frame_via *via, struct registers *caller, enum codectl_stack_end *end)
{
	uint64_t lookup_pc = regs->values[CODECTL_AMD64_RIP] - (*is_exact ? 0 : 1);
	struct codectl_unwind_code code = {.module = NULL};
	struct frame frame = {.walk = walk, .regs = regs};

	if (walk->ops->find_code(walk->ops->user, lookup_pc, &code)) {
		if (*is_exact && is_null_called(walk, regs)) {
			step_null(&frame, caller);
			*is_exact = false;
			*via = CODECTL_FRAME_VIA_SCAN;
			return STEP_OK;
		}
		*end = CODECTL_STACK_END_NO_MAP;
		return STEP_ENDED;
	}
	if (!code.module ||
		codectl_unwind_module_find_cfi(code.module, lookup_pc - code.bias, &frame.cfi)) {
		if (code.module && is_outermost(code.module, lookup_pc - code.bias)) {
			*end = CODECTL_STACK_END_OUTERMOST;
			return STEP_ENDED;
		}
		enum step result = step_guess(&frame, *is_exact, via, caller, end);

		*is_exact = false;
		return result;
	}
	*via = frame.cfi.via;
	*is_exact = frame.cfi.is_signal_frame || is_landing(&frame);
	/* Nobody has called the trampoline: the handler will return to its first instruction. */
	if (frame.cfi.is_signal_frame)
		walk->frames[walk->frame_count - 1].is_exact = true;
	if (frame.cfi.rules.kinds[frame.cfi.ra_reg] == CODECTL_CFI_UNDEFINED) {
		*end = CODECTL_STACK_END_OUTERMOST;
		return STEP_ENDED;
	}
	frame.context = (struct codectl_dwarf_expr_context){
		.regs = regs->values,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.reg_mask = regs->known | regs->assumed,
		.bias = code.bias,
		.read_memory = read_memory,
		.user = &walk->stack,
	};
	return frame.cfi.is_signal_frame ? step_signal(&frame, caller, end)
					 : step_call(&frame, caller, end);
}

enum codectl_stack_end codectl_walk_slowly(struct codectl_walk *walk)
{
	struct registers regs = {.known = (1u << CODECTL_AMD64_REG_COUNT) - 1};
	enum codectl_frame_via via = CODECTL_FRAME_VIA_REGS;
	enum codectl_stack_end end = CODECTL_STACK_END_OUTERMOST;
	enum step result = STEP_OK;
	bool is_exact = true;

	memcpy(regs.values, walk->sample->regs, sizeof(regs.values));
	for (;;) {
		struct registers caller;

		if (!codectl_walk_add_frame(walk, regs.values[CODECTL_AMD64_RIP], is_exact, via))
			return CODECTL_STACK_END_DEPTH;
		if (result == STEP_SWITCHED)
			return end;
		result = step(walk, &regs, &is_exact, &via, &caller, &end);
		if (result == STEP_ENDED)
			return end;
		/* A signal may well interrupt at 0, after a call through a null pointer. */
		if (caller.values[CODECTL_AMD64_RIP] == 0 && !is_exact)
			return CODECTL_STACK_END_OUTERMOST;
		regs = caller;
	}
}
