/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/copier.h"

#include "format/likely.h"
#include "trace-ir/copies.h"

#include <errno.h>
#include <stdlib.h>

struct codectl_copier {
	bt_self_message_iterator *self_iterator; /* Weak; owns this, indirectly. */
	struct codectl_copies copies;
	struct codectl_copier_stats stats;
};

struct codectl_copier *codectl_copier_create(
	bt_self_message_iterator *self_iterator, const struct codectl_copy_extension *extension)
{
	struct codectl_copier *copier = calloc(1, sizeof(*copier));

	if (!copier)
		return NULL;
	copier->self_iterator = self_iterator;
	codectl_copies_init(&copier->copies,
		bt_self_message_iterator_borrow_component(self_iterator), extension);
	return copier;
}

void codectl_copier_destroy(struct codectl_copier *copier)
{
	if (!copier)
		return;
	codectl_copies_fini(&copier->copies);
	free(copier);
}

void codectl_copier_rewind(struct codectl_copier *copier)
{
	codectl_copies_close_packets(&copier->copies);
}

struct codectl_copier_stats codectl_copier_stats(const struct codectl_copier *copier)
{
	struct codectl_copier_stats stats = copier->stats;

	stats.open_traces = copier->copies.traces.count;
	return stats;
}

static int copy_stream_beginning(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream, const bt_message *source, bt_message **copy)
{
	const bt_clock_snapshot *snapshot;

	*copy = bt_message_stream_beginning_create(copier->self_iterator, stream->copy);
	if (!*copy)
		return -ENOMEM;
	if (stream->class->has_clock &&
		bt_message_stream_beginning_borrow_default_clock_snapshot_const(
			source, &snapshot) == BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_beginning_set_default_clock_snapshot(
			*copy, bt_clock_snapshot_get_value(snapshot));
	return 0;
}

static int copy_stream_end(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream, const bt_message *source, bt_message **copy)
{
	const bt_clock_snapshot *snapshot;

	*copy = bt_message_stream_end_create(copier->self_iterator, stream->copy);
	if (!*copy)
		return -ENOMEM;
	if (stream->class->has_clock &&
		bt_message_stream_end_borrow_default_clock_snapshot_const(source, &snapshot) ==
			BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_end_set_default_clock_snapshot(
			*copy, bt_clock_snapshot_get_value(snapshot));
	return 0;
}

/* Makes the copy of @source the open packet of @stream. */
static int open_packet(struct codectl_copied_stream *stream, const bt_packet *source)
{
	const struct codectl_field_plan *plan = stream->class->plan.packet_context;
	bt_packet *packet = bt_packet_create(stream->copy);

	if (!packet)
		return -ENOMEM;
	if (plan && codectl_field_plan_copy(plan, bt_packet_borrow_context_field_const(source),
			    bt_packet_borrow_context_field(packet)) < 0) {
		bt_packet_put_ref(packet);
		return -ENOMEM;
	}
	codectl_copied_stream_close_packet(stream);
	bt_packet_get_ref(source);
	stream->source_packet = source;
	stream->packet = packet;
	return 0;
}

/* The same if it is not open: who cuts streams may leave out the beginning. */
static int ensure_packet(struct codectl_copied_stream *stream, const bt_packet *source)
{
	return CODECTL_LIKELY(stream->source_packet == source) ? 0 : open_packet(stream, source);
}

static int copy_packet_beginning(struct codectl_copier *copier,
	struct codectl_copied_stream *stream, const bt_message *source, bt_message **copy)
{
	int ret = open_packet(stream, bt_message_packet_beginning_borrow_packet_const(source));
	if (ret < 0)
		return ret;
	if (bt_stream_class_packets_have_beginning_default_clock_snapshot(stream->class->source))
		*copy = bt_message_packet_beginning_create_with_default_clock_snapshot(
			copier->self_iterator, stream->packet,
			bt_clock_snapshot_get_value(
				bt_message_packet_beginning_borrow_default_clock_snapshot_const(
					source)));
	else
		*copy = bt_message_packet_beginning_create(copier->self_iterator, stream->packet);
	return *copy ? 0 : -ENOMEM;
}

static int copy_packet_end(struct codectl_copier *copier, struct codectl_copied_stream *stream,
	const bt_message *source, bt_message **copy)
{
	int ret = ensure_packet(stream, bt_message_packet_end_borrow_packet_const(source));
	if (ret < 0)
		return ret;
	if (bt_stream_class_packets_have_end_default_clock_snapshot(stream->class->source))
		*copy = bt_message_packet_end_create_with_default_clock_snapshot(
			copier->self_iterator, stream->packet,
			bt_clock_snapshot_get_value(
				bt_message_packet_end_borrow_default_clock_snapshot_const(source)));
	else
		*copy = bt_message_packet_end_create(copier->self_iterator, stream->packet);
	codectl_copied_stream_close_packet(stream);
	return *copy ? 0 : -ENOMEM;
}

static int copy_discarded_events(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream, const bt_message *source, bt_message **copy)
{
	uint64_t count;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(stream->class->source))
		*copy = bt_message_discarded_events_create_with_default_clock_snapshots(
			copier->self_iterator, stream->copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
					source)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
					source)));
	else
		*copy = bt_message_discarded_events_create(copier->self_iterator, stream->copy);
	if (!*copy)
		return -ENOMEM;
	if (bt_message_discarded_events_get_count(source, &count) ==
		BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_events_set_count(*copy, count);
	return 0;
}

