/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

/* A row of a table: a function with all its places in the tree. */
struct row {
	uint64_t self;
	uint64_t total;
	uint32_t name;
};

/* The rows of a table and what it takes to fill them; all arrays are owned. */
struct table {
	const struct codectl_tree *view;
	struct row *rows; /* In order of appearance, then sorted. */
	size_t row_count;
	uint32_t *row_of_name; /* Position in rows, or CODECTL_TREE_NONE. */
	uint32_t *on_path;     /* By name: how often it is on the path to the current node. */
	uint32_t *path;	       /* Names from the first frame to the current node. */
	size_t path_count, path_capacity;
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static struct row *table_get_row(struct table *table, uint32_t name)
{
	if (table->row_of_name[name] == CODECTL_TREE_NONE) {
		table->row_of_name[name] = (uint32_t)table->row_count;
		table->rows[table->row_count++] = (struct row){.name = name};
	}
	return &table->rows[table->row_of_name[name]];
}

/*
 * Adds the stacks below @group. A function that calls itself is on a path
 * several times, but its total counts each sample once: at the outermost place.
 */
static int table_add_group(struct table *table, uint32_t group)
{
	const struct codectl_tree *view = table->view;
	uint32_t node = group, depth = 0;

	table->path_count = 0;
	while ((node = codectl_tree_next(view, group, node, &depth)) != CODECTL_TREE_NONE) {
		const uint32_t name = view->nodes[node].name;
		uint32_t *path = codectl_array_reserve(
			table->path, &table->path_capacity, table->path_count, sizeof(*path));
		struct row *row;

		if (!path)
			return -ENOMEM;
		table->path = path;
		while (table->path_count >= depth)
			table->on_path[table->path[--table->path_count]]--;
		table->path[table->path_count++] = name;
		row = table_get_row(table, name);
		if (!table->on_path[name]++)
			row->total = codectl_saturating_add(row->total, view->nodes[node].total);
		row->self = codectl_saturating_add(row->self, view->nodes[node].self);
	}
	while (table->path_count)
		table->on_path[table->path[--table->path_count]]--;
	return 0;
}

static void table_fini(struct table *table)
{
	free(table->rows);
	free(table->row_of_name);
	free(table->on_path);
	free(table->path);
}

/* To be freed with table_fini() even if it fails. */
static int table_init(struct table *table, const struct codectl_tree *view)
{
	*table = (struct table){.view = view};
	table->rows = calloc(view->name_count + 1, sizeof(*table->rows));
	table->on_path = calloc(view->name_count + 1, sizeof(*table->on_path));
	table->row_of_name = calloc(view->name_count + 1, sizeof(*table->row_of_name));
	if (!table->rows || !table->on_path || !table->row_of_name)
		return -ENOMEM;
	for (size_t i = 0; i < view->name_count; i++)
		table->row_of_name[i] = CODECTL_TREE_NONE;
	return 0;
}

/* By what was asked for, then by the other, largest first; then by name. */
struct row_order {
	const struct codectl_tree *view;
	enum codectl_profile_sort sort;
};

static uint64_t sort_weight(const struct row *row, enum codectl_profile_sort sort)
{
	return sort == CODECTL_PROFILE_SORT_SELF ? row->self : row->total;
}

static int compare_rows(const void *a, const void *b, void *user)
{
	const struct row_order *order = user;
	const struct row *left = a, *right = b;
	const struct codectl_tree_name *left_name = &order->view->names[left->name];
	const struct codectl_tree_name *right_name = &order->view->names[right->name];
	const uint64_t left_weight = sort_weight(left, order->sort);
	const uint64_t right_weight = sort_weight(right, order->sort);
	int by_name;

	if (left_weight != right_weight)
		return left_weight < right_weight ? 1 : -1;
	if (left->total != right->total)
		return left->total < right->total ? 1 : -1;
	if (left->self != right->self)
		return left->self < right->self ? 1 : -1;
	by_name = strcmp(left_name->func, right_name->func);
	return by_name ? by_name : strcmp(left_name->bin, right_name->bin);
}

static void write_row(const struct codectl_tree *view, const struct row *row, uint64_t whole,
	double period, const char *label, FILE *stream)
{
	const struct codectl_tree_name *name = &view->names[row->name];

	fprintf(stream, "%8.2f%% %8.2f%% %9" PRIu64 " %9" PRIu64, percent(row->total, whole),
		percent(row->self, whole), row->total, row->self);
	if (period > 0)
		fprintf(stream, " %9.3f %9.3f", (double)row->total * period / NS_PER_S,
			(double)row->self * period / NS_PER_S);
	fputs("  ", stream);
	codectl_text_write_plain(stream, label, '\0', '\0');
	if (*name->func && *name->bin) {
		fputs("  [", stream);
		codectl_text_write_plain(stream, name->bin, '\0', '\0');
		fputc(']', stream);
	}
	fputc('\n', stream);
}

static int table_write(struct table *table, uint64_t whole, double period,
	const struct codectl_profile_options *options, FILE *stream)
{
	char *scratch = NULL;
	size_t scratch_size = 0, hidden = 0, shown = 0;
	int ret = 0;

	qsort_r(table->rows, table->row_count, sizeof(*table->rows), compare_rows,
		&(struct row_order){.view = table->view, .sort = options->sort});
	fprintf(stream, "%9s %9s %9s %9s", "total %", "self %", "total", "self");
	if (period > 0)
		fprintf(stream, " %9s %9s", "total s", "self s");
	fputs("  function [binary]\n", stream);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		const char *label;

		if (percent(sort_weight(row, options->sort), whole) < options->min_percent ||
			(options->limit && shown >= options->limit)) {
			hidden++;
			continue;
		}
		label = codectl_view_label(&table->view->names[row->name], &scratch, &scratch_size);
		if (!label) {
			ret = -ENOMEM;
			break;
		}
		write_row(table->view, row, whole, period, label, stream);
		shown++;
	}
	if (hidden)
		fprintf(stream, "# %zu more functions are not shown\n", hidden);
	free(scratch);
	return ret;
}

