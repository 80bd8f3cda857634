/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct path {
	const char **labels; /* Owned array of weak strings. */
	size_t count;
	size_t capacity;
};

/* Makes @label the last of the path, @depth levels (from 1) below the root. */
static int path_set(struct path *path, uint32_t depth, const char *label)
{
	const char **labels;

	/* Depths rise by one at a time, so one more element is always enough. */
	path->count = depth - 1;
	labels = codectl_array_reserve(path->labels, &path->capacity, path->count, sizeof(*labels));
	if (!labels)
		return -ENOMEM;
	path->labels = labels;
	path->labels[path->count++] = label;
	return 0;
}

int codectl_folded_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream)
{
	struct codectl_tree *view = NULL;
	struct path path = {0};
	uint32_t depth = 0;
	uint32_t node = CODECTL_TREE_ROOT;
	int ret = codectl_view_create(profile, options->by, CODECTL_VIEW_BY_LABEL, &view);

	if (ret < 0)
		return ret;
	codectl_text_begin();
	while ((node = codectl_tree_next(view, CODECTL_TREE_ROOT, node, &depth)) !=
		CODECTL_TREE_NONE) {
		ret = path_set(&path, depth, view->names[view->nodes[node].name].func);
		if (ret < 0)
			goto end;
		if (!view->nodes[node].self)
			continue;
		for (size_t i = 0; i < path.count; i++) {
			if (i)
				fputc(';', stream);
			/* The separator cannot be escaped in this format. */
			codectl_text_write_plain(stream, path.labels[i], ';', ':');
		}
		fprintf(stream, " %" PRIu64 "\n", view->nodes[node].self);
		if (ferror(stream))
			break;
	}
	ret = codectl_text_flush(stream);
end:
	free(path.labels);
	codectl_tree_destroy(view);
	return ret;
}
