/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/main.c: the `codectl` command: picks the sub-command.
 */
#include "config.h"

#include "cli/cli.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show_help(int argc, const char **argv);
static int show_version(int argc, const char **argv);

static const struct command {
	const char *name;
	const char *option; /* What else it is called, or NULL. */
	const char *short_option;
	int (*run)(int argc, const char **argv);
	const char *summary;
} commands[] = {
	{"record", NULL, NULL, codectl_cli_record, "Run a program and record its call stacks"},
	{"report", NULL, NULL, codectl_cli_report, "Print where the time went"},
	{"export", NULL, NULL, codectl_cli_export,
		"Write the stacks as a flame graph or for other tools"},
	{"archive", NULL, NULL, codectl_cli_archive,
		"Collect the files that an analysis on another machine needs"},
	{"help", "--help", "-h", show_help, "Print this, or the options of a command"},
	{"version", "--version", "-V", show_version, "Print the version"},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *command = &commands[i];

		if (!strcmp(name, command->name) ||
			(command->option && (!strcmp(name, command->option) ||
						    !strcmp(name, command->short_option))))
			return command;
	}
	return NULL;
}

static void print_commands(FILE *stream)
{
	fputs("Usage: codectl COMMAND [ARGUMENT...]\n\n", stream);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(stream, "  %-9s %s\n", commands[i].name, commands[i].summary);
	fputs("\nThe options of a command: codectl COMMAND --help\n", stream);
}

static int show_help(int argc, const char **argv)
{
	const struct command *command;
	const char *words[] = {NULL, "--help", NULL};

	if (argc < 2) {
		print_commands(stdout);
		return EXIT_SUCCESS;
	}
	command = find_command(argv[1]);
	if (!command) {
		codectl_cli_error("There is no command %s; see codectl --help", argv[1]);
		return CODECTL_EXIT_USAGE;
	}
	if (command->option) {
		print_commands(stdout);
		return EXIT_SUCCESS;
	}
	words[0] = command->name;
	return command->run(2, words);
}

static int show_version(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	puts("codectl (" PACKAGE_NAME ") " PACKAGE_VERSION);
	return EXIT_SUCCESS;
}

int main(int argc, const char **argv)
{
	const struct command *command;

	if (argc < 2) {
		print_commands(stderr);
		return CODECTL_EXIT_USAGE;
	}
	command = find_command(argv[1]);
	if (!command) {
		codectl_cli_error("There is no command %s; see codectl --help", argv[1]);
		return CODECTL_EXIT_USAGE;
	}
	return command->run(argc - 1, argv + 1);
}
