/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/unwind.h"

#include "unwind/module.h"
#include "unwind/walk.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_BITS 15
#define CACHE_SIZE (1u << CACHE_BITS)
/* User space ends below; other addresses are not worth a place. */
#define CACHE_PC_BITS 48

/* Generations that have a number for the tags of the cache. */
#define GENERATION_BITS 8
#define GENERATION_SIZE (1u << GENERATION_BITS)

/*
 * The loop over frames costs a few nanoseconds per frame. It is compiled twice,
 * see walk_fast_popcnt(), so all that it calls has to be inlined into it.
 */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* In the cache only: nothing is registered at the address. */
#define RULE_NO_MAP CODECTL_RULE_KIND_COUNT

struct cache_entry {
	uint64_t tag; /* Number of the generation << 48 | lookup pc; 0: free. */
	struct codectl_rule rule;
};

struct generation {
	uint64_t generation;
	uint16_t number;
};

struct codectl_unwinder {
	struct codectl_unwind_stats stats;
	/* walk_fast() in the instructions of this machine. */
	bool (*walk_fast)(struct codectl_unwinder *unwinder, struct codectl_walk *walk,
		enum codectl_stack_end *end);
	uint16_t last_number;	     /* Of a generation. */
	struct cache_entry uncached; /* Where a rule stays for one step. */
	struct generation generations[GENERATION_SIZE];
	struct cache_entry cache[CACHE_SIZE];
};

void codectl_unwinder_destroy(struct codectl_unwinder *unwinder)
{
	free(unwinder);
}

const struct codectl_unwind_stats *codectl_unwinder_borrow_stats(
	const struct codectl_unwinder *unwinder)
{
	return &unwinder->stats;
}

/* The number of a generation, never 0. One that has been displaced gets a new one. */
static uint64_t number_generation(struct codectl_unwinder *unwinder, uint64_t generation)
{
	uint64_t hash = generation * UINT64_C(0x9e3779b97f4a7c15);
	struct generation *known = &unwinder->generations[hash >> (64 - GENERATION_BITS)];

	if (known->generation != generation || !known->number) {
		if (unwinder->last_number == UINT16_MAX) {
			memset(unwinder->generations, 0, sizeof(unwinder->generations));
			memset(unwinder->cache, 0, sizeof(unwinder->cache));
			unwinder->last_number = 0;
		}
		known->generation = generation;
		known->number = ++unwinder->last_number;
	}
	return known->number;
}

static struct codectl_rule find_rule(const struct codectl_unwind_ops *ops, uint64_t lookup_pc)
{
	struct codectl_unwind_code code = {.module = NULL};

	if (ops->find_code(ops->user, lookup_pc, &code))
		return codectl_rule_make_bare(RULE_NO_MAP, false);
	if (!code.module)
		return codectl_rule_make_bare(CODECTL_RULE_NONE, false);
	return codectl_unwind_module_find_rule(code.module, lookup_pc - code.bias);
}

/* The place in the cache for the rule at @lookup_pc. Generations differ in @seed. */
static ALWAYS_INLINE struct cache_entry *find_entry(
	struct codectl_unwinder *unwinder, uint64_t lookup_pc, uint64_t seed)
{
	if (lookup_pc >> CACHE_PC_BITS) {
		unwinder->uncached.tag = 0;
		return &unwinder->uncached;
	}
	/*
	 * Each frame waits for this, so no multiplication: addresses differ in
	 * their lower bits, those of modules at equal offsets in the upper ones.
	 */
	return &unwinder->cache[(lookup_pc ^ lookup_pc >> CACHE_BITS ^ seed) & (CACHE_SIZE - 1)];
}

/* The frame that the fast walk is at. */
struct position {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
	bool has_fp; /* Whether fp is known. */
};

/* What became of a step. */
enum step { STEP_OK, STEP_ENDED, STEP_SLOW };

/* Finds the caller's FP, before @position moves. */
static ALWAYS_INLINE void follow_fp(struct codectl_stack *stack, struct position *position,
	struct codectl_rule rule, uint64_t cfa)
{
	uint64_t offset = (uint64_t)(int64_t)codectl_rule_fp(rule);

	switch (codectl_rule_fp_kind(rule)) {
	case CODECTL_RULE_FP_AT_CFA:
		position->has_fp = codectl_stack_read(stack, cfa + offset, &position->fp) == 0;
		break;
	case CODECTL_RULE_FP_AT_FP:
		if (codectl_rule_kind(rule) == CODECTL_RULE_SP &&
			!codectl_walk_is_own_fp(position->fp, position->sp, cfa))
			break;
		position->has_fp = position->has_fp &&
				   codectl_stack_read(
					   stack, position->fp + offset, &position->fp) == 0;
		break;
	case CODECTL_RULE_FP_UNDEFINED:
		position->has_fp = false;
		break;
	default:
		break;
	}
}

