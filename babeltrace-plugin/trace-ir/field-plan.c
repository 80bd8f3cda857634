/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The half of field-plan.h that runs once per class.
 */
#include "trace-ir/field-plan.h"

#include "trace-ir/enumeration.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <stdlib.h>

struct build {
	bt_trace_class *trace_class;   /* Weak; owned by the caller. */
	const struct codectl_mip *mip; /* Weak; static. */
	struct codectl_field_scopes *scopes;
};

/*
 * Gives the copy of @source to @node->copy_class, holding a new reference, and
 * grows the tree below @node. What is already below when it fails is freed
 * with the tree.
 */
static int copy_class(
	const struct build *build, const bt_field_class *source, struct codectl_field_plan *node);

/* Grows an empty child; the tree owns it. */
static struct codectl_field_plan *grow_child(struct codectl_field_plan *node, size_t index)
{
	node->children[index] = calloc(1, sizeof(*node->children[index]));
	return node->children[index];
}

static int grow_children(struct codectl_field_plan *node, size_t count)
{
	node->children = calloc(count ? count : 1, sizeof(*node->children));
	if (!node->children)
		return -ENOMEM;
	node->child_count = count;
	return 0;
}

/* Grows the one child of an array or option and copies its class. */
static int copy_content(
	const struct build *build, const bt_field_class *content, struct codectl_field_plan *node)
{
	if (grow_children(node, 1) < 0 || !grow_child(node, 0))
		return -ENOMEM;
	return copy_class(build, content, node->children[0]);
}

/* The parent class owns @class from now on; ours was the first reference. */
static int hand_over(const bt_field_class *class, bool is_done)
{
	bt_field_class_put_ref(class);
	return is_done ? 0 : -ENOMEM;
}

static int copy_member(const struct build *build, const bt_field_class_structure_member *member,
	uint64_t index, struct codectl_field_plan *node)
{
	struct codectl_field_plan *child = node->children[index];
	int ret = copy_class(
		build, bt_field_class_structure_member_borrow_field_class_const(member), child);
	if (ret < 0)
		return ret;
	uint64_t copy_index = bt_field_class_structure_get_member_count(node->copy_class);
	ret = hand_over(child->copy_class,
		bt_field_class_structure_append_member(node->copy_class,
			bt_field_class_structure_member_get_name(member),
			child->copy_class) == BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK);
	if (ret < 0)
		return ret;
	bt_field_class_structure_member_set_user_attributes(
		bt_field_class_structure_borrow_member_by_index(node->copy_class, copy_index),
		bt_field_class_structure_member_borrow_user_attributes_const(member));
	node->steps[node->step_count++] = (struct codectl_field_step){
		.kind = child->kind,
		.copy = child->copy,
		.plan = child,
		.source_index = index,
		.copy_index = copy_index,
	};
	return 0;
}

static int copy_structure(const struct build *build, const bt_field_class *source,
	const struct codectl_field_drop *drop, struct codectl_field_plan *node)
{
	node->kind = CODECTL_FIELD_STRUCTURE;
	node->copy_class = bt_field_class_structure_create(build->trace_class);
	if (!node->copy_class ||
		grow_children(node, bt_field_class_structure_get_member_count(source)) < 0)
		return -ENOMEM;
	node->steps = calloc(node->child_count + 1, sizeof(*node->steps));
	node->values = calloc(node->child_count + 1, sizeof(*node->values));
	if (!node->steps || !node->values)
		return -ENOMEM;
	for (size_t i = 0; i < node->child_count; i++) {
		if (drop && drop->is_dropped(drop->user, i))
			continue;
		if (!grow_child(node, i))
			return -ENOMEM;
		int ret = copy_member(build,
			bt_field_class_structure_borrow_member_by_index_const(source, i), i, node);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int copy_array(const struct build *build, const bt_field_class *source,
	bt_field_class_type type, struct codectl_field_plan *node)
{
	int ret = copy_content(
		build, bt_field_class_array_borrow_element_field_class_const(source), node);
	if (ret < 0)
		return ret;
	bt_field_class *element = node->children[0]->copy_class;
	if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		node->kind = CODECTL_FIELD_STATIC_ARRAY;
		node->copy_class = bt_field_class_array_static_create(build->trace_class, element,
			bt_field_class_array_static_get_length(source));
	} else {
		node->kind = CODECTL_FIELD_DYNAMIC_ARRAY;
		node->copy_class = build->mip->create_array(
			build->trace_class, build->scopes, source, element);
	}
	return hand_over(element, node->copy_class);
}

static int copy_option(
	const struct build *build, const bt_field_class *source, struct codectl_field_plan *node)
{
	int ret = copy_content(build, bt_field_class_option_borrow_field_class_const(source), node);
	if (ret < 0)
		return ret;
	node->kind = CODECTL_FIELD_OPTION;
	node->copy_class = build->mip->create_option(
		build->trace_class, build->scopes, source, node->children[0]->copy_class);
	if (node->copy_class && bt_field_class_get_type(node->copy_class) ==
					BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD)
		bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
			node->copy_class,
			bt_field_class_option_with_selector_field_bool_selector_is_reversed(
				source));
	return hand_over(node->children[0]->copy_class, node->copy_class);
}

