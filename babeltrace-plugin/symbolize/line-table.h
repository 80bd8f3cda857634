/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/line-table.h: the line table of one compile unit, DWARF 2 to 5, read
 * once into rows for binary search. Sequences stay apart and those of code that
 * the linker dropped are left out: they seem to lie at address 0 and following,
 * and mixed with the others (as libdw does) they give wrong lines to whatever is
 * linked with --gc-sections. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_LINE_TABLE_H
#define CODECTL_SYMBOLIZE_LINE_TABLE_H

#include "symbolize/line-files.h"
#include "symbolize/ranges.h"

struct codectl_line_table;

/*
 * Reads the table at @offset of .debug_line. @sections and @comp_dir (may be
 * NULL) must outlive it; only sequences that start in @code are kept. The length
 * of the program is taken off *@budget, which hostile units that share one use
 * up: then the table stays empty. Returns 0 with *@table owned by the
 * caller, or -ENOMEM. A damaged table holds what came before the damage.
 */
int codectl_line_table_create(const struct codectl_line_sections *sections, uint64_t offset,
	const char *comp_dir, const struct codectl_ranges *code, size_t *budget,
	struct codectl_line_table **table);

void codectl_line_table_destroy(struct codectl_line_table *table);

/* The memory that it takes, in bytes, without the names of files. */
size_t codectl_line_table_size(const struct codectl_line_table *table);

/*
 * Returns 0, or -ENOENT if no row holds @vaddr. *@path is weak as long as the
 * table; *@line may be 0: code of no line.
 */
int codectl_line_table_find(
	struct codectl_line_table *table, uint64_t vaddr, const char **path, uint32_t *line);

/* The path of the source file that has the number @file in the unit; weak, NULL without. */
const char *codectl_line_table_path(struct codectl_line_table *table, uint64_t file);

#endif /* CODECTL_SYMBOLIZE_LINE_TABLE_H */
