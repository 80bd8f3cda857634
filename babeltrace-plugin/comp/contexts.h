/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/contexts.h: what the common context of an event says of where it
 * happened: which process and which address. Members are found once per stream
 * class. One thread.
 */
#ifndef CODECTL_COMP_CONTEXTS_H
#define CODECTL_COMP_CONTEXTS_H

#include "comp/ust-map.h"

#include "format/likely.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

/* Indexes of members; -1: there is none, or of another type. */
struct codectl_context {
	int64_t vpid;	       /* Signed, of 32 bits. */
	int64_t ip;	       /* Unsigned, but no enumeration. */
	int64_t pid_namespace; /* Unsigned. */
	bool has_debug_info;   /* There is a member with the name of what would be added. */
};

struct codectl_callstack_set;
struct codectl_contexts;

/*
 * @field_name, weak, is what will be added to contexts. Returns NULL without
 * memory. The caller owns it.
 */
struct codectl_contexts *codectl_contexts_create(const char *field_name);

void codectl_contexts_destroy(struct codectl_contexts *contexts);

/* Weak, as long as the stream class; NULL without memory. */
const struct codectl_context *codectl_contexts_get(
	struct codectl_contexts *contexts, const bt_stream_class *stream_class);

/* What the events of a stream have in common. */
struct codectl_known_stream {
	const bt_stream *source;	       /* Weak. */
	const struct codectl_context *context; /* Weak, as long as the stream. */
	uint64_t trace;			       /* A number that no other trace has. */
	/* Weak; the machine, of a stream of a kernel's trace; NULL: of no kernel's. */
	const char *hostname;
	/* The process looked for last. All zero: none. */
	struct codectl_ust_key last_key;
	struct codectl_ust_process *last_process; /* Weak, as long as the map; NULL: unknown. */
	uint64_t last_count;			  /* Of the processes in the map, then. */
	/* Weak, as long as the stream; for codectl_callstacks; NULL: not looked for. */
	const struct codectl_callstack_set *stacks;
	struct codectl_known_stream *next; /* Owned. */
};

/* Weak, as long as the stream; NULL without memory. */
struct codectl_known_stream *codectl_contexts_get_stream(
	struct codectl_contexts *contexts, const bt_stream *source);

/*
 * Touches the processes found last: of those, answers may be known without a look into
 * the space. All others were found at some time, which has touched them.
 */
void codectl_contexts_touch_processes(const struct codectl_contexts *contexts);

/* Forgets the processes found last. */
void codectl_contexts_forget_processes(struct codectl_contexts *contexts);

/* The process of @event, of @stream, whose context has a vpid. */
static inline struct codectl_ust_key codectl_contexts_read_key(
	const struct codectl_known_stream *stream, const bt_field *context)
{
	struct codectl_ust_key key = {
		.trace = stream->trace,
		.vpid = bt_field_integer_signed_get_value(
			bt_field_structure_borrow_member_field_by_index_const(
				context, (uint64_t)stream->context->vpid)),
	};

	if (stream->context->pid_namespace >= 0)
		key.pid_namespace = bt_field_integer_unsigned_get_value(
			bt_field_structure_borrow_member_field_by_index_const(
				context, (uint64_t)stream->context->pid_namespace));
	return key;
}

/* The same from the values of the integers in the context, by index. */
static inline struct codectl_ust_key codectl_contexts_make_key(
	const struct codectl_known_stream *stream, const uint64_t *values)
{
	const struct codectl_context *context = stream->context;

	return (struct codectl_ust_key){
		.trace = stream->trace,
		.vpid = (int64_t)values[context->vpid],
		.pid_namespace = context->pid_namespace >= 0 ? values[context->pid_namespace] : 0,
	};
}

/* As codectl_contexts_find_process(), without what was found last. */
struct codectl_ust_process *codectl_contexts_look_up_process(
	const struct codectl_contexts *contexts, const struct codectl_ust_map *map,
	struct codectl_known_stream *stream, const struct codectl_ust_key *key);

/*
 * The process @key of an event of @stream; NULL if nothing is told of it. An event of
 * the kernel may be of a process that another trace of the same machine tells of.
 * Weak, as long as @map.
 */
static inline struct codectl_ust_process *codectl_contexts_find_process(
	const struct codectl_contexts *contexts, const struct codectl_ust_map *map,
	struct codectl_known_stream *stream, const struct codectl_ust_key *key)
{
	return CODECTL_LIKELY(
		       stream->last_process && codectl_ust_key_is_equal(&stream->last_key, key))
		       ? stream->last_process
		       : codectl_contexts_look_up_process(contexts, map, stream, key);
}

/* The clock of @message, an event; 0 if it has none. */
uint64_t codectl_contexts_get_clock(const bt_message *message);

#endif /* CODECTL_COMP_CONTEXTS_H */
