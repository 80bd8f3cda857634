/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/debug-info-field.h: the structure {bin, func, src} that is appended to
 * the common context of events with `vpid` and `ip`, in the form of
 * filter.lttng-utils.debug-info. One thread.
 */
#ifndef CODECTL_COMP_DEBUG_INFO_FIELD_H
#define CODECTL_COMP_DEBUG_INFO_FIELD_H

#include "comp/learn.h"
#include "trace-ir/copier.h"

#include <stdbool.h>
#include <stdint.h>

struct codectl_debug_info_field_stats {
	uint64_t events;     /* That were given the structure. */
	uint64_t cached;     /* Of those: named before. */
	uint64_t no_process; /* Of those: nothing is known of the process. */
	uint64_t no_mapping; /* Of those: nothing is known of what was at the address. */
};

struct codectl_debug_info_options {
	const char *field_name; /* Weak. */
	bool has_reasons;	/* A member `reason`: why there is no function. */
	bool has_inlines;	/* A member `inlines`: {func, src}, from the innermost outwards. */
};

struct codectl_debug_info_field;

/* @learner is weak and outlives it. Returns NULL without memory. The caller owns it. */
struct codectl_debug_info_field *codectl_debug_info_field_create(
	const struct codectl_debug_info_options *options, struct codectl_learner *learner);

void codectl_debug_info_field_destroy(struct codectl_debug_info_field *field);

/* The extension through which @field changes contexts. */
struct codectl_context_extension codectl_debug_info_field_extension(
	struct codectl_debug_info_field *field);

/*
 * The event from now on is that of @message, weak, at @position in the sequence of
 * messages. If @is_patient it may wait for what is told of its process later: then
 * filling returns -EAGAIN if it should.
 */
void codectl_debug_info_field_set_message(struct codectl_debug_info_field *field,
	const bt_message *message, uint64_t position, bool is_patient);

/* What the event waits for that was refused last, or that would be. */
struct codectl_debug_info_wait {
	struct codectl_ust_process *process; /* Weak, as long as the map. */
	/* The process is known, but not what is there: more may be told, but soon. */
	bool is_for_address;
	uint64_t changes; /* Of the process, when it was refused. */
};

const struct codectl_debug_info_wait *codectl_debug_info_field_borrow_wait(
	const struct codectl_debug_info_field *field);

/* Whether events with @context are given the structure. */
static inline bool codectl_debug_info_field_is_wanted(const struct codectl_context *context)
{
	return context->vpid >= 0 && context->ip >= 0 && !context->has_debug_info;
}

/*
 * Asks that of @event, that of the message, of @stream, whose context has a vpid; and
 * gives its process, weak, NULL if it is not known. Returns 0, -EAGAIN (it should wait)
 * or -ENOMEM.
 */
int codectl_debug_info_field_ask(struct codectl_debug_info_field *field,
	struct codectl_known_stream *stream, const bt_event *event,
	struct codectl_ust_process **process);

/*
 * The class of such a structure, for other places: *@class is a new reference. Returns
 * 0 or -ENOMEM.
 */
int codectl_debug_info_field_create_class(const struct codectl_debug_info_field *field,
	bt_trace_class *trace_class, bt_field_class **class);

/*
 * Fills a structure of that class for @frame of @process, which
 * codectl_debug_info_field_ask() gave. Waits for nothing. Returns 0 or -ENOMEM.
 */
int codectl_debug_info_field_fill_frame(struct codectl_debug_info_field *field,
	struct codectl_ust_process *process, const struct codectl_unwind_frame *frame,
	bt_field *structure);

/* The same with texts of the caller; @reason is why there is no function. */
int codectl_debug_info_field_fill_texts(const struct codectl_debug_info_field *field,
	const struct codectl_frame_name *name, const char *reason, bt_field *structure);

/* Forgets what was named before: the learner forgets as well. */
void codectl_debug_info_field_rewind(struct codectl_debug_info_field *field);

const struct codectl_debug_info_field_stats *codectl_debug_info_field_borrow_stats(
	const struct codectl_debug_info_field *field);

#endif /* CODECTL_COMP_DEBUG_INFO_FIELD_H */
