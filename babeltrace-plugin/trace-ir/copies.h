/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/copies.h: remembers which object is the copy of which, and makes
 * the copies when they are first asked for. Classes are walked by index and
 * found by address, so ids may have gaps.
 *
 * An entry lives until the library destroys its source; whoever destroys the
 * copies earlier takes the listeners away. One thread.
 */
#ifndef CODECTL_TRACE_IR_COPIES_H
#define CODECTL_TRACE_IR_COPIES_H

#include "trace-ir/copier.h"
#include "trace-ir/metadata.h"
#include "trace-ir/pointer-map.h"

struct codectl_copied_event_class {
	bt_event_class *copy; /* Owned reference. */
	struct codectl_event_class_plan plan;
	bool is_changed;	 /* Its payload is. */
	bool is_context_changed; /* Its specific context is. */
	/* Indexes of the first appended members, where it is changed. */
	uint64_t first_appended;
	uint64_t first_appended_to_context;
	const bt_event_class *source; /* Weak. */
	struct codectl_copied_event_class *next;
};

struct codectl_copied_stream_class {
	bt_stream_class *copy; /* Owned reference. */
	struct codectl_stream_class_plan plan;
	uint64_t event_class_count; /* Copied so far. */
	bool has_clock;		    /* Without one its messages have no snapshots. */
	bool has_packets;
	bool is_changed;	       /* Its common context is. */
	uint64_t first_appended;       /* Index of the first appended member of a changed one. */
	const bt_stream_class *source; /* Weak. */
	struct codectl_copied_event_class *event_classes; /* Owned. */
	struct codectl_copied_stream_class *next;
};

struct codectl_copied_stream {
	bt_stream *copy; /* Owned reference; NULL: its messages are forwarded. */
	struct codectl_copied_stream_class *class; /* Weak; NULL without a copy. */
	void *opened;			/* Weak; by the extension, if its class is changed. */
	const bt_packet *source_packet; /* Owned reference; NULL: none is open. */
	bt_packet *packet;		/* Owned reference; its copy. */
	const bt_stream *source;	/* Weak. */
	struct codectl_copied_stream *next;
};

struct codectl_copied_trace_class;
struct codectl_copied_trace;

struct codectl_copies {
	bt_self_component *self_component;	 /* Weak. */
	struct codectl_copy_extension extension; /* Its users are weak. */
	/* Values: the entries, by source; classes and streams are owned by the next two. */
	struct codectl_pointer_map event_classes;
	struct codectl_pointer_map stream_classes;
	struct codectl_pointer_map streams;
	struct codectl_pointer_map trace_classes; /* Owned values. */
	struct codectl_pointer_map traces;	  /* Owned values. */
};

void codectl_copies_init(struct codectl_copies *copies, bt_self_component *self_component,
	const struct codectl_copy_extension *extension);

void codectl_copies_fini(struct codectl_copies *copies);

/* Those that are known already, or NULL: what most events need. */
static inline struct codectl_copied_stream *codectl_copies_find_stream(
	const struct codectl_copies *copies, const bt_stream *source)
{
	return codectl_pointer_map_find(&copies->streams, source);
}

static inline struct codectl_copied_event_class *codectl_copies_find_event_class(
	const struct codectl_copies *copies, const bt_event_class *source)
{
	return codectl_pointer_map_find(&copies->event_classes, source);
}

/*
 * The entry of @source, which decides once whether the stream is copied: if a
 * class that the extension wants is known in its trace by then. Weak. Returns
 * 0, -ENOMEM or -ENOTSUP.
 */
int codectl_copies_get_stream(struct codectl_copies *copies, const bt_stream *source,
	struct codectl_copied_stream **stream);

/* The entry of a class of events of the copied @stream. Weak. Returns 0, -ENOMEM or -ENOTSUP. */
int codectl_copies_get_event_class(struct codectl_copies *copies,
	const struct codectl_copied_stream *stream, const bt_event_class *source,
	struct codectl_copied_event_class **event_class);

/* Forgets the open packet of a stream, if any. */
void codectl_copied_stream_close_packet(struct codectl_copied_stream *stream);

/* Forgets all open packets. */
void codectl_copies_close_packets(struct codectl_copies *copies);

#endif /* CODECTL_TRACE_IR_COPIES_H */
