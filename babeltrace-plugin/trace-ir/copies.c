/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/copies.h"

#include <errno.h>
#include <stdlib.h>

struct codectl_copied_trace_class {
	struct codectl_copies *copies; /* Weak; owns this. */
	const bt_trace_class *source;  /* Weak; the listener tells of its end. */
	bt_trace_class *copy;	       /* Owned reference. */
	bt_listener_id listener_id;
	uint64_t stream_class_count;			    /* Copied so far. */
	struct codectl_copied_stream_class *stream_classes; /* Owned. */
};

struct codectl_copied_trace {
	struct codectl_copies *copies; /* Weak; owns this. */
	const bt_trace *source;	       /* Weak; the listener tells of its end. */
	/* Owned reference; NULL as long as no class that is wanted is known. */
	bt_trace *copy;
	bt_listener_id listener_id;
	uint64_t stream_count;		       /* Looked at since there is a copy. */
	struct codectl_copied_stream *streams; /* Owned. */
};

void codectl_copies_init(struct codectl_copies *copies, bt_self_component *self_component,
	const struct codectl_copy_extension *extension)
{
	*copies = (struct codectl_copies){
		.self_component = self_component,
		.extension = *extension,
	};
}

static void destroy_event_class(
	struct codectl_copies *copies, struct codectl_copied_event_class *event_class)
{
	codectl_pointer_map_remove(&copies->event_classes, event_class->source);
	bt_event_class_put_ref(event_class->copy);
	codectl_event_class_plan_fini(&event_class->plan);
	free(event_class);
}

static void destroy_stream_class(
	struct codectl_copies *copies, struct codectl_copied_stream_class *stream_class)
{
	struct codectl_copied_event_class *event_class = stream_class->event_classes;

	while (event_class) {
		struct codectl_copied_event_class *next = event_class->next;
		destroy_event_class(copies, event_class);
		event_class = next;
	}
	codectl_pointer_map_remove(&copies->stream_classes, stream_class->source);
	bt_stream_class_put_ref(stream_class->copy);
	codectl_stream_class_plan_fini(&stream_class->plan);
	free(stream_class);
}

static void destroy_trace_class(struct codectl_copied_trace_class *trace_class)
{
	struct codectl_copied_stream_class *stream_class = trace_class->stream_classes;

	while (stream_class) {
		struct codectl_copied_stream_class *next = stream_class->next;
		destroy_stream_class(trace_class->copies, stream_class);
		stream_class = next;
	}
	codectl_pointer_map_remove(&trace_class->copies->trace_classes, trace_class->source);
	bt_trace_class_put_ref(trace_class->copy);
	free(trace_class);
}

void codectl_copied_stream_close_packet(struct codectl_copied_stream *stream)
{
	BT_PACKET_PUT_REF_AND_RESET(stream->source_packet);
	BT_PACKET_PUT_REF_AND_RESET(stream->packet);
}

static void destroy_trace(struct codectl_copied_trace *trace)
{
	struct codectl_copied_stream *stream = trace->streams;

	while (stream) {
		struct codectl_copied_stream *next = stream->next;
		codectl_pointer_map_remove(&trace->copies->streams, stream->source);
		codectl_copied_stream_close_packet(stream);
		bt_stream_put_ref(stream->copy);
		free(stream);
		stream = next;
	}
	codectl_pointer_map_remove(&trace->copies->traces, trace->source);
	bt_trace_put_ref(trace->copy);
	free(trace);
}

static void on_trace_class_destroyed(const bt_trace_class *source, void *user)
{
	(void)source;
	destroy_trace_class(user);
}

static void on_trace_destroyed(const bt_trace *source, void *user)
{
	(void)source;
	destroy_trace(user);
}

void codectl_copies_fini(struct codectl_copies *copies)
{
	struct codectl_copied_trace_class *trace_class;
	struct codectl_copied_trace *trace;
	size_t cursor = 0;

	/* Removing an entry moves others, so each search begins anew. */
	while ((trace = codectl_pointer_map_next(&copies->traces, &cursor))) {
		bt_trace_remove_destruction_listener(trace->source, trace->listener_id);
		destroy_trace(trace);
		cursor = 0;
	}
	cursor = 0;
	while ((trace_class = codectl_pointer_map_next(&copies->trace_classes, &cursor))) {
		bt_trace_class_remove_destruction_listener(
			trace_class->source, trace_class->listener_id);
		destroy_trace_class(trace_class);
		cursor = 0;
	}
	codectl_pointer_map_fini(&copies->event_classes);
	codectl_pointer_map_fini(&copies->stream_classes);
	codectl_pointer_map_fini(&copies->streams);
	codectl_pointer_map_fini(&copies->trace_classes);
	codectl_pointer_map_fini(&copies->traces);
}

