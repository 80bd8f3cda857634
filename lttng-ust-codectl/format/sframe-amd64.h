/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/sframe-amd64.h: what SFrame says, as rules (format/row.h) and as the
 * rules of call frame information (format/eh-frame.h), for amd64. Owns nothing,
 * allocates nothing; async-signal-safe if the callback is.
 */
#ifndef CODECTL_FORMAT_SFRAME_AMD64_H
#define CODECTL_FORMAT_SFRAME_AMD64_H

#include "format/eh-frame.h"
#include "format/row.h"
#include "format/sframe.h"

/* Rows that one function of repeated blocks may have, at most. */
#define CODECTL_SFRAME_REPEAT_MAX 4096

/*
 * Takes the rule that holds in [start, end), never empty. Calls come in
 * ascending order and without gaps from the function's start to its end.
 * Returns 0, or another value to stop, which is returned.
 */
typedef int codectl_sframe_rule_function(
	void *user, uint64_t start, uint64_t end, struct codectl_rule rule);

/*
 * Hands the rules of @fde to @take. Code about which nothing is said has
 * CODECTL_RULE_NONE. Repeated blocks come as one rule if one can say it, else one by
 * one. Returns 0, what @take returned if not 0, or -EINVAL (malformed or too
 * many blocks, and rules given until then are not to be trusted).
 */
int codectl_sframe_run_rules(const struct codectl_sframe *sframe,
	const struct codectl_sframe_fde *fde, codectl_sframe_rule_function *take, void *user);

/* The rule that says as much of @fre as a rule can; see format/row.h. */
struct codectl_rule codectl_rule_from_sframe(
	const struct codectl_sframe_fde *fde, const struct codectl_sframe_fre *fre);

/* Room for the expressions of one row: each a length, a register, an offset, a dereference. */
#define CODECTL_SFRAME_EXPRESSIONS_MAX (3 * 12)

/*
 * Says @fre as rules of call frame information, for who has all registers.
 * Registers that SFrame does not speak of are undefined in the caller. The
 * expressions that this takes are written to @expressions, which are all of
 * @section then.
 */
void codectl_sframe_to_cfi(const struct codectl_sframe_fre *fre, struct codectl_cfi_rules *rules,
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX], struct codectl_cfi_section *section);

#endif /* CODECTL_FORMAT_SFRAME_AMD64_H */
