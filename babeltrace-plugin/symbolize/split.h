/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/split.h: split DWARF. Of a unit compiled with -gsplit-dwarf the object
 * has a skeleton; the rest is in a .dwo file, or with that of others in a .dwp
 * package. libdw knows no packages, and opens .dwo files where the skeleton says,
 * whatever is there. So we find, check and read them, and give libdw a copy.
 * One thread.
 */
#ifndef CODECTL_SYMBOLIZE_SPLIT_H
#define CODECTL_SYMBOLIZE_SPLIT_H

#include "symbolize/dwarf-file.h"
#include "symbolize/dwarf-package.h"
#include "symbolize/finding.h"

#include <elfutils/libdw.h>

/* A file that was used. */
struct codectl_split_file {
	char *path; /* Owned; where it is. */
	char *name; /* Owned; its path in the world of the trace. */
};

/* Of one object. All zero: nothing was looked for. */
struct codectl_split {
	struct codectl_finder *finder; /* Weak. */
	char *path; /* Owned; of the file with the skeletons, NULL: it has none. */
	struct codectl_dwarf_package package;
	bool has_tried_package;
	struct codectl_split_file *used; /* Owned. */
	size_t used_count;
};

/* @finder must outlive it; @file has the skeletons. Returns 0 or -ENOMEM. */
int codectl_split_init(struct codectl_split *split, struct codectl_finder *finder,
	const struct codectl_elf_file *file);

void codectl_split_fini(struct codectl_split *split);

/*
 * Finds the rest of the unit with the entry @skeleton, of the DWARF in @file:
 * *@die is its entry, as long as the Dwarf of the skeleton. Returns 0 or -ENOENT.
 */
int codectl_split_find(struct codectl_split *split, struct codectl_dwarf_file *file,
	Dwarf_Die *skeleton, Dwarf_Die *die);

#endif /* CODECTL_SYMBOLIZE_SPLIT_H */
