/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The options of codectl() that speak of generated code: what is passed is copied
 * into memory of our own, as none of it need be there.
 */
#include "provider/jit.h"

#include "format/event.h"
#include "provider/helper.h"
#include "provider/jit-tables.h"
#include "provider/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the text range needs of a structure. */
#define TEXT_RANGE_END (offsetof(struct code_jit_info, text_end) + sizeof(__u64))

/* Copies what is passed to codectl(). */
static int copy_info(struct code_jit_info *info, const void *user_info, size_t size)
{
	if (size < TEXT_RANGE_END)
		return -EINVAL;
	return codectl_memory_copy_struct(info, sizeof(*info), user_info, size);
}

int codectl_register_jit(uint32_t format, const void *user_info, size_t size)
{
	struct code_jit_info info;
	int ret = copy_info(&info, user_info, size);

	if (ret)
		return ret;
	/* The option and the structure may both tell it. */
	if (format != CODECTL_JIT_TABLE) {
		if (info.format && info.format != format)
			return -EINVAL;
		info.format = format;
	}
	return codectl_jit_add(&info, NULL);
}

/* The rows of a code object that are read so far. */
struct gathered {
	struct code_jit_unwind_fre_v2 *rows; /* Owned. */
	size_t count;
	size_t capacity;
	bool has_failed;
};

static void gather(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	struct gathered *gathered = user;

	(void)number;
	(void)first;
	if (gathered->capacity - gathered->count < count) {
		size_t capacity = gathered->capacity * 2 + count;
		struct code_jit_unwind_fre_v2 *grown = reallocarray(
			gathered->rows, capacity, sizeof(*grown));

		if (!grown) {
			gathered->has_failed = true;
			return;
		}
		gathered->rows = grown;
		gathered->capacity = capacity;
	}
	memcpy(gathered->rows + gathered->count, rows, count * sizeof(*rows));
	gathered->count += count;
}

int codectl_register_jit_code(const void *user_info, size_t size)
{
	struct gathered gathered = {.count = 0};
	struct codectl_jit_tables tables;
	struct code_jit_info info;
	bool has_header_v2, has_more = false;
	int ret = copy_info(&info, user_info, size);

	if (ret)
		return ret;
	has_header_v2 = info.format == CODECTL_JIT_TABLE_V2 ||
			info.format == CODECTL_JIT_UNSORTED_V2;
	ret = codectl_jit_check(&info);
	if (ret == 0 && !codectl_jit_format_has_rows(info.format))
		ret = -EINVAL;
	if (ret == 0)
		ret = codectl_jit_tables_init(
			&tables, info.unwind_head, has_header_v2, info.reserved_len);
	if (ret)
		return ret;
	has_more = codectl_jit_tables_read(&tables, CODECTL_JIT_CODE_ROWS_MAX, gather, &gathered);
	if (gathered.has_failed)
		ret = -ENOMEM;
	else if (tables.fault || has_more)
		ret = tables.is_gone ? -EFAULT : -EINVAL;
	else
		ret = codectl_jit_add_code(
			info.text_start, info.text_end, gathered.rows, gathered.count);
	free(gathered.rows);
	return ret;
}

static int copy_setup(struct sframe_setup *setup, const void *user_setup, size_t size)
{
	if (size != sizeof(*setup))
		return -EINVAL;
	return codectl_provider_read_memory((uint64_t)(uintptr_t)user_setup, setup, sizeof(*setup));
}

int codectl_register_sframe(const void *user_setup, size_t size)
{
	struct sframe_setup setup;
	int ret = copy_setup(&setup, user_setup, size);

	if (ret)
		return ret;
	return codectl_jit_add(
		&(struct code_jit_info){
			.text_start = setup.text_start,
			.text_end = setup.text_start + setup.text_size,
			.unwind_head = setup.sframe_start,
			.reserved_len = setup.sframe_size,
			.format = CODECTL_JIT_SFRAME,
		},
		NULL);
}

int codectl_unregister_sframe(const void *user_setup, size_t size)
{
	struct sframe_setup setup;
	uint64_t text_start, text_end;
	int ret = copy_setup(&setup, user_setup, size);

	if (ret)
		return ret;
	if (setup.sframe_size || setup.text_start || setup.text_size)
		return -EINVAL;
	if (!codectl_jit_find_blob(setup.sframe_start, &text_start, &text_end))
		return -ENOENT;
	return codectl_jit_remove(text_start, text_end);
}
/* Copies of the texts that a symbol points to. */
struct copied_text {
	struct copied_text *next; /* Owned. */
	uint64_t address;	  /* Of the original. */
	char text[];
};

