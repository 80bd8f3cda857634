/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/summary.h"

#include "cli/graph.h"
#include "cli/traces.h"
#include "format/event.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands for a process where a thread number belongs. */
#define NO_THREAD INT64_MIN

/* What was seen of a process or a thread. */
struct seen {
	uint64_t start_time;
	int64_t vpid;
	int64_t vtid; /* Or NO_THREAD. */
	/* What the thread's statistics said last, and what earlier threads with its number used. */
	uint64_t lost;
	uint64_t cpu_time;
	uint64_t earlier_cpu_time;
	uint64_t weight; /* Of its samples by CPU time. */
	bool is_wall;	 /* There are samples by the wall clock: they say nothing of CPU time. */
	char comm[16];
};

/* Enough to judge by: that much CPU time, for so many samples; and so small a part of them. */
#define JUDGED_CPU_TIME_MIN 100000000u /* ns. */
#define JUDGED_SAMPLES_MIN  20
#define UNSAMPLED_PART	    4

struct counting {
	struct codectl_summary *summary; /* Weak; owned by the caller. */
	uint32_t frequency;
	void *seen; /* Owned; a tree of struct seen for tsearch(). */
};

static int compare_seen(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;

	if (left->vpid != right->vpid)
		return left->vpid < right->vpid ? -1 : 1;
	if (left->vtid != right->vtid)
		return left->vtid < right->vtid ? -1 : 1;
	return (left->start_time > right->start_time) - (left->start_time < right->start_time);
}

/* Finds or makes the entry like @key; NULL without memory. */
static struct seen *get_seen(struct counting *counting, const struct seen *key, bool *is_new)
{
	struct seen **found = tfind(key, &counting->seen, compare_seen);
	struct seen *entry;

	*is_new = !found;
	if (found)
		return *found;
	entry = malloc(sizeof(*entry));
	if (!entry)
		return NULL;
	*entry = *key;
	if (!tsearch(entry, &counting->seen, compare_seen)) {
		free(entry);
		return NULL;
	}
	return entry;
}

