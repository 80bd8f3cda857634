/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/module.h: the unwind information of one ELF file as rows (see
 * format/row.h), independent of where it is loaded, so that processes share
 * it. Immutable after creation but for rows compiled on demand; one thread.
 */
#ifndef CODECTL_UNWIND_MODULE_H
#define CODECTL_UNWIND_MODULE_H

#include "format/elf.h"

#include <stdint.h>

struct codectl_unwind_module;

struct codectl_unwind_module_stats {
	uint64_t fdes;	    /* FDEs seen. */
	uint64_t bad_fdes;  /* Dropped: malformed. */
	uint64_t rows;	    /* Rows in the table. */
	uint64_t slow_rows; /* Of those: only the full evaluator can run them. */
	uint64_t rules;	    /* Distinct rules. */
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

#endif /* CODECTL_UNWIND_MODULE_H */