/* Makes the table ready for the next group. */
static void table_clear(struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		table->row_of_name[table->rows[i].name] = CODECTL_TREE_NONE;
	table->row_count = 0;
}

static int compare_stack_ends(const void *a, const void *b)
{
	const struct codectl_profile_stack_end *left = a, *right = b;

	if (left->samples != right->samples)
		return left->samples < right->samples ? 1 : -1;
	return strcmp(left->name, right->name);
}

static int write_stack_ends(const struct codectl_profile *profile, FILE *stream)
{
	const size_t count = profile->stack_end_count;
	struct codectl_profile_stack_end *sorted = calloc(count + 1, sizeof(*sorted));
	uint64_t complete = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		sorted[i] = profile->stack_ends[i];
		if (!strcmp(sorted[i].name, CODECTL_PROFILE_COMPLETE))
			complete = sorted[i].samples;
	}
	qsort(sorted, count, sizeof(*sorted), compare_stack_ends);
	fprintf(stream, "# complete stacks: %.2f%% (%" PRIu64 " of %" PRIu64 ")\n",
		percent(complete, profile->samples), complete, profile->samples);
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(sorted[i].name, CODECTL_PROFILE_COMPLETE))
			continue;
		fprintf(stream, "#   ended by ");
		codectl_text_write_plain(stream, sorted[i].name, '\0', '\0');
		fprintf(stream, ": %.2f%% (%" PRIu64 ")\n",
			percent(sorted[i].samples, profile->samples), sorted[i].samples);
	}
	free(sorted);
	return 0;
}

static int write_header(const struct codectl_profile *profile, double period,
	const struct codectl_profile_options *options, FILE *stream)
{
	if (options->title && *options->title) {
		fputs("# ", stream);
		codectl_text_write_plain(stream, options->title, '\0', '\0');
		fputc('\n', stream);
	}
	fprintf(stream,
		"# samples: %" PRIu64 ", weight %" PRIu64 ", %zu thread%s of %zu process%s\n",
		profile->samples, profile->weight, profile->thread_count,
		profile->thread_count == 1 ? "" : "s", profile->process_count,
		profile->process_count == 1 ? "" : "es");
	if (profile->wall_samples)
		fprintf(stream,
			"# clock: real time, whether threads run or sleep (%" PRIu64 " samples)\n",
			profile->wall_samples);
	fprintf(stream,
		"# lost: %" PRIu64 " samples by full rings; discarded by the tracer: %" PRIu64
		" events, %" PRIu64 " packets%s\n",
		codectl_profile_lost(profile), profile->discarded_events,
		profile->discarded_packets,
		profile->has_uncounted_discards ? ", and some without a count" : "");
	if (profile->unreadable)
		fprintf(stream, "# unreadable: %" PRIu64 " events\n", profile->unreadable);
	if (period > 0)
		fprintf(stream, "# CPU time: about %.3f s, %.3f ms per sample\n",
			(double)profile->weight * period / NS_PER_S, period / 1e6);
	return write_stack_ends(profile, stream);
}

