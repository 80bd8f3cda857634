/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/export.c: `codectl export`: writes the stacks as a flame graph or for
 * other tools.
 */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_format(const char *format)
{
	if (!format)
		codectl_cli_error("Which format? See codectl export --help");
	else if (strcmp(format, "folded") != 0 && strcmp(format, "flamegraph") != 0)
		codectl_cli_error("--format is folded or flamegraph, not %s", format);
	else
		return 0;
	return CODECTL_EXIT_USAGE;
}

int codectl_cli_export(int argc, const char **argv)
{
	struct codectl_analysis analysis = {0};
	struct poptOption common[CODECTL_ANALYSIS_OPTION_COUNT];
	char *format = NULL, *output = NULL; /* Owned; popt's copies. */
	const struct poptOption table[] = {
		{"format", '\0', POPT_ARG_STRING, &format, 0,
			"folded: a line per stack for FlameGraph and others; flamegraph: a page to "
			"look at",
			"folded|flamegraph"},
		{"output", 'o', POPT_ARG_STRING, &output, 0,
			"Where it goes (default: the standard output)", "FILE"},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, common, 0, NULL, NULL},
		POPT_AUTOHELP POPT_TABLEEND,
	};
	poptContext context;
	int status;

	codectl_analysis_fill_options(&analysis, common);
	context = poptGetContext("codectl export", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "--format=FORMAT [OPTION...] [DIR]");
	status = codectl_analysis_parse(&analysis, context);
	if (!status)
		status = check_format(format);
	analysis.format = format;
	analysis.output = output ? output : "-";
	if (!status)
		status = codectl_analysis_run(&analysis);
	poptFreeContext(context);
	free(format);
	free(output);
	codectl_analysis_fini(&analysis);
	return status;
}
