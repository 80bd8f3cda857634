/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/cfa-program.h: runs the CFA programs of CIEs and FDEs (DWARF 5,
 * section 6.4.2), and makes rules of row tables out of what they say. Programs
 * are untrusted: time is linear in their length, remembered states are
 * bounded. Owns nothing, allocates nothing; async-signal-safe if the callback
 * is.
 */
#ifndef CODECTL_FORMAT_CFA_PROGRAM_H
#define CODECTL_FORMAT_CFA_PROGRAM_H

#include "format/eh-frame.h"
#include "format/row.h"

/*
 * Takes what holds in [start, end), never empty. Rows come in ascending order
 * and without gaps from the FDE's start to its end. Returns 0, or another value
 * to stop the program, which is returned. @rules is valid during the call.
 */
typedef int codectl_cfa_row_function(
	void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules);

/*
 * Runs the program of @fde. Returns 0, what @row returned if not 0, or -EINVAL
 * (malformed, and rows given until then are not to be trusted).
 */
int codectl_cfa_program_run(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde,
	codectl_cfa_row_function *row, void *user);

/* Takes the rule that holds from @start on. Returns as above. */
typedef int codectl_cfa_rule_function(void *user, uint64_t start, struct codectl_rule rule);

/*
 * As above, but hands out the rules that codectl_rule_from_cfi() makes of the
 * rows, each once: where it begins to hold. The last one holds until the FDE's
 * end.
 */
int codectl_cfa_program_run_rules(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde,
	codectl_cfa_rule_function *take_rule, void *user);

/*
 * Runs the program of a CIE, @len bytes at @offset of the section, and leaves
 * what it says in cie->initial. Returns 0 or -EINVAL.
 */
int codectl_cfa_program_run_initial(const struct codectl_cfi_section *section,
	struct codectl_cfi_cie *cie, size_t offset, size_t len);

/* The rule that says as much of @rules as a rule can; see format/row.h. */
struct codectl_rule codectl_rule_from_cfi(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_rules *rules);

#endif /* CODECTL_FORMAT_CFA_PROGRAM_H */