static bool is_wanted(const struct codectl_copies *copies, const bt_event_class *event_class)
{
	return bt_event_class_borrow_payload_field_class_const(event_class) &&
	       copies->extension.payload.is_wanted(copies->extension.payload.user, event_class);
}

static bool is_specific_context_wanted(
	const struct codectl_copies *copies, const bt_event_class *event_class)
{
	return bt_event_class_borrow_specific_context_field_class_const(event_class) &&
	       copies->extension.specific_context.is_wanted(
		       copies->extension.specific_context.user, event_class);
}

static bool is_context_wanted(
	const struct codectl_copies *copies, const bt_stream_class *stream_class)
{
	return bt_stream_class_borrow_event_common_context_field_class_const(stream_class) &&
	       copies->extension.context.is_wanted(copies->extension.context.user, stream_class);
}

static bool has_wanted_class(const struct codectl_copies *copies, const bt_trace_class *trace_class)
{
	uint64_t stream_class_count = bt_trace_class_get_stream_class_count(trace_class);

	for (uint64_t i = 0; i < stream_class_count; i++) {
		const bt_stream_class *stream_class =
			bt_trace_class_borrow_stream_class_by_index_const(trace_class, i);
		uint64_t event_class_count = bt_stream_class_get_event_class_count(stream_class);
		if (is_context_wanted(copies, stream_class))
			return true;
		for (uint64_t j = 0; j < event_class_count; j++) {
			const bt_event_class *event_class =
				bt_stream_class_borrow_event_class_by_index_const(stream_class, j);
			if (is_wanted(copies, event_class) ||
				is_specific_context_wanted(copies, event_class))
				return true;
		}
	}
	return false;
}

/* Binds the extension to the event class that is being copied. */
struct change_context {
	const struct codectl_copy_extension *extension;
	struct codectl_copied_event_class *event_class;
};

static bool is_dropped(void *user, uint64_t member_index)
{
	const struct change_context *context = user;
	const struct codectl_payload_extension *extension = &context->extension->payload;

	return extension->is_dropped(extension->user, context->event_class->source, member_index);
}

static int append(void *user, bt_trace_class *trace_class, bt_field_class *payload)
{
	const struct change_context *context = user;
	const struct codectl_payload_extension *extension = &context->extension->payload;

	context->event_class->first_appended = bt_field_class_structure_get_member_count(payload);
	return extension->append(
		extension->user, context->event_class->source, trace_class, payload);
}

static int append_to_specific_context(
	void *user, bt_trace_class *trace_class, bt_field_class *specific_context)
{
	const struct change_context *context = user;
	const struct codectl_specific_context_extension *extension =
		&context->extension->specific_context;

	context->event_class->first_appended_to_context = bt_field_class_structure_get_member_count(
		specific_context);
	return extension->append(
		extension->user, context->event_class->source, trace_class, specific_context);
}

static int copy_event_class(struct codectl_copies *copies,
	struct codectl_copied_stream_class *stream_class, const bt_event_class *source)
{
	struct codectl_copied_event_class *event_class = calloc(1, sizeof(*event_class));
	struct change_context context = {
		.extension = &copies->extension, .event_class = event_class};
	struct codectl_event_class_change change = {.user = &context};

	if (!event_class)
		return -ENOMEM;
	event_class->source = source;
	event_class->is_changed = is_wanted(copies, source);
	event_class->is_context_changed = is_specific_context_wanted(copies, source);
	if (event_class->is_changed) {
		change.is_dropped = is_dropped;
		change.append = append;
	}
	if (event_class->is_context_changed)
		change.append_to_context = append_to_specific_context;
	int ret = codectl_event_class_copy(source, stream_class->copy, &stream_class->plan, &change,
		&event_class->plan, &event_class->copy);
	if (ret == 0)
		ret = codectl_pointer_map_insert(&copies->event_classes, source, event_class);
	if (ret < 0) {
		destroy_event_class(copies, event_class);
		return ret;
	}
	event_class->next = stream_class->event_classes;
	stream_class->event_classes = event_class;
	return 0;
}

