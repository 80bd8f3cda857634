/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/sframe-source.h: the rows of .sframe. It is asked where there is no
 * CFI, which in most files is nowhere; so it is compiled, as a whole, when
 * something is looked up in it first. Private to unwind/; one thread.
 */
#ifndef CODECTL_UNWIND_SFRAME_SOURCE_H
#define CODECTL_UNWIND_SFRAME_SOURCE_H

#include "unwind/source.h"

/*
 * Finds .sframe of @elf, which must outlive the source, by its section or by
 * PT_GNU_SFRAME. Returns 0 with *@source owned by the caller, -ENOENT (there is
 * none, or it is malformed or not for amd64, or there is no function in it) or
 * -ENOMEM. Malformed functions are dropped and counted.
 */
int codectl_sframe_source_create(
	const struct codectl_elf *elf, struct codectl_unwind_source **source);

/*
 * The same of the section @range, whose bytes must outlive the source. @base: the
 * lowest address of the code.
 */
int codectl_sframe_source_create_of(const struct codectl_elf_range *range, uint64_t base,
	struct codectl_unwind_source **source);

#endif /* CODECTL_UNWIND_SFRAME_SOURCE_H */
