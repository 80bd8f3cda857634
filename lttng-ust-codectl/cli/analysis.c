/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/analysis.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/graph.h"
#include "cli/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void codectl_analysis_fill_options(
	struct codectl_analysis *analysis, struct poptOption options[CODECTL_ANALYSIS_OPTION_COUNT])
{
	const struct poptOption table[CODECTL_ANALYSIS_OPTION_COUNT] = {
		{"by", '\0', POPT_ARG_STRING, &analysis->by, 0,
			"Group the stacks by process, by thread or by none (the default)",
			"process|thread|none"},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, analysis->file_options, 0, NULL, NULL},
		{"title", '\0', POPT_ARG_STRING, &analysis->title, 0, "Title of the result",
			"TEXT"},
		{"verbose", 'v', POPT_ARG_NONE, &analysis->is_verbose, 0, "Tell all about an error",
			NULL},
		POPT_TABLEEND,
	};

	codectl_file_options_fill(&analysis->files, analysis->file_options);
	memcpy(options, table, sizeof(table));
}

static int check_group(const char *by)
{
	if (!by || !strcmp(by, "none") || !strcmp(by, "process") || !strcmp(by, "thread"))
		return 0;
	codectl_cli_error("--by is process, thread or none, not %s", by);
	return CODECTL_EXIT_USAGE;
}

int codectl_analysis_parse(struct codectl_analysis *analysis, poptContext context)
{
	const int status = codectl_file_options_parse(
		&analysis->files, context, &analysis->directory);

	return status ? status : check_group(analysis->by);
}

static int insert_string(bt_value *map, const char *key, const char *text)
{
	if (!text)
		return 0;
	return bt_value_map_insert_string_entry(map, key, text) ==
			       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK
		       ? 0
		       : -ENOMEM;
}

static int add_filter(struct codectl_graph *graph, const struct codectl_analysis *analysis)
{
	bt_value *params = bt_value_map_create();
	int ret = params ? 0 : -ENOMEM;

	if (ret == 0)
		ret = codectl_file_options_add(&analysis->files, params);
	if (ret < 0)
		codectl_graph_fail(graph, "Out of memory");
	else
		ret = codectl_graph_add_filter(graph, "debug-info", params);
	bt_value_put_ref(params);
	return ret;
}

static int fill_sink_params(bt_value *params, const struct codectl_analysis *analysis)
{
	/* Progress is for somebody who watches. */
	const bt_bool has_progress = isatty(STDERR_FILENO) ? BT_TRUE : BT_FALSE;
	int ret = insert_string(params, "format", analysis->format);

	if (ret == 0)
		ret = insert_string(params, "output", analysis->output);
	if (ret == 0)
		ret = insert_string(params, "by", analysis->by);
	if (ret == 0)
		ret = insert_string(params, "title", analysis->title);
	if (ret == 0)
		ret = insert_string(params, "sort", analysis->sort);
	if (ret == 0 &&
		(bt_value_map_insert_real_entry(params, "min-percent", analysis->min_percent) ||
			bt_value_map_insert_unsigned_integer_entry(
				params, "limit", analysis->limit) ||
			bt_value_map_insert_bool_entry(params, "progress", has_progress)))
		ret = -ENOMEM;
	return ret;
}

static int add_sink(struct codectl_graph *graph, const struct codectl_analysis *analysis)
{
	bt_value *params = bt_value_map_create();
	int ret = params ? fill_sink_params(params, analysis) : -ENOMEM;

	if (ret < 0)
		codectl_graph_fail(graph, "Out of memory");
	else
		ret = codectl_graph_add_sink(graph, "profile", params);
	bt_value_put_ref(params);
	return ret;
}

int codectl_analysis_run(const struct codectl_analysis *analysis)
{
	struct codectl_graph graph;
	int ret = codectl_graph_init(&graph, analysis->directory, analysis->is_verbose);

	if (ret < 0)
		return EXIT_FAILURE;
	ret = add_filter(&graph, analysis);
	if (ret == 0)
		ret = add_sink(&graph, analysis);
	if (ret == 0)
		ret = codectl_graph_run(&graph);
	codectl_graph_fini(&graph);
	codectl_graph_exit_if_interrupted();
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

void codectl_analysis_fini(struct codectl_analysis *analysis)
{
	free(analysis->by);
	codectl_file_options_fini(&analysis->files);
	free(analysis->title);
	*analysis = (struct codectl_analysis){0};
}
