/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/callstack-sets.h"

#include "comp/bound-fields.h"
#include "trace-ir/class-map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct codectl_callstack_sets {
	const struct codectl_callstack_options *options; /* Weak. */
	struct codectl_contexts *contexts;		 /* Weak. */
	const char *suffix;				 /* Weak. */
	struct codectl_class_map sets; /* Owned values, by the class of the structure. */
	bool *is_found;		       /* Owned; of each name in the options. */
};

struct codectl_callstack_sets *codectl_callstack_sets_create(
	const struct codectl_callstack_options *options, struct codectl_contexts *contexts,
	const char *suffix)
{
	struct codectl_callstack_sets *sets = calloc(1, sizeof(*sets));

	if (!sets)
		return NULL;
	sets->options = options;
	sets->contexts = contexts;
	sets->suffix = suffix;
	codectl_class_map_init(&sets->sets, true);
	sets->is_found = calloc(options->fields.count + 1, sizeof(*sets->is_found));
	if (!sets->is_found) {
		codectl_callstack_sets_destroy(sets);
		return NULL;
	}
	return sets;
}

void codectl_callstack_sets_destroy(struct codectl_callstack_sets *sets)
{
	if (!sets)
		return;
	codectl_class_map_fini(&sets->sets);
	free(sets->is_found);
	free(sets);
}

/* Whether the fields of @class are sequences of addresses; *@marker is as in the header. */
static bool is_sequence(const bt_field_class *class, uint64_t *marker)
{
	const bt_field_class *element;

	if (!bt_field_class_type_is(bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_ARRAY))
		return false;
	element = bt_field_class_array_borrow_element_field_class_const(class);
	if (bt_field_class_get_type(element) != BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		return false;
	*marker = UINT64_MAX >> (64 - bt_field_class_integer_get_field_value_range(element));
	return true;
}

/* Whether a sequence @name is a call stack whose addresses can be named. */
static bool is_stack(struct codectl_callstack_sets *sets, const struct codectl_context *context,
	const char *name, bool *is_of_kernel)
{
	const struct codectl_param_strings *fields = &sets->options->fields;
	bool is_of_user = !strcmp(name, "callstack_user") || !strcmp(name, "callstack-user");

	*is_of_kernel = !strcmp(name, "callstack_kernel") || !strcmp(name, "callstack-kernel");
	for (size_t i = 0; i < fields->count; i++) {
		if (strcmp(name, fields->strings[i]) != 0)
			continue;
		is_of_user = !*is_of_kernel;
		sets->is_found[i] |= *is_of_kernel || context->vpid >= 0;
	}
	return (*is_of_kernel && sets->options->kernel_symbols) ||
	       (is_of_user && context->vpid >= 0);
}

char *codectl_callstack_sets_make_name(const struct codectl_callstack_sets *sets, const char *name)
{
	char *made;

	return asprintf(&made, "%s_%s", name, sets->suffix) < 0 ? NULL : made;
}

/* Adds member @index of @structure to @set, if it is a call stack. Returns 0 or -ENOMEM. */
static int look_at_member(struct codectl_callstack_sets *sets,
	const struct codectl_context *context, const bt_field_class *structure, uint64_t index,
	struct codectl_callstack_set *set)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(structure, index);
	const char *name = bt_field_class_structure_member_get_name(member);
	struct codectl_callstack_member stack = {.index = index};
	char *added;

	if (!is_sequence(bt_field_class_structure_member_borrow_field_class_const(member),
		    &stack.marker) ||
		!is_stack(sets, context, name, &stack.is_of_kernel))
		return 0;
	added = codectl_callstack_sets_make_name(sets, name);
	if (!added)
		return -ENOMEM;
	if (codectl_bound_fields_find_member(structure, added) < 0) {
		set->members[set->count++] = stack;
		set->has_user |= !stack.is_of_kernel;
	}
	free(added);
	return 0;
}

/* As codectl_callstack_sets_of_payload(), of any @structure (NULL: none) of @stream_class. */
static const struct codectl_callstack_set *get_set(struct codectl_callstack_sets *sets,
	const bt_stream_class *stream_class, const bt_field_class *structure)
{
	static const struct codectl_callstack_set none;
	struct codectl_callstack_set *set = NULL;
	const struct codectl_context *context;

	if (!structure)
		return &none;
	set = codectl_class_map_find(&sets->sets, structure);
	if (set)
		return set;

	uint64_t count = bt_field_class_structure_get_member_count(structure);
	int ret = 0;

	context = codectl_contexts_get(sets->contexts, stream_class);
	set = calloc(1, sizeof(*set) + count * sizeof(set->members[0]));
	if (!context || !set)
		ret = -ENOMEM;
	for (uint64_t i = 0; ret == 0 && i < count; i++)
		ret = look_at_member(sets, context, structure, i, set);
	if (ret == 0)
		ret = codectl_class_map_insert(&sets->sets,
			bt_stream_class_borrow_trace_class_const(stream_class), structure, set);
	if (ret < 0) {
		free(set);
		return NULL;
	}
	return set;
}

const struct codectl_callstack_set *codectl_callstack_sets_of_common_context(
	struct codectl_callstack_sets *sets, const bt_stream_class *stream_class)
{
	return get_set(sets, stream_class,
		bt_stream_class_borrow_event_common_context_field_class_const(stream_class));
}

const struct codectl_callstack_set *codectl_callstack_sets_of_specific_context(
	struct codectl_callstack_sets *sets, const bt_event_class *event_class)
{
	return get_set(sets, bt_event_class_borrow_stream_class_const(event_class),
		bt_event_class_borrow_specific_context_field_class_const(event_class));
}

const struct codectl_callstack_set *codectl_callstack_sets_of_payload(
	struct codectl_callstack_sets *sets, const bt_event_class *event_class)
{
	return get_set(sets, bt_event_class_borrow_stream_class_const(event_class),
		bt_event_class_borrow_payload_field_class_const(event_class));
}

void codectl_callstack_sets_log_missing(
	const struct codectl_callstack_sets *sets, const struct codectl_log *log)
{
	const struct codectl_param_strings *fields = &sets->options->fields;

	for (size_t i = 0; i < fields->count; i++) {
		if (!sets->is_found[i])
			codectl_log_warning(log,
				"No event with the context `vpid` has a sequence of unsigned "
				"integers that parameter `callstack-fields` names: name=\"%s\"",
				fields->strings[i]);
	}
}
