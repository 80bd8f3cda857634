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
	uint16_t last_number; /* Of a generation. */
	struct generation generations[GENERATION_SIZE];
	struct cache_entry cache[CACHE_SIZE];
};

struct codectl_unwinder *codectl_unwinder_create(void)
{
	return calloc(1, sizeof(struct codectl_unwinder));
}

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
		return (struct codectl_rule){.kind = RULE_NO_MAP};
	if (!code.module)
		return (struct codectl_rule){.kind = CODECTL_RULE_NONE};
	return codectl_unwind_module_find_rule(code.module, lookup_pc - code.bias);
}

/* The rule at @lookup_pc, from the cache if it is there. */
static inline struct codectl_rule get_rule(struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, uint64_t number, uint64_t lookup_pc)
{
	uint64_t tag = number << CACHE_PC_BITS | lookup_pc;
	struct cache_entry *entry =
		&unwinder->cache[tag * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CACHE_BITS)];

	if (lookup_pc >> CACHE_PC_BITS)
		return find_rule(ops, lookup_pc);
	if (entry->tag == tag) {
		unwinder->stats.cache_hits++;
	} else {
		entry->rule = find_rule(ops, lookup_pc);
		entry->tag = tag;
	}
	return entry->rule;
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

/* Finds the caller's FP by @rule, before @position moves. */
static inline void follow_rule_fp(struct codectl_walk *walk, struct position *position,
	const struct codectl_rule *rule, uint64_t cfa)
{
	switch (rule->fp_kind) {
	case CODECTL_RULE_FP_AT_CFA:
		position->has_fp = codectl_stack_read(&walk->stack,
					   cfa + (uint64_t)(int64_t)rule->fp, &position->fp) == 0;
		break;
	case CODECTL_RULE_FP_AT_FP:
		position->has_fp = position->has_fp &&
				   codectl_stack_read(&walk->stack,
					   position->fp + (uint64_t)(int64_t)rule->fp,
					   &position->fp) == 0;
		break;
	case CODECTL_RULE_FP_UNDEFINED:
		position->has_fp = false;
		break;
	default:
		break;
	}
}

/* Moves @position to the caller, where the fast rules lead. */
static inline enum step follow_rule(struct codectl_walk *walk, struct position *position,
	const struct codectl_rule *rule, enum codectl_stack_end *end)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa;
	uint64_t cfa, pc;
	int ret = 0;

	switch (rule->kind) {
	case CODECTL_RULE_SP:
		cfa = position->sp + offset;
		break;
	case CODECTL_RULE_PLT:
		cfa = position->sp + offset + ((int16_t)(position->pc & 15) >= rule->fp ? 8 : 0);
		break;
	case CODECTL_RULE_FP:
		cfa = position->fp + offset;
		ret = position->has_fp ? 0 : -ENODATA;
		break;
	default: /* CODECTL_RULE_FP_DEREF */
		ret = position->has_fp
			      ? codectl_stack_read(&walk->stack, position->fp + offset, &cfa)
			      : -ENODATA;
		break;
	}
	if (ret) {
		*end = CODECTL_STACK_END_TRUNCATED;
		return STEP_ENDED;
	}
	ret = codectl_stack_read(&walk->stack, cfa - 8, &pc);
	if (ret || cfa <= position->sp) {
		*end = codectl_walk_end_at(walk, position->sp, cfa, ret);
		return STEP_ENDED;
	}
	follow_rule_fp(walk, position, rule, cfa);
	position->pc = pc;
	position->sp = cfa;
	return STEP_OK;
}

/* Moves @position to the caller. */
static inline enum step step(struct codectl_walk *walk, struct position *position,
	struct codectl_rule *rule, enum codectl_stack_end *end)
{
	switch (rule->kind) {
	case CODECTL_RULE_SP:
	case CODECTL_RULE_FP:
	case CODECTL_RULE_PLT:
	case CODECTL_RULE_FP_DEREF:
		return follow_rule(walk, position, rule, end);
	case CODECTL_RULE_NONE:
		rule->origin = CODECTL_FRAME_VIA_FP;
		*end = CODECTL_STACK_END_NO_RULE;
		return position->has_fp && codectl_walk_follow_fp(walk, position->sp, position->fp,
						   &position->pc, &position->sp, &position->fp,
						   &position->has_fp)
			       ? STEP_OK
			       : STEP_ENDED;
	case CODECTL_RULE_OUTERMOST:
		*end = CODECTL_STACK_END_OUTERMOST;
		return STEP_ENDED;
	case RULE_NO_MAP:
		*end = CODECTL_STACK_END_NO_MAP;
		return STEP_ENDED;
	default:
		return STEP_SLOW;
	}
}

/* Walks with SP, FP and pc alone. Returns whether that was enough. */
static bool walk_fast(
	struct codectl_unwinder *unwinder, struct codectl_walk *walk, enum codectl_stack_end *end)
{
	const uint64_t *regs = walk->sample->regs;
	uint64_t number = number_generation(unwinder, walk->ops->generation);
	struct position position = {
		.pc = regs[CODECTL_AMD64_RIP],
		.sp = regs[CODECTL_AMD64_RSP],
		.fp = regs[CODECTL_AMD64_RBP],
		.has_fp = true,
	};
	enum codectl_frame_via via = CODECTL_FRAME_VIA_REGS;
	uint64_t lookup_pc = position.pc;

	for (;;) {
		struct codectl_rule rule;
		enum step result;

		if (!codectl_walk_add_frame(
			    walk, position.pc, via == CODECTL_FRAME_VIA_REGS, via)) {
			*end = CODECTL_STACK_END_DEPTH;
			return true;
		}
		rule = get_rule(unwinder, walk->ops, number, lookup_pc);
		result = step(walk, &position, &rule, end);
		if (result != STEP_OK)
			return result == STEP_ENDED;
		if (position.pc == 0) {
			*end = CODECTL_STACK_END_OUTERMOST;
			return true;
		}
		via = (enum codectl_frame_via)rule.origin;
		lookup_pc = position.pc - 1;
	}
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
		if (!walk_fast(unwinder, &walk, &end)) {
			unwinder->stats.slow_samples++;
			walk.frame_count = 0;
			end = codectl_walk_slowly(&walk);
		}
		if (walk.stack.is_inconsistent)
			end = CODECTL_STACK_END_BAD_RULE;
	}
	unwinder->stats.frames += walk.frame_count;
	*frame_count = walk.frame_count;
	return end;
}
