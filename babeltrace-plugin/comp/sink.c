/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/sink.h"

#include "comp/output.h"
#include "comp/param-table.h"
#include "comp/profile-input.h"
#include "comp/statuses.h"
#include "profile/writer.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IN_PORT_NAME "in"

/* How often the user is told, and how rarely the clock is asked. */
#define PROGRESS_PERIOD_NS   INT64_C(200000000)
#define PROGRESS_BATCH_COUNT 64

enum format { FORMAT_REPORT, FORMAT_FOLDED, FORMAT_FLAMEGRAPH };

struct sink {
	struct codectl_profile *profile;     /* Owned. */
	struct codectl_profile_input *input; /* Owned. */
	bt_message_iterator *iterator;	     /* Owned. */
	char *output_path;		     /* Owned. */
	char *title;			     /* Owned. */
	unsigned int format;		     /* enum format */
	unsigned int by;		     /* enum codectl_profile_by */
	unsigned int sort;		     /* enum codectl_profile_sort */
	double min_percent;
	uint64_t limit;
	bool has_progress;
	bool is_progress_shown;
	unsigned int batches;
	int64_t next_progress;
};

static void sink_destroy(struct sink *sink)
{
	if (!sink)
		return;
	if (sink->iterator)
		bt_message_iterator_put_ref(sink->iterator);
	codectl_profile_input_destroy(sink->input);
	codectl_profile_destroy(sink->profile);
	free(sink->output_path);
	free(sink->title);
	free(sink);
}

static struct sink *sink_create(void)
{
	struct sink *sink = calloc(1, sizeof(*sink));

	if (!sink)
		return NULL;
	sink->profile = codectl_profile_create();
	if (sink->profile)
		sink->input = codectl_profile_input_create(sink->profile);
	if (!sink->input) {
		sink_destroy(sink);
		return NULL;
	}
	return sink;
}

/* Returns 0, -ENOMEM, or another error with a text in @error. */
static int read_params(struct sink *sink, const bt_value *params, char *error, size_t error_size)
{
	static const char *const formats[] = {"report", "folded", "flamegraph", NULL};
	static const char *const groups[] = {"none", "process", "thread", NULL};
	static const char *const sorts[] = {"total", "self", NULL};
	const char *output = "-", *title = "";
	const struct codectl_param table[] = {
		{"format", CODECTL_PARAM_CHOICE, &sink->format, formats},
		{"by", CODECTL_PARAM_CHOICE, &sink->by, groups},
		{"sort", CODECTL_PARAM_CHOICE, &sink->sort, sorts},
		{"output", CODECTL_PARAM_STRING, &output, NULL},
		{"title", CODECTL_PARAM_STRING, &title, NULL},
		{"limit", CODECTL_PARAM_COUNT, &sink->limit, NULL},
		{"min-percent", CODECTL_PARAM_NUMBER, &sink->min_percent, NULL},
		{"progress", CODECTL_PARAM_BOOL, &sink->has_progress, NULL},
		{NULL, CODECTL_PARAM_STRING, NULL, NULL},
	};
	int ret = codectl_param_table_read(params, table, error, error_size);

	if (ret < 0)
		return ret;
	ret = codectl_output_check(output);
	if (ret < 0) {
		snprintf(error, error_size, "Cannot write to \"%s\": %s.", output, strerror(-ret));
		return ret;
	}
	sink->output_path = strdup(output);
	sink->title = strdup(title);
	return sink->output_path && sink->title ? 0 : -ENOMEM;
}

bt_component_class_initialize_method_status codectl_sink_initialize(
	bt_self_component_sink *self_sink, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *initialize_method_data)
{
	bt_self_component *self = bt_self_component_sink_as_self_component(self_sink);
	struct sink *sink = sink_create();
	char error[4352] = "";
	int ret;

	(void)configuration;
	(void)initialize_method_data;
	if (!sink)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	ret = read_params(sink, params, error, sizeof(error));
	if (ret == -ENOMEM)
		goto memory_error;
	if (ret < 0) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self, "%s", error);
		sink_destroy(sink);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (bt_self_component_sink_add_input_port(self_sink, IN_PORT_NAME, NULL, NULL) !=
		BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		goto memory_error;
	bt_self_component_set_data(self, sink);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
memory_error:
	sink_destroy(sink);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
}

static struct sink *borrow_sink(bt_self_component_sink *self_sink)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self_sink));
}

void codectl_sink_finalize(bt_self_component_sink *self_sink)
{
	struct sink *sink = borrow_sink(self_sink);

	/* Interrupted or failed: leave the line of the progress. */
	if (sink->is_progress_shown)
		fputc('\n', stderr);
	sink_destroy(sink);
}

