/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/file-options.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void codectl_file_options_fill(
	struct codectl_file_options *files, struct poptOption options[CODECTL_FILE_OPTION_COUNT])
{
	const struct poptOption table[CODECTL_FILE_OPTION_COUNT] = {
		{"archive", '\0', POPT_ARG_ARGV, &files->archives, 0,
			"Made by codectl archive of this recording (may be repeated)", "DIR"},
		{"debug-info-dir", '\0', POPT_ARG_ARGV, &files->debug_info_dirs, 0,
			"Where separate debug files are (default: /usr/lib/debug; may be repeated)",
			"DIR"},
		{"target-prefix", '\0', POPT_ARG_ARGV, &files->target_prefixes, 0,
			"Where the file system of the recorded machine is (may be repeated)",
			"DIR"},
		{"debuginfod", '\0', POPT_ARG_NONE, &files->has_debuginfod, 0,
			"Ask the servers of DEBUGINFOD_URLS for files that are nowhere else", NULL},
		{"debuginfod-timeout", '\0', POPT_ARG_INT, &files->timeout, 0,
			"At most that long for each of those files (default: 30)", "SECONDS"},
		{"debuginfod-total-timeout", '\0', POPT_ARG_INT, &files->total_timeout, 0,
			"At most that long for all of them together (default: 180)", "SECONDS"},
		POPT_TABLEEND,
	};

	memcpy(options, table, sizeof(table));
}

static int check(const struct codectl_file_options *files)
{
	if (files->timeout >= 0 && files->total_timeout >= 0)
		return 0;
	codectl_cli_error("%s is not negative",
		files->timeout < 0 ? "--debuginfod-timeout" : "--debuginfod-total-timeout");
	return CODECTL_EXIT_USAGE;
}

int codectl_file_options_parse(
	const struct codectl_file_options *files, poptContext context, const char **directory)
{
	const int code = poptGetNextOpt(context);
	const char **words;

	if (code < -1) {
		codectl_cli_error("%s: %s", poptBadOption(context, POPT_BADOPTION_NOALIAS),
			poptStrerror(code));
		return CODECTL_EXIT_USAGE;
	}
	words = poptGetArgs(context);
	*directory = words && words[0] ? words[0] : CODECTL_DEFAULT_DIRECTORY;
	if (words && words[0] && words[1]) {
		codectl_cli_error("One directory at a time: %s is too much", words[1]);
		return CODECTL_EXIT_USAGE;
	}
	return check(files);
}

static int add_strings(bt_value *params, const char *name, char **strings)
{
	bt_value *array;

	if (!strings || !strings[0])
		return 0;
	if (bt_value_map_insert_empty_array_entry(params, name, &array))
		return -ENOMEM;
	for (size_t i = 0; strings[i]; i++) {
		if (bt_value_array_append_string_element(array, strings[i]))
			return -ENOMEM;
	}
	return 0;
}

static int add_seconds(bt_value *params, const char *name, int seconds)
{
	return seconds > 0 && bt_value_map_insert_unsigned_integer_entry(
				      params, name, (uint64_t)seconds)
		       ? -ENOMEM
		       : 0;
}

static int add_debuginfod(const struct codectl_file_options *files, bt_value *params)
{
	const bt_bool has_progress = isatty(STDERR_FILENO) ? BT_TRUE : BT_FALSE;
	int ret = add_seconds(params, "debuginfod-timeout", files->timeout);

	if (ret == 0)
		ret = add_seconds(params, "debuginfod-total-timeout", files->total_timeout);
	if (ret == 0 && (bt_value_map_insert_bool_entry(params, "debuginfod", BT_TRUE) ||
				bt_value_map_insert_bool_entry(
					params, "debuginfod-progress", has_progress)))
		ret = -ENOMEM;
	return ret;
}

int codectl_file_options_add(const struct codectl_file_options *files, bt_value *params)
{
	int ret = add_strings(params, "archive", files->archives);

	if (ret == 0)
		ret = add_strings(params, "debug-info-dir", files->debug_info_dirs);
	if (ret == 0)
		ret = add_strings(params, "target-prefix", files->target_prefixes);
	if (ret == 0 && files->has_debuginfod)
		ret = add_debuginfod(files, params);
	return ret;
}

static void free_strings(char **strings)
{
	for (size_t i = 0; strings && strings[i]; i++)
		free(strings[i]);
	free(strings);
}

void codectl_file_options_fini(struct codectl_file_options *files)
{
	free_strings(files->archives);
	free_strings(files->debug_info_dirs);
	free_strings(files->target_prefixes);
	*files = (struct codectl_file_options){0};
}
