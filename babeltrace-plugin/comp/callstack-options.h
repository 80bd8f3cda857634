/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/callstack-options.h: the parameters that tell which fields of events are
 * call stacks, and where the names of the kernel's functions are. Owned by the
 * component. One thread.
 */
#ifndef CODECTL_COMP_CALLSTACK_OPTIONS_H
#define CODECTL_COMP_CALLSTACK_OPTIONS_H

#include "comp/param-table.h"
#include "symbolize/kernel-symbols.h"

#include <stddef.h>

#define CODECTL_CALLSTACK_HELP                                                           \
	"  callstack-fields=NAME  sequences of addresses to name besides those of the\n" \
	"                         kernel tracer, or an array of such names\n"            \
	"  kernel-symbols=FILE    names of the kernel's functions: a copy of its\n"      \
	"                         /proc/kallsyms, or a System.map\n"

/* All zero: nothing was told. */
struct codectl_callstack_options {
	struct codectl_param_strings fields;	       /* Its array is owned. */
	const char *kernel_symbols_path;	       /* Weak, as long as the parameters. */
	struct codectl_kernel_symbols *kernel_symbols; /* Owned; NULL: unknown. */
};

/* A macro, since tables of parameters are made of several parts. */
#define CODECTL_CALLSTACK_PARAMS(o)                                                     \
	{"callstack-fields", CODECTL_PARAM_STRINGS, &(o)->fields, NULL},                \
	{                                                                               \
		"kernel-symbols", CODECTL_PARAM_STRING, &(o)->kernel_symbols_path, NULL \
	}

/*
 * After the parameters were read. Returns 0, -ENOMEM, or -EINVAL with a sentence for
 * the user in @error.
 */
int codectl_callstack_options_prepare(
	struct codectl_callstack_options *options, char *error, size_t error_size);

/* Also if it was never prepared. */
void codectl_callstack_options_fini(struct codectl_callstack_options *options);

#endif /* CODECTL_COMP_CALLSTACK_OPTIONS_H */