/* The copy @variant may have lost its selector. */
static bool append_variant_option(bt_field_class *variant, const bt_field_class *source,
	uint64_t index, const char *name, bt_field_class *content)
{
	bt_field_class_type type = bt_field_class_get_type(variant);

	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD)
		return bt_field_class_variant_without_selector_append_option(
			       variant, name, content) ==
		       BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
			       variant, name, content,
			       bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
				       bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
					       source, index))) ==
		       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	return bt_field_class_variant_with_selector_field_integer_signed_append_option(variant,
		       name, content,
		       bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
			       bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
				       source, index))) ==
	       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
}

static int copy_variant(
	const struct build *build, const bt_field_class *source, struct codectl_field_plan *node)
{
	node->kind = CODECTL_FIELD_VARIANT;
	node->copy_class = build->mip->create_variant(build->trace_class, build->scopes, source);
	if (!node->copy_class ||
		grow_children(node, bt_field_class_variant_get_option_count(source)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < node->child_count; i++) {
		const bt_field_class_variant_option *option =
			bt_field_class_variant_borrow_option_by_index_const(source, i);
		struct codectl_field_plan *child = grow_child(node, i);
		if (!child)
			return -ENOMEM;
		int ret = copy_class(build,
			bt_field_class_variant_option_borrow_field_class_const(option), child);
		if (ret < 0)
			return ret;
		ret = hand_over(child->copy_class,
			append_variant_option(node->copy_class, source, i,
				bt_field_class_variant_option_get_name(option), child->copy_class));
		if (ret < 0)
			return ret;
		bt_field_class_variant_option_set_user_attributes(
			bt_field_class_variant_borrow_option_by_index(node->copy_class, i),
			bt_field_class_variant_option_borrow_user_attributes_const(option));
	}
	return 0;
}

static int copy_unsigned(const struct build *build, const bt_field_class *source,
	bt_field_class_type type, struct codectl_field_plan *node)
{
	bool is_enumeration = type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION;

	node->kind = CODECTL_FIELD_UNSIGNED;
	node->copy_class = is_enumeration
				   ? bt_field_class_enumeration_unsigned_create(build->trace_class)
				   : bt_field_class_integer_unsigned_create(build->trace_class);
	return node->copy_class && is_enumeration
		       ? codectl_enumeration_copy_unsigned_mappings(source, node->copy_class)
		       : 0;
}

static int copy_signed(const struct build *build, const bt_field_class *source,
	bt_field_class_type type, struct codectl_field_plan *node)
{
	bool is_enumeration = type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION;

	node->kind = CODECTL_FIELD_SIGNED;
	node->copy_class = is_enumeration
				   ? bt_field_class_enumeration_signed_create(build->trace_class)
				   : bt_field_class_integer_signed_create(build->trace_class);
	return node->copy_class && is_enumeration
		       ? codectl_enumeration_copy_signed_mappings(source, node->copy_class)
		       : 0;
}

static int copy_integer(const struct build *build, const bt_field_class *source,
	bt_field_class_type type, struct codectl_field_plan *node)
{
	int ret = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
			  ? copy_unsigned(build, source, type, node)
			  : copy_signed(build, source, type, node);
	if (ret < 0 || !node->copy_class)
		return -ENOMEM;
	bt_field_class_integer_set_field_value_range(
		node->copy_class, bt_field_class_integer_get_field_value_range(source));
	bt_field_class_integer_set_preferred_display_base(
		node->copy_class, bt_field_class_integer_get_preferred_display_base(source));
	build->mip->copy_integer(source, node->copy_class);
	return 0;
}

static int copy_scalar(const struct build *build, const bt_field_class *source,
	bt_field_class_type type, struct codectl_field_plan *node)
{
	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		node->kind = CODECTL_FIELD_BOOL;
		node->copy_class = bt_field_class_bool_create(build->trace_class);
		return 0;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		node->kind = CODECTL_FIELD_BIT_ARRAY;
		node->copy_class = bt_field_class_bit_array_create(
			build->trace_class, bt_field_class_bit_array_get_length(source));
		return node->copy_class ? build->mip->copy_bit_array(source, node->copy_class) : 0;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		node->kind = CODECTL_FIELD_SINGLE;
		node->copy_class = bt_field_class_real_single_precision_create(build->trace_class);
		return 0;
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		node->kind = CODECTL_FIELD_DOUBLE;
		node->copy_class = bt_field_class_real_double_precision_create(build->trace_class);
		return 0;
	case BT_FIELD_CLASS_TYPE_STRING:
		node->kind = CODECTL_FIELD_STRING;
		node->copy_class = bt_field_class_string_create(build->trace_class);
		return 0;
	default:
		node->kind = CODECTL_FIELD_OTHER;
		return build->mip->copy_own_class(build->trace_class, build->scopes, source, node);
	}
}

