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
#include <stdlib.h>
#include <string.h>

struct reading {
	const struct codectl_param *table;
	char *error;
	size_t error_size;
	int ret;
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

/* Returns 0, -EINVAL or -ENOMEM; what was there before is replaced if it succeeds. */
static int read_strings(const bt_value *value, struct codectl_param_strings *list)
{
	const bool is_array = bt_value_is_array(value);
	const uint64_t count = is_array ? bt_value_array_get_length(value) : 1;
	const char **strings = calloc(count ? count : 1, sizeof(*strings));

	if (!strings)
		return -ENOMEM;
	for (uint64_t i = 0; i < count; i++) {
		const bt_value *element =
			is_array ? bt_value_array_borrow_element_by_index_const(value, i) : value;

		if (!bt_value_is_string(element)) {
			free(strings);
			return -EINVAL;
		}
		strings[i] = bt_value_string_get(element);
	}
	free(list->strings);
	*list = (struct codectl_param_strings){.strings = strings, .count = count};
	return 0;
}

/* Returns 0, -EINVAL or -ENOMEM. */
static int read_value(const struct codectl_param *param, const bt_value *value)
{
	bool is_right = false;

	switch (param->type) {
	case CODECTL_PARAM_STRING:
		is_right = bt_value_is_string(value);
		if (is_right)
			*(const char **)param->value = bt_value_string_get(value);
		break;
	case CODECTL_PARAM_STRINGS:
		return read_strings(value, param->value);
	case CODECTL_PARAM_CHOICE:
		is_right = bt_value_is_string(value) &&
			   read_choice(param, bt_value_string_get(value));
		break;
	case CODECTL_PARAM_BOOL:
		is_right = bt_value_is_bool(value);
		if (is_right)
			*(bool *)param->value = bt_value_bool_get(value) != BT_FALSE;
		break;
	case CODECTL_PARAM_COUNT:
		is_right = read_count(value, param->value);
		break;
	case CODECTL_PARAM_NUMBER:
		is_right = read_number(value, param->value);
		break;
	}
	return is_right ? 0 : -EINVAL;
}

static const char *expectation(const struct codectl_param *param, char *scratch, size_t size)
{
	size_t len = 0;

	switch (param->type) {
	case CODECTL_PARAM_STRING:
		return "a string";
	case CODECTL_PARAM_STRINGS:
		return "a string or an array of strings";
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
	reading->ret = param->name ? read_value(param, value) : -EINVAL;
	if (reading->ret == 0)
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	if (reading->ret == -ENOMEM)
		snprintf(reading->error, reading->error_size, "Out of memory.");
	else if (param->name)
		snprintf(reading->error, reading->error_size, "Parameter `%s` must be %s.", key,
			expectation(param, scratch, sizeof(scratch)));
	else
		snprintf(reading->error, reading->error_size, "There is no parameter `%s`.", key);
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

int codectl_param_table_read(
	const bt_value *params, const struct codectl_param *table, char *error, size_t error_size)
{
	struct reading reading = {.table = table, .error = error, .error_size = error_size};

	bt_value_map_foreach_entry_const(params, read_entry, &reading);
	return reading.ret;
}
