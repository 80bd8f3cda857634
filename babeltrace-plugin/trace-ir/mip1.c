/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Version 1 of mip.h: a field class knows by which names the field that it depends
 * on is found. Copies have the same names, so they share those locations.
 */
#include "trace-ir/mip.h"

#include <errno.h>
#include <string.h>

static const struct codectl_field_plan *find_root(
	const struct codectl_field_scopes *scopes, bt_field_location_scope scope)
{
	switch (scope) {
	case BT_FIELD_LOCATION_SCOPE_PACKET_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_PACKET_CONTEXT];
	case BT_FIELD_LOCATION_SCOPE_EVENT_COMMON_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_COMMON_CONTEXT];
	case BT_FIELD_LOCATION_SCOPE_EVENT_SPECIFIC_CONTEXT:
		return scopes->roots[CODECTL_SCOPE_SPECIFIC_CONTEXT];
	case BT_FIELD_LOCATION_SCOPE_EVENT_PAYLOAD:
		return scopes->roots[CODECTL_SCOPE_PAYLOAD];
	}
	return NULL;
}

/* @location, or NULL if what it leads to was dropped; only members of a root are. */
static const bt_field_location *keep(
	const struct codectl_field_scopes *scopes, const bt_field_location *location)
{
	const struct codectl_field_plan *root = find_root(
		scopes, bt_field_location_get_root_scope(location));
	const char *name = bt_field_location_get_item_by_index(location, 0);

	for (uint64_t i = 0; root && i < root->child_count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(
				root->source_class, i);
		if (!strcmp(bt_field_class_structure_member_get_name(member), name))
			return root->children[i] ? location : NULL;
	}
	return NULL;
}

static bt_field_class *create_array(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source,
	bt_field_class *element)
{
	const bt_field_location *length = NULL;

	if (source && bt_field_class_get_type(source) ==
			      BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
		length = keep(scopes,
			bt_field_class_array_dynamic_with_length_field_borrow_length_field_location_const(
				source));
	return length ? bt_field_class_array_dynamic_with_length_field_location_create(
				trace_class, element, length)
		      : bt_field_class_array_dynamic_without_length_field_location_create(
				trace_class, element);
}

static bt_field_class *create_option(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source,
	bt_field_class *content)
{
	bt_field_class_type type = bt_field_class_get_type(source);
	const bt_field_location *selector = NULL;

	if (type != BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD)
		selector = keep(scopes,
			bt_field_class_option_with_selector_field_borrow_selector_field_location_const(
				source));
	if (!selector)
		return bt_field_class_option_without_selector_field_location_create(
			trace_class, content);
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_option_with_selector_field_location_integer_unsigned_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				source));
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_SIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_option_with_selector_field_location_integer_signed_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
				source));
	return bt_field_class_option_with_selector_field_location_bool_create(
		trace_class, content, selector);
}

static bt_field_class *create_variant(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source)
{
	bt_field_class_type type = bt_field_class_get_type(source);
	const bt_field_location *selector = NULL;

	if (type != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD)
		selector = keep(scopes,
			bt_field_class_variant_with_selector_field_borrow_selector_field_location_const(
				source));
	if (!selector)
		return bt_field_class_variant_without_selector_field_location_create(trace_class);
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_variant_with_selector_field_location_integer_unsigned_create(
			trace_class, selector);
	return bt_field_class_variant_with_selector_field_location_integer_signed_create(
		trace_class, selector);
}

static int copy_blob(const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	uint64_t length = bt_field_blob_get_length(source);

	(void)plan;
	/* Without bytes there need not be memory either. */
	if (length > 0)
		memcpy(bt_field_blob_get_data(copy), bt_field_blob_get_data_const(source),
			(size_t)length);
	return 0;
}

static int copy_dynamic_blob(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	if (bt_field_blob_dynamic_set_length(copy, bt_field_blob_get_length(source)) !=
		BT_FIELD_DYNAMIC_BLOB_SET_LENGTH_STATUS_OK)
		return -ENOMEM;
	return copy_blob(plan, source, copy);
}

