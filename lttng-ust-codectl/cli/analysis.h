/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/analysis.h: what `report` and `export` have in common: from a recording
 * to a profile, with the options that both know. One thread.
 */
#ifndef CODECTL_CLI_ANALYSIS_H
#define CODECTL_CLI_ANALYSIS_H

#include "cli/file-options.h"

#include <popt.h>

#include <stdint.h>

struct codectl_analysis {
	/* Options; the strings are popt's copies, owned. */
	char *by;
	char *title;
	int is_verbose;
	struct codectl_file_options files;
	struct poptOption file_options[CODECTL_FILE_OPTION_COUNT];
	/* Set by the command. */
	const char *format;    /* Weak. */
	const char *output;    /* Weak; "-" is the standard output. */
	const char *directory; /* Weak. */
	const char *sort;      /* Weak; NULL: the default. */
	double min_percent;
	uint64_t limit;
};

#define CODECTL_ANALYSIS_OPTION_COUNT 5

/* Writes the table of the common options, for POPT_ARG_INCLUDE_TABLE. */
void codectl_analysis_fill_options(struct codectl_analysis *analysis,
	struct poptOption options[CODECTL_ANALYSIS_OPTION_COUNT]);

/*
 * Reads all options of @context and the directory behind them. Returns 0, or
 * CODECTL_EXIT_USAGE after an error message. The directory is owned by
 * @context.
 */
int codectl_analysis_parse(struct codectl_analysis *analysis, poptContext context);

/* Does it. Returns the exit status of the command; an interrupt ends the process. */
int codectl_analysis_run(const struct codectl_analysis *analysis);

void codectl_analysis_fini(struct codectl_analysis *analysis);

#endif /* CODECTL_CLI_ANALYSIS_H */
