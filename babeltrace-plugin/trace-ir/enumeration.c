/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/enumeration.h"

#include <errno.h>

int codectl_enumeration_copy_unsigned_mappings(const bt_field_class *source, bt_field_class *copy)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(source);

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(
				source, i);
		if (bt_field_class_enumeration_unsigned_add_mapping(copy,
			    bt_field_class_enumeration_mapping_get_label(
				    bt_field_class_enumeration_unsigned_mapping_as_mapping_const(
					    mapping)),
			    bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(
				    mapping)) != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return -ENOMEM;
	}
	return 0;
}

int codectl_enumeration_copy_signed_mappings(const bt_field_class *source, bt_field_class *copy)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(source);

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(source, i);
		if (bt_field_class_enumeration_signed_add_mapping(copy,
			    bt_field_class_enumeration_mapping_get_label(
				    bt_field_class_enumeration_signed_mapping_as_mapping_const(
					    mapping)),
			    bt_field_class_enumeration_signed_mapping_borrow_ranges_const(
				    mapping)) != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return -ENOMEM;
	}
	return 0;
}
