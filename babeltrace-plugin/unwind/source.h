/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/source.h: one source of unwind information of an ELF file (a section
 * of CFI, of SFrame …). A module keeps a list of them and asks one after the
 * other until one knows an address; each kind of source embeds this struct as
 * its first member. Private to unwind/; one thread.
 */
#ifndef CODECTL_UNWIND_SOURCE_H
#define CODECTL_UNWIND_SOURCE_H

#include "format/row.h"
#include "unwind/module.h"

struct codectl_unwind_source;

struct codectl_unwind_source_ops {
	/* The rule at @vaddr, with its origin; of kind CODECTL_RULE_NONE where it knows nothing. */
	struct codectl_rule (*find_rule)(
		const struct codectl_unwind_source *source, uint64_t vaddr);
	/* All it has to say about @vaddr, but cfi->via. Returns 0 or -ENOENT. */
	int (*find_cfi)(const struct codectl_unwind_source *source, uint64_t vaddr,
		struct codectl_unwind_module_cfi *cfi);
	/* Where the next function that it knows begins, above @vaddr; UINT64_MAX: nowhere. */
	uint64_t (*next_start)(const struct codectl_unwind_source *source, uint64_t vaddr);
	/* Adds its figures to @stats. */
	void (*add_stats)(const struct codectl_unwind_source *source,
		struct codectl_unwind_module_stats *stats);
	void (*destroy)(struct codectl_unwind_source *source);
};

struct codectl_unwind_source {
	const struct codectl_unwind_source_ops *ops; /* Weak; static. */
	enum codectl_frame_via via;
	/* What to add to an address of the module's file for one of the source's: see prelink(8). */
	uint64_t shift;
	struct codectl_unwind_source *next; /* Owned by the module. */
};

/* Makes a module that has @source alone, which it takes over. Returns 0 or -ENOMEM. */
int codectl_unwind_module_create_of(
	struct codectl_unwind_source *source, struct codectl_unwind_module **module);

#endif /* CODECTL_UNWIND_SOURCE_H */
