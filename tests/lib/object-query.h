/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/object-query.h: asks symbolize/ for programs that the test compiles
 * in its fixture, as a trace would name them.
 */
#ifndef CODECTL_TESTS_OBJECT_QUERY_H
#define CODECTL_TESTS_OBJECT_QUERY_H

#include "symbolize/object-file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The paths of build-ids and debug links: an object in a directory of the test. */
struct object_query {
	struct codectl_object_search search;
	struct codectl_object_identity identity;
	const char *debug_dirs[2];
	uint8_t build_id[64];
	char path[PATH_MAX];
};

/* Prepares to ask for @name, with the build-id and debug link it has now. */
void object_query_prepare(struct object_query *query, const char *name);

struct codectl_object_file *object_query_open(const struct object_query *query);

/* Moves the debug information of "program" into "program.debug", leaving a link to it. */
void object_query_strip(void);

/* The hexadecimal number, not 0, that the shell command prints. */
uint64_t object_query_number(const char *command);

/* Where the file @name of the fixture has the symbol, by nm. */
uint64_t object_query_address(const char *name, const char *symbol);

/* Checks that @vaddr is @function and has a line in @source ("" for none). */
void object_query_check(struct codectl_object_file *file, uint64_t vaddr, const char *function,
	uint64_t offset, const char *source);

/* Whether asking for "program" finds the debug information of a function in it. */
bool object_query_has_lines(const struct object_query *query, uint64_t vaddr);

#endif /* CODECTL_TESTS_OBJECT_QUERY_H */
