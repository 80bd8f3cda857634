/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/tell.h"

#include "provider/jit.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that may move: a move does not repeat its name. */
struct movable {
	uint64_t start;
	char *name; /* Owned. */
};

/* Tree of struct movable by start (tsearch(3)). Helper thread only. */
static void *movables;

static uint64_t address_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* The line table for the call below, which the caller frees; NULL if there is none. */
static struct code_jit_line *make_lines(const struct codectl_jit_told *told)
{
	struct code_jit_line *lines;

	if (!told->line_count || told->line_count > CODE_JIT_LINE_MAX)
		return NULL;
	lines = calloc(told->line_count, sizeof(*lines));
	for (size_t i = 0; lines && i < told->line_count; i++) {
		lines[i].file = address_of(told->lines[i].file);
		lines[i].offset = (uint32_t)(told->lines[i].address - told->start);
		lines[i].line = told->lines[i].line;
	}
	return lines;
}

static int compare(const void *left, const void *right)
{
	const struct movable *a = left;
	const struct movable *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Whoever was at @start before has gone. Without memory a later move is not followed. */
static void remember(uint64_t start, const char *name)
{
	struct movable *movable = malloc(sizeof(*movable));
	struct movable **found;

	if (!movable)
		return;
	movable->start = start;
	movable->name = strdup(name);
	found = movable->name ? tsearch(movable, &movables, compare) : NULL;
	if (found && *found != movable) {
		free((*found)->name);
		(*found)->name = movable->name;
		movable->name = NULL;
	}
	if (!found || *found != movable) {
		free(movable->name);
		free(movable);
	}
}

/* The name of what was at @start, which the caller frees, or NULL. */
static char *forget(uint64_t start)
{
	const struct movable key = {.start = start};
	struct movable **found = tfind(&key, &movables, compare);
	struct movable *movable;
	char *name;

	if (!found)
		return NULL;
	movable = *found;
	tdelete(movable, &movables, compare);
	name = movable->name;
	free(movable);
	return name;
}

void codectl_jit_tell_symbol(const struct codectl_jit_told *told)
{
	char name[CODE_JIT_NAME_MAX];
	struct code_jit_line *lines = make_lines(told);
	struct code_jit_symbol symbol = {
		.start = told->start,
		.size = told->size,
		.name = address_of(name),
		.lines = address_of(lines),
		.line_count = lines ? (uint32_t)told->line_count : 0,
	};

	snprintf(name, sizeof(name), "%.*s",
		(int)(told->name_len < sizeof(name) ? told->name_len : sizeof(name) - 1),
		told->name);
	codectl_jit_add_symbol(&symbol, told->timestamp);
	if (told->can_move)
		remember(told->start, name);
	free(lines);
}

void codectl_jit_tell_move(uint64_t timestamp, uint64_t from, uint64_t to, uint64_t size)
{
	char *name = forget(from);

	codectl_jit_remove_symbol(from, 0, timestamp);
	if (name)
		codectl_jit_tell_symbol(&(struct codectl_jit_told){
			.timestamp = timestamp,
			.start = to,
			.size = size,
			.name = name,
			.name_len = strlen(name),
			.can_move = true,
		});
	free(name);
}
