/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The half of field-plan.h that runs per event: a function per kind of field, so
 * that nothing is asked twice.
 */
#include "trace-ir/field-plan.h"

#include "format/likely.h"

#include <errno.h>

static int copy_bool(const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_bool_set_value(copy, bt_field_bool_get_value(source));
	return 0;
}

static int copy_bit_array(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_bit_array_set_value_as_integer(
		copy, bt_field_bit_array_get_value_as_integer(source));
	return 0;
}

static int copy_unsigned(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_integer_unsigned_set_value(copy, bt_field_integer_unsigned_get_value(source));
	return 0;
}

static int copy_signed(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_integer_signed_set_value(copy, bt_field_integer_signed_get_value(source));
	return 0;
}

static int copy_single(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_real_single_precision_set_value(
		copy, bt_field_real_single_precision_get_value(source));
	return 0;
}

static int copy_double(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_real_double_precision_set_value(
		copy, bt_field_real_double_precision_get_value(source));
	return 0;
}

static int copy_string(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	(void)plan;
	bt_field_string_clear(copy);
	if (bt_field_string_append_with_length(copy, bt_field_string_get_value(source),
		    bt_field_string_get_length(source)) != BT_FIELD_STRING_APPEND_STATUS_OK)
		return -ENOMEM;
	return 0;
}

static int copy_structure(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	const struct codectl_field_step *end = plan->steps + plan->step_count;

	for (const struct codectl_field_step *step = plan->steps; step != end; step++) {
		const bt_field *from = bt_field_structure_borrow_member_field_by_index_const(
			source, step->source_index);
		bt_field *to = bt_field_structure_borrow_member_field_by_index(
			copy, step->copy_index);
		int ret = 0;

		/* Most members are integers, so they are spared a call. */
		if (step->kind == CODECTL_FIELD_UNSIGNED) {
			uint64_t value = bt_field_integer_unsigned_get_value(from);

			bt_field_integer_unsigned_set_value(to, value);
			plan->values[step->source_index] = value;
		} else if (step->kind == CODECTL_FIELD_SIGNED) {
			int64_t value = bt_field_integer_signed_get_value(from);

			bt_field_integer_signed_set_value(to, value);
			plan->values[step->source_index] = (uint64_t)value;
		} else {
			ret = step->copy(step->plan, from, to);
		}
		if (CODECTL_UNLIKELY(ret < 0))
			return ret;
	}
	return 0;
}

static int copy_elements(
	const struct codectl_field_plan *plan, const bt_field *source, bt_field *copy)
{
	const struct codectl_field_plan *element = plan->children[0];
	uint64_t length = bt_field_array_get_length(source);

	for (uint64_t i = 0; i < length; i++) {
		int ret = element->copy(element,
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
	return copy_elements(plan, source, copy);
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

codectl_field_copy codectl_field_copy_of(enum codectl_field_kind kind)
{
	static const codectl_field_copy copies[] = {
		[CODECTL_FIELD_BOOL] = copy_bool,
		[CODECTL_FIELD_BIT_ARRAY] = copy_bit_array,
		[CODECTL_FIELD_UNSIGNED] = copy_unsigned,
		[CODECTL_FIELD_SIGNED] = copy_signed,
		[CODECTL_FIELD_SINGLE] = copy_single,
		[CODECTL_FIELD_DOUBLE] = copy_double,
		[CODECTL_FIELD_STRING] = copy_string,
		[CODECTL_FIELD_STRUCTURE] = copy_structure,
		[CODECTL_FIELD_STATIC_ARRAY] = copy_elements,
		[CODECTL_FIELD_DYNAMIC_ARRAY] = copy_dynamic_array,
		[CODECTL_FIELD_OPTION] = copy_option,
		[CODECTL_FIELD_VARIANT] = copy_variant,
	};

	return copies[kind];
}
