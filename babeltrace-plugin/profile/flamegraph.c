/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The page is flamegraph.html with two places to fill: {{title}}, which is
 * HTML text, and {{data}}, which is JSON inside a <script> element:
 *
 *   title, samples, lost, incomplete
 *   period  estimated ns of CPU time per weight, 0: not known
 *   bins    names of binaries
 *   funcs   labels of functions
 *   funcBin by function: position in bins
 *   name    by node in preorder, from the groups on: position in funcs
 *   depth   by node: 1 for groups
 *   self    by node: weight of the stacks that end there
 */
#include "profile/flamegraph-template.h"
#include "profile/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TITLE "Flame graph"

static void write_html(FILE *stream, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", stream);
			break;
		case '<':
			fputs("&lt;", stream);
			break;
		case '>':
			fputs("&gt;", stream);
			break;
		case '"':
			fputs("&quot;", stream);
			break;
		default:
			fputc(*text, stream);
		}
	}
}

/*
 * A JSON string that is safe inside <script>: neither "</script" nor "<!--" can
 * appear in it, because there is no '<'. Bytes that are no UTF-8 become U+FFFD.
 */
static void write_json(FILE *stream, const char *text)
{
	fputc('"', stream);
	while (*text) {
		const size_t len = codectl_text_utf8_len(text);
		const unsigned char first = (unsigned char)*text;

		if (!len)
			fputs("\\ufffd", stream);
		else if (first < 0x20 || first == 0x7f || strchr("\"\\<>&'", first))
			fprintf(stream, "\\u%04x", first);
		else
			fwrite(text, 1, len, stream);
		text += len ? len : 1;
	}
	fputc('"', stream);
}

/* The binaries of the view in the order of names; map by name. */
static int write_bins(const struct codectl_tree *view, FILE *stream, uint32_t *bin_of_name)
{
	struct codectl_tree *bins = codectl_tree_create();
	int ret = 0;

	if (!bins)
		return -ENOMEM;
	for (size_t i = 0; i < view->name_count && ret == 0; i++) {
		const char *bin = view->names[i].bin;

		ret = codectl_tree_intern(bins, bin, strlen(bin), "", 0, &bin_of_name[i]);
	}
	fputs(",\n\"bins\":[", stream);
	for (size_t i = 0; i < bins->name_count; i++) {
		if (i)
			fputc(',', stream);
		write_json(stream, bins->names[i].func);
	}
	fputs("]", stream);
	codectl_tree_destroy(bins);
	return ret;
}

static int write_names(const struct codectl_tree *view, FILE *stream)
{
	uint32_t *bin_of_name = calloc(view->name_count + 1, sizeof(*bin_of_name));
	char *scratch = NULL;
	size_t scratch_size = 0;
	int ret;

	if (!bin_of_name)
		return -ENOMEM;
	ret = write_bins(view, stream, bin_of_name);
	if (ret < 0)
		goto end;
	fputs(",\n\"funcs\":[", stream);
	for (size_t i = 0; i < view->name_count; i++) {
		const char *label = codectl_view_label(&view->names[i], &scratch, &scratch_size);

		if (!label) {
			ret = -ENOMEM;
			goto end;
		}
		if (i)
			fputs(",\n", stream);
		write_json(stream, label);
	}
	fputs("],\n\"funcBin\":[", stream);
	for (size_t i = 0; i < view->name_count; i++)
		fprintf(stream, i ? ",%" PRIu32 : "%" PRIu32, bin_of_name[i]);
	fputc(']', stream);
end:
	free(scratch);
	free(bin_of_name);
	return ret;
}

enum column { COLUMN_NAME, COLUMN_DEPTH, COLUMN_SELF };

static void write_column(
	const struct codectl_tree *view, const char *key, enum column column, FILE *stream)
{
	uint32_t node = CODECTL_TREE_ROOT, depth = 0;
	bool is_first = true;

	fprintf(stream, ",\n\"%s\":[", key);
	while ((node = codectl_tree_next(view, CODECTL_TREE_ROOT, node, &depth)) !=
		CODECTL_TREE_NONE) {
		const uint64_t value = column == COLUMN_NAME	? view->nodes[node].name
				       : column == COLUMN_DEPTH ? depth
								: view->nodes[node].self;

		fprintf(stream, is_first ? "%" PRIu64 : ",%" PRIu64, value);
		is_first = false;
	}
	fputc(']', stream);
}

static uint64_t count_incomplete(const struct codectl_profile *profile)
{
	uint64_t incomplete = 0;

	for (size_t i = 0; i < profile->stack_end_count; i++) {
		if (strcmp(profile->stack_ends[i].name, CODECTL_PROFILE_COMPLETE) != 0)
			incomplete += profile->stack_ends[i].samples;
	}
	return incomplete;
}

static int write_data(const struct codectl_profile *profile, const struct codectl_tree *view,
	const char *title, FILE *stream)
{
	int ret;

	fputs("{\"title\":", stream);
	write_json(stream, title);
	/* Whole numbers only: a decimal point would depend on the locale. */
	fprintf(stream,
		",\n\"samples\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"incomplete\":%" PRIu64
		",\"period\":%" PRIu64,
		profile->samples, codectl_profile_lost(profile), count_incomplete(profile),
		(uint64_t)codectl_profile_period(profile));
	ret = write_names(view, stream);
	if (ret < 0)
		return ret;
	write_column(view, "name", COLUMN_NAME, stream);
	write_column(view, "depth", COLUMN_DEPTH, stream);
	write_column(view, "self", COLUMN_SELF, stream);
	fputs("}\n", stream);
	return 0;
}

int codectl_flamegraph_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream)
{
	static const char title_mark[] = "{{title}}", data_mark[] = "{{data}}";
	const char *title = options->title && *options->title ? options->title : DEFAULT_TITLE;
	const char *rest = codectl_flamegraph_template;
	struct codectl_tree *view = NULL;
	int ret = codectl_view_create(profile, options->by, CODECTL_VIEW_BY_BINARY, &view);

	codectl_text_begin();
	while (ret == 0 && *rest) {
		const char *mark = strstr(rest, "{{");

		if (!mark) {
			fputs(rest, stream);
			break;
		}
		fwrite(rest, 1, (size_t)(mark - rest), stream);
		if (!strncmp(mark, title_mark, sizeof(title_mark) - 1)) {
			write_html(stream, title);
			rest = mark + sizeof(title_mark) - 1;
		} else if (!strncmp(mark, data_mark, sizeof(data_mark) - 1)) {
			ret = write_data(profile, view, title, stream);
			rest = mark + sizeof(data_mark) - 1;
		} else {
			fputs("{{", stream);
			rest = mark + 2;
		}
	}
	if (ret == 0)
		ret = codectl_text_flush(stream);
	codectl_tree_destroy(view);
	return ret;
}
