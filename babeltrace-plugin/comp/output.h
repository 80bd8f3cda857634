/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/output.h: a file that appears whole or not at all. It is written under
 * a name of its own beside the target and renamed at the end; "-" is the
 * standard output, and what is no regular file (a pipe, /dev/null) is written
 * to as it is. One thread.
 */
#ifndef CODECTL_COMP_OUTPUT_H
#define CODECTL_COMP_OUTPUT_H

#include <stdio.h>

struct codectl_output {
	FILE *stream;	 /* Owned, unless it is stdout. */
	char *target;	 /* Owned; the name in the end; NULL: nothing to rename. */
	char *temporary; /* Owned; NULL: nothing to rename. */
};

/* Tells early whether @path can be written: 0 or a negative errno. */
int codectl_output_check(const char *path);

/* Opens it. Returns 0, or a negative errno with nothing left behind. */
int codectl_output_open(struct codectl_output *output, const char *path);

/*
 * Closes it. With @status 0 the file takes its name, otherwise it is removed.
 * Returns @status, or the error that closing or renaming met.
 */
int codectl_output_close(struct codectl_output *output, int status);

#endif /* CODECTL_COMP_OUTPUT_H */
