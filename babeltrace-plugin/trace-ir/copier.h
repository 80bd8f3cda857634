/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/copier.h: passes messages on, either as they are or as copies.
 *
 * An extension says which event and stream classes shall change. The streams of
 * a trace with such a class are copied: its classes, the trace and the streams once,
 * then each message, by index. All other messages are passed on as they are.
 * Knows nothing of what the extension is for.
 *
 * One copier per message iterator, one thread. It follows traces until the
 * library destroys them, and then frees what it has on them.
 */
#ifndef CODECTL_TRACE_IR_COPIER_H
#define CODECTL_TRACE_IR_COPIER_H

#include "trace-ir/message-view.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

/* Changes payloads. All callbacks are called with `user`, and must not call the copier. */
struct codectl_payload_extension {
	void *user; /* Weak; outlives the copier. */
	/*
	 * Whether events of @event_class shall change. It has a payload. The
	 * answer for a class must stay the same.
	 */
	bool (*is_wanted)(void *user, const bt_event_class *event_class);
	/* Whether member @index of the payload of @event_class is left out of the copy. */
	bool (*is_dropped)(void *user, const bt_event_class *event_class, uint64_t index);
	/* Appends members to the copied class. Returns 0 or -ENOMEM. */
	int (*append)(void *user, const bt_event_class *event_class, bt_trace_class *trace_class,
		bt_field_class *payload);
	/*
	 * Fills the appended members of @payload, from @first_index on; the
	 * others are copied already. Returns 0, -ENOMEM or -EAGAIN, as below.
	 */
	int (*fill)(void *user, const bt_event *source, bt_field *payload, uint64_t first_index);
};

/* Adds to the specific context of events of a class. As above. */
struct codectl_specific_context_extension {
	void *user; /* Weak; outlives the copier. */
	/* Whether events of @event_class shall change. They have a specific context. */
	bool (*is_wanted)(void *user, const bt_event_class *event_class);
	/* Appends members to the copied @context. Returns 0 or -ENOMEM. */
	int (*append)(void *user, const bt_event_class *event_class, bt_trace_class *trace_class,
		bt_field_class *context);
	/* Fills them, from @first_index on. Returns 0, -ENOMEM or -EAGAIN, as below. */
	int (*fill)(void *user, const bt_event *source, bt_field *context, uint64_t first_index);
};

/* Adds to the common context of events, for all of a stream class. As above. */
struct codectl_context_extension {
	void *user; /* Weak; outlives the copier. */
	/* Whether events of @stream_class shall change. They have a common context. */
	bool (*is_wanted)(void *user, const bt_stream_class *stream_class);
	/* Appends members to the copied @context. Returns 0 or -ENOMEM. */
	int (*append)(void *user, const bt_stream_class *stream_class, bt_trace_class *trace_class,
		bt_field_class *context);
	/*
	 * What is known of a stream of such a class, to be handed to fill(). Weak, as
	 * long as the stream. NULL without memory.
	 */
	void *(*open)(void *user, const bt_stream *stream);
	/*
	 * Fills them, from @first_index on. @values are what the integers among the
	 * members of the source's context hold, by index, so that nobody reads them
	 * again. Returns 0, -ENOMEM, or -EAGAIN: the event is to be passed later.
	 */
	int (*fill)(void *user, void *opened, const bt_event *source, const uint64_t *values,
		bt_field *context, uint64_t first_index);
};

struct codectl_copy_extension {
	struct codectl_payload_extension payload;
	struct codectl_specific_context_extension specific_context;
	struct codectl_context_extension context;
};

struct codectl_copier_stats {
	uint64_t copied;      /* Messages. */
	uint64_t forwarded;   /* Messages. */
	uint64_t open_traces; /* That are known now: those destroyed are forgotten. */
};

struct codectl_copier;

/* @extension is copied. Returns NULL without memory. The caller owns it. */
struct codectl_copier *codectl_copier_create(
	bt_self_message_iterator *self_iterator, const struct codectl_copy_extension *extension);

void codectl_copier_destroy(struct codectl_copier *copier);

/*
 * Gives *@out (a new reference, of the caller) for @message, whose reference
 * stays the caller's. Returns 0, -ENOMEM, -ENOTSUP (a kind of field class that
 * is unknown here) or -EAGAIN (so says the extension: pass it again later).
 */
int codectl_copier_pass(struct codectl_copier *copier, const struct codectl_message_view *message,
	const bt_message **out);

/* Forgets open packets; the next message is the first of its stream, whatever it is. */
void codectl_copier_rewind(struct codectl_copier *copier);

struct codectl_copier_stats codectl_copier_stats(const struct codectl_copier *copier);

#endif /* CODECTL_TRACE_IR_COPIER_H */
