/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/field-text.h: the text of a string field. One thread.
 */
#ifndef CODECTL_COMP_FIELD_TEXT_H
#define CODECTL_COMP_FIELD_TEXT_H

#include <babeltrace2/babeltrace.h>

/*
 * The value of the string @field: weak, as long as the field and its value.
 *
 * Babeltrace 2.0 does not terminate an empty string that it reads from a CTF
 * trace: its value is still what the field, which is reused, held before. Its
 * length is right.
 */
static inline const char *codectl_field_text(const bt_field *field)
{
	return bt_field_string_get_length(field) ? bt_field_string_get_value(field) : "";
}

#endif /* CODECTL_COMP_FIELD_TEXT_H */
