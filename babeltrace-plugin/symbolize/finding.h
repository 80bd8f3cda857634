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
#include "symbolize/search.h"

/* Of one object. */
struct codectl_finder {
	struct codectl_object_search search; /* Its strings are weak. */
	char *pathname;			     /* Owned; as the trace has it. */
	unsigned int told; /* Two bits for each part: there was a note, normal or not. */
};

/* Returns 0 or -ENOMEM. */
int codectl_finder_init(struct codectl_finder *finder, const struct codectl_object_search *search,
	const char *pathname);

void codectl_finder_fini(struct codectl_finder *finder);

/* Tells that @what of @part could not be used; the first time. */
void codectl_finder_tell(struct codectl_finder *finder, enum codectl_object_part part,
	const char *what, const char *reason, bool is_normal);

/*
 * Opens the object's own file: in an archive, at the path the trace gives, by
 * build-id in the debug directories, or from a server. (For the vDSO: this
 * machine's if it is the same, else the image.) Returns 0, -ENOENT or -ENOMEM;
 * *@status tells how it went at the path.
 */
int codectl_finding_open_own(struct codectl_finder *finder,
	const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status);

/*
 * Opens the separate file with the debug information: by build-id in archives and
 * debug directories, else by debug link, else from a server. @own may be closed
 * (not found): then what the trace says decides alone. Returns 0, -ENOENT or -ENOMEM.
 */
int codectl_finding_open_debug(struct codectl_finder *finder,
	const struct codectl_object_identity *identity, const struct codectl_elf_file *own,
	struct codectl_elf_file *debug);

/*
 * Opens the supplementary file (dwz) of @from, which says that it is at @name and
 * has this build-id or checksum: by build-id, else there, be it relative. Returns 0, -ENOENT
 * or -ENOMEM.
 */
int codectl_finding_open_supplementary(struct codectl_finder *finder,
	const struct codectl_elf_file *from, const char *name, const uint8_t *build_id, size_t len,
	struct codectl_elf_file *file);

#endif /* CODECTL_SYMBOLIZE_FINDING_H */
