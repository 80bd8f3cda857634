/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/cli.h: the sub-commands of `codectl`. Each gets its own words, its name
 * first, and returns the exit status of the command. One thread.
 */
#ifndef CODECTL_CLI_CLI_H
#define CODECTL_CLI_CLI_H

/* Exit status for words that make no sense; EXIT_SUCCESS and EXIT_FAILURE are 0 and 1. */
#define CODECTL_EXIT_USAGE 2

int codectl_cli_record(int argc, const char **argv);
int codectl_cli_report(int argc, const char **argv);
int codectl_cli_export(int argc, const char **argv);
int codectl_cli_archive(int argc, const char **argv);

#endif /* CODECTL_CLI_CLI_H */