/* Copies the event classes that the source has got since the last time. */
static int copy_new_event_classes(
	struct codectl_copies *copies, struct codectl_copied_stream_class *stream_class)
{
	uint64_t count = bt_stream_class_get_event_class_count(stream_class->source);

	while (stream_class->event_class_count < count) {
		int ret = copy_event_class(copies, stream_class,
			bt_stream_class_borrow_event_class_by_index_const(
				stream_class->source, stream_class->event_class_count));
		if (ret < 0)
			return ret;
		stream_class->event_class_count++;
	}
	return 0;
}

/* The same for the stream class that is being copied. */
struct context_change_context {
	const struct codectl_context_extension *extension;
	struct codectl_copied_stream_class *stream_class;
};

static int append_to_context(void *user, bt_trace_class *trace_class, bt_field_class *context)
{
	const struct context_change_context *change = user;

	change->stream_class->first_appended = bt_field_class_structure_get_member_count(context);
	return change->extension->append(
		change->extension->user, change->stream_class->source, trace_class, context);
}

static int copy_stream_class(
	struct codectl_copied_trace_class *trace_class, const bt_stream_class *source)
{
	struct codectl_copied_stream_class *stream_class = calloc(1, sizeof(*stream_class));
	struct context_change_context context = {
		.extension = &trace_class->copies->extension.context,
		.stream_class = stream_class,
	};
	const struct codectl_stream_class_change change = {
		.append = append_to_context, .user = &context};

	if (!stream_class)
		return -ENOMEM;
	stream_class->source = source;
	stream_class->has_clock = bt_stream_class_borrow_default_clock_class_const(source);
	stream_class->has_packets = bt_stream_class_supports_packets(source);
	stream_class->is_changed = is_context_wanted(trace_class->copies, source);
	int ret = codectl_stream_class_copy(source, trace_class->copy,
		stream_class->is_changed ? &change : NULL, &stream_class->plan,
		&stream_class->copy);
	if (ret == 0)
		ret = codectl_pointer_map_insert(
			&trace_class->copies->stream_classes, source, stream_class);
	if (ret < 0) {
		destroy_stream_class(trace_class->copies, stream_class);
		return ret;
	}
	stream_class->next = trace_class->stream_classes;
	trace_class->stream_classes = stream_class;
	return 0;
}

/* Copies the stream and event classes that the source has got since the last time. */
static int copy_new_classes(struct codectl_copied_trace_class *trace_class)
{
	uint64_t count = bt_trace_class_get_stream_class_count(trace_class->source);

	while (trace_class->stream_class_count < count) {
		int ret = copy_stream_class(
			trace_class, bt_trace_class_borrow_stream_class_by_index_const(
					     trace_class->source, trace_class->stream_class_count));
		if (ret < 0)
			return ret;
		trace_class->stream_class_count++;
	}
	for (struct codectl_copied_stream_class *stream_class = trace_class->stream_classes;
		stream_class; stream_class = stream_class->next) {
		int ret = copy_new_event_classes(trace_class->copies, stream_class);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int get_trace_class(struct codectl_copies *copies, const bt_trace_class *source,
	struct codectl_copied_trace_class **trace_class)
{
	struct codectl_copied_trace_class *entry = codectl_pointer_map_find(
		&copies->trace_classes, source);

	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return -ENOMEM;
		entry->copies = copies;
		entry->source = source;
		entry->copy = codectl_trace_class_copy(copies->self_component, source);
		if (!entry->copy ||
			codectl_pointer_map_insert(&copies->trace_classes, source, entry) < 0 ||
			bt_trace_class_add_destruction_listener(source, on_trace_class_destroyed,
				entry,
				&entry->listener_id) != BT_TRACE_CLASS_ADD_LISTENER_STATUS_OK) {
			destroy_trace_class(entry);
			return -ENOMEM;
		}
	}
	*trace_class = entry;
	return copy_new_classes(entry);
}

static int get_trace(
	struct codectl_copies *copies, const bt_trace *source, struct codectl_copied_trace **trace)
{
	struct codectl_copied_trace *entry = codectl_pointer_map_find(&copies->traces, source);

	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return -ENOMEM;
		entry->copies = copies;
		entry->source = source;
		if (codectl_pointer_map_insert(&copies->traces, source, entry) < 0 ||
			bt_trace_add_destruction_listener(source, on_trace_destroyed, entry,
				&entry->listener_id) != BT_TRACE_ADD_LISTENER_STATUS_OK) {
			destroy_trace(entry);
			return -ENOMEM;
		}
	}
	*trace = entry;
	return 0;
}

