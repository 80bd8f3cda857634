/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/dwarf-package.h: .dwp files: the split DWARF of many units, with an
 * index by their ids. Both kinds: the GNU extension of DWARF 4 and DWARF 5. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DWARF_PACKAGE_H
#define CODECTL_SYMBOLIZE_DWARF_PACKAGE_H

#include "symbolize/dwarf-sections.h"
#include "symbolize/finding.h"

/* All zero: closed. */
struct codectl_dwarf_package {
	struct codectl_elf_file file;
	struct codectl_dwarf_sections sections;
	struct codectl_elf_range index; /* Weak; .debug_cu_index. */
};

/* Opens the package at @path. Returns 0, -ENOENT with *@status, or -ENOMEM. */
int codectl_dwarf_package_open(struct codectl_dwarf_package *package, struct codectl_finder *finder,
	const char *path, enum codectl_object_status *status);

void codectl_dwarf_package_close(struct codectl_dwarf_package *package);

/*
 * Finds the unit with @id. Returns 0 with *@sections, to be freed by
 * codectl_dwarf_sections_fini() before the package is closed; -ENOENT or -ENOMEM.
 */
int codectl_dwarf_package_find(const struct codectl_dwarf_package *package, uint64_t id,
	struct codectl_dwarf_sections *sections);

#endif /* CODECTL_SYMBOLIZE_DWARF_PACKAGE_H */
