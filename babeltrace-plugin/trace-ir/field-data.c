/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The half of field-plan.h that runs per event.
 */
#include "trace-ir/field-plan.h"

#include <errno.h>

static int copy_structure(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	for (size_t i = 0; i < plan->child_count; i++) {
		const struct codectl_field_plan *member = plan->children[i];
		if (!member)
			continue;
		int ret = codectl_field_plan_copy(member,
			bt_field_structure_borrow_member_field_by_index_const(source, i),
			bt_field_structure_borrow_member_field_by_index(copy, member->copy_index));
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int copy_elements(
	const struct codectl_field_plan *element, const bt_field *source, bt_field *copy)
{
	uint64_t length = bt_field_array_get_length(source);

	for (uint64_t i = 0; i < length; i++) {
		int ret = codectl_field_plan_copy(element,
			bt_field_array_borrow_element_field_by_index_const(source, i),
			bt_field_array_borrow_element_field_by_index(copy, i));
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int copy_dynamic_array(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	if (bt_field_array_dynamic_set_length(copy, bt_field_array_get_length(source)) !=
		BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return -ENOMEM;
	return copy_elements(plan->children[0], source, copy);
}

static int copy_string(const bt_field *source, bt_field *copy)
{
	bt_field_string_clear(copy);
	if (bt_field_string_append_with_length(copy, bt_field_string_get_value(source),
		    bt_field_string_get_length(source)) != BT_FIELD_STRING_APPEND_STATUS_OK)
		return -ENOMEM;
	return 0;
}

static int copy_option(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	const bt_field *content = bt_field_option_borrow_field_const(source);

	bt_field_option_set_has_field(copy, content ? BT_TRUE : BT_FALSE);
	if (!content)
		return 0;
	return codectl_field_plan_copy(
		plan->children[0], content, bt_field_option_borrow_field(copy));
}

static int copy_variant(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	uint64_t index = bt_field_variant_get_selected_option_index(source);

	if (bt_field_variant_select_option_by_index(copy, index) !=
		BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK)
		return -ENOMEM;
	return codectl_field_plan_copy(plan->children[index],
		bt_field_variant_borrow_selected_option_field_const(source),
		bt_field_variant_borrow_selected_option_field(copy));
}

int codectl_field_plan_copy(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	switch (plan->kind) {
	case CODECTL_FIELD_BOOL:
		bt_field_bool_set_value(copy, bt_field_bool_get_value(source));
		return 0;
	case CODECTL_FIELD_BIT_ARRAY:
		bt_field_bit_array_set_value_as_integer(
			copy, bt_field_bit_array_get_value_as_integer(source));
		return 0;
	case CODECTL_FIELD_UNSIGNED:
		bt_field_integer_unsigned_set_value(
			copy, bt_field_integer_unsigned_get_value(source));
		return 0;
	case CODECTL_FIELD_SIGNED:
		bt_field_integer_signed_set_value(copy, bt_field_integer_signed_get_value(source));
		return 0;
	case CODECTL_FIELD_SINGLE:
		bt_field_real_single_precision_set_value(
			copy, bt_field_real_single_precision_get_value(source));
		return 0;
	case CODECTL_FIELD_DOUBLE:
		bt_field_real_double_precision_set_value(
			copy, bt_field_real_double_precision_get_value(source));
		return 0;
	case CODECTL_FIELD_STRING:
		return copy_string(source, copy);
	case CODECTL_FIELD_STRUCTURE:
		return copy_structure(plan, source, copy);
	case CODECTL_FIELD_STATIC_ARRAY:
		return copy_elements(plan->children[0], source, copy);
	case CODECTL_FIELD_DYNAMIC_ARRAY:
		return copy_dynamic_array(plan, source, copy);
	case CODECTL_FIELD_OPTION:
		return copy_option(plan, source, copy);
	case CODECTL_FIELD_VARIANT:
		return copy_variant(plan, source, copy);
	}
	return 0;
}
