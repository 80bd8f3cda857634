/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/parts.h: which files an object was read from, for who wants to keep
 * them. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_PARTS_H
#define CODECTL_SYMBOLIZE_PARTS_H

#include "symbolize/search.h"

/* A file. All weak, during the call. */
struct codectl_object_part_file {
	enum codectl_object_part part;
	const char *path; /* Where it is. */
	/* Where it is looked for in the world of the trace, if not by build-id; "": nowhere. */
	const char *name;
	const uint8_t *build_id;
	size_t build_id_len; /* 0: it has none. */
};

/* Returns 0 to go on. */
typedef int codectl_object_part_visit(void *user, const struct codectl_object_part_file *file);

/*
 * Writes the contents of the file to @fd, if it is still the one that it was: with
 * the same build-id, if it has one. Returns 0 or a negative errno, -ENOENT if it
 * is gone or another one.
 */
int codectl_object_part_copy(const struct codectl_object_part_file *file, int fd);

#endif /* CODECTL_SYMBOLIZE_PARTS_H */
