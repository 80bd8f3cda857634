/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/field-plan.h: the copy of a field class, and the plan by which the
 * data of its fields is copied: by index, with no look-up of names or types.
 *
 * A plan is a tree which mirrors the source class. Immutable once created; one
 * thread.
 */
#ifndef CODECTL_TRACE_IR_FIELD_PLAN_H
#define CODECTL_TRACE_IR_FIELD_PLAN_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum codectl_field_kind {
	CODECTL_FIELD_BOOL,
	CODECTL_FIELD_BIT_ARRAY,
	CODECTL_FIELD_UNSIGNED,
	CODECTL_FIELD_SIGNED,
	CODECTL_FIELD_SINGLE,
	CODECTL_FIELD_DOUBLE,
	CODECTL_FIELD_STRING,
	CODECTL_FIELD_STRUCTURE,
	CODECTL_FIELD_STATIC_ARRAY,
	CODECTL_FIELD_DYNAMIC_ARRAY,
	CODECTL_FIELD_OPTION,
	CODECTL_FIELD_VARIANT,
	CODECTL_FIELD_OTHER, /* What only one version of the protocol has: see mip.h. */
};

struct codectl_field_plan;

/* Copies the data of @source, of the plan's class, into @copy. Returns 0 or -ENOMEM. */
typedef int (*codectl_field_copy)(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy);

/* One member of a structure: all that is needed for an event is in one place. */
struct codectl_field_step {
	enum codectl_field_kind kind;
	codectl_field_copy copy;
	const struct codectl_field_plan *plan; /* Weak; a child of the structure's. */
	uint64_t source_index;
	uint64_t copy_index; /* Dropped members shift it. */
};

struct codectl_field_plan {
	enum codectl_field_kind kind;
	codectl_field_copy copy;
	const bt_field_class *source_class; /* Weak; owned by the class it is part of. */
	/* The same of the copy. NULL while it is being built. */
	bt_field_class *copy_class;
	/*
	 * Owned. Members and options by their source index (NULL: dropped), or
	 * the one element of an array, or the one content of an option.
	 */
	struct codectl_field_plan **children;
	size_t child_count;
	struct codectl_field_step *steps; /* Owned; of a structure: the members that are kept. */
	size_t step_count;
	/* Owned; what those that are integers held when they were copied last, by source index. */
	uint64_t *values;
};

/* Of what a field can be a part, in the order in which they are known. */
enum codectl_scope {
	CODECTL_SCOPE_PACKET_CONTEXT,
	CODECTL_SCOPE_COMMON_CONTEXT,
	CODECTL_SCOPE_SPECIFIC_CONTEXT,
	CODECTL_SCOPE_PAYLOAD,
	CODECTL_SCOPE_COUNT,
};

/* The plans in which lengths and selectors are found. All weak; NULL: no such field. */
struct codectl_field_scopes {
	const struct codectl_field_plan *roots[CODECTL_SCOPE_COUNT];
};

/* Decides about members of the outermost structure; NULL: nothing is dropped. */
struct codectl_field_drop {
	bool (*is_dropped)(void *user, uint64_t member_index);
	void *user;
};

/*
 * Copies the structure class @source, the root of @scope, for @trace_class.
 * @scopes holds the plans of the scopes before it and gets this one. An array,
 * option or variant whose length or selector was dropped becomes one without.
 *
 * Returns 0 with *@plan (owned by the caller) and *@copy (a new reference), or
 * -ENOMEM, or -ENOTSUP for a kind of class that is unknown here.
 */
int codectl_field_plan_create(const bt_field_class *source, bt_trace_class *trace_class,
	enum codectl_scope scope, struct codectl_field_scopes *scopes,
	const struct codectl_field_drop *drop, struct codectl_field_plan **plan,
	bt_field_class **copy);

void codectl_field_plan_destroy(struct codectl_field_plan *plan);

/* What copies fields of that kind, which is not OTHER. */
codectl_field_copy codectl_field_copy_of(enum codectl_field_kind kind);

/* Copies the data of @source, of the plan's class, into @copy. Returns 0 or -ENOMEM. */
static inline int codectl_field_plan_copy(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	return plan->copy(plan, source, copy);
}

#endif /* CODECTL_TRACE_IR_FIELD_PLAN_H */