static bt_field_class *create_dynamic_blob(bt_trace_class *trace_class,
	const struct codectl_field_scopes *scopes, const bt_field_class *source)
{
	const bt_field_location *length = NULL;

	if (bt_field_class_get_type(source) == BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB_WITH_LENGTH_FIELD)
		length = keep(scopes,
			bt_field_class_blob_dynamic_with_length_field_borrow_length_field_location_const(
				source));
	return length ? bt_field_class_blob_dynamic_with_length_field_location_create(
				trace_class, length)
		      : bt_field_class_blob_dynamic_without_length_field_location_create(
				trace_class);
}

static int copy_own_class(bt_trace_class *trace_class, const struct codectl_field_scopes *scopes,
	const bt_field_class *source, struct codectl_field_plan *node)
{
	bt_field_class_type type = bt_field_class_get_type(source);

	if (!bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB))
		return -ENOTSUP;
	if (type == BT_FIELD_CLASS_TYPE_STATIC_BLOB) {
		node->copy_class = bt_field_class_blob_static_create(
			trace_class, bt_field_class_blob_static_get_length(source));
		node->copy = copy_blob;
	} else {
		node->copy_class = create_dynamic_blob(trace_class, scopes, source);
		node->copy = copy_dynamic_blob;
	}
	if (!node->copy_class || bt_field_class_blob_set_media_type(node->copy_class,
					 bt_field_class_blob_get_media_type(source)) !=
					 BT_FIELD_CLASS_BLOB_SET_MEDIA_TYPE_STATUS_OK)
		return -ENOMEM;
	return 0;
}

static void copy_integer(const bt_field_class *source, bt_field_class *copy)
{
	bt_field_class_integer_set_field_value_hints(
		copy, bt_field_class_integer_get_field_value_hints(source));
}

static int copy_bit_array(const bt_field_class *source, bt_field_class *copy)
{
	uint64_t count = bt_field_class_bit_array_get_flag_count(source);

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_bit_array_flag *flag =
			bt_field_class_bit_array_borrow_flag_by_index_const(source, i);
		if (bt_field_class_bit_array_add_flag(copy,
			    bt_field_class_bit_array_flag_get_label(flag),
			    bt_field_class_bit_array_flag_borrow_index_ranges_const(flag)) !=
			BT_FIELD_CLASS_BIT_ARRAY_ADD_FLAG_STATUS_OK)
			return -ENOMEM;
	}
	return 0;
}

static int copy_event_class(const bt_event_class *source, bt_event_class *copy)
{
	const char *name_space = bt_event_class_get_namespace(source);
	const char *uid = bt_event_class_get_uid(source);

	if ((name_space && bt_event_class_set_namespace(copy, name_space) !=
				   BT_EVENT_CLASS_SET_NAMESPACE_STATUS_OK) ||
		(uid && bt_event_class_set_uid(copy, uid) != BT_EVENT_CLASS_SET_UID_STATUS_OK))
		return -ENOMEM;
	return 0;
}

static int copy_stream_class(const bt_stream_class *source, bt_stream_class *copy)
{
	const char *name_space = bt_stream_class_get_namespace(source);
	const char *uid = bt_stream_class_get_uid(source);

	if ((name_space && bt_stream_class_set_namespace(copy, name_space) !=
				   BT_STREAM_CLASS_SET_NAMESPACE_STATUS_OK) ||
		(uid && bt_stream_class_set_uid(copy, uid) != BT_STREAM_CLASS_SET_UID_STATUS_OK))
		return -ENOMEM;
	return 0;
}

static int copy_trace(const bt_trace *source, bt_trace *copy)
{
	const char *name_space = bt_trace_get_namespace(source);
	const char *uid = bt_trace_get_uid(source);

	if ((name_space &&
		    bt_trace_set_namespace(copy, name_space) != BT_TRACE_SET_NAMESPACE_STATUS_OK) ||
		(uid && bt_trace_set_uid(copy, uid) != BT_TRACE_SET_UID_STATUS_OK))
		return -ENOMEM;
	return 0;
}

const struct codectl_mip codectl_mip_1 = {
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
