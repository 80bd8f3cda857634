/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/find-sections.h: where in the files of an object its CFI is: by the
 * names of sections, or by PT_GNU_EH_FRAME where there are no section headers.
 * Owns nothing; any thread. Private to unwind/.
 */
#ifndef CODECTL_UNWIND_FIND_SECTIONS_H
#define CODECTL_UNWIND_FIND_SECTIONS_H

#include "format/eh-frame.h"
#include "unwind/module.h"

/* Linkers write one section of a name; linker scripts may keep a few apart. */
#define CODECTL_FOUND_SECTION_MAX 8

struct codectl_found_section {
	struct codectl_cfi_section section;
	bool has_hdr; /* hdr has a search table of all its FDEs. */
	struct codectl_eh_frame_hdr hdr;
	uint64_t base;	/* Lowest address of the code in the file it is in. */
	uint64_t shift; /* From an address of the object's own file to one of that file. */
};

/*
 * Finds .eh_frame, then .debug_frame, each in the object's own file or else in
 * its debug file. Returns how many sections there are.
 */
size_t codectl_find_cfi_sections(const struct codectl_unwind_files *files,
	struct codectl_found_section found[static CODECTL_FOUND_SECTION_MAX]);

#endif /* CODECTL_UNWIND_FIND_SECTIONS_H */
