/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Functions of generated code: copied, handed to the registry, and told of in
 * events. Inlined functions and lines may be many, so they are cut into parts
 * that fit into an event each.
 */
#include "provider/jit.h"

#include "format/event.h"
#include "provider/emit.h"
#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct code_jit_symbol) == CODE_JIT_SYMBOL_SIZE_VER0, "ABI");
_Static_assert(sizeof(struct code_jit_line) == 24, "ABI");
_Static_assert(sizeof(struct code_jit_inline) == 24, "ABI");

/* Entries and bytes of text of one event. */
#define PART_ENTRIES 128
#define PART_TEXT    8192
#define PART_COLUMNS 4

/* What an event tells: some inlined functions, or some lines. */
struct part {
	struct part *next; /* Owned. */
	bool is_inlines;
	uint64_t first;
	size_t count;
	uint32_t columns[PART_COLUMNS][PART_ENTRIES]; /* In the order of the event's. */
	const char *texts;			      /* In the same allocation. */
};

struct symbol_registration {
	struct codectl_registration base;
	uint64_t id;
	uint32_t inline_count;
	uint32_t line_count;
	struct part *parts; /* Owned. */
	char name[];
};

/* A part that is being filled. */
struct draft {
	struct part part;		     /* Its texts are in `bytes`. */
	const char *texts[2 * PART_ENTRIES]; /* Weak; each is in `bytes` once. */
	size_t text_count;
	char bytes[PART_TEXT];
	size_t len;
};

static void emit(const struct lttng_ust_session *session, const struct codectl_event *event)
{
	if (session)
		codectl_emit_to_session(session, event);
	else
		codectl_emit_live(event);
}

static void emit_part(const struct symbol_registration *symbol, const struct part *part,
	const struct lttng_ust_session *session)
{
	struct codectl_event event = {.timestamp = symbol->base.timestamp};

	if (part->is_inlines) {
		event.type = CODECTL_EVENT_JIT_INLINES;
		event.jit_inlines = (struct codectl_event_jit_inlines){
			.registered_serial = symbol->base.serial,
			.first = part->first,
			.parent = part->columns[0],
			.parent_count = part->count,
			.name = part->columns[1],
			.name_count = part->count,
			.call_file = part->columns[2],
			.call_file_count = part->count,
			.call_line = part->columns[3],
			.call_line_count = part->count,
			.texts = part->texts,
		};
	} else {
		event.type = CODECTL_EVENT_JIT_LINES;
		event.jit_lines = (struct codectl_event_jit_lines){
			.registered_serial = symbol->base.serial,
			.first = part->first,
			.offset = part->columns[0],
			.offset_count = part->count,
			.scope = part->columns[1],
			.scope_count = part->count,
			.file = part->columns[2],
			.file_count = part->count,
			.line = part->columns[3],
			.line_count = part->count,
			.texts = part->texts,
		};
	}
	emit(session, &event);
}

static void emit_symbol(
	const struct codectl_registration *base, const struct lttng_ust_session *session)
{
	const struct symbol_registration *symbol = (const struct symbol_registration *)base;

	emit(session, &(struct codectl_event){
			      .type = CODECTL_EVENT_JIT_SYMBOL,
			      .timestamp = base->timestamp,
			      .jit_symbol =
				      {
					      .serial = base->serial,
					      .start = base->text_start,
					      .size = base->text_end - base->text_start,
					      .id = symbol->id,
					      .name = symbol->name,
					      .inline_count = symbol->inline_count,
					      .line_count = symbol->line_count,
				      },
		      });
	for (const struct part *part = symbol->parts; part; part = part->next)
		emit_part(symbol, part, session);
}

static void make_unload(
	const struct codectl_registration *base, uint64_t serial, struct codectl_event *event)
{
	event->type = CODECTL_EVENT_JIT_SYMBOL_UNLOAD;
	event->jit_symbol_unload = (struct codectl_event_jit_symbol_unload){
		.serial = serial,
		.registered_serial = base->serial,
		.start = base->text_start,
		.size = base->text_end - base->text_start,
	};
}

