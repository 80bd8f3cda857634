/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/param-table.h: the parameters of a component, read by a table. What is not
 * in the table, or of another type, is an error that names the parameter. One
 * thread, during the init method.
 */
#ifndef CODECTL_COMP_PARAM_TABLE_H
#define CODECTL_COMP_PARAM_TABLE_H

#include <babeltrace2/babeltrace.h>

#include <stddef.h>

enum codectl_param_type {
	CODECTL_PARAM_STRING,  /* const char *; weak, as long as the parameters. */
	CODECTL_PARAM_STRINGS, /* struct codectl_param_strings; a string or an array of them. */
	CODECTL_PARAM_CHOICE,  /* unsigned int; position of the string in `choices`. */
	CODECTL_PARAM_BOOL,    /* bool */
	CODECTL_PARAM_COUNT,   /* uint64_t; an integer that is not negative. */
	CODECTL_PARAM_NUMBER,  /* double; an integer or a real that is not negative. */
};

/* Strings are weak, as long as the parameters; the array is to be freed. */
struct codectl_param_strings {
	const char **strings; /* Owned. */
	size_t count;
};

struct codectl_param {
	const char *name;
	enum codectl_param_type type;
	void *value;		    /* Weak; where it goes, untouched if not given. */
	const char *const *choices; /* Weak; of a choice: the strings, then NULL. */
};

/*
 * Reads the map @params by @table, which ends with a NULL name. Returns 0, or
 * -EINVAL or -ENOMEM with a sentence for the user in @error.
 */
int codectl_param_table_read(
	const bt_value *params, const struct codectl_param *table, char *error, size_t error_size);

#endif /* CODECTL_COMP_PARAM_TABLE_H */