/* Adds the entry of a stream, with a copy of it if its trace has one. */
static int add_stream(struct codectl_copied_trace *trace, const bt_stream *source)
{
	const struct codectl_context_extension *extension = &trace->copies->extension.context;
	struct codectl_copied_stream *stream = calloc(1, sizeof(*stream));
	bool is_done = true;

	if (!stream)
		return -ENOMEM;
	stream->source = source;
	if (trace->copy) {
		stream->class = codectl_pointer_map_find(
			&trace->copies->stream_classes, bt_stream_borrow_class_const(source));
		/* All stream classes of a copied trace are copied. */
		if (stream->class)
			stream->copy = codectl_stream_copy(
				source, stream->class->copy, trace->copy);
		if (stream->class && stream->class->is_changed)
			stream->opened = extension->open(extension->user, source);
		is_done = stream->copy && (!stream->class->is_changed || stream->opened);
	}
	if (!is_done || codectl_pointer_map_insert(&trace->copies->streams, source, stream) < 0) {
		bt_stream_put_ref(stream->copy);
		free(stream);
		return -ENOMEM;
	}
	stream->next = trace->streams;
	trace->streams = stream;
	return 0;
}

/* Copies the streams that the source has got since the last time, but not those forwarded. */
static int copy_new_streams(struct codectl_copied_trace *trace)
{
	uint64_t count = bt_trace_get_stream_count(trace->source);

	while (trace->stream_count < count) {
		const bt_stream *source = bt_trace_borrow_stream_by_index_const(
			trace->source, trace->stream_count);
		if (!codectl_pointer_map_find(&trace->copies->streams, source)) {
			int ret = add_stream(trace, source);
			if (ret < 0)
				return ret;
		}
		trace->stream_count++;
	}
	return 0;
}

int codectl_copies_get_stream(struct codectl_copies *copies, const bt_stream *source,
	struct codectl_copied_stream **stream)
{
	const bt_trace *source_trace = bt_stream_borrow_trace_const(source);
	const bt_trace_class *source_class = bt_trace_borrow_class_const(source_trace);
	struct codectl_copied_trace_class *trace_class;
	struct codectl_copied_trace *trace;

	*stream = codectl_pointer_map_find(&copies->streams, source);
	if (*stream)
		return 0;
	int ret = get_trace(copies, source_trace, &trace);
	if (ret < 0)
		return ret;
	if (trace->copy || has_wanted_class(copies, source_class)) {
		ret = get_trace_class(copies, source_class, &trace_class);
		if (ret < 0)
			return ret;
		if (!trace->copy)
			trace->copy = codectl_trace_copy(source_trace, trace_class->copy);
		ret = trace->copy ? copy_new_streams(trace) : -ENOMEM;
	} else {
		ret = add_stream(trace, source);
	}
	*stream = codectl_pointer_map_find(&copies->streams, source);
	return ret;
}

int codectl_copies_get_event_class(struct codectl_copies *copies,
	const struct codectl_copied_stream *stream, const bt_event_class *source,
	struct codectl_copied_event_class **event_class)
{
	*event_class = codectl_pointer_map_find(&copies->event_classes, source);
	if (*event_class)
		return 0;
	int ret = copy_new_event_classes(copies, stream->class);
	*event_class = codectl_pointer_map_find(&copies->event_classes, source);
	return ret;
}

void codectl_copies_close_packets(struct codectl_copies *copies)
{
	struct codectl_copied_stream *stream;
	size_t cursor = 0;

	while ((stream = codectl_pointer_map_next(&copies->streams, &cursor)))
		codectl_copied_stream_close_packet(stream);
}
