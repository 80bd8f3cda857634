/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/cfa-program.h"

#include "format/dwarf-constants.h"
#include "format/reader.h"

/*
 * The expression that linkers give lazy PLT stubs:
 * breg7 (rsp) cfa; breg16 (rip) 0; lit15; and; lit N; ge; lit3; shl; plus.
 */
static bool match_plt(const uint8_t *expr, size_t len, struct codectl_rule *rule)
{
	static const uint8_t tail[] = {DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl, DW_OP_plus};
	struct codectl_reader reader;
	int64_t cfa;
	const uint8_t *rest;

	codectl_reader_init(&reader, expr, len);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RSP)
		return false;
	cfa = codectl_reader_sleb128(&reader);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RIP ||
		codectl_reader_sleb128(&reader) != 0)
		return false;
	rest = codectl_reader_bytes(&reader, 3 + sizeof(tail));
	if (!rest || codectl_reader_left(&reader) || rest[0] != DW_OP_lit0 + 15 ||
		rest[1] != DW_OP_and || rest[2] < DW_OP_lit0 || rest[2] > DW_OP_lit0 + 15 ||
		memcmp(rest + 3, tail, sizeof(tail)) != 0 || cfa != (int32_t)cfa)
		return false;
	*rule = codectl_rule_make(CODECTL_RULE_PLT, (int32_t)cfa, CODECTL_RULE_FP_SAME,
		(int16_t)(rest[2] - DW_OP_lit0));
	return true;
}

/* breg6 (rbp) @offset, and @has_deref behind it: how realigned frames find things. */
static bool match_fp(const uint8_t *expr, size_t len, bool has_deref, int32_t *offset)
{
	struct codectl_reader reader;
	int64_t value;

	codectl_reader_init(&reader, expr, len);
	if (codectl_reader_u8(&reader) != DW_OP_breg0 + CODECTL_AMD64_RBP)
		return false;
	value = codectl_reader_sleb128(&reader);
	if (has_deref && codectl_reader_u8(&reader) != DW_OP_deref)
		return false;
	*offset = (int32_t)value;
	return !reader.is_failed && !codectl_reader_left(&reader) && value == *offset;
}

/* Where the caller's FP is. Returns whether a rule can say it. */
static bool find_rule_fp(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, enum codectl_rule_fp *fp_kind, int32_t *fp)
{
	const uint8_t *expr;
	size_t len;

	*fp = rules->values[CODECTL_AMD64_RBP];
	switch (rules->kinds[CODECTL_AMD64_RBP]) {
	case CODECTL_CFI_UNSPECIFIED: /* The callee saves it, so nobody touched it. */
	case CODECTL_CFI_SAME:
		*fp_kind = CODECTL_RULE_FP_SAME;
		return true;
	case CODECTL_CFI_UNDEFINED:
		*fp_kind = CODECTL_RULE_FP_UNDEFINED;
		return true;
	case CODECTL_CFI_OFFSET:
		*fp_kind = CODECTL_RULE_FP_AT_CFA;
		return *fp == (int16_t)*fp;
	case CODECTL_CFI_EXPRESSION:
		expr = codectl_cfi_expression(section, *fp, &len);
		*fp_kind = CODECTL_RULE_FP_AT_FP;
		return expr && match_fp(expr, len, false, fp) && *fp == (int16_t)*fp;
	default:
		return false;
	}
}

/* Where the CFA is an expression: one of those that a rule can say? */
static bool make_expression_rule(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, enum codectl_rule_fp fp_kind, int16_t fp,
	struct codectl_rule *rule)
{
	size_t len;
	const uint8_t *expr = codectl_cfi_expression(section, rules->cfa_expression, &len);
	int32_t cfa;

	if (!expr)
		return false;
	if (fp_kind == CODECTL_RULE_FP_SAME && match_plt(expr, len, rule))
		return true;
	if (!match_fp(expr, len, true, &cfa))
		return false;
	*rule = codectl_rule_make(CODECTL_RULE_FP_DEREF, cfa, fp_kind, fp);
	return true;
}

/* A rule that leads on by SP, FP and pc, if there is one. */
static bool make_fast_rule(const struct codectl_cfi_section *section,
	const struct codectl_cfi_rules *rules, struct codectl_rule *rule)
{
	enum codectl_rule_fp fp_kind;
	int32_t fp;

	if (rules->kinds[CODECTL_AMD64_RIP] != CODECTL_CFI_OFFSET ||
		rules->values[CODECTL_AMD64_RIP] != -8 ||
		rules->kinds[CODECTL_AMD64_RSP] != CODECTL_CFI_UNSPECIFIED ||
		!find_rule_fp(section, rules, &fp_kind, &fp))
		return false;
	if (rules->cfa_kind == CODECTL_CFA_EXPRESSION)
		return make_expression_rule(section, rules, fp_kind, (int16_t)fp, rule);
	if (rules->cfa_reg != CODECTL_AMD64_RSP && rules->cfa_reg != CODECTL_AMD64_RBP)
		return false;
	*rule = codectl_rule_make(
		rules->cfa_reg == CODECTL_AMD64_RSP ? CODECTL_RULE_SP : CODECTL_RULE_FP,
		rules->cfa_offset, fp_kind, (int16_t)fp);
	return true;
}

struct codectl_rule codectl_rule_from_cfi(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_rules *rules)
{
	struct codectl_rule rule;

	if (rules->kinds[cie->ra_reg] == CODECTL_CFI_UNDEFINED)
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	if (!cie->is_signal_frame && cie->ra_reg == CODECTL_AMD64_RIP &&
		make_fast_rule(section, rules, &rule))
		return rule;
	return codectl_rule_make_bare(rules->cfa_kind == CODECTL_CFA_REGISTER
					      ? CODECTL_RULE_SLOW_REG
					      : CODECTL_RULE_SLOW_EXPR,
		cie->is_signal_frame);
}
