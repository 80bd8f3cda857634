/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/file-search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_DEBUG_DIR     "/usr/lib/debug"
#define DEFAULT_TIMEOUT	      30
#define DEFAULT_TOTAL_TIMEOUT 180

/* Longer names are cut, so that a line stays a line. */
#define NAME_WIDTH 40

void codectl_file_search_init(struct codectl_file_search *search)
{
	*search = (struct codectl_file_search){
		.timeout = DEFAULT_TIMEOUT,
		.total_timeout = DEFAULT_TOTAL_TIMEOUT,
	};
}

/* Names come from traces, and the reader may be a terminal. */
static void print_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	char text[NAME_WIDTH + 1];

	snprintf(text, sizeof(text), "%s", slash ? slash + 1 : name);
	for (char *c = text; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	fprintf(stderr, "\rdebuginfod: %s", text);
}

static void show_progress(const struct codectl_debuginfod_progress *progress)
{
	/* Back to the start of the line, and clear it. */
	if (progress->is_over) {
		fprintf(stderr, "\r%*s\r", NAME_WIDTH + 39, "");
		return;
	}
	print_name(progress->name);
	if (progress->total)
		fprintf(stderr, ", %.1f of %.1f MB", (double)progress->done / 1e6,
			(double)progress->total / 1e6);
	else
		fputs(", waiting for the servers", stderr);
}

static bool note_progress(void *user, const struct codectl_debuginfod_progress *progress)
{
	const struct codectl_file_search *search = user;

	if (search->has_progress)
		show_progress(progress);
	return !search->is_interrupted || !search->is_interrupted(search->user);
}

int codectl_file_search_prepare(struct codectl_file_search *search)
{
	static const char *const default_debug_dirs[] = {DEFAULT_DEBUG_DIR};
	const struct codectl_debuginfod_options options = {
		.file_seconds = search->timeout,
		.total_seconds = search->total_timeout,
		.progress = note_progress,
		.user = search,
	};

	search->search = (struct codectl_object_search){
		.archives = search->archives.strings,
		.archive_count = search->archives.count,
		.target_prefixes = search->target_prefixes.strings,
		.target_prefix_count = search->target_prefixes.count,
		.debug_dirs = default_debug_dirs,
		.debug_dir_count = 1,
	};
	if (search->debug_dirs.strings) {
		search->search.debug_dirs = search->debug_dirs.strings;
		search->search.debug_dir_count = search->debug_dirs.count;
	}
	if (!search->has_debuginfod)
		return 0;
	search->debuginfod = codectl_debuginfod_create(&options);
	search->search.debuginfod = search->debuginfod;
	return search->debuginfod ? 0 : -ENOMEM;
}

void codectl_file_search_fini(struct codectl_file_search *search)
{
	codectl_debuginfod_destroy(search->debuginfod);
	free(search->debug_dirs.strings);
	free(search->target_prefixes.strings);
	free(search->archives.strings);
	*search = (struct codectl_file_search){0};
}

const char *codectl_file_search_shown_prefix(const struct codectl_object_search *search)
{
	return search->target_prefix_count ? search->target_prefixes[0] : "";
}

void codectl_file_search_log_stats(
	const struct codectl_file_search *search, const struct codectl_log *log)
{
	const struct codectl_debuginfod_stats *stats;

	if (!search->debuginfod)
		return;
	stats = codectl_debuginfod_borrow_stats(search->debuginfod);
	codectl_log_info(log,
		"debuginfod: asked=%" PRIu64 ", found=%" PRIu64 ", missing=%" PRIu64
		", failed=%" PRIu64 ", rejected=%" PRIu64 ", milliseconds=%" PRIu64,
		stats->asked, stats->found, stats->missing, stats->failed, stats->rejected,
		stats->ms);
}
