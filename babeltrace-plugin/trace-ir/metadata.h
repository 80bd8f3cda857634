/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/metadata.h: copies of trace classes, stream classes, event classes,
 * traces and streams, with all their properties. Copies keep the numeric ids;
 * clock classes and user attributes are shared, since they never change once
 * used and a copied clock class would be another clock to whoever comes next.
 * One thread.
 *
 * Functions which return an int return 0, -ENOMEM or -ENOTSUP (a kind of field
 * class that is unknown here).
 */
#ifndef CODECTL_TRACE_IR_METADATA_H
#define CODECTL_TRACE_IR_METADATA_H

#include "trace-ir/field-plan.h"

/* Both plans: owned; NULL if there is no such field. */
struct codectl_stream_class_plan {
	struct codectl_field_plan *packet_context;
	struct codectl_field_plan *common_context;
};

/* Both plans: owned; NULL if there is no such field. */
struct codectl_event_class_plan {
	struct codectl_field_plan *specific_context;
	struct codectl_field_plan *payload;
};

/* A new trace class with no stream class (the caller's reference), or NULL without memory. */
bt_trace_class *codectl_trace_class_copy(
	bt_self_component *self_component, const bt_trace_class *source);

/* What makes the copy of a stream class differ from it. */
struct codectl_stream_class_change {
	/* Appends members to the copied common @context. Returns 0 or -ENOMEM. */
	int (*append)(void *user, bt_trace_class *trace_class, bt_field_class *context);
	void *user;
};

/*
 * Adds a copy of @source, with no event class, to @trace_class. With a @change
 * it must have a common context; NULL: nothing changes. *@copy is a new reference. Whoever uses the copy must hold one: the library itself takes
 * references on the way without counting those of the parent.
 */
int codectl_stream_class_copy(const bt_stream_class *source, bt_trace_class *trace_class,
	const struct codectl_stream_class_change *change, struct codectl_stream_class_plan *plan,
	bt_stream_class **copy);

void codectl_stream_class_plan_fini(struct codectl_stream_class_plan *plan);

/*
 * What makes the copy of an event class differ from it; each function may be NULL.
 * The structure that it is about must be there.
 */
struct codectl_event_class_change {
	/* Whether a member of the payload is left out. */
	bool (*is_dropped)(void *user, uint64_t member_index);
	/* Appends members to the copied @payload. Returns 0 or -ENOMEM. */
	int (*append)(void *user, bt_trace_class *trace_class, bt_field_class *payload);
	/* The same for the copied specific @context. */
	int (*append_to_context)(void *user, bt_trace_class *trace_class, bt_field_class *context);
	void *user;
};

/*
 * Adds a copy of @source to @stream_class, the copy whose plan is
 * @stream_class_plan. *@copy is a new reference, to be held as above.
 */
int codectl_event_class_copy(const bt_event_class *source, bt_stream_class *stream_class,
	const struct codectl_stream_class_plan *stream_class_plan,
	const struct codectl_event_class_change *change, struct codectl_event_class_plan *plan,
	bt_event_class **copy);

void codectl_event_class_plan_fini(struct codectl_event_class_plan *plan);

/* A new trace with no stream (the caller's reference), or NULL without memory. */
bt_trace *codectl_trace_copy(const bt_trace *source, bt_trace_class *trace_class);

/* Adds a copy of @source to @trace: a new reference, to be held as above. NULL without memory. */
bt_stream *codectl_stream_copy(
	const bt_stream *source, bt_stream_class *stream_class, bt_trace *trace);

#endif /* CODECTL_TRACE_IR_METADATA_H */
