/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/attempt.h: a look for one file at several places. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_ATTEMPT_H
#define CODECTL_SYMBOLIZE_ATTEMPT_H

#include "symbolize/debuginfod.h"
#include "symbolize/elf-file.h"
#include "symbolize/finding.h"

#include <limits.h>

/* What a file must be to be taken. All weak. */
struct codectl_expectation {
	/* Of an object: this decides alone. NULL: of a debug file, see below. */
	const struct codectl_object_identity *object;
	const uint8_t *build_id; /* NULL if unknown. */
	size_t build_id_len;
	bool has_crc; /* Counts where the file or the object has no build-id. */
	uint32_t crc;
};

struct codectl_attempt {
	struct codectl_finder *finder;		       /* Weak. */
	const struct codectl_expectation *expectation; /* Weak. */
	struct codectl_elf_file *file;		       /* Weak; where it goes. */
	/* The most telling reason why a file could not be used; NOT_FOUND: there was none. */
	enum codectl_object_status status;
	char path[PATH_MAX]; /* Of that file. */
};

/* All three are weak and outlive the attempt; @file becomes closed. */
struct codectl_attempt codectl_attempt_begin(struct codectl_finder *finder,
	const struct codectl_expectation *expectation, struct codectl_elf_file *file);

/* Formats a path. Returns whether it fits; if not, no such file can exist. */
__attribute__((format(printf, 2, 3))) bool codectl_attempt_make_path(
	char path[static PATH_MAX], const char *format, ...);

/*
 * The directories under which paths of the trace are: first the archives. "" is
 * this machine's root; it is one of them if no other was given. NULL: no more.
 */
const char *codectl_attempt_root(const struct codectl_object_search *search, size_t index);

/* The same, and then this machine's: for files that are proved by more than a path. */
const char *codectl_attempt_any_root(const struct codectl_object_search *search, size_t index);

/* Whether @file can be the object of which the trace says @identity. */
bool codectl_attempt_has_identity(
	const struct codectl_elf_file *file, const struct codectl_object_identity *identity);

/* All of these return 0 with the file open, -ENOENT or -ENOMEM. */
int codectl_attempt_path(struct codectl_attempt *attempt, const char *path);

/* @path, absolute, under every root, and at last on this machine. */
int codectl_attempt_roots(struct codectl_attempt *attempt, const char *path);

/*
 * By the expected build-id in archives and debug directories; @suffix is
 * ".debug", or "" for the object itself.
 */
int codectl_attempt_build_id(struct codectl_attempt *attempt, const char *suffix);

/* From a server, if the user wants that. */
int codectl_attempt_download(struct codectl_attempt *attempt, enum codectl_debuginfod_kind kind);

#endif /* CODECTL_SYMBOLIZE_ATTEMPT_H */