/* The CFA by a fast rule. Returns whether it is known. */
static ALWAYS_INLINE bool find_cfa(struct codectl_stack *stack, const struct position *position,
	struct codectl_rule rule, uint64_t *cfa)
{
	uint64_t offset = (uint64_t)(int64_t)codectl_rule_cfa(rule);
	enum codectl_rule_kind kind = codectl_rule_kind(rule);

	if (kind == CODECTL_RULE_SP) {
		*cfa = position->sp + offset;
		return true;
	}
	if (kind == CODECTL_RULE_PLT) {
		*cfa = position->sp + offset;
		if ((int16_t)(position->pc % 16) >= codectl_rule_fp(rule))
			*cfa += 8;
		return true;
	}
	*cfa = position->fp + offset;
	if (kind == CODECTL_RULE_FP)
		return position->has_fp;
	return position->has_fp && codectl_stack_read(stack, *cfa, cfa) == 0;
}

/* Moves @position to the caller, where the fast rules lead. */
static ALWAYS_INLINE enum step follow_rule(const struct codectl_walk *walk,
	struct codectl_stack *stack, struct position *position, struct codectl_rule rule,
	enum codectl_stack_end *end)
{
	uint64_t cfa, pc;
	int ret;

	if (!find_cfa(stack, position, rule, &cfa)) {
		*end = CODECTL_STACK_END_TRUNCATED;
		return STEP_ENDED;
	}
	ret = codectl_stack_read(stack, cfa - 8, &pc);
	if (ret || cfa <= position->sp) {
		*end = codectl_walk_end_at(walk, position->sp, cfa, ret);
		return STEP_ENDED;
	}
	follow_fp(stack, position, rule, cfa);
	position->pc = pc;
	position->sp = cfa;
	return STEP_OK;
}

/* Where no fast rule leads on. @via: what found this frame, then what finds the caller. */
static enum step leave(struct codectl_walk *walk, struct position *position,
	enum codectl_rule_kind kind, enum codectl_frame_via *via, enum codectl_stack_end *end)
{
	const struct codectl_walk_frame frame = {
		.pc = position->pc,
		.sp = position->sp,
		.fp = position->fp,
		.has_fp = position->has_fp,
		.is_exact = *via == CODECTL_FRAME_VIA_REGS,
		.via = *via,
	};
	struct codectl_walk_frame caller;

	switch ((unsigned int)kind) {
	case CODECTL_RULE_OUTERMOST:
		*end = CODECTL_STACK_END_OUTERMOST;
		return STEP_ENDED;
	case RULE_NO_MAP:
		*end = CODECTL_STACK_END_NO_MAP;
		return STEP_ENDED;
	case CODECTL_RULE_NONE:
		break;
	default:
		return STEP_SLOW;
	}
	if (!codectl_walk_guess_caller(walk, &frame, &caller, end))
		return STEP_ENDED;
	position->pc = caller.pc;
	position->sp = caller.sp;
	position->fp = caller.fp;
	position->has_fp = caller.has_fp;
	*via = caller.via;
	return STEP_OK;
}

/* Whether @rule is the one for code of a JIT compiler that keeps frame pointers everywhere. */
static ALWAYS_INLINE bool is_generated_fp(struct codectl_rule rule)
{
	return codectl_rule_origin(rule) == CODECTL_FRAME_VIA_FP;
}

/* The step from the sampled pc if it is in a leaf of such code. Returns whether it is. */
static bool step_from_leaf(
	struct codectl_walk *walk, struct position *position, enum codectl_frame_via *via)
{
	const struct codectl_walk_frame frame = {
		.pc = position->pc,
		.sp = position->sp,
		.fp = position->fp,
		.has_fp = true,
		.is_exact = true,
		.via = CODECTL_FRAME_VIA_REGS,
	};
	struct codectl_walk_frame caller;

	if (!codectl_walk_generated_leaf(walk, &frame, &caller))
		return false;
	position->pc = caller.pc;
	position->sp = caller.sp;
	position->fp = caller.fp;
	position->has_fp = caller.has_fp;
	*via = caller.via;
	return true;
}