/* All groups in one table. */
static int write_all(struct table *table, const struct codectl_profile *profile, double period,
	const struct codectl_profile_options *options, FILE *stream)
{
	const struct codectl_tree *view = table->view;
	uint32_t group = view->nodes[CODECTL_TREE_ROOT].first_child;
	int ret = 0;

	for (; group != CODECTL_TREE_NONE && ret == 0; group = view->nodes[group].next_sibling)
		ret = table_add_group(table, group);
	fputc('\n', stream);
	return ret < 0 ? ret : table_write(table, profile->weight, period, options, stream);
}

/* Largest first; groups of one weight stay in the order of their names. */
static int compare_groups(const void *a, const void *b, void *user)
{
	const struct codectl_tree *view = user;
	const struct codectl_tree_node *left = &view->nodes[*(const uint32_t *)a];
	const struct codectl_tree_node *right = &view->nodes[*(const uint32_t *)b];

	if (left->total != right->total)
		return left->total < right->total ? 1 : -1;
	return strcmp(view->names[left->name].func, view->names[right->name].func);
}

static int write_group(struct table *table, uint32_t group, const struct codectl_profile *profile,
	double period, const struct codectl_profile_options *options, FILE *stream)
{
	const struct codectl_tree_node *node = &table->view->nodes[group];
	int ret;

	fprintf(stream, "\n# %s ",
		options->by == CODECTL_PROFILE_BY_PROCESS ? "process" : "thread");
	codectl_text_write_plain(stream, table->view->names[node->name].func, '\0', '\0');
	fprintf(stream, ": %.2f%% of all, weight %" PRIu64 "\n",
		percent(node->total, profile->weight), node->total);
	ret = table_add_group(table, group);
	if (ret == 0)
		ret = table_write(table, node->total, period, options, stream);
	table_clear(table);
	return ret;
}

/* A table for each group. */
static int write_each(struct table *table, const struct codectl_profile *profile, double period,
	const struct codectl_profile_options *options, FILE *stream)
{
	const struct codectl_tree *view = table->view;
	uint32_t *groups = NULL;
	size_t count = 0, capacity = 0;
	int ret = 0;

	for (uint32_t group = view->nodes[CODECTL_TREE_ROOT].first_child;
		group != CODECTL_TREE_NONE; group = view->nodes[group].next_sibling) {
		uint32_t *grown = codectl_array_reserve(groups, &capacity, count, sizeof(*groups));

		if (!grown) {
			free(groups);
			return -ENOMEM;
		}
		groups = grown;
		groups[count++] = group;
	}
	if (count)
		qsort_r(groups, count, sizeof(*groups), compare_groups, (void *)view);
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = write_group(table, groups[i], profile, period, options, stream);
	free(groups);
	return ret;
}

int codectl_report_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream)
{
	const double period = codectl_profile_period(profile);
	struct codectl_tree *view = NULL;
	struct table table = {0};
	int ret = codectl_view_create(profile, options->by, CODECTL_VIEW_BY_BINARY, &view);

	if (ret == 0)
		ret = table_init(&table, view);
	codectl_text_begin();
	if (ret == 0)
		ret = write_header(profile, period, options, stream);
	if (ret == 0 && options->by == CODECTL_PROFILE_BY_NONE)
		ret = write_all(&table, profile, period, options, stream);
	else if (ret == 0)
		ret = write_each(&table, profile, period, options, stream);
	if (ret == 0)
		ret = codectl_text_flush(stream);
	table_fini(&table);
	codectl_tree_destroy(view);
	return ret;
}
