/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/bound-fields.h: reads the payload of an event into a C structure. The
 * members are found by name and checked once per class, then read by index.
 * One thread.
 */
#ifndef CODECTL_COMP_BOUND_FIELDS_H
#define CODECTL_COMP_BOUND_FIELDS_H

#include "comp/decode-fields.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which fields of a table are which members of a payload. All zero: none. */
struct codectl_bound_fields {
	struct {
		const struct codectl_decode_field *field; /* Weak; static. */
		uint64_t member_index;
	} fields[CODECTL_DECODE_FIELD_MAX];
	size_t count;
};

/* One per field of an event, since its sequences must last together. All zero: empty. */
struct codectl_sequence_buffers {
	struct codectl_sequence_buffer {
		void *bytes; /* Owned. */
		size_t size;
	} buffers[CODECTL_DECODE_FIELD_MAX];
};

/* What is wrong with a class. */
struct codectl_field_fault {
	const char *name; /* Weak; static. */
	bool is_missing;  /* Otherwise it has another type. */
};

/* The member of the structure class @payload with @name, or -1. */
int64_t codectl_bound_fields_find_member(const bt_field_class *payload, const char *name);

/*
 * Finds the members of the table @fields, which a field without a name ends, in
 * @payload (NULL: there is none). Returns 0, or -EINVAL with *@fault.
 */
int codectl_bound_fields_bind(struct codectl_bound_fields *bound, const bt_field_class *payload,
	const struct codectl_decode_field *fields, struct codectl_field_fault *fault);

/*
 * Reads the members into @target. Strings point into @payload, sequences into
 * @buffers, until they are used again. Returns 0, -EINVAL if a value is out of
 * bounds, or -ENOMEM.
 */
int codectl_bound_fields_read(const struct codectl_bound_fields *bound, const bt_field *payload,
	struct codectl_sequence_buffers *buffers, void *target);

void codectl_sequence_buffers_fini(struct codectl_sequence_buffers *buffers);

#endif /* CODECTL_COMP_BOUND_FIELDS_H */
