/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/row.h: the one form that all unwind information takes. A row says
 * that from its pc on (up to the next row's pc) a rule holds; a table of rows
 * is a sorted column of u32 pcs beside a column of u16 numbers of rules, which
 * are few and shared. Plain data; any context.
 *
 * A rule leads from a frame to its caller by SP, FP and pc alone: the CFA
 * (canonical frame address, which is the caller's SP) by its kind, the return
 * address in the word below the CFA, and FP by its own kind. What takes more
 * than that (another register, an expression, a return address elsewhere, a
 * signal frame) is a slow rule: it only says that the source of the row has to
 * be asked again, with all registers at hand.
 */
#ifndef CODECTL_FORMAT_ROW_H
#define CODECTL_FORMAT_ROW_H

#include <stdbool.h>
#include <stdint.h>

enum codectl_rule_kind {
	CODECTL_RULE_NONE,	/* Nothing is known here: a gap, or the end of the table. */
	CODECTL_RULE_OUTERMOST, /* There is no caller: the return address is undefined. */
	CODECTL_RULE_SP,	/* CFA = SP + cfa. */
	CODECTL_RULE_FP,	/* CFA = FP + cfa. */
	/*
	 * A stub of 16 bytes which pushes a word on the way:
	 * CFA = SP + cfa + (pc % 16 >= fp ? 8 : 0), and FP is the caller's.
	 */
	CODECTL_RULE_PLT,
	CODECTL_RULE_FP_DEREF,	/* CFA = *(FP + cfa): the stack was realigned. */
	CODECTL_RULE_SLOW_REG,	/* The CFA is a register and an offset, but not all is simple. */
	CODECTL_RULE_SLOW_EXPR, /* The CFA is an expression. */
	CODECTL_RULE_KIND_COUNT
};

/* Where the caller's FP is. */
enum codectl_rule_fp {
	CODECTL_RULE_FP_SAME,	/* Still in FP. */
	CODECTL_RULE_FP_AT_CFA, /* In memory, at CFA + fp. */
	CODECTL_RULE_FP_AT_FP,	/* In memory, at FP + fp. */
	CODECTL_RULE_FP_UNDEFINED,
};

/*
 * A rule, packed: from the low bits on, cfa (32, signed), fp (16, signed), kind
 * (8), fp kind (2), is-signal (2: 0 or 1), origin (4). It is a number, so that
 * the loops which make, compare and run rules by the million keep them in
 * registers.
 */
struct codectl_rule {
	uint64_t bits;
};

static inline struct codectl_rule codectl_rule_make(
	enum codectl_rule_kind kind, int32_t cfa, enum codectl_rule_fp fp_kind, int16_t fp)
{
	return (struct codectl_rule){(uint32_t)cfa | (uint64_t)(uint16_t)fp << 32 |
				     (uint64_t)kind << 48 | (uint64_t)fp_kind << 56};
}

/* A rule of a kind that needs nothing else. @is_signal: the caller was interrupted, not called. */
static inline struct codectl_rule codectl_rule_make_bare(
	enum codectl_rule_kind kind, bool is_signal)
{
	return (struct codectl_rule){(uint64_t)kind << 48 | (uint64_t)is_signal << 58};
}

static inline enum codectl_rule_kind codectl_rule_kind(struct codectl_rule rule)
{
	return (enum codectl_rule_kind)(rule.bits >> 48 & 0xff);
}

static inline int32_t codectl_rule_cfa(struct codectl_rule rule)
{
	return (int32_t)rule.bits;
}

static inline struct codectl_rule codectl_rule_with_cfa(struct codectl_rule rule, int32_t cfa)
{
	return (struct codectl_rule){(rule.bits & ~(uint64_t)UINT32_MAX) | (uint32_t)cfa};
}

static inline enum codectl_rule_fp codectl_rule_fp_kind(struct codectl_rule rule)
{
	return (enum codectl_rule_fp)(rule.bits >> 56 & 3);
}

static inline int16_t codectl_rule_fp(struct codectl_rule rule)
{
	return (int16_t)(rule.bits >> 32);
}

static inline bool codectl_rule_is_signal(struct codectl_rule rule)
{
	return rule.bits >> 58 & 1;
}

/* Whether the rule leads to the caller by itself. */
static inline bool codectl_rule_is_fast(struct codectl_rule rule)
{
	enum codectl_rule_kind kind = codectl_rule_kind(rule);

	return kind >= CODECTL_RULE_SP && kind <= CODECTL_RULE_FP_DEREF;
}

static inline bool codectl_rule_is_slow(struct codectl_rule rule)
{
	return codectl_rule_kind(rule) >= CODECTL_RULE_SLOW_REG;
}

/* For who keeps rules of several sources: which one it was, from 0 to 15. */
static inline unsigned int codectl_rule_origin(struct codectl_rule rule)
{
	return (unsigned int)(rule.bits >> 60);
}

static inline struct codectl_rule codectl_rule_with_origin(
	struct codectl_rule rule, unsigned int origin)
{
	return (struct codectl_rule){(rule.bits & ~(UINT64_C(0xf) << 60)) | (uint64_t)origin << 60};
}

#endif /* CODECTL_FORMAT_ROW_H */
