/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/view.h: a profile's stacks regrouped for a writer: a finished tree
 * whose first level are the groups, and the text helpers that writers share.
 */
#ifndef CODECTL_PROFILE_VIEW_H
#define CODECTL_PROFILE_VIEW_H

#include "profile/writer.h"

enum codectl_view_names {
	CODECTL_VIEW_BY_BINARY, /* Functions of the same name in two binaries are two. */
	CODECTL_VIEW_BY_LABEL,	/* A name is its label alone; the binary is "". */
};

/*
 * Builds the tree, finished and owned by the caller. Returns 0, -ENOMEM or
 * -EOVERFLOW.
 */
int codectl_view_create(const struct codectl_profile *profile, enum codectl_profile_by by,
	enum codectl_view_names names, struct codectl_tree **view);

/*
 * What a frame is called: the function, else `[binary]`, else `[unknown]`. The
 * answer is the name's own string, or is in @scratch, which is grown (owned by
 * the caller, start with NULL and 0). NULL without memory.
 */
const char *codectl_view_label(
	const struct codectl_tree_name *name, char **scratch, size_t *scratch_size);

/*
 * The length of the UTF-8 character at @text, 1 to 4, or 0 if the bytes there
 * are none. @text is terminated and not empty.
 */
size_t codectl_text_utf8_len(const char *text);

/* Writes a name for a terminal or a line-based format: no control characters. */
void codectl_text_write_plain(FILE *stream, const char *text, char forbidden, char replacement);

/*
 * Before the first write and after the last. The second one returns 0, or the
 * negative errno of a write that failed; stdio keeps only that there was one,
 * so nothing between the two may fail in another way and go on.
 */
void codectl_text_begin(void);
int codectl_text_flush(FILE *stream);

#endif /* CODECTL_PROFILE_VIEW_H */
