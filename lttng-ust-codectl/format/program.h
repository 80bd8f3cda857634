/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/program.h: whether a library can be preloaded to a program, which is
 * what recording it takes. Looks at the file; allocates nothing, owns nothing,
 * keeps errno. Any thread, async-signal-safe; two KiB of stack.
 */
#ifndef CODECTL_FORMAT_PROGRAM_H
#define CODECTL_FORMAT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The values are in traces, never renumber them. */
enum codectl_program_kind {
	CODECTL_PROGRAM_FINE = 0,
	CODECTL_PROGRAM_STATIC = 1,	   /* It has no loader. */
	CODECTL_PROGRAM_PRIVILEGED = 2,	   /* It raises its rights: the loader preloads nothing. */
	CODECTL_PROGRAM_OTHER_LIBC = 3,	   /* Its loader is not glibc's. */
	CODECTL_PROGRAM_OTHER_MACHINE = 4, /* An ELF file, but not for amd64. */
	CODECTL_PROGRAM_NO_PRELOAD = 5,	   /* The environment that it gets lacks our libraries. */
	CODECTL_PROGRAM_KIND_COUNT
};

/* Room for the path of a program; what is longer is not looked at. */
#define CODECTL_PROGRAM_PATH_MAX 512

/*
 * What the kernel runs for @path: a program, or what interprets a script; its path is
 * written to @path then. Returns an enum codectl_program_kind, or a negative
 * errno if there is nothing that could be run.
 */
int codectl_program_look(char path[CODECTL_PROGRAM_PATH_MAX]);

/*
 * Writes the path that execvp() would run for @file: the first one in @folders (as
 * PATH has them; NULL: the default) that can be run. Returns whether there is one.
 */
bool codectl_program_find(
	const char *file, const char *folders, char path[CODECTL_PROGRAM_PATH_MAX]);

/* A few words for a user: "static"; NULL for a value that is none, or CODECTL_PROGRAM_FINE. */
const char *codectl_program_kind_text(int kind);

#endif /* CODECTL_FORMAT_PROGRAM_H */
