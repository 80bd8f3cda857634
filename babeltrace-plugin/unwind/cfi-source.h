/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/cfi-source.h: the rows of one section of CFI, .eh_frame or
 * .debug_frame. A small section is compiled as a whole when the source is
 * created. Of a larger one there is only an index of its FDEs, and each FDE is
 * compiled when an address in it is looked up first. Memory for all rows is
 * reserved at creation, so that look-ups allocate nothing; pages of it that are
 * never written cost nothing. Private to unwind/; one thread.
 */
#ifndef CODECTL_UNWIND_CFI_SOURCE_H
#define CODECTL_UNWIND_CFI_SOURCE_H

#include "unwind/source.h"

/*
 * Compiles @section, whose bytes must outlive the source. @base: the lowest
 * address of the code. @hdr: a search table of its FDEs that may be trusted to
 * name them all; NULL if there is none. Returns 0 with *@source owned by the
 * caller, -ENOENT (there is no FDE in it) or -ENOMEM. Malformed parts are
 * dropped and counted.
 */
int codectl_cfi_source_create(const struct codectl_cfi_section *section,
	const struct codectl_eh_frame_hdr *hdr, uint64_t base,
	struct codectl_unwind_source **source);

#endif /* CODECTL_UNWIND_CFI_SOURCE_H */
