/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/callstack-options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Each member of each structure is compared with each of them. */
#define FIELD_MAX 64

int codectl_callstack_options_prepare(
	struct codectl_callstack_options *options, char *error, size_t error_size)
{
	const char *reason;

	if (options->fields.count > FIELD_MAX) {
		snprintf(error, error_size,
			"Parameter `callstack-fields` must be at most %d names.", FIELD_MAX);
		return -EINVAL;
	}
	for (size_t i = 0; i < options->fields.count; i++) {
		if (*options->fields.strings[i] == '\0') {
			snprintf(error, error_size,
				"Parameter `callstack-fields` must be names of fields, none "
				"empty.");
			return -EINVAL;
		}
	}
	if (!options->kernel_symbols_path)
		return 0;

	int ret = codectl_kernel_symbols_open(
		options->kernel_symbols_path, &options->kernel_symbols, &reason);

	if (ret == -EINVAL)
		snprintf(error, error_size,
			"Cannot use the file of parameter `kernel-symbols`: path=\"%.100s\": %s.",
			options->kernel_symbols_path, reason);
	return ret;
}

void codectl_callstack_options_fini(struct codectl_callstack_options *options)
{
	codectl_kernel_symbols_close(options->kernel_symbols);
	free(options->fields.strings);
	*options = (struct codectl_callstack_options){0};
}
