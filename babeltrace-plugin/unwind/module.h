/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/module.h: the unwind information of one ELF file as rows (see
 * format/row.h), independent of where it is loaded, so that processes share
 * it. Immutable after creation but for rows compiled on demand; one thread.
 *
 * A module has one source or several (unwind/source.h). The first that knows an
 * address answers, in this order: .eh_frame, .debug_frame, .sframe. Look-ups
 * allocate nothing, but for the first one that .sframe is asked.
 */
#ifndef CODECTL_UNWIND_MODULE_H
#define CODECTL_UNWIND_MODULE_H

#include "format/cfa-program.h"
#include "format/elf.h"
#include "unwind/unwind.h"

#include <stdint.h>

struct codectl_unwind_module;

struct codectl_unwind_module_stats {
	uint64_t fdes;		/* FDEs seen. */
	uint64_t compiled_fdes; /* Of those: compiled, all or those that were looked up. */
	uint64_t bad_fdes;	/* Dropped: malformed. */
	uint64_t rows;		/* Rows in the table. */
	uint64_t slow_rows;	/* Of those: only the full evaluator can run them. */
	uint64_t rules;		/* Distinct rules. */
};

/* What the first source that knows a pc says of it, for the walk with all registers. */
struct codectl_unwind_module_cfi {
	enum codectl_frame_via via;		   /* Which kind of source it is. */
	const struct codectl_cfi_section *section; /* Weak; owned by the module. */
	struct codectl_cfi_rules rules;
	uint8_t ra_reg;
	bool is_signal_frame;
};

/* The files of one object; all weak, and the bytes behind them must outlive the module. */
struct codectl_unwind_files {
	const struct codectl_elf *own;	 /* NULL: not at hand. */
	const struct codectl_elf *debug; /* Its separate debug file; NULL: none. */
	/* What a compressed .debug_frame in one of them unpacks to; bytes NULL: not known. */
	struct codectl_elf_range debug_frame;
	enum codectl_unwind_mode mode; /* Which kinds of source to take. */
};

/*
 * Takes what the files have to say: .eh_frame, found through its section or
 * through PT_GNU_EH_FRAME, .debug_frame, and .sframe, found like the first.
 * Addresses are those of `own`, or of `debug` without it. Returns 0, -ENOENT
 * (neither unwind information nor an entry: *@module is NULL), -EINVAL (not for
 * amd64, or no file) or -ENOMEM. Malformed parts are dropped and counted, the
 * rest is used.
 */
int codectl_unwind_module_create_from(
	const struct codectl_unwind_files *files, struct codectl_unwind_module **module);

/* The same of one file, @elf. */
int codectl_unwind_module_create(
	const struct codectl_elf *elf, struct codectl_unwind_module **module);

void codectl_unwind_module_destroy(struct codectl_unwind_module *module);

/* Whether it has no unwind information, and only knows where a process begins. */
bool codectl_unwind_module_is_empty(const struct codectl_unwind_module *module);

/* The sum over all sources; valid until asked for again. */
const struct codectl_unwind_module_stats *codectl_unwind_module_borrow_stats(
	const struct codectl_unwind_module *module);

/*
 * The rule that holds at @vaddr, an address as in the ELF file. Where nothing
 * is known its kind is CODECTL_RULE_NONE. The code at the file's entry is
 * CODECTL_RULE_OUTERMOST if no CFI covers it. Its origin is an enum
 * codectl_frame_via.
 */
struct codectl_rule codectl_unwind_module_find_rule(
	const struct codectl_unwind_module *module, uint64_t vaddr);

/* Whether a function begins at @vaddr, by any of the sources. */
bool codectl_unwind_module_has_start(const struct codectl_unwind_module *module, uint64_t vaddr);

/*
 * All that the source says about @vaddr. Returns 0, or -ENOENT where nothing is
 * known or it is malformed.
 */
int codectl_unwind_module_find_cfi(const struct codectl_unwind_module *module, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi);

#endif /* CODECTL_UNWIND_MODULE_H */