static int copy_class(
	const struct build *build, const bt_field_class *source, struct codectl_field_plan *node)
{
	bt_field_class_type type = bt_field_class_get_type(source);
	int ret;

	node->source_class = source;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
		ret = copy_integer(build, source, type, node);
	else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		ret = copy_structure(build, source, NULL, node);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		ret = copy_array(build, source, type, node);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		ret = copy_option(build, source, node);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		ret = copy_variant(build, source, node);
	else
		ret = copy_scalar(build, source, type, node);
	if (ret == 0 && !node->copy_class)
		ret = -ENOMEM;
	if (ret < 0) {
		bt_field_class_put_ref(node->copy_class);
		node->copy_class = NULL;
		return ret;
	}
	if (node->kind != CODECTL_FIELD_OTHER)
		node->copy = codectl_field_copy_of(node->kind);
	bt_field_class_set_user_attributes(
		node->copy_class, bt_field_class_borrow_user_attributes_const(source));
	return 0;
}

int codectl_field_plan_create(const bt_field_class *source, bt_trace_class *trace_class,
	enum codectl_scope scope, struct codectl_field_scopes *scopes,
	const struct codectl_field_drop *drop, struct codectl_field_plan **plan,
	bt_field_class **copy)
{
	const struct build build = {
		.trace_class = trace_class,
		.mip = codectl_mip_of(trace_class),
		.scopes = scopes,
	};
	struct codectl_field_plan *node = calloc(1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	node->source_class = source;
	/* Paths and locations lead into the tree while it grows. */
	scopes->roots[scope] = node;
	int ret = copy_structure(&build, source, drop, node);
	if (ret < 0) {
		bt_field_class_put_ref(node->copy_class);
		codectl_field_plan_destroy(node);
		scopes->roots[scope] = NULL;
		return ret;
	}
	bt_field_class_set_user_attributes(
		node->copy_class, bt_field_class_borrow_user_attributes_const(source));
	node->copy = codectl_field_copy_of(node->kind);
	*copy = node->copy_class;
	*plan = node;
	return 0;
}

void codectl_field_plan_destroy(struct codectl_field_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->child_count; i++)
		codectl_field_plan_destroy(plan->children[i]);
	free(plan->children);
	free(plan->steps);
	free(plan->values);
	free(plan);
}
