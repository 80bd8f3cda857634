/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/archive.h: copies of the files that an analysis has used, in a directory
 * where another one finds them, on any machine:
 *
 *   .build-id/xx/yyy, .build-id/xx/yyy.debug   what has a build-id
 *   PATH                                       the rest; for objects a link to the above
 *
 * What is there already stays. Paths come from traces: none leads out of the
 * directory. One thread.
 */
#ifndef CODECTL_COMP_ARCHIVE_H
#define CODECTL_COMP_ARCHIVE_H

#include "comp/log.h"
#include "symbolize/object-file.h"

struct codectl_archive;

/*
 * Makes the directory @path if there is none. @log is weak, and outlives it.
 * Returns 0 with *@archive owned by the caller, or a negative errno.
 */
int codectl_archive_create(
	const char *path, const struct codectl_log *log, struct codectl_archive **archive);

void codectl_archive_destroy(struct codectl_archive *archive);

/*
 * Copies the files of an object. What cannot be read is reported; what cannot be
 * written is remembered.
 */
void codectl_archive_add(struct codectl_archive *archive, const struct codectl_object_file *file);

/* 0, or the first error of writing, a negative errno. */
int codectl_archive_error(const struct codectl_archive *archive);

#endif /* CODECTL_COMP_ARCHIVE_H */
