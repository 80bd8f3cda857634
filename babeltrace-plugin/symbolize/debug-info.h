/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/debug-info.h: source lines and functions by address, out of the
 * DWARF of one file. libdw finds the compile units and reads their entries; the
 * indexes for look-ups, and the line tables, are our own. A unit is found by
 * binary search; what it holds is read on the first hit in it. One thread.
 * Damaged DWARF is DWARF that knows less.
 */
#ifndef CODECTL_SYMBOLIZE_DEBUG_INFO_H
#define CODECTL_SYMBOLIZE_DEBUG_INFO_H

#include "symbolize/elf-file.h"
#include "symbolize/finding.h"
#include "symbolize/parts.h"
#include "symbolize/functions.h"

struct codectl_debug_info;

/*
 * Opens the DWARF of @file, which must outlive it; a supplementary file (dwz)
 * is looked for by @finder. Returns 0 with *@info owned by
 * the caller, -ENOENT (libdw cannot use the file) or -ENOMEM.
 */
int codectl_debug_info_create(struct codectl_finder *finder, struct codectl_elf_file *file,
	struct codectl_debug_info **info);

void codectl_debug_info_destroy(struct codectl_debug_info *info);

/* Tells of the files besides that one which were read: what @visit returned, else 0. */
int codectl_debug_info_for_each_part(
	const struct codectl_debug_info *info, codectl_object_part_visit *visit, void *user);

/*
 * If what was read of the units takes more than @max bytes it is freed, to be
 * read again when it is needed. Returns whether it was: then nothing that was
 * told before is valid any more.
 */
bool codectl_debug_info_trim(struct codectl_debug_info *info, size_t max);

/*
 * The source line of any address, not only of the first in a row. Returns 0
 * with *@path weak as long as @info, or -ENOENT. *@line is 0 where the compiler
 * says that the code comes from no line.
 */
int codectl_debug_info_find_source(
	struct codectl_debug_info *info, uint64_t vaddr, const char **path, uint32_t *line);

/* One function of a chain of inlined calls. */
struct codectl_debug_info_level {
	/* Whose names are; both weak, as the path of a source. */
	struct codectl_functions *functions;
	struct codectl_function *function;
	bool is_inlined;
	uint64_t entry; /* Where the function begins. */
	/* Where it was called, if it was inlined. NULL and 0 if unknown. */
	const char *call_path;
	uint32_t call_line;
};

#define CODECTL_DEBUG_INFO_LEVELS_MAX CODECTL_FUNCTIONS_DEPTH_MAX

/*
 * The functions at an address, from the innermost inlined one to the one into
 * which the others were inlined. Returns their number, 0 if none is known.
 */
size_t codectl_debug_info_find_chain(struct codectl_debug_info *info, uint64_t vaddr,
	struct codectl_debug_info_level levels[static CODECTL_DEBUG_INFO_LEVELS_MAX]);

/* The name of the function of a level, weak as that; "" if unknown. */
const char *codectl_debug_info_name(const struct codectl_debug_info_level *level);

/* The same without namespace and parameters. */
const char *codectl_debug_info_plain_name(const struct codectl_debug_info_level *level);

#endif /* CODECTL_SYMBOLIZE_DEBUG_INFO_H */