/* Walks with SP, FP and pc alone. Returns whether that was enough. */
static ALWAYS_INLINE bool walk_fast(
	struct codectl_unwinder *unwinder, struct codectl_walk *walk, enum codectl_stack_end *end)
{
	const uint64_t *regs = walk->sample->regs;
	const uint64_t number = number_generation(unwinder, walk->ops->generation);
	const uint64_t seed = number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CACHE_BITS);
	/* Copies whose address goes nowhere, so that they stay in registers. */
	struct codectl_stack stack = walk->stack;
	struct position position = {
		.pc = regs[CODECTL_AMD64_RIP],
		.sp = regs[CODECTL_AMD64_RSP],
		.fp = regs[CODECTL_AMD64_RBP],
		.has_fp = true,
	};
	enum codectl_frame_via via = CODECTL_FRAME_VIA_REGS;
	uint64_t lookup_pc = position.pc;
	size_t miss_count = 0;
	enum step result = STEP_ENDED;

	*end = CODECTL_STACK_END_DEPTH;
	while (codectl_walk_add_frame(walk, position.pc, via == CODECTL_FRAME_VIA_REGS, via)) {
		const uint64_t tag = number << CACHE_PC_BITS | lookup_pc;
		struct cache_entry *entry = find_entry(unwinder, lookup_pc, seed);
		struct codectl_rule rule;

		if (entry->tag != tag) {
			miss_count++;
			entry->rule = find_rule(walk->ops, lookup_pc);
			entry->tag = tag;
		}
		rule = entry->rule;
		if (via == CODECTL_FRAME_VIA_REGS && is_generated_fp(rule)) {
			struct position caller = position;
			enum codectl_frame_via caller_via = CODECTL_FRAME_VIA_JIT;

			result = step_from_leaf(walk, &caller, &caller_via)
					 ? STEP_OK
					 : follow_rule(walk, &stack, &caller, rule, end);
			position = caller;
			via = caller_via;
		} else if (codectl_rule_is_fast(rule)) {
			via = (enum codectl_frame_via)codectl_rule_origin(rule);
			result = follow_rule(walk, &stack, &position, rule, end);
		} else {
			struct position caller = position;
			enum codectl_frame_via caller_via = via;

			result = leave(walk, &caller, codectl_rule_kind(rule), &caller_via, end);
			position = caller;
			via = caller_via;
		}
		if (result != STEP_OK)
			break;
		if (position.pc == 0) {
			*end = CODECTL_STACK_END_OUTERMOST;
			result = STEP_ENDED;
			break;
		}
		lookup_pc = position.pc - 1;
	}
	unwinder->stats.cache_hits += walk->frame_count - miss_count;
	walk->stack.is_inconsistent |= stack.is_inconsistent;
	return result != STEP_SLOW;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static bool walk_fast_popcnt(
	struct codectl_unwinder *unwinder, struct codectl_walk *walk, enum codectl_stack_end *end)
{
	return walk_fast(unwinder, walk, end);
}
#endif

static bool walk_fast_baseline(
	struct codectl_unwinder *unwinder, struct codectl_walk *walk, enum codectl_stack_end *end)
{
	return walk_fast(unwinder, walk, end);
}

struct codectl_unwinder *codectl_unwinder_create(void)
{
	struct codectl_unwinder *unwinder = calloc(1, sizeof(*unwinder));

	if (!unwinder)
		return NULL;
	unwinder->walk_fast = walk_fast_baseline;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("popcnt"))
		unwinder->walk_fast = walk_fast_popcnt;
#endif
	return unwinder;
}

enum codectl_stack_end codectl_unwind(struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, const struct codectl_event_sample *sample,
	struct codectl_unwind_frame *frames, size_t frame_max, size_t *frame_count)
{
	enum codectl_stack_end end = CODECTL_STACK_END_BAD_RULE;
	struct codectl_walk walk = {
		.ops = ops,
		.sample = sample,
		.frames = frames,
		.frame_max = frame_max,
	};

	unwinder->stats.samples++;
	if (sample->reg_count >= CODECTL_AMD64_REG_COUNT) {
		codectl_stack_init(&walk.stack, sample);
		if (!unwinder->walk_fast(unwinder, &walk, &end)) {
			unwinder->stats.slow_samples++;
			walk.frame_count = 0;
			end = codectl_walk_slowly(&walk);
		}
		if (end == CODECTL_STACK_END_NO_MAP && codectl_walk_ends_at_base(&walk))
			end = CODECTL_STACK_END_OUTERMOST;
		if (walk.stack.is_inconsistent)
			end = CODECTL_STACK_END_BAD_RULE;
	}
	unwinder->stats.frames += walk.frame_count;
	*frame_count = walk.frame_count;
	return end;
}