static int copy_discarded_packets(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream, const bt_message *source, bt_message **copy)
{
	uint64_t count;

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(stream->class->source))
		*copy = bt_message_discarded_packets_create_with_default_clock_snapshots(
			copier->self_iterator, stream->copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
					source)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
					source)));
	else
		*copy = bt_message_discarded_packets_create(copier->self_iterator, stream->copy);
	if (!*copy)
		return -ENOMEM;
	if (bt_message_discarded_packets_get_count(source, &count) ==
		BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_packets_set_count(*copy, count);
	return 0;
}

static bt_message *create_event_message(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream,
	const struct codectl_copied_event_class *event_class, const bt_message *source,
	bool has_packet)
{
	if (CODECTL_UNLIKELY(!stream->class->has_clock))
		return has_packet ? bt_message_event_create_with_packet(copier->self_iterator,
					    event_class->copy, stream->packet)
				  : bt_message_event_create(
					    copier->self_iterator, event_class->copy, stream->copy);
	uint64_t value = bt_clock_snapshot_get_value(
		bt_message_event_borrow_default_clock_snapshot_const(source));
	return CODECTL_LIKELY(has_packet)
		       ? bt_message_event_create_with_packet_and_default_clock_snapshot(
				 copier->self_iterator, event_class->copy, stream->packet, value)
		       : bt_message_event_create_with_default_clock_snapshot(
				 copier->self_iterator, event_class->copy, stream->copy, value);
}

static int copy_event_fields(struct codectl_copier *copier,
	const struct codectl_copied_stream *stream,
	const struct codectl_copied_event_class *event_class, const bt_event *source,
	bt_event *copy)
{
	const struct codectl_field_plan *common_context = stream->class->plan.common_context;
	const struct codectl_field_plan *specific_context = event_class->plan.specific_context;
	const struct codectl_field_plan *payload = event_class->plan.payload;
	const struct codectl_copy_extension *extension = &copier->copies.extension;
	bt_field *context = bt_event_borrow_common_context_field(copy);
	int ret = 0;

	if (CODECTL_LIKELY(common_context))
		ret = codectl_field_plan_copy(common_context,
			bt_event_borrow_common_context_field_const(source), context);
	if (CODECTL_LIKELY(ret == 0 && stream->class->is_changed))
		ret = extension->context.fill(extension->context.user, stream->opened, source,
			common_context->values, context, stream->class->first_appended);
	if (CODECTL_UNLIKELY(ret == 0 && specific_context))
		ret = codectl_field_plan_copy(specific_context,
			bt_event_borrow_specific_context_field_const(source),
			bt_event_borrow_specific_context_field(copy));
	if (CODECTL_UNLIKELY(ret == 0 && event_class->is_context_changed))
		ret = extension->specific_context.fill(extension->specific_context.user, source,
			bt_event_borrow_specific_context_field(copy),
			event_class->first_appended_to_context);
	if (CODECTL_LIKELY(ret == 0 && payload))
		ret = codectl_field_plan_copy(payload, bt_event_borrow_payload_field_const(source),
			bt_event_borrow_payload_field(copy));
	if (CODECTL_UNLIKELY(ret == 0 && event_class->is_changed))
		ret = extension->payload.fill(extension->payload.user, source,
			bt_event_borrow_payload_field(copy), event_class->first_appended);
	return ret;
}

