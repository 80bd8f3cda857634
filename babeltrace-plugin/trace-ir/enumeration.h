/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/enumeration.h: copies the mappings of enumeration classes. The
 * sets of ranges are shared: they never change once used. One thread.
 */
#ifndef CODECTL_TRACE_IR_ENUMERATION_H
#define CODECTL_TRACE_IR_ENUMERATION_H

#include <babeltrace2/babeltrace.h>

/* Add the mappings of @source to @copy, which has none. Return 0 or -ENOMEM. */
int codectl_enumeration_copy_unsigned_mappings(const bt_field_class *source, bt_field_class *copy);
int codectl_enumeration_copy_signed_mappings(const bt_field_class *source, bt_field_class *copy);

#endif /* CODECTL_TRACE_IR_ENUMERATION_H */
