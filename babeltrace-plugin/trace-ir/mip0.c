/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Version 0 of mip.h: a field class knows the class of the field that it depends
 * on, and the library tells of it by a path of indices.
 */
#include "trace-ir/mip.h"

#include <errno.h>

static const struct codectl_field_plan *find_root(
	const struct codectl_field_scopes *scopes, bt_field_path_scope scope)
{
	switch (scope) {
	case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_PACKET_CONTEXT];
	case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_COMMON_CONTEXT];
	case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_SPECIFIC_CONTEXT];
	case BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD:
		return scopes->roots[CODECTL_SCOPE_PAYLOAD];
	}
	return NULL;
}

/*
 * The copied class of the field to which @path leads, or NULL if it was
 * dropped. It comes before the field that needs it, so it is complete.
 */
static bt_field_class *find_copy(
	const struct codectl_field_scopes *scopes, const bt_field_path *path)
{
	const struct codectl_field_plan *node = find_root(
		scopes, bt_field_path_get_root_scope(path));

	for (uint64_t i = 0; node && i < bt_field_path_get_item_count(path); i++) {
		const bt_field_path_item *item = bt_field_path_borrow_item_by_index_const(path, i);
		uint64_t child = 0;
		if (bt_field_path_item_get_type(item) == BT_FIELD_PATH_ITEM_TYPE_INDEX)
			child = bt_field_path_item_index_get_index(item);
		node = child < node->child_count ? node->children[child] : NULL;
	}
	return node ? node->copy_class : NULL;
}

static bt_field_class *create_array(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source,
	bt_field_class *element)
{
	bt_field_class *length = NULL;

	if (source && bt_field_class_get_type(source) ==
			      BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
		length = find_copy(scopes,
			bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(
				source));
	return bt_field_class_array_dynamic_create(trace_class, element, length);
}

static bt_field_class *create_option(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source,
	bt_field_class *content)
{
	bt_field_class_type type = bt_field_class_get_type(source);
	bt_field_class *selector = NULL;

	if (type != BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD)
		selector = find_copy(scopes,
			bt_field_class_option_with_selector_field_borrow_selector_field_path_const(
				source));
	if (!selector)
		return bt_field_class_option_without_selector_create(trace_class, content);
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_option_with_selector_field_integer_unsigned_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				source));
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_SIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_option_with_selector_field_integer_signed_create(trace_class,
			content, selector,
			bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
				source));
	return bt_field_class_option_with_selector_field_bool_create(
		trace_class, content, selector);
}

static bt_field_class *create_variant(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source)
{
	bt_field_class *selector = NULL;

	if (bt_field_class_get_type(source) != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD)
		selector = find_copy(scopes,
			bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(
				source));
	return bt_field_class_variant_create(trace_class, selector);
}

static int copy_own_class(bt_trace_class *trace_class, const struct codectl_field_scopes *scopes,
	const bt_field_class *source, struct codectl_field_plan *node)
{
	(void)trace_class;
	(void)scopes;
	(void)source;
	(void)node;
	return -ENOTSUP;
}

static void copy_integer(const bt_field_class *source, bt_field_class *copy)
{
	(void)source;
	(void)copy;
}

static int copy_bit_array(const bt_field_class *source, bt_field_class *copy)
{
	(void)source;
	(void)copy;
	return 0;
}

static int copy_event_class(const bt_event_class *source, bt_event_class *copy)
{
	(void)source;
	(void)copy;
	return 0;
}

static int copy_stream_class(const bt_stream_class *source, bt_stream_class *copy)
{
	(void)source;
	(void)copy;
	return 0;
}

static int copy_trace(const bt_trace *source, bt_trace *copy)
{
	bt_uuid uuid = bt_trace_get_uuid(source);

	if (uuid)
		bt_trace_set_uuid(copy, uuid);
	return 0;
}

const struct codectl_mip codectl_mip_0 = {
	.create_array = create_array,
	.create_option = create_option,
	.create_variant = create_variant,
	.copy_own_class = copy_own_class,
	.copy_integer = copy_integer,
	.copy_bit_array = copy_bit_array,
	.copy_event_class = copy_event_class,
	.copy_stream_class = copy_stream_class,
	.copy_trace = copy_trace,
};
