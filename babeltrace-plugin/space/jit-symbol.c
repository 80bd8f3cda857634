/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * One symbol of generated code, and what it owns.
 */
#include "space/internal.h"
#include "space/jit-symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The texts of one event, cut apart. */
struct codectl_jit_text {
	struct codectl_jit_text *next; /* Owned. */
	size_t count;
	const char **texts; /* Owned array; they point into `bytes`. */
	char bytes[];
};

struct codectl_jit_symbol_entry *codectl_jit_symbol_create(
	const struct codectl_event_jit_symbol *event, uint64_t time, uint64_t id)
{
	struct codectl_jit_symbol_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->symbol = (struct codectl_jit_symbol){
		.id = id,
		.serial = event->serial,
		.start = event->start,
		.size = event->size,
		.name = strdup(event->name),
		.begin = time,
		.end = UINT64_MAX,
	};
	entry->inline_max = event->inline_count;
	entry->line_max = event->line_count;
	if (!entry->symbol.name) {
		free(entry);
		return NULL;
	}
	return entry;
}

void codectl_jit_symbol_destroy(struct codectl_jit_symbol_entry *entry)
{
	while (entry->texts) {
		struct codectl_jit_text *next = entry->texts->next;

		free(entry->texts->texts);
		free(entry->texts);
		entry->texts = next;
	}
	free(entry->symbol.name);
	free(entry->symbol.inlines);
	free(entry->symbol.lines);
	free(entry);
}

/* Copies newline-separated texts, for as long as the symbol lives. NULL without memory. */
static const struct codectl_jit_text *add_texts(
	struct codectl_jit_symbol_entry *entry, const char *texts)
{
	size_t len = strlen(texts);
	size_t count = 1;
	struct codectl_jit_text *made = malloc(sizeof(*made) + len + 1);

	if (!made)
		return NULL;
	memcpy(made->bytes, texts, len + 1);
	for (size_t i = 0; i < len; i++)
		count += texts[i] == '\n';
	made->texts = malloc(count * sizeof(*made->texts));
	if (!made->texts) {
		free(made);
		return NULL;
	}
	made->count = 0;
	for (char *rest = made->bytes; rest;)
		made->texts[made->count++] = strsep(&rest, "\n");
	made->next = entry->texts;
	entry->texts = made;
	return made;
}

/* Text @number, from 1; "" if there is none. */
static const char *get_text(const struct codectl_jit_text *texts, uint32_t number)
{
	return number > 0 && number <= texts->count ? texts->texts[number - 1] : "";
}

int codectl_jit_symbol_add_inlines(
	struct codectl_jit_symbol_entry *entry, const struct codectl_event_jit_inlines *event)
{
	struct codectl_jit_symbol *symbol = &entry->symbol;
	size_t count = event->parent_count;

	/* A state dump tells again what is known. */
	if (event->first < symbol->inline_count || count == 0)
		return 0;
	if (event->first > symbol->inline_count || count > entry->inline_max - symbol->inline_count)
		return -EINVAL;
	/* Each is below one before it, so that following parents ends. */
	for (size_t i = 0; i < count; i++) {
		if (event->parent[i] > event->first + i)
			return -EINVAL;
	}

	struct codectl_jit_inline *grown = reallocarray(
		symbol->inlines, symbol->inline_count + count, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	symbol->inlines = grown;

	const struct codectl_jit_text *texts = add_texts(entry, event->texts);

	if (!texts)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		grown[symbol->inline_count + i] = (struct codectl_jit_inline){
			.parent = event->parent[i],
			.name = get_text(texts, event->name[i]),
			.call_file = get_text(texts, event->call_file[i]),
			.call_line = event->call_line[i],
		};
	symbol->inline_count += (uint32_t)count;
	return 0;
}

int codectl_jit_symbol_add_lines(
	struct codectl_jit_symbol_entry *entry, const struct codectl_event_jit_lines *event)
{
	struct codectl_jit_symbol *symbol = &entry->symbol;
	size_t count = event->offset_count;
	uint32_t last = symbol->line_count ? symbol->lines[symbol->line_count - 1].offset : 0;

	if (event->first < symbol->line_count || count == 0)
		return 0;
	if (event->first > symbol->line_count || count > entry->line_max - symbol->line_count)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (event->offset[i] < last || event->scope[i] > symbol->inline_count)
			return -EINVAL;
		last = event->offset[i];
	}

	struct codectl_jit_line *grown = reallocarray(
		symbol->lines, symbol->line_count + count, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	symbol->lines = grown;

	const struct codectl_jit_text *texts = add_texts(entry, event->texts);

	if (!texts)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		grown[symbol->line_count + i] = (struct codectl_jit_line){
			.offset = event->offset[i],
			.scope = event->scope[i],
			.file = get_text(texts, event->file[i]),
			.line = event->line[i],
		};
	symbol->line_count += (uint32_t)count;
	return 0;
}

const struct codectl_jit_line *codectl_jit_symbol_find_line(
	const struct codectl_jit_symbol *symbol, uint64_t offset)
{
	size_t low = 0, high = symbol->line_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbol->lines[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &symbol->lines[low - 1] : NULL;
}