/* An integer member as bits, or 0 if the event has no such member. */
static uint64_t read_integer(const bt_field *payload, const char *name)
{
	const bt_field *field = bt_field_structure_borrow_member_field_by_name_const(payload, name);

	if (!field)
		return 0;
	if (bt_field_class_type_is(
		    bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return (uint64_t)bt_field_integer_signed_get_value(field);
	if (bt_field_class_type_is(
		    bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return bt_field_integer_unsigned_get_value(field);
	return 0;
}

static void read_string(const bt_field *payload, const char *name, char *text, size_t size)
{
	const bt_field *field = bt_field_structure_borrow_member_field_by_name_const(payload, name);

	if (field &&
		bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_STRING))
		snprintf(text, size, "%s", bt_field_string_get_value(field));
}

static int count_sample(struct counting *counting, struct seen key, const bt_field *payload)
{
	struct seen *thread;
	bool is_new;

	key.vtid = (int64_t)read_integer(payload, "vtid");
	thread = get_seen(counting, &key, &is_new);
	if (!thread)
		return -ENOMEM;
	counting->summary->samples++;
	if (read_integer(payload, "kind") == CODECTL_SAMPLE_WALL)
		thread->is_wall = true;
	thread->weight += read_integer(payload, "weight");
	return 0;
}

static int count_stats(struct counting *counting, struct seen key, const bt_field *payload)
{
	const uint64_t cpu_time = read_integer(payload, "cpu_time");
	const uint64_t lost = read_integer(payload, "lost");
	struct seen *thread;
	bool is_new;

	key.vtid = (int64_t)read_integer(payload, "vtid");
	thread = get_seen(counting, &key, &is_new);
	if (!thread)
		return -ENOMEM;
	/* The counter holds for the thread so far; if it fell, it is another thread. */
	counting->summary->lost += lost >= thread->lost ? lost - thread->lost : lost;
	thread->lost = lost;
	if (cpu_time < thread->cpu_time)
		thread->earlier_cpu_time += thread->cpu_time;
	thread->cpu_time = cpu_time;
	read_string(payload, "comm", thread->comm, sizeof(thread->comm));
	return 0;
}

static void count_unrecorded(struct counting *counting, const bt_field *payload)
{
	char path[CODECTL_PROGRAM_PATH_MAX] = "";

	read_string(payload, "pathname", path, sizeof(path));
	codectl_unrecorded_add(&counting->summary->unrecorded, path,
		read_integer(payload, "reason"), read_integer(payload, "count"));
}

static int count_event(struct counting *counting, const bt_event *event)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const int type = name ? codectl_event_type_from_name(name) : -1;
	struct seen key = {.vtid = NO_THREAD};
	bool is_new;

	if (type < 0 || !payload)
		return 0;
	key.vpid = (int64_t)read_integer(payload, "vpid");
	key.start_time = read_integer(payload, "start_time");
	if (!get_seen(counting, &key, &is_new))
		return -ENOMEM;
	if (is_new)
		counting->summary->processes++;
	if (type == CODECTL_EVENT_SAMPLE)
		return count_sample(counting, key, payload);
	if (type == CODECTL_EVENT_THREAD_STATS)
		return count_stats(counting, key, payload);
	if (type == CODECTL_EVENT_UNRECORDED_PROGRAM)
		count_unrecorded(counting, payload);
	return 0;
}

static void count_lost_packets(struct counting *counting, const bt_message *message)
{
	uint64_t count;

	if (bt_message_discarded_packets_get_count(message, &count) ==
		BT_PROPERTY_AVAILABILITY_AVAILABLE)
		counting->summary->lost_packets += count;
}

static int count_message(struct counting *counting, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return count_event(counting, bt_message_event_borrow_event_const(message));
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		count_lost_packets(counting, message);
		return 0;
	default:
		return 0;
	}
}

static bt_graph_simple_sink_component_consume_func_status consume(
	bt_message_iterator *iterator, void *user)
{
	struct counting *counting = user;
	bt_message_array_const messages;
	uint64_t count = 0;
	int ret = 0;

	switch (bt_message_iterator_next(iterator, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
	default:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (ret == 0)
			ret = count_message(counting, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return ret < 0 ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR
		       : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static int count_all(struct codectl_graph *graph, struct counting *counting)
{
	const bt_component_sink *sink;

	if (bt_graph_add_simple_sink_component(graph->graph, "summary", NULL, consume, NULL,
		    counting, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
		bt_graph_connect_ports(graph->graph, graph->output,
			bt_component_sink_borrow_input_port_by_index_const(sink, 0),
			NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return codectl_graph_fail(graph, "Cannot read the trace");
	return codectl_graph_run(graph);
}

/* Names the thread if it used more CPU time than one that is named. */
static void note_unsampled(struct codectl_summary *summary, const struct seen *thread)
{
	uint64_t cpu_time = thread->cpu_time + thread->earlier_cpu_time;
	size_t at = CODECTL_SUMMARY_UNSAMPLED_MAX;

	while (at > 0 && summary->unsampled[at - 1].cpu_time < cpu_time)
		at--;
	summary->unsampled_count++;
	if (at == CODECTL_SUMMARY_UNSAMPLED_MAX)
		return;
	memmove(&summary->unsampled[at + 1], &summary->unsampled[at],
		(CODECTL_SUMMARY_UNSAMPLED_MAX - 1 - at) * sizeof(summary->unsampled[0]));

	struct codectl_unsampled_thread *named = &summary->unsampled[at];

	named->vpid = thread->vpid;
	named->vtid = thread->vtid;
	memcpy(named->comm, thread->comm, sizeof(named->comm));
	named->cpu_time = cpu_time;
	named->weight = thread->weight;
}

static void judge(const void *node, VISIT visit, void *user)
{
	const struct seen *thread = *(const struct seen *const *)node;
	const struct counting *counting = user;
	uint64_t cpu_time = thread->cpu_time + thread->earlier_cpu_time;
	double expected = (double)cpu_time / 1e9 * counting->frequency;

	if ((visit == postorder || visit == leaf) && thread->vtid != NO_THREAD &&
		!thread->is_wall && cpu_time >= JUDGED_CPU_TIME_MIN &&
		expected >= JUDGED_SAMPLES_MIN &&
		(double)(thread->weight + thread->lost) < expected / UNSAMPLED_PART)
		note_unsampled(counting->summary, thread);
}

int codectl_summary_read(const char *directory, uint32_t frequency, struct codectl_summary *summary)
{
	struct counting counting = {.summary = summary, .frequency = frequency};
	struct codectl_traces traces;
	struct codectl_graph graph;
	int ret;

	*summary = (struct codectl_summary){0};
	/* No program has registered: no trace, and no reason to complain. */
	ret = codectl_traces_find(&traces, directory);
	if (ret == 0) {
		const size_t count = traces.count;

		codectl_traces_fini(&traces);
		if (!count)
			return 0;
	}
	ret = codectl_graph_init(&graph, directory, false);
	if (ret < 0)
		return ret;
	ret = count_all(&graph, &counting);
	codectl_graph_fini(&graph);
	twalk_r(counting.seen, judge, &counting);
	tdestroy(counting.seen, free);
	return ret;
}
