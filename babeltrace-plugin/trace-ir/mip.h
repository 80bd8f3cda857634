/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/mip.h: what depends on the message interchange protocol (MIP) of the
 * graph, behind one table of functions for each version. Version 0 is that of
 * Babeltrace 2.0. 2.1 adds version 1, in which other fields are found by their names
 * instead of a path, classes have namespaces and unique ids, and there are BLOBs.
 * All else is the same code. Stateless; any thread.
 */
#ifndef CODECTL_TRACE_IR_MIP_H
#define CODECTL_TRACE_IR_MIP_H

#include "trace-ir/field-plan.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

/* Functions which return an int return 0 or -ENOMEM, if nothing else is said. */
struct codectl_mip {
	/*
	 * Create the copy of a class whose fields may depend on another field. In
	 * @scopes are the copies of those before. If the other one was dropped, the copy
	 * is a class without. Return a new reference, or NULL without memory.
	 */
	/* @source is a class of dynamic arrays; NULL: create one without length field. */
	bt_field_class *(*create_array)(bt_trace_class *trace_class,
		const struct codectl_field_scopes *scopes, const bt_field_class *source,
		bt_field_class *element);
	bt_field_class *(*create_option)(bt_trace_class *trace_class,
		const struct codectl_field_scopes *scopes, const bt_field_class *source,
		bt_field_class *content);
	/* The copy has no options yet. */
	bt_field_class *(*create_variant)(bt_trace_class *trace_class,
		const struct codectl_field_scopes *scopes, const bt_field_class *source);
	/*
	 * Copies a class of a kind that only this version has: gives the copy (a new
	 * reference) to @node->copy_class, and what copies its data to @node->copy.
	 * Returns 0, -ENOMEM, or -ENOTSUP: it has no such kind.
	 */
	int (*copy_own_class)(bt_trace_class *trace_class,
		const struct codectl_field_scopes *scopes, const bt_field_class *source,
		struct codectl_field_plan *node);

	/* Copy the properties that only this version has. */
	void (*copy_integer)(const bt_field_class *source, bt_field_class *copy);
	int (*copy_bit_array)(const bt_field_class *source, bt_field_class *copy);
	int (*copy_event_class)(const bt_event_class *source, bt_event_class *copy);
	int (*copy_stream_class)(const bt_stream_class *source, bt_stream_class *copy);
	int (*copy_trace)(const bt_trace *source, bt_trace *copy);
};

extern const struct codectl_mip codectl_mip_0;
/* Only with HAVE_BABELTRACE_MIP_1. */
extern const struct codectl_mip codectl_mip_1;

/* That of the graph in which @trace_class was created. Static. */
const struct codectl_mip *codectl_mip_of(const bt_trace_class *trace_class);

/* Adds the versions that are known here to @versions, an empty set. Returns 0 or -ENOMEM. */
int codectl_mip_add_supported(bt_integer_range_set_unsigned *versions);

/* Whether fields of a class of @type are sequences of bytes which are no arrays. */
bool codectl_mip_is_blob(bt_field_class_type type);

/* The bytes of the BLOB @field, as long as it does not change; NULL if it is none. */
const uint8_t *codectl_mip_borrow_blob(const bt_field *field, uint64_t *len);

/* Creates a class of dynamic arrays without length field, in any version. As above. */
static inline bt_field_class *codectl_mip_create_array(
	bt_trace_class *trace_class, bt_field_class *element)
{
	return codectl_mip_of(trace_class)->create_array(trace_class, NULL, NULL, element);
}

#endif /* CODECTL_TRACE_IR_MIP_H */
