/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/traces.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int add_trace(struct codectl_traces *traces, const char *path, size_t len)
{
	char **paths = reallocarray(traces->paths, traces->count + 1, sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	traces->paths = paths;
	paths[traces->count] = strndup(path, len);
	if (!paths[traces->count])
		return -ENOMEM;
	traces->count++;
	return 0;
}

static int compare_entries(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int visit(struct codectl_traces *traces, FTS *tree, FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_F:
		if (strcmp(entry->fts_name, "metadata") != 0 || entry->fts_level == FTS_ROOTLEVEL)
			return 0;
		return add_trace(traces, entry->fts_path, entry->fts_pathlen - strlen("/metadata"));
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		/* What cannot be read below does not hide the rest. */
		return entry->fts_level == FTS_ROOTLEVEL ? -entry->fts_errno : 0;
	case FTS_DC:
		fts_set(tree, entry, FTS_SKIP);
		return 0;
	default:
		return 0;
	}
}

int codectl_traces_find(struct codectl_traces *traces, const char *directory)
{
	char *path = realpath(directory, NULL);
	struct stat status;
	FTS *tree = NULL;
	FTSENT *entry;
	int ret = 0;

	*traces = (struct codectl_traces){0};
	if (!path || stat(path, &status) < 0) {
		ret = -errno;
		goto end;
	}
	if (!S_ISDIR(status.st_mode)) {
		ret = -ENOTDIR;
		goto end;
	}
	tree = fts_open((char *const[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
	if (!tree) {
		ret = -errno;
		goto end;
	}
	while (ret == 0 && (entry = fts_read(tree)))
		ret = visit(traces, tree, entry);
end:
	if (tree)
		fts_close(tree);
	free(path);
	if (ret < 0)
		codectl_traces_fini(traces);
	return ret;
}

void codectl_traces_fini(struct codectl_traces *traces)
{
	for (size_t i = 0; i < traces->count; i++)
		free(traces->paths[i]);
	free(traces->paths);
	*traces = (struct codectl_traces){0};
}
