/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *codectl_view_label(
	const struct codectl_tree_name *name, char **scratch, size_t *scratch_size)
{
	const size_t needed = strlen(name->bin) + sizeof("[]");

	if (*name->func)
		return name->func;
	if (!*name->bin)
		return "[unknown]";
	if (needed > *scratch_size) {
		char *grown = realloc(*scratch, needed);

		if (!grown)
			return NULL;
		*scratch = grown;
		*scratch_size = needed;
	}
	snprintf(*scratch, *scratch_size, "[%s]", name->bin);
	return *scratch;
}

static char *make_group_label(const struct codectl_profile *profile,
	const struct codectl_profile_thread *thread, enum codectl_profile_by by)
{
	const uint32_t position = (uint32_t)(thread - profile->threads);
	const char *comm = codectl_profile_thread_comm(profile, position);
	char *label = NULL;
	int len = -1;

	switch (by) {
	case CODECTL_PROFILE_BY_NONE:
		return strdup(comm);
	case CODECTL_PROFILE_BY_PROCESS:
		len = asprintf(&label, "%s-%" PRId32,
			codectl_profile_process_comm(profile, thread->process), thread->key.vpid);
		break;
	case CODECTL_PROFILE_BY_THREAD:
		len = asprintf(&label, "%s-%" PRId32 "/%" PRId32, comm, thread->key.vpid,
			thread->key.vtid);
		break;
	}
	return len < 0 ? NULL : label;
}

/* What it takes to copy nodes; arrays and strings are owned. */
struct copying {
	const struct codectl_tree *from; /* Weak. */
	struct codectl_tree *view;	 /* Weak. */
	enum codectl_view_names names;
	uint32_t *name_map; /* By name of the profile: that of the view or CODECTL_TREE_NONE. */
	uint32_t *node_map;
	char *scratch;
	size_t scratch_size;
};

static int map_name(struct copying *copying, uint32_t from)
{
	const struct codectl_tree_name *name = &copying->from->names[from];
	uint32_t *to = &copying->name_map[from];
	const char *label;

	if (*to != CODECTL_TREE_NONE)
		return 0;
	if (copying->names == CODECTL_VIEW_BY_BINARY)
		return codectl_tree_intern(copying->view, name->func, strlen(name->func), name->bin,
			strlen(name->bin), to);
	label = codectl_view_label(name, &copying->scratch, &copying->scratch_size);
	return label ? codectl_tree_intern(copying->view, label, strlen(label), "", 0, to)
		     : -ENOMEM;
}

static int add_groups(const struct codectl_profile *profile, enum codectl_profile_by by,
	struct codectl_tree *view, uint32_t *node_map)
{
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct codectl_profile_thread *thread = &profile->threads[i];
		uint32_t name;
		char *label;
		int ret;

		/* Threads that were never sampled have nothing to show. */
		if (!thread->samples) {
			node_map[thread->node] = CODECTL_TREE_ROOT;
			continue;
		}
		label = make_group_label(profile, thread, by);
		if (!label)
			return -ENOMEM;
		ret = codectl_tree_intern(view, label, strlen(label), "", 0, &name);
		free(label);
		if (ret == 0)
			ret = codectl_tree_child(
				view, CODECTL_TREE_ROOT, name, &node_map[thread->node]);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_nodes(struct copying *copying)
{
	const struct codectl_tree *from = copying->from;

	for (size_t i = 1; i < from->node_count; i++) {
		const struct codectl_tree_node *node = &from->nodes[i];
		int ret;

		if (node->parent != CODECTL_TREE_ROOT) {
			ret = map_name(copying, node->name);
			if (ret == 0)
				ret = codectl_tree_child(copying->view,
					copying->node_map[node->parent],
					copying->name_map[node->name], &copying->node_map[i]);
			if (ret < 0)
				return ret;
		}
		codectl_tree_add_weight(copying->view, copying->node_map[i], node->self);
	}
	return 0;
}

int codectl_view_create(const struct codectl_profile *profile, enum codectl_profile_by by,
	enum codectl_view_names names, struct codectl_tree **view)
{
	struct copying copying = {
		.from = profile->tree,
		.view = codectl_tree_create(),
		.names = names,
		.name_map = malloc((profile->tree->name_count + 1) * sizeof(uint32_t)),
		.node_map = calloc(profile->tree->node_count, sizeof(uint32_t)),
	};
	int ret = -ENOMEM;

	if (!copying.view || !copying.name_map || !copying.node_map)
		goto end;
	for (size_t i = 0; i < profile->tree->name_count; i++)
		copying.name_map[i] = CODECTL_TREE_NONE;
	ret = add_groups(profile, by, copying.view, copying.node_map);
	if (ret == 0)
		ret = add_nodes(&copying);
	if (ret == 0)
		ret = codectl_tree_finish(copying.view);
	if (ret == 0) {
		*view = copying.view;
		copying.view = NULL;
	}
end:
	free(copying.name_map);
	free(copying.node_map);
	free(copying.scratch);
	codectl_tree_destroy(copying.view);
	return ret;
}

size_t codectl_text_utf8_len(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t character;
	size_t len;

	if (byte[0] < 0x80)
		return 1;
	if (byte[0] >= 0xc2 && byte[0] < 0xe0) {
		len = 2;
		character = byte[0] & 0x1f;
	} else if (byte[0] >= 0xe0 && byte[0] < 0xf0) {
		len = 3;
		character = byte[0] & 0x0f;
	} else if (byte[0] >= 0xf0 && byte[0] < 0xf5) {
		len = 4;
		character = byte[0] & 0x07;
	} else {
		return 0;
	}
	for (size_t i = 1; i < len; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (byte[i] & 0x3f);
	}
	/* Longer than needed, surrogates, beyond Unicode. */
	if ((len == 3 && character < 0x800) || (len == 4 && character < 0x10000) ||
		(character >= 0xd800 && character < 0xe000) || character > 0x10ffff)
		return 0;
	return len;
}

void codectl_text_write_plain(FILE *stream, const char *text, char forbidden, char replacement)
{
	while (*text) {
		size_t len = codectl_text_utf8_len(text);
		const unsigned char first = (unsigned char)*text;
		/* C1 controls are two bytes in UTF-8: 0xc2 0x80 to 0xc2 0x9f. */
		const bool is_control = first < 0x20 || first == 0x7f ||
					(len == 2 && first == 0xc2 &&
						(unsigned char)text[1] < 0xa0);

		if (!len || is_control)
			fputc('?', stream);
		else if (*text == forbidden)
			fputc(replacement, stream);
		else
			fwrite(text, 1, len, stream);
		text += len ? len : 1;
	}
}

void codectl_text_begin(void)
{
	errno = 0;
}

int codectl_text_flush(FILE *stream)
{
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	return errno ? -errno : -EIO;
}
