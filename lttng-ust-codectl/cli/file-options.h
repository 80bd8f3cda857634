/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/file-options.h: the options that tell where the files of a recording's
 * objects are, for all commands that need them. One thread.
 */
#ifndef CODECTL_CLI_FILE_OPTIONS_H
#define CODECTL_CLI_FILE_OPTIONS_H

#include <babeltrace2/babeltrace.h>

#include <popt.h>

/* All zero: none was given. */
struct codectl_file_options {
	/* Ended by NULL; popt's copies, owned. */
	char **archives;
	char **debug_info_dirs;
	char **target_prefixes;
	int has_debuginfod;
	int timeout;	   /* Seconds; 0: the default. */
	int total_timeout; /* The same. */
};

#define CODECTL_FILE_OPTION_COUNT 7

/* Writes the table of the options, for POPT_ARG_INCLUDE_TABLE. */
void codectl_file_options_fill(
	struct codectl_file_options *files, struct poptOption options[CODECTL_FILE_OPTION_COUNT]);

/*
 * Reads the words of a command that takes a recording's directory: its options,
 * and one directory, or none for the default; it is popt's. Returns 0, or
 * CODECTL_EXIT_USAGE after an error message.
 */
int codectl_file_options_parse(
	const struct codectl_file_options *files, poptContext context, const char **directory);

/*
 * Adds them to the parameters of a component. Progress is shown if the standard
 * error is a terminal. Returns 0 or -ENOMEM.
 */
int codectl_file_options_add(const struct codectl_file_options *files, bt_value *params);

void codectl_file_options_fini(struct codectl_file_options *files);

#endif /* CODECTL_CLI_FILE_OPTIONS_H */