static int copy_event(struct codectl_copier *copier, struct codectl_copied_stream *stream,
	const struct codectl_message_view *source, bt_message **copy)
{
	struct codectl_copied_event_class *event_class = codectl_copies_find_event_class(
		&copier->copies, source->event_class);
	const bt_packet *packet = NULL;
	int ret;

	if (CODECTL_UNLIKELY(!event_class)) {
		ret = codectl_copies_get_event_class(
			&copier->copies, stream, source->event_class, &event_class);
		if (ret < 0)
			return ret;
	}
	if (CODECTL_LIKELY(stream->class->has_packets))
		packet = bt_event_borrow_packet_const(source->event);
	if (CODECTL_LIKELY(packet)) {
		ret = ensure_packet(stream, packet);
		if (ret < 0)
			return ret;
	}
	*copy = create_event_message(copier, stream, event_class, source->message, packet);
	if (CODECTL_UNLIKELY(!*copy))
		return -ENOMEM;
	return copy_event_fields(
		copier, stream, event_class, source->event, bt_message_event_borrow_event(*copy));
}

/* The stream of a message that is no event, or NULL if it is not about one. */
static const bt_stream *borrow_stream(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return bt_message_stream_beginning_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return bt_message_stream_end_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_EVENT:
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return bt_packet_borrow_stream_const(
			bt_message_packet_beginning_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_PACKET_END:
		return bt_packet_borrow_stream_const(
			bt_message_packet_end_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return bt_message_discarded_events_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return bt_message_discarded_packets_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return NULL;
	}
	return NULL;
}

static int copy_message(struct codectl_copier *copier, struct codectl_copied_stream *stream,
	const bt_message *source, bt_message **copy)
{
	switch (bt_message_get_type(source)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return copy_stream_beginning(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_STREAM_END:
		return copy_stream_end(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_EVENT:
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return copy_packet_beginning(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_PACKET_END:
		return copy_packet_end(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return copy_discarded_events(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return copy_discarded_packets(copier, stream, source, copy);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		break;
	}
	return -ENOTSUP;
}

/* What most messages are, with as few calls of the library as can be. */
static int pass_event(struct codectl_copier *copier, const struct codectl_message_view *message,
	bt_message **copy, bool *is_copied)
{
	struct codectl_copied_stream *stream = codectl_copies_find_stream(
		&copier->copies, message->stream);

	if (CODECTL_UNLIKELY(!stream)) {
		int ret = codectl_copies_get_stream(&copier->copies, message->stream, &stream);
		if (ret < 0)
			return ret;
	}
	*is_copied = stream->copy;
	return CODECTL_LIKELY(*is_copied) ? copy_event(copier, stream, message, copy) : 0;
}

static int pass_other(struct codectl_copier *copier, const bt_message *message, bt_message **copy,
	bool *is_copied)
{
	const bt_stream *source = borrow_stream(message);
	struct codectl_copied_stream *stream = NULL;

	/* The clock class of an inactivity message is shared, so it holds for copies too. */
	if (!source)
		return 0;
	int ret = codectl_copies_get_stream(&copier->copies, source, &stream);
	if (ret < 0)
		return ret;
	*is_copied = stream->copy;
	return *is_copied ? copy_message(copier, stream, message, copy) : 0;
}

int codectl_copier_pass(struct codectl_copier *copier, const struct codectl_message_view *message,
	const bt_message **out)
{
	bt_message *copy = NULL;
	bool is_copied = false;
	int ret = CODECTL_LIKELY(message->event)
			  ? pass_event(copier, message, &copy, &is_copied)
			  : pass_other(copier, message->message, &copy, &is_copied);

	if (CODECTL_UNLIKELY(ret < 0)) {
		bt_message_put_ref(copy);
		return ret;
	}
	if (CODECTL_UNLIKELY(!is_copied))
		bt_message_get_ref(message->message);
	*out = is_copied ? copy : message->message;
	copier->stats.copied += is_copied;
	copier->stats.forwarded += !is_copied;
	return 0;
}
