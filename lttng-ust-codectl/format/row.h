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

/* The caller was interrupted there, not called from there. Only with a slow kind. */
#define CODECTL_RULE_FLAG_SIGNAL 0x1

struct codectl_rule {
	int32_t cfa;
	int16_t fp;
	uint8_t kind;	     /* enum codectl_rule_kind. */
	uint8_t fp_kind : 2; /* enum codectl_rule_fp. */
	uint8_t flags : 2;
	uint8_t origin : 4; /* For who keeps rules of several sources: which one it was. */
};

_Static_assert(sizeof(struct codectl_rule) == 8, "rules are compared and kept by the million");

static inline bool codectl_rule_is_slow(const struct codectl_rule *rule)
{
	return rule->kind >= CODECTL_RULE_SLOW_REG;
}

#endif /* CODECTL_FORMAT_ROW_H */
