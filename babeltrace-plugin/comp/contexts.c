/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/contexts.h"

#include "comp/bound-fields.h"
#include "trace-ir/class-map.h"
#include "trace-ir/pointer-map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct known_trace {
	struct codectl_contexts *contexts; /* Weak; owns this. */
	const bt_trace *source;		   /* Weak; the listener tells of its end. */
	bt_listener_id listener_id;
	uint64_t number;
	const char *hostname; /* Weak; owned by the trace. "" if it does not say. */
	bool is_of_kernel;
	struct codectl_known_stream *streams; /* Owned. */
};

struct codectl_contexts {
	const char *field_name;		    /* Weak. */
	struct codectl_class_map classes;   /* Owned values, by stream class. */
	struct codectl_pointer_map traces;  /* Owned values. */
	struct codectl_pointer_map streams; /* Weak values. */
	uint64_t last_number;
};

struct codectl_contexts *codectl_contexts_create(const char *field_name)
{
	struct codectl_contexts *contexts = calloc(1, sizeof(*contexts));

	if (contexts) {
		contexts->field_name = field_name;
		codectl_class_map_init(&contexts->classes, true);
	}
	return contexts;
}

static void destroy_trace(struct known_trace *trace)
{
	struct codectl_known_stream *stream = trace->streams;

	while (stream) {
		struct codectl_known_stream *next = stream->next;
		codectl_pointer_map_remove(&trace->contexts->streams, stream->source);
		free(stream);
		stream = next;
	}
	codectl_pointer_map_remove(&trace->contexts->traces, trace->source);
	free(trace);
}

static void on_trace_destroyed(const bt_trace *source, void *user)
{
	(void)source;
	destroy_trace(user);
}

void codectl_contexts_destroy(struct codectl_contexts *contexts)
{
	struct known_trace *trace;
	size_t cursor = 0;

	if (!contexts)
		return;
	/* Removing an entry moves others, so each search begins anew. */
	while ((trace = codectl_pointer_map_next(&contexts->traces, &cursor))) {
		bt_trace_remove_destruction_listener(trace->source, trace->listener_id);
		destroy_trace(trace);
		cursor = 0;
	}
	codectl_pointer_map_fini(&contexts->traces);
	codectl_pointer_map_fini(&contexts->streams);
	codectl_class_map_fini(&contexts->classes);
	free(contexts);
}

/* The member @name, if it is an integer of that kind and no enumeration; otherwise -1. */
static int64_t find_integer(
	const bt_field_class *structure, const char *name, bt_field_class_type type, uint64_t range)
{
	int64_t index = codectl_bound_fields_find_member(structure, name);

	if (index < 0)
		return -1;
	const bt_field_class *member = bt_field_class_structure_member_borrow_field_class_const(
		bt_field_class_structure_borrow_member_by_index_const(structure, (uint64_t)index));
	if (bt_field_class_get_type(member) != type ||
		(range && bt_field_class_integer_get_field_value_range(member) != range))
		return -1;
	return index;
}

const struct codectl_context *codectl_contexts_get(
	struct codectl_contexts *contexts, const bt_stream_class *stream_class)
{
	struct codectl_context *context = codectl_class_map_find(&contexts->classes, stream_class);

	if (context)
		return context;
	context = malloc(sizeof(*context));
	if (!context)
		return NULL;
	*context = (struct codectl_context){.vpid = -1, .ip = -1, .pid_namespace = -1};
	const bt_field_class *structure =
		bt_stream_class_borrow_event_common_context_field_class_const(stream_class);
	if (structure) {
		context->vpid = find_integer(
			structure, "vpid", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER, 32);
		context->ip = find_integer(
			structure, "ip", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, 0);
		context->pid_namespace = find_integer(
			structure, "pid_ns", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, 0);
		context->has_debug_info = codectl_bound_fields_find_member(
						  structure, contexts->field_name) >= 0;
	}
	if (codectl_class_map_insert(&contexts->classes,
		    bt_stream_class_borrow_trace_class_const(stream_class), stream_class,
		    context) < 0) {
		free(context);
		return NULL;
	}
	return context;
}

