/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/unrecorded.h: the programs to which nothing could be preloaded, as the
 * recorded ones that started them tell (codectl:unrecorded_program). One thread.
 */
#ifndef CODECTL_CLI_UNRECORDED_H
#define CODECTL_CLI_UNRECORDED_H

#include "format/program.h"

#include <stddef.h>
#include <stdint.h>

/* Programs that are told apart; there may be more. */
#define CODECTL_UNRECORDED_MAX 64

struct codectl_unrecorded_program {
	char path[CODECTL_PROGRAM_PATH_MAX];
	uint32_t kind; /* enum codectl_program_kind. */
	uint64_t count;
};

/* Begins as zeros. */
struct codectl_unrecorded {
	size_t program_count;
	struct codectl_unrecorded_program programs[CODECTL_UNRECORDED_MAX];
	uint64_t others; /* Starts of all others. */
};

/* Adds @count starts; values out of a trace, an empty @path for programs without a name. */
void codectl_unrecorded_add(
	struct codectl_unrecorded *unrecorded, const char *path, uint64_t kind, uint64_t count);

/* Tells the user, if there is anything to tell; puts the programs in order for it. */
void codectl_unrecorded_say(struct codectl_unrecorded *unrecorded);

#endif /* CODECTL_CLI_UNRECORDED_H */