/* What a program has passed, in memory of our own. */
struct copied_symbol {
	struct code_jit_symbol symbol;
	struct code_jit_line *lines;	 /* Owned. */
	struct code_jit_inline *inlines; /* Owned. */
	struct copied_text *texts;	 /* Owned; the newest is first. */
	char text[CODE_JIT_NAME_MAX];	 /* The one being read. */
};

/* Replaces the address of a text by that of a copy. Returns 0 or a negative errno. */
static int copy_text(struct copied_symbol *copied, __u64 *address)
{
	struct copied_text *made;
	int len;

	if (!*address)
		return 0;
	/* Neighbours in a line table are of the same file. */
	if (copied->texts && copied->texts->address == *address) {
		*address = (__u64)(uintptr_t)copied->texts->text;
		return 0;
	}
	len = codectl_memory_read_string(*address, copied->text, sizeof(copied->text));
	if (len < 0)
		return len;
	made = malloc(sizeof(*made) + (size_t)len + 1);
	if (!made)
		return -ENOMEM;
	memcpy(made->text, copied->text, (size_t)len + 1);
	made->address = *address;
	made->next = copied->texts;
	copied->texts = made;
	*address = (__u64)(uintptr_t)made->text;
	return 0;
}

/* Copies an array of @count elements at @address. Returns 0 or a negative errno. */
static int copy_array(void **to, uint64_t address, size_t count, size_t size)
{
	if (count == 0)
		return 0;
	*to = calloc(count, size);
	if (!*to)
		return -ENOMEM;
	return codectl_provider_read_memory(address, *to, count * size);
}

static int copy_symbol(struct copied_symbol *copied)
{
	struct code_jit_symbol *symbol = &copied->symbol;
	int ret = copy_text(copied, &symbol->name);

	if (ret == 0 && (symbol->line_count > CODE_JIT_LINE_MAX ||
				symbol->inline_count > CODE_JIT_INLINE_MAX))
		ret = -EINVAL;
	if (ret == 0)
		ret = copy_array((void **)&copied->lines, symbol->lines, symbol->line_count,
			sizeof(*copied->lines));
	if (ret == 0)
		ret = copy_array((void **)&copied->inlines, symbol->inlines, symbol->inline_count,
			sizeof(*copied->inlines));
	symbol->lines = (__u64)(uintptr_t)copied->lines;
	symbol->inlines = (__u64)(uintptr_t)copied->inlines;
	for (uint32_t i = 0; ret == 0 && i < symbol->line_count; i++)
		ret = copy_text(copied, &copied->lines[i].file);
	for (uint32_t i = 0; ret == 0 && i < symbol->inline_count; i++) {
		ret = copy_text(copied, &copied->inlines[i].name);
		if (ret == 0)
			ret = copy_text(copied, &copied->inlines[i].call_file);
	}
	return ret;
}

static void destroy_copy(struct copied_symbol *copied)
{
	while (copied->texts) {
		struct copied_text *next = copied->texts->next;

		free(copied->texts);
		copied->texts = next;
	}
	free(copied->lines);
	free(copied->inlines);
	free(copied);
}

int codectl_register_jit_symbol(const void *user_info, size_t size)
{
	/* Not on the stack: the caller may be a thread or a coroutine with a small one. */
	struct copied_symbol *copied = malloc(sizeof(*copied));
	int ret;

	if (!copied)
		return -ENOMEM;
	copied->lines = NULL;
	copied->inlines = NULL;
	copied->texts = NULL;
	ret = codectl_memory_copy_struct(&copied->symbol, sizeof(copied->symbol), user_info, size);
	if (ret == 0)
		ret = copy_symbol(copied);
	if (ret == 0)
		ret = codectl_jit_add_symbol(&copied->symbol, 0);
	destroy_copy(copied);
	return ret;
}

int codectl_unload_jit_symbol(const void *user_info, size_t size)
{
	struct code_jit_symbol symbol;
	int ret = codectl_memory_copy_struct(&symbol, sizeof(symbol), user_info, size);

	return ret ? ret : codectl_jit_remove_symbol(symbol.start, symbol.id, 0);
}