/* What the environment of the trace says of itself; "" if it does not. */
static const char *read_environment(const bt_trace *source, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(source, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : "";
}

static struct known_trace *add_trace(struct codectl_contexts *contexts, const bt_trace *source)
{
	struct known_trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->contexts = contexts;
	trace->source = source;
	trace->number = ++contexts->last_number;
	trace->hostname = read_environment(source, "hostname");
	trace->is_of_kernel = !strcmp(read_environment(source, "domain"), "kernel");
	if (codectl_pointer_map_insert(&contexts->traces, source, trace) < 0 ||
		bt_trace_add_destruction_listener(source, on_trace_destroyed, trace,
			&trace->listener_id) != BT_TRACE_ADD_LISTENER_STATUS_OK) {
		destroy_trace(trace);
		return NULL;
	}
	return trace;
}

static struct codectl_known_stream *add_stream(
	struct codectl_contexts *contexts, const bt_stream *source)
{
	const bt_trace *source_trace = bt_stream_borrow_trace_const(source);
	struct known_trace *trace = codectl_pointer_map_find(&contexts->traces, source_trace);
	const struct codectl_context *context = codectl_contexts_get(
		contexts, bt_stream_borrow_class_const(source));
	struct codectl_known_stream *stream;

	if (!trace)
		trace = add_trace(contexts, source_trace);
	stream = trace && context ? calloc(1, sizeof(*stream)) : NULL;
	if (!stream)
		return NULL;
	stream->source = source;
	stream->context = context;
	stream->trace = trace->number;
	stream->hostname = trace->is_of_kernel ? trace->hostname : NULL;
	if (codectl_pointer_map_insert(&contexts->streams, source, stream) < 0) {
		free(stream);
		return NULL;
	}
	stream->next = trace->streams;
	trace->streams = stream;
	return stream;
}

struct codectl_known_stream *codectl_contexts_get_stream(
	struct codectl_contexts *contexts, const bt_stream *source)
{
	struct codectl_known_stream *stream = codectl_pointer_map_find(&contexts->streams, source);

	return stream ? stream : add_stream(contexts, source);
}

void codectl_contexts_touch_processes(const struct codectl_contexts *contexts)
{
	const struct codectl_known_stream *stream;
	size_t cursor = 0;

	while ((stream = codectl_pointer_map_next(&contexts->streams, &cursor))) {
		if (stream->last_process)
			codectl_ust_process_touch(stream->last_process);
	}
}

void codectl_contexts_forget_processes(struct codectl_contexts *contexts)
{
	struct codectl_known_stream *stream;
	size_t cursor = 0;

	while ((stream = codectl_pointer_map_next(&contexts->streams, &cursor))) {
		stream->last_process = NULL;
		stream->last_key = (struct codectl_ust_key){0};
	}
}

/*
 * The process @key of a kernel's trace, as another trace of the same machine tells of
 * it. NULL if none does, or several: pids are used again.
 */
static struct codectl_ust_process *find_elsewhere(const struct codectl_contexts *contexts,
	const struct codectl_ust_map *map, const char *hostname, const struct codectl_ust_key *key)
{
	const struct known_trace *trace;
	struct codectl_ust_process *found = NULL;
	size_t cursor = 0;

	while ((trace = codectl_pointer_map_next(&contexts->traces, &cursor))) {
		struct codectl_ust_key other = *key;
		struct codectl_ust_process *process;

		if (trace->is_of_kernel || strcmp(trace->hostname, hostname) != 0)
			continue;
		other.trace = trace->number;
		process = codectl_ust_map_find(map, &other);
		if (process && found)
			return NULL;
		if (process)
			found = process;
	}
	return found;
}

struct codectl_ust_process *codectl_contexts_look_up_process(
	const struct codectl_contexts *contexts, const struct codectl_ust_map *map,
	struct codectl_known_stream *stream, const struct codectl_ust_key *key)
{
	uint64_t count = codectl_ust_map_borrow_stats(map)->processes;

	/* What nobody knew is looked for again only when somebody else is known. */
	if (codectl_ust_key_is_equal(&stream->last_key, key) && stream->last_count == count)
		return stream->last_process;
	stream->last_process = codectl_ust_map_find(map, key);
	if (!stream->last_process && stream->hostname)
		stream->last_process = find_elsewhere(contexts, map, stream->hostname, key);
	if (stream->last_process)
		codectl_ust_process_touch(stream->last_process);
	stream->last_key = *key;
	stream->last_count = count;
	return stream->last_process;
}

uint64_t codectl_contexts_get_clock(const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);

	if (!bt_stream_class_borrow_default_clock_class_const(
		    bt_stream_borrow_class_const(bt_event_borrow_stream_const(event))))
		return 0;
	return bt_clock_snapshot_get_value(
		bt_message_event_borrow_default_clock_snapshot_const(message));
}
