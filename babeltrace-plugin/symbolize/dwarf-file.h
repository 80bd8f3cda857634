/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/dwarf-file.h: libdw on the DWARF of one file and of its supplementary
 * file. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DWARF_FILE_H
#define CODECTL_SYMBOLIZE_DWARF_FILE_H

#include "symbolize/dwarf-sections.h"

#include <elfutils/libdw.h>

/* All zero: closed. */
struct codectl_dwarf_file {
	struct codectl_dwarf_sections sections;
	struct codectl_dwarf_image image;
	Dwarf *dwarf; /* Owned. */
	/* The supplementary file; closed if there is none. */
	struct codectl_elf_file alt_file;
	struct codectl_dwarf_sections alt_sections;
	struct codectl_dwarf_image alt_image;
	Dwarf *alt; /* Owned. */
};

/*
 * Opens the DWARF of @elf, which must outlive it. A supplementary file is looked
 * for by @finder. Entries and lines are not fetched yet, but for what libdw reads
 * to list the units. Returns 0, -ENOENT (libdw cannot use it) or -ENOMEM; then
 * @file is closed.
 */
int codectl_dwarf_file_open(struct codectl_finder *finder, struct codectl_elf_file *elf,
	struct codectl_dwarf_file *file);

void codectl_dwarf_file_close(struct codectl_dwarf_file *file);

#endif /* CODECTL_SYMBOLIZE_DWARF_FILE_H */