bt_component_class_sink_graph_is_configured_method_status codectl_sink_graph_is_configured(
	bt_self_component_sink *self_sink)
{
	struct sink *sink = borrow_sink(self_sink);
	bt_message_iterator_create_from_sink_component_status status =
		bt_message_iterator_create_from_sink_component(self_sink,
			bt_self_component_sink_borrow_input_port_by_name(self_sink, IN_PORT_NAME),
			&sink->iterator);

	switch (status) {
	case BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK:
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_MEMORY_ERROR:
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_MEMORY_ERROR;
	default:
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	}
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void show_progress(struct sink *sink)
{
	int64_t now;

	if (!sink->has_progress || sink->batches++ % PROGRESS_BATCH_COUNT != 0)
		return;
	now = now_ns();
	if (now < sink->next_progress)
		return;
	/* Nothing at once: what is done before anybody can read it needs no progress. */
	if (sink->next_progress) {
		fprintf(stderr, "\r%" PRIu64 " samples so far", sink->profile->samples);
		sink->is_progress_shown = true;
	}
	sink->next_progress = now + PROGRESS_PERIOD_NS;
}

static void show_summary(struct sink *sink)
{
	const struct codectl_profile *profile = sink->profile;
	uint64_t complete = 0;

	if (!sink->has_progress)
		return;
	for (size_t i = 0; i < profile->stack_end_count; i++) {
		if (!strcmp(profile->stack_ends[i].name, CODECTL_PROFILE_COMPLETE))
			complete = profile->stack_ends[i].samples;
	}
	fprintf(stderr, "%s%" PRIu64 " samples, %" PRIu64 " lost, %.1f%% of the stacks complete\n",
		sink->is_progress_shown ? "\r" : "", profile->samples,
		codectl_profile_lost(profile),
		profile->samples ? 100.0 * (double)complete / (double)profile->samples : 0);
	sink->is_progress_shown = false;
}

static int write_profile(const struct sink *sink)
{
	const struct codectl_profile_options options = {
		.by = (enum codectl_profile_by)sink->by,
		.sort = (enum codectl_profile_sort)sink->sort,
		.title = sink->title,
		.min_percent = sink->min_percent,
		.limit = sink->limit,
	};
	struct codectl_output output;
	int ret = codectl_output_open(&output, sink->output_path);

	if (ret < 0)
		return ret;
	switch ((enum format)sink->format) {
	case FORMAT_REPORT:
		ret = codectl_report_write(sink->profile, &options, output.stream);
		break;
	case FORMAT_FOLDED:
		ret = codectl_folded_write(sink->profile, &options, output.stream);
		break;
	case FORMAT_FLAMEGRAPH:
		ret = codectl_flamegraph_write(sink->profile, &options, output.stream);
		break;
	}
	ret = codectl_output_close(&output, ret);
	/* A reader that has seen enough (`| head`) is no failure. */
	return ret == -EPIPE ? 0 : ret;
}

static bt_component_class_sink_consume_method_status fail(
	bt_self_component_sink *self_sink, int error, const char *what)
{
	if (error == -ENOMEM)
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		bt_self_component_sink_as_self_component(self_sink), "%s%s%s", what,
		error ? ": " : "", error ? strerror(-error) : "");
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}

/* All messages are in: writes what they came to, unless there is nothing to write. */
static bt_component_class_sink_consume_method_status finish(bt_self_component_sink *self_sink)
{
	struct sink *sink = borrow_sink(self_sink);
	const struct codectl_profile_input_stats *stats = codectl_profile_input_borrow_stats(
		sink->input);
	char what[4352];
	int ret;

	sink->profile->unreadable = codectl_saturating_add(stats->raw_samples, stats->bad_events);
	if (!sink->profile->samples && stats->raw_samples)
		return fail(self_sink, 0,
			"The samples have no frames: filter.codectl.debug-info must come before "
			"this component");
	if (!sink->profile->samples && stats->bad_events)
		return fail(self_sink, 0, "The samples have other fields than this version knows");
	if (!sink->profile->samples)
		return fail(self_sink, 0, "There are no samples in the trace");
	show_summary(sink);
	ret = write_profile(sink);
	if (ret < 0) {
		snprintf(what, sizeof(what), "Cannot write \"%s\"", sink->output_path);
		return fail(self_sink, ret, what);
	}
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

bt_component_class_sink_consume_method_status codectl_sink_consume(
	bt_self_component_sink *self_sink)
{
	struct sink *sink = borrow_sink(self_sink);
	bt_message_array_const messages;
	uint64_t count = 0;
	int ret = 0;

	switch (bt_message_iterator_next(sink->iterator, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return finish(self_sink);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	default:
		return fail(self_sink, 0, "Cannot get the next messages");
	}
	for (uint64_t i = 0; i < count; i++) {
		if (ret == 0)
			ret = codectl_profile_input_add(sink->input, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	if (ret < 0)
		return fail(self_sink, ret, "Cannot keep the stacks");
	show_progress(sink);
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

bt_component_class_get_supported_mip_versions_method_status codectl_sink_get_supported_mip_versions(
	bt_self_component_class_sink *self_component_class, const bt_value *params,
	void *initialize_method_data, bt_logging_level level,
	bt_integer_range_set_unsigned *versions)
{
	(void)self_component_class;
	(void)params;
	(void)initialize_method_data;
	(void)level;
	return codectl_status_of_mip_versions(codectl_mip_add_supported(versions));
}
