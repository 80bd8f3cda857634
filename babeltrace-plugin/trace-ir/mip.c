/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "trace-ir/mip.h"

#include <errno.h>

#ifdef HAVE_BABELTRACE_MIP_1

#define GREATEST_VERSION 1

const struct codectl_mip *codectl_mip_of(const bt_trace_class *trace_class)
{
	return bt_trace_class_get_graph_mip_version(trace_class) == 0 ? &codectl_mip_0
								      : &codectl_mip_1;
}

bool codectl_mip_is_blob(bt_field_class_type type)
{
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB);
}

const uint8_t *codectl_mip_borrow_blob(const bt_field *field, uint64_t *len)
{
	*len = bt_field_blob_get_length(field);
	return bt_field_blob_get_data_const(field);
}

#else /* HAVE_BABELTRACE_MIP_1 */

#define GREATEST_VERSION 0

const struct codectl_mip *codectl_mip_of(const bt_trace_class *trace_class)
{
	(void)trace_class;
	return &codectl_mip_0;
}

bool codectl_mip_is_blob(bt_field_class_type type)
{
	(void)type;
	return false;
}

const uint8_t *codectl_mip_borrow_blob(const bt_field *field, uint64_t *len)
{
	(void)field;
	*len = 0;
	return NULL;
}

#endif /* HAVE_BABELTRACE_MIP_1 */

int codectl_mip_add_supported(bt_integer_range_set_unsigned *versions)
{
	return bt_integer_range_set_unsigned_add_range(versions, 0, GREATEST_VERSION) ==
			       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK
		       ? 0
		       : -ENOMEM;
}
