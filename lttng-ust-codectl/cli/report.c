/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/report.c: `codectl report`: prints where the time went.
 */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int codectl_cli_report(int argc, const char **argv)
{
	struct codectl_analysis analysis = {.format = "report", .output = "-"};
	struct poptOption common[CODECTL_ANALYSIS_OPTION_COUNT];
	char *sort = NULL; /* Owned; popt's copy. */
	int limit = 0;
	const struct poptOption table[] = {
		{"sort", '\0', POPT_ARG_STRING, &sort, 0, "Sort by total (the default) or by self",
			"total|self"},
		{"min-percent", '\0', POPT_ARG_DOUBLE, &analysis.min_percent, 0,
			"Leave out functions with less than that", "PERCENT"},
		{"limit", '\0', POPT_ARG_INT, &limit, 0, "Print at most that many functions",
			"COUNT"},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, common, 0, NULL, NULL},
		POPT_AUTOHELP POPT_TABLEEND,
	};
	poptContext context;
	int status;

	codectl_analysis_fill_options(&analysis, common);
	context = poptGetContext("codectl report", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTION...] [DIR]");
	status = codectl_analysis_parse(&analysis, context);
	if (!status && !(analysis.min_percent >= 0 && analysis.min_percent <= 100)) {
		codectl_cli_error("--min-percent is between 0 and 100");
		status = CODECTL_EXIT_USAGE;
	}
	if (!status && sort && strcmp(sort, "total") != 0 && strcmp(sort, "self") != 0) {
		codectl_cli_error("--sort is total or self, not %s", sort);
		status = CODECTL_EXIT_USAGE;
	}
	if (!status && limit < 0) {
		codectl_cli_error("--limit is not negative");
		status = CODECTL_EXIT_USAGE;
	}
	analysis.sort = sort;
	analysis.limit = (uint64_t)limit;
	if (!status)
		status = codectl_analysis_run(&analysis);
	poptFreeContext(context);
	free(sort);
	codectl_analysis_fini(&analysis);
	return status;
}
