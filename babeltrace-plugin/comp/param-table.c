/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/param-table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct reading {
	const struct codectl_param *table;
	char *error;
	size_t error_size;
	bool is_failed;
};

static bool read_choice(const struct codectl_param *param, const char *text)
{
	for (unsigned int i = 0; param->choices[i]; i++) {
		if (!strcmp(param->choices[i], text)) {
			*(unsigned int *)param->value = i;
			return true;
		}
	}
	return false;
}

static bool read_count(const bt_value *value, uint64_t *count)
{
	if (bt_value_is_unsigned_integer(value)) {
		*count = bt_value_integer_unsigned_get(value);
		return true;
	}
	if (bt_value_is_signed_integer(value) && bt_value_integer_signed_get(value) >= 0) {
		*count = (uint64_t)bt_value_integer_signed_get(value);
		return true;
	}
	return false;
}

static bool read_number(const bt_value *value, double *number)
{
	uint64_t count;

	if (bt_value_is_real(value)) {
		const double real = bt_value_real_get(value);

		if (!isfinite(real) || real < 0)
			return false;
		*number = real;
		return true;
	}
	if (!read_count(value, &count))
		return false;
	*number = (double)count;
	return true;
}

static bool read_value(const struct codectl_param *param, const bt_value *value)
{
	switch (param->type) {
	case CODECTL_PARAM_STRING:
		if (!bt_value_is_string(value))
			return false;
		*(const char **)param->value = bt_value_string_get(value);
		return true;
	case CODECTL_PARAM_CHOICE:
		return bt_value_is_string(value) && read_choice(param, bt_value_string_get(value));
	case CODECTL_PARAM_BOOL:
		if (!bt_value_is_bool(value))
			return false;
		*(bool *)param->value = bt_value_bool_get(value) != BT_FALSE;
		return true;
	case CODECTL_PARAM_COUNT:
		return read_count(value, param->value);
	case CODECTL_PARAM_NUMBER:
		return read_number(value, param->value);
	}
	return false;
}

static const char *expectation(const struct codectl_param *param, char *scratch, size_t size)
{
	size_t len = 0;

	switch (param->type) {
	case CODECTL_PARAM_STRING:
		return "a string";
	case CODECTL_PARAM_BOOL:
		return "yes or no";
	case CODECTL_PARAM_COUNT:
		return "a whole number from 0";
	case CODECTL_PARAM_NUMBER:
		return "a number from 0";
	case CODECTL_PARAM_CHOICE:
		break;
	}
	scratch[0] = '\0';
	for (size_t i = 0; param->choices[i] && len < size; i++)
		len += (size_t)snprintf(scratch + len, size - len, "%s\"%s\"",
			i == 0			? ""
			: param->choices[i + 1] ? ", "
						: " or ",
			param->choices[i]);
	return scratch;
}

static bt_value_map_foreach_entry_const_func_status read_entry(
	const char *key, const bt_value *value, void *user)
{
	struct reading *reading = user;
	const struct codectl_param *param = reading->table;
	char scratch[128];

	while (param->name && strcmp(param->name, key) != 0)
		param++;
	if (param->name && read_value(param, value))
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	if (param->name)
		snprintf(reading->error, reading->error_size, "Parameter `%s` must be %s.", key,
			expectation(param, scratch, sizeof(scratch)));
	else
		snprintf(reading->error, reading->error_size, "There is no parameter `%s`.", key);
	reading->is_failed = true;
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

int codectl_param_table_read(
	const bt_value *params, const struct codectl_param *table, char *error, size_t error_size)
{
	struct reading reading = {.table = table, .error = error, .error_size = error_size};

	bt_value_map_foreach_entry_const(params, read_entry, &reading);
	return reading.is_failed ? -EINVAL : 0;
}
