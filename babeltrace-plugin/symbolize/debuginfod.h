/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/debuginfod.h: files from debuginfod servers, those of DEBUGINFOD_URLS,
 * through libdebuginfod, in a process of its own that begins with the first
 * question (download.h). Only who makes one of these asks anybody. Time is bounded, for each file and for all; servers
 * that do not answer are asked twice, and the same file once. libdebuginfod keeps
 * what came in a cache of its own. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DEBUGINFOD_H
#define CODECTL_SYMBOLIZE_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum codectl_debuginfod_kind {
	CODECTL_DEBUGINFOD_EXECUTABLE,
	CODECTL_DEBUGINFOD_DEBUGINFO,
};

/* How a download goes. */
struct codectl_debuginfod_progress {
	const char *name; /* Weak; of the object. */
	uint64_t done;	  /* Bytes. */
	uint64_t total;	  /* 0: not known yet. */
	bool is_over;
};

struct codectl_debuginfod_options {
	uint64_t file_seconds;	/* At most for each file. */
	uint64_t total_seconds; /* At most for all files together. */
	/*
	 * Called some times a second while somebody waits, and at the end of what was
	 * told of. Returns whether to go on; if not, nobody is asked any more. May be NULL.
	 */
	bool (*progress)(void *user, const struct codectl_debuginfod_progress *progress);
	void *user;
};

struct codectl_debuginfod_stats {
	uint64_t asked;
	uint64_t found;	  /* Came, or were in the cache of libdebuginfod. */
	uint64_t missing; /* The servers do not have them. */
	uint64_t failed;
	uint64_t rejected; /* Came, but are not what was asked for. */
	uint64_t ms;	   /* Spent with all that. */
};

/* What became of a question. */
struct codectl_debuginfod_answer {
	char *path;	    /* Owned by the caller; NULL: nothing came. */
	const char *reason; /* Static; why not. */
	bool is_missing;    /* The servers do not have it: nothing is wrong. */
	bool is_repeated;   /* The same reason held, whatever was asked for, the last time. */
};

struct codectl_debuginfod;

/* Nothing is loaded or asked yet. Returns NULL without memory. The caller owns it. */
struct codectl_debuginfod *codectl_debuginfod_create(
	const struct codectl_debuginfod_options *options);

void codectl_debuginfod_destroy(struct codectl_debuginfod *debuginfod);

/* Asks for the file with @build_id; @name is for the progress. */
void codectl_debuginfod_find(struct codectl_debuginfod *debuginfod,
	enum codectl_debuginfod_kind kind, const uint8_t *build_id, size_t len, const char *name,
	struct codectl_debuginfod_answer *answer);

/*
 * Says that what came at @path is not what was asked for. It is removed from the
 * cache of libdebuginfod: other tools would use it.
 */
void codectl_debuginfod_reject(struct codectl_debuginfod *debuginfod, const char *path);

const struct codectl_debuginfod_stats *codectl_debuginfod_borrow_stats(
	const struct codectl_debuginfod *debuginfod);

#endif /* CODECTL_SYMBOLIZE_DEBUGINFOD_H */