static void destroy_symbol(struct codectl_registration *base)
{
	struct symbol_registration *symbol = (struct symbol_registration *)base;

	while (symbol->parts) {
		struct part *next = symbol->parts->next;

		free(symbol->parts);
		symbol->parts = next;
	}
	free(symbol);
}

static const struct codectl_registration_ops symbol_ops = {
	.emit = emit_symbol,
	.make_end = make_unload,
	.destroy = destroy_symbol,
};

/*
 * The number of @text in a draft, where it is put unless it is there. 0: it is empty.
 * Returns false if there is no room.
 */
static bool number_text(struct draft *draft, const char *text, uint32_t *number)
{
	size_t len = text ? strnlen(text, CODE_JIT_NAME_MAX - 1) : 0;

	*number = 0;
	if (len == 0)
		return true;
	for (size_t i = 0; i < draft->text_count; i++) {
		if (draft->texts[i] == text || !strcmp(draft->texts[i], text)) {
			*number = (uint32_t)i + 1;
			return true;
		}
	}
	if (draft->len + len + 1 > sizeof(draft->bytes))
		return false;
	for (size_t i = 0; i < len; i++)
		draft->bytes[draft->len + i] = text[i] == '\n' ? ' ' : text[i];
	draft->len += len;
	draft->bytes[draft->len++] = '\n';
	draft->texts[draft->text_count++] = text;
	*number = (uint32_t)draft->text_count;
	return true;
}

static const char *text_at(uint64_t address)
{
	return (const char *)(uintptr_t)address;
}

/* Puts an entry into a draft. Returns false if it is full. */
static bool add_inline(struct draft *draft, const struct code_jit_inline *inlined)
{
	uint32_t name, file;
	size_t at = draft->part.count;

	if (at == PART_ENTRIES || !number_text(draft, text_at(inlined->name), &name) ||
		!number_text(draft, text_at(inlined->call_file), &file))
		return false;
	draft->part.columns[0][at] = inlined->parent;
	draft->part.columns[1][at] = name;
	draft->part.columns[2][at] = file;
	draft->part.columns[3][at] = inlined->call_line;
	draft->part.count++;
	return true;
}

static bool add_line(struct draft *draft, const struct code_jit_line *line)
{
	uint32_t file;
	size_t at = draft->part.count;

	if (at == PART_ENTRIES || !number_text(draft, text_at(line->file), &file))
		return false;
	draft->part.columns[0][at] = line->offset;
	draft->part.columns[1][at] = line->scope;
	draft->part.columns[2][at] = file;
	draft->part.columns[3][at] = line->line;
	draft->part.count++;
	return true;
}

/* Makes a part of a draft, and empties that. Returns the part, or NULL without memory. */
static struct part *finish(struct draft *draft)
{
	struct part *part = malloc(sizeof(*part) + draft->len + 1);

	if (!part)
		return NULL;

	char *texts = (char *)(part + 1);

	memcpy(texts, draft->bytes, draft->len);
	/* Newlines are between texts only. */
	texts[draft->len > 0 ? draft->len - 1 : 0] = '\0';
	*part = draft->part;
	part->next = NULL;
	part->texts = texts;
	draft->part.first += draft->part.count;
	draft->part.count = 0;
	draft->text_count = 0;
	draft->len = 0;
	return part;
}

/* Appends what is in a draft, if anything is, at *@next. Returns 0 or -ENOMEM. */
static int append_part(struct draft *draft, struct part ***next)
{
	if (draft->part.count == 0)
		return 0;
	**next = finish(draft);
	if (!**next)
		return -ENOMEM;
	*next = &(**next)->next;
	return 0;
}

/* Cuts inlined functions, then lines, into parts. Returns 0 or -ENOMEM. */
static int cut_into_parts(struct draft *draft, const struct code_jit_symbol *symbol,
	struct symbol_registration *registration)
{
	const struct code_jit_inline *inlines =
		(const struct code_jit_inline *)(uintptr_t)symbol->inlines;
	const struct code_jit_line *lines = (const struct code_jit_line *)(uintptr_t)symbol->lines;
	struct part **next = &registration->parts;
	int ret = 0;

