/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/finding.h: where the files of an object are. The build-id decides:
 * a file with another one is never used. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_FINDING_H
#define CODECTL_SYMBOLIZE_FINDING_H

#include "symbolize/elf-file.h"

/*
 * Opens the object's own file, at the path the trace gives (for the vDSO: this
 * machine's if it is the same, else the image). Returns 0, -ENOENT or -ENOMEM; *@status tells
 * how it went.
 */
int codectl_finding_open_own(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status);

/*
 * Opens the separate file with the debug information: by build-id in the debug
 * directories, else by debug link. @own may be closed (not found): then what
 * the trace says decides alone. Returns 0, -ENOENT or -ENOMEM.
 */
int codectl_finding_open_debug(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, const struct codectl_elf_file *own,
	struct codectl_elf_file *debug);

/*
 * Opens the file with @build_id in the debug directories, having DWARF or a
 * symbol table. Returns 0, -ENOENT or -ENOMEM.
 */
int codectl_finding_open_by_build_id(const struct codectl_object_search *search,
	const uint8_t *build_id, size_t len, struct codectl_elf_file *debug);

#endif /* CODECTL_SYMBOLIZE_FINDING_H */
