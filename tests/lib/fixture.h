/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/fixture.h: files that a test makes: a directory of its own, and
 * commands (compilers, strip, other symbolizers) that run in it. The directory
 * goes when the test's process ends well; after a failure it stays, and its
 * name is printed.
 */
#ifndef CODECTL_TESTS_FIXTURE_H
#define CODECTL_TESTS_FIXTURE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The test's directory, made at the first call. */
const char *fixture_dir(void);

/* The path of a file in it; one of a few buffers, used in turn. */
const char *fixture_path(const char *name);

/* Runs a shell command in it. Returns whether it succeeded; its output goes to "log". */
__attribute__((format(printf, 1, 2))) bool fixture_try(const char *format, ...);

/* The same; the test fails if the command does. */
#define FIXTURE_RUN(...)                         \
	do {                                     \
		CHECK(fixture_try(__VA_ARGS__)); \
	} while (0)

/* Whether a command of that name can be run. */
bool fixture_has_command(const char *name);

/* The whole of a file in it, NUL-terminated; the caller frees. The test fails without. */
char *fixture_read(const char *name, size_t *len);

/* Writes a file in it. */
void fixture_write(const char *name, const void *bytes, size_t len);

#endif /* CODECTL_TESTS_FIXTURE_H */