	*draft = (struct draft){.part = {.is_inlines = true}};
	/* An empty draft has room for any entry. */
	for (uint32_t i = 0; ret == 0 && i < symbol->inline_count;) {
		if (add_inline(draft, &inlines[i]))
			i++;
		else
			ret = append_part(draft, &next);
	}
	if (ret == 0)
		ret = append_part(draft, &next);
	draft->part = (struct part){.is_inlines = false};
	for (uint32_t i = 0; ret == 0 && i < symbol->line_count;) {
		if (add_line(draft, &lines[i]))
			i++;
		else
			ret = append_part(draft, &next);
	}
	return ret ? ret : append_part(draft, &next);
}

static int make_parts(
	struct symbol_registration *registration, const struct code_jit_symbol *symbol)
{
	struct draft *draft = malloc(sizeof(*draft));
	int ret = draft ? cut_into_parts(draft, symbol, registration) : -ENOMEM;

	free(draft);
	return ret;
}

static int check_symbol(const struct code_jit_symbol *symbol)
{
	const struct code_jit_inline *inlines =
		(const struct code_jit_inline *)(uintptr_t)symbol->inlines;
	const struct code_jit_line *lines = (const struct code_jit_line *)(uintptr_t)symbol->lines;

	if (symbol->size == 0 || symbol->start > UINT64_MAX - symbol->size || !symbol->name ||
		symbol->inline_count > CODE_JIT_INLINE_MAX ||
		symbol->line_count > CODE_JIT_LINE_MAX || (symbol->inline_count && !inlines) ||
		(symbol->line_count && !lines))
		return -EINVAL;
	for (uint32_t i = 0; i < symbol->inline_count; i++) {
		if (inlines[i].parent > i)
			return -EINVAL;
	}
	for (uint32_t i = 0; i < symbol->line_count; i++) {
		if (lines[i].scope > symbol->inline_count ||
			(i > 0 && lines[i].offset < lines[i - 1].offset))
			return -EINVAL;
	}
	return 0;
}

CODECTL_EXPORT int codectl_jit_add_symbol(const struct code_jit_symbol *symbol, uint64_t timestamp)
{
	struct symbol_registration *registration;
	int ret = check_symbol(symbol);
	size_t len;

	if (ret)
		return ret;
	len = strnlen(text_at(symbol->name), CODE_JIT_NAME_MAX - 1);
	registration = malloc(sizeof(*registration) + len + 1);
	if (!registration)
		return -ENOMEM;
	memset(registration, 0, sizeof(*registration));
	registration->base.ops = &symbol_ops;
	registration->base.kind = CODECTL_CODE_SYMBOL;
	registration->base.text_start = symbol->start;
	registration->base.text_end = symbol->start + symbol->size;
	registration->base.timestamp = timestamp;
	registration->id = symbol->id;
	registration->inline_count = symbol->inline_count;
	registration->line_count = symbol->line_count;
	memcpy(registration->name, text_at(symbol->name), len);
	registration->name[len] = '\0';
	if (symbol->inline_count || symbol->line_count)
		ret = make_parts(registration, symbol);
	if (ret) {
		destroy_symbol(&registration->base);
		return ret;
	}
	codectl_registry_replace(&registration->base);
	codectl_helper_start();
	return 0;
}

static bool has_id(const struct codectl_registration *base, const void *id)
{
	return *(const uint64_t *)id == 0 ||
	       ((const struct symbol_registration *)base)->id == *(const uint64_t *)id;
}

CODECTL_EXPORT int codectl_jit_remove_symbol(uint64_t start, uint64_t id, uint64_t timestamp)
{
	return codectl_registry_remove_if(CODECTL_CODE_SYMBOL, start, timestamp, has_id, &id);
}
