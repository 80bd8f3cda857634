/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/archive.c: `codectl archive`: collects the files that an analysis needs, so
 * that it can be done on another machine.
 */
#include "cli/cli.h"
#include "cli/file-options.h"
#include "cli/files.h"
#include "cli/graph.h"
#include "cli/message.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_OUTPUT "codectl-archive"

struct archiving {
	struct codectl_file_options files;
	int is_verbose;
	char *output;		  /* popt's copy; owned. */
	const char *directory;	  /* Weak; of the recording. */
	const char *tree;	  /* Weak; where the files go first. */
	char made_tree[PATH_MAX]; /* If that is a scratch directory: its path. */
};

/* nftw() knows no argument for whom it calls. */
static struct {
	uint64_t files;
	uint64_t bytes;
} counted;

static int count_entry(const char *path, const struct stat *status, int type, struct FTW *position)
{
	(void)path;
	(void)position;
	if (type == FTW_F) {
		counted.files++;
		counted.bytes += (uint64_t)status->st_size;
	}
	return 0;
}

/* Whether that is a name of a file for tar rather than of a directory. */
static bool is_tar(const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *dot = strstr(slash ? slash : output, ".tar");

	return dot && (dot[4] == '\0' || dot[4] == '.');
}

static int parse(struct archiving *archiving, poptContext context)
{
	return codectl_file_options_parse(&archiving->files, context, &archiving->directory);
}

/* Makes a scratch directory beside the file. Returns 0, or -errno after a message. */
static int make_tree(struct archiving *archiving)
{
	if (snprintf(archiving->made_tree, sizeof(archiving->made_tree), "%s.XXXXXX",
		    archiving->output) >= (int)sizeof(archiving->made_tree))
		errno = ENAMETOOLONG;
	else if (mkdtemp(archiving->made_tree))
		return 0;
	codectl_cli_error(
		"Cannot make a directory beside %s: %s", archiving->output, strerror(errno));
	archiving->made_tree[0] = '\0';
	return -errno;
}

static int run_graph(const struct archiving *archiving)
{
	struct codectl_graph graph;
	bt_value *params = bt_value_map_create();
	int ret = codectl_graph_init(&graph, archiving->directory, archiving->is_verbose);

	if (ret < 0)
		goto end;
	if (!params || codectl_file_options_add(&archiving->files, params) ||
		bt_value_map_insert_string_entry(params, "archive-output", archiving->tree))
		ret = codectl_graph_fail(&graph, "Out of memory");
	if (ret == 0)
		ret = codectl_graph_add_filter(&graph, "debug-info", params);
	if (ret == 0)
		ret = codectl_graph_add_dummy_sink(&graph);
	if (ret == 0)
		ret = codectl_graph_run(&graph);
	codectl_graph_fini(&graph);
end:
	bt_value_put_ref(params);
	return ret;
}

/* Returns 0 or a negative errno, after a message. */
static int run_tar(const struct archiving *archiving)
{
	const char *const arguments[] = {"tar", "--auto-compress", "--create", "--file",
		archiving->output, "--directory", archiving->tree, ".", NULL};
	pid_t child;
	int status;
	int ret = posix_spawnp(
		&child, "tar", NULL, NULL, (char *const *)(uintptr_t)arguments, environ);

	if (ret) {
		codectl_cli_error("Cannot run tar: %s", strerror(ret));
		return -ret;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	codectl_cli_error("tar cannot write %s", archiving->output);
	return -EIO;
}

static int run(struct archiving *archiving)
{
	const char *output = archiving->output ? archiving->output : DEFAULT_OUTPUT;
	bool has_tar = is_tar(output);
	int ret = has_tar ? make_tree(archiving) : 0;

	if (ret < 0)
		return EXIT_FAILURE;
	archiving->tree = has_tar ? archiving->made_tree : output;
	ret = run_graph(archiving);
	if (ret == 0)
		nftw(archiving->tree, count_entry, 16, FTW_PHYS);
	if (ret == 0 && !counted.files) {
		codectl_cli_error("%s: There are no samples, or none of their files was found",
			archiving->directory);
		ret = -ENOENT;
	}
	if (ret == 0 && has_tar)
		ret = run_tar(archiving);
	if (*archiving->made_tree)
		codectl_files_remove_tree(archiving->made_tree);
	codectl_graph_exit_if_interrupted();
	if (ret < 0)
		return EXIT_FAILURE;
	codectl_cli_say("%" PRIu64 " files, %.1f MB in %s", counted.files,
		(double)counted.bytes / 1e6, output);
	return EXIT_SUCCESS;
}

int codectl_cli_archive(int argc, const char **argv)
{
	struct archiving archiving = {0};
	struct poptOption files[CODECTL_FILE_OPTION_COUNT];
	const struct poptOption table[] = {
		{"output", 'o', POPT_ARG_STRING, &archiving.output, 0,
			"Where the files go, a directory or a file for tar (default: "
			"" DEFAULT_OUTPUT ")",
			"DIR|FILE.tar"},
		{"verbose", 'v', POPT_ARG_NONE, &archiving.is_verbose, 0, "Tell all about an error",
			NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, files, 0, NULL, NULL},
		POPT_AUTOHELP POPT_TABLEEND,
	};
	poptContext context;
	int status;

	codectl_file_options_fill(&archiving.files, files);
	context = poptGetContext("codectl archive", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTION...] [DIR]");
	status = parse(&archiving, context);
	if (!status)
		status = run(&archiving);
	poptFreeContext(context);
	free(archiving.output);
	codectl_file_options_fini(&archiving.files);
	return status;
}
