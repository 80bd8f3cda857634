/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/file-search.h: the parameters that tell where the files of objects are,
 * and what is made of them. One thread.
 */
#ifndef CODECTL_COMP_FILE_SEARCH_H
#define CODECTL_COMP_FILE_SEARCH_H

#include "comp/log.h"
#include "comp/param-table.h"
#include "symbolize/debuginfod.h"
#include "symbolize/search.h"

#include <stdbool.h>
#include <stdint.h>

#define CODECTL_FILE_SEARCH_HELP                                                          \
	"  debug-info-dir=DIR     where separate debug information is, or an array of\n"  \
	"                         such directories [/usr/lib/debug]\n"                    \
	"  target-prefix=DIR      put before the paths of the trace to find its files,\n" \
	"                         or an array of such directories\n"                      \
	"  archive=DIR            made by `codectl archive`, or an array of them\n"       \
	"  debuginfod=BOOL        ask the servers of DEBUGINFOD_URLS for files that\n"    \
	"                         are nowhere else [no]\n"                                \
	"  debuginfod-timeout=SECONDS\n"                                                  \
	"                         at most for each of those files [30]\n"                 \
	"  debuginfod-total-timeout=SECONDS\n"                                            \
	"                         at most for all of them together [180]\n"               \
	"  debuginfod-progress=BOOL\n"                                                    \
	"                         show on stderr what is being waited for [no]\n"

/* All zero: nothing is there yet. */
struct codectl_file_search {
	/* What the parameters say; the strings are weak, as long as those. */
	struct codectl_param_strings debug_dirs;      /* Its array is owned. */
	struct codectl_param_strings target_prefixes; /* The same. */
	struct codectl_param_strings archives;	      /* The same. */
	bool has_debuginfod;
	bool has_progress;
	uint64_t timeout;
	uint64_t total_timeout;
	/* What was made of it. */
	struct codectl_object_search search;
	struct codectl_debuginfod *debuginfod; /* Owned. */
	/* Whether the user has had enough, while somebody waits; NULL: nobody knows. */
	bool (*is_interrupted)(void *user);
	void *user;
};

/* A macro, since tables of parameters are made of several parts. */
#define CODECTL_FILE_SEARCH_PARAMS(s)                                                         \
	{"debug-info-dir", CODECTL_PARAM_STRINGS, &(s)->debug_dirs, NULL},                    \
		{"target-prefix", CODECTL_PARAM_STRINGS, &(s)->target_prefixes, NULL},        \
		{"archive", CODECTL_PARAM_STRINGS, &(s)->archives, NULL},                     \
		{"debuginfod", CODECTL_PARAM_BOOL, &(s)->has_debuginfod, NULL},               \
		{"debuginfod-timeout", CODECTL_PARAM_COUNT, &(s)->timeout, NULL},             \
		{"debuginfod-total-timeout", CODECTL_PARAM_COUNT, &(s)->total_timeout, NULL}, \
	{                                                                                     \
		"debuginfod-progress", CODECTL_PARAM_BOOL, &(s)->has_progress, NULL           \
	}

/* Before the parameters are read. */
void codectl_file_search_init(struct codectl_file_search *search);

/* After that; @search stays where it is. Returns 0 or -ENOMEM. */
int codectl_file_search_prepare(struct codectl_file_search *search);

/* Also if it was never prepared. */
void codectl_file_search_fini(struct codectl_file_search *search);

/* The first target prefix, "" if there is none: what is shown before paths. */
const char *codectl_file_search_shown_prefix(const struct codectl_object_search *search);

/* Writes what was downloaded, at INFO level; if nobody was asked, nothing. */
void codectl_file_search_log_stats(
	const struct codectl_file_search *search, const struct codectl_log *log);

#endif /* CODECTL_COMP_FILE_SEARCH_H */
