/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/module.h: the unwind information of one ELF file as rows (see
 * format/row.h), independent of where it is loaded, so that processes share
 * it. Immutable after creation but for rows compiled on demand; one thread.
 *
 * A module with little unwind information is compiled as a whole when it is
 * created. One with more only gets an index of its FDEs, and each FDE is
 * compiled when an address in it is looked up first. Memory for all rows is
 * reserved at creation, so that look-ups allocate nothing; pages of it that are
 * never written cost nothing.
 */
#ifndef CODECTL_UNWIND_MODULE_H
#define CODECTL_UNWIND_MODULE_H

#include "format/cfa-program.h"
#include "format/elf.h"
#include "unwind/unwind.h"

#include <stdint.h>

struct codectl_unwind_module;

struct codectl_unwind_module_stats {
	uint64_t fdes;	    /* FDEs seen. */
	uint64_t bad_fdes;  /* Dropped: malformed. */
	uint64_t rows;	    /* Rows in the table. */
	uint64_t slow_rows; /* Of those: only the full evaluator can run them. */
	uint64_t rules;	    /* Distinct rules. */
};

/* The source that knows most about a pc, for the walk with all registers. */
struct codectl_unwind_module_cfi {
	const struct codectl_cfi_section *section; /* Weak; owned by the module. */
	struct codectl_cfi_rules rules;
	uint8_t ra_reg;
	bool is_signal_frame;
};

/*
 * Takes what @elf has to say: .eh_frame found through its section or through
 * PT_GNU_EH_FRAME. The image behind @elf must outlive the module. Returns 0,
 * -ENOENT (no unwind information: *@module is NULL), -EINVAL (not for amd64)
 * or -ENOMEM. Malformed parts are dropped and counted, the rest is used.
 */
int codectl_unwind_module_create(
	const struct codectl_elf *elf, struct codectl_unwind_module **module);

void codectl_unwind_module_destroy(struct codectl_unwind_module *module);

const struct codectl_unwind_module_stats *codectl_unwind_module_borrow_stats(
	const struct codectl_unwind_module *module);

/* Which kind of source the module's unwind information is. */
enum codectl_frame_via codectl_unwind_module_via(const struct codectl_unwind_module *module);

/*
 * The rule that holds at @vaddr, an address as in the ELF file. Where nothing
 * is known its kind is CODECTL_RULE_NONE. The code at the file's entry is
 * CODECTL_RULE_OUTERMOST if nothing else is known of it. Its origin is an enum
 * codectl_frame_via.
 */
struct codectl_rule codectl_unwind_module_find_rule(
	const struct codectl_unwind_module *module, uint64_t vaddr);

/*
 * All that the source says about @vaddr. Returns 0, or -ENOENT where nothing is
 * known or it is malformed.
 */
int codectl_unwind_module_find_cfi(const struct codectl_unwind_module *module, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi);

#endif /* CODECTL_UNWIND_MODULE_H */
