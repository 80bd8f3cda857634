/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/jit-names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What generated code is called that belongs to no file. */
#define JIT_BIN "[jit]"

/* Functions inlined into each other at one address; the outermost are left out beyond. */
#define DEPTH_MAX 256

/* The names of one address. */
struct chain {
	struct chain *next; /* Owned. */
	size_t count;
	struct codectl_frame_name names[]; /* func and src are owned. */
};

struct codectl_jit_names {
	struct codectl_jit_names_options options;
	struct chain *chains; /* Owned. */
};

struct codectl_jit_names *codectl_jit_names_create(const struct codectl_jit_names_options *options)
{
	struct codectl_jit_names *names = calloc(1, sizeof(*names));

	if (names)
		names->options = *options;
	return names;
}

static void destroy_chain(struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		free((char *)chain->names[i].func);
		free((char *)chain->names[i].src);
	}
	free(chain);
}

void codectl_jit_names_reset(struct codectl_jit_names *names)
{
	while (names->chains) {
		struct chain *next = names->chains->next;

		destroy_chain(names->chains);
		names->chains = next;
	}
}

void codectl_jit_names_destroy(struct codectl_jit_names *names)
{
	if (!names)
		return;
	codectl_jit_names_reset(names);
	free(names);
}

/* Returns an owned text, or NULL without memory. */
static char *format_src(const struct codectl_jit_names *names, const char *file, uint32_t line)
{
	const char *slash = names->options.has_full_paths ? NULL : strrchr(file, '/');
	char *text;

	if (file[0] == '\0')
		return strdup("");
	if (asprintf(&text, "%s:%" PRIu32, slash ? slash + 1 : file, line) < 0)
		return NULL;
	return text;
}

/* Appends the function @func (owned, NULL without memory) at a line. */
static bool add_name(const struct codectl_jit_names *names, struct chain *chain, char *func,
	const char *file, uint32_t line)
{
	char *src = format_src(names, file, line);

	chain->names[chain->count++] = (struct codectl_frame_name){
		.bin = JIT_BIN,
		.func = func,
		.src = src,
	};
	return func && src;
}

/* How many functions are inlined into each other in @scope, those which are named. */
static size_t find_depth(const struct codectl_jit_names *names,
	const struct codectl_jit_symbol *symbol, uint32_t scope)
{
	size_t depth = 0;

	if (!names->options.has_inlines)
		return 0;
	while (scope > 0 && depth < DEPTH_MAX) {
		scope = symbol->inlines[scope - 1].parent;
		depth++;
	}
	return depth;
}

/* Appends @depth functions, innermost first, and moves to where the last of them is called. */
static bool add_inlines(const struct codectl_jit_names *names, struct chain *chain,
	const struct codectl_jit_symbol *symbol, struct codectl_jit_line *at, size_t depth)
{
	for (; depth > 0; depth--) {
		const struct codectl_jit_inline *inlined = &symbol->inlines[at->scope - 1];

		if (!add_name(names, chain, strdup(inlined->name), at->file, at->line))
			return false;
		at->file = inlined->call_file;
		at->line = inlined->call_line;
		at->scope = inlined->parent;
	}
	return true;
}

int codectl_jit_names_get(struct codectl_jit_names *names, const struct codectl_jit_symbol *symbol,
	uint64_t pc, bool is_exact, const struct codectl_frame_name **chain, size_t *count)
{
	static const struct codectl_frame_name unnamed = {.bin = JIT_BIN, .func = "", .src = ""};
	struct codectl_jit_line at = {.file = ""};
	const struct codectl_jit_line *line;
	struct chain *made;
	size_t depth;
	char *func;

	*chain = &unnamed;
	*count = 1;
	if (!symbol)
		return 0;
	line = codectl_jit_symbol_find_line(symbol, pc - symbol->start - !is_exact);
	if (line)
		at = *line;
	depth = find_depth(names, symbol, at.scope);
	made = malloc(sizeof(*made) + (depth + 1) * sizeof(made->names[0]));
	if (!made)
		return -ENOMEM;
	made->count = 0;
	made->next = names->chains;
	names->chains = made;
	if (!add_inlines(names, made, symbol, &at, depth))
		return -ENOMEM;
	if (asprintf(&func, "%s+%#" PRIx64, symbol->name, pc - symbol->start) < 0)
		func = NULL;
	if (!add_name(names, made, func, at.file, at.line))
		return -ENOMEM;
	*chain = made->names;
	*count = made->count;
	return 0;
}
