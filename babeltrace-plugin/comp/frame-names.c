/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/frame-names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKET_COUNT 16384
#define ENTRY_MAX    65536
#define BYTES_MAX    (64 * 1024 * 1024)

/* Longer ones are cut: a file may claim a name as long as itself. */
#define TEXT_MAX 4096

struct entry {
	uint64_t object_id;
	uint64_t offset; /* See entry_offset(). */
	bool is_exact;
	struct entry *next;
	char *bin; /* Owned; the same in all names. */
	size_t bytes;
	size_t count;
	struct codectl_frame_name names[]; /* func and src are owned. */
};

struct codectl_frame_names {
	struct codectl_frame_names_options options;
	size_t count;
	size_t bytes; /* Of the texts. */
	struct codectl_frame_names_stats stats;
	struct entry *buckets[BUCKET_COUNT]; /* Owned. */
};

struct codectl_frame_names *codectl_frame_names_create(
	const struct codectl_frame_names_options *options)
{
	struct codectl_frame_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->options = *options;
	return names;
}

static void destroy_entry(struct entry *entry)
{
	for (size_t i = 0; i < entry->count; i++) {
		free((char *)entry->names[i].func);
		free((char *)entry->names[i].src);
	}
	free(entry->bin);
	free(entry);
}

void codectl_frame_names_forget(struct codectl_frame_names *names)
{
	for (size_t i = 0; i < BUCKET_COUNT; i++) {
		while (names->buckets[i]) {
			struct entry *entry = names->buckets[i];
			names->buckets[i] = entry->next;
			destroy_entry(entry);
		}
	}
	names->count = 0;
	names->bytes = 0;
}

void codectl_frame_names_destroy(struct codectl_frame_names *names)
{
	if (!names)
		return;
	codectl_frame_names_forget(names);
	free(names);
}

void codectl_frame_names_trim(struct codectl_frame_names *names)
{
	if (names->count >= ENTRY_MAX || names->bytes >= BYTES_MAX)
		codectl_frame_names_forget(names);
}

/* Whether only addresses of the process are known, and no offsets. */
static bool is_fixed(const struct codectl_object *object, const struct codectl_mapping *mapping)
{
	return object->has_fixed_address || mapping->elf_end == 0;
}

/* Names an address in an object wherever that is mapped. */
static uint64_t entry_offset(
	const struct codectl_object *object, const struct codectl_mapping *mapping, uint64_t pc)
{
	return is_fixed(object, mapping) ? pc : pc - mapping->elf_start;
}

/* Returns an owned text, or NULL without memory. */
static char *format_bin(const struct codectl_frame_names *names,
	const struct codectl_object *object, const struct codectl_mapping *mapping, uint64_t offset)
{
	const char *prefix = "";
	const char *path = mapping->object->pathname;
	char *text;

	if (path[0] == '\0')
		return strdup("");
	if (!names->options.has_full_paths)
		path = basename(path);
	else if (path[0] == '/')
		prefix = names->options.target_prefix;
	/* No double slash where the two meet. */
	size_t prefix_len = strlen(prefix);
	while (prefix_len > 0 && prefix[prefix_len - 1] == '/')
		prefix_len--;
	if (asprintf(&text, "%.*s%.*s%c%#" PRIx64, (int)prefix_len, prefix, TEXT_MAX, path,
		    is_fixed(object, mapping) ? '@' : '+', offset) < 0)
		return NULL;
	return text;
}

static char *format_func(
	const struct codectl_frame_names *names, const struct codectl_symbol *symbol, bool is_exact)
{
	const char *name = names->options.has_plain_names ? symbol->plain_function
							  : symbol->function;
	/* What was looked up is the byte before a return address; shown is the address. */
	int64_t offset = (names->options.has_plain_names ? symbol->plain_offset : symbol->offset) +
			 !is_exact;
	char *text;
	int len;

	if (name[0] == '\0')
		return strdup("");
	if (symbol->is_inlined)
		return strndup(name, TEXT_MAX);
	if (offset < 0)
		len = asprintf(&text, "%.*s-%#" PRIx64, TEXT_MAX, name, 0 - (uint64_t)offset);
	else
		len = asprintf(&text, "%.*s+%#" PRIx64, TEXT_MAX, name, (uint64_t)offset);
	return len < 0 ? NULL : text;
}

static char *format_src(
	const struct codectl_frame_names *names, const struct codectl_symbol *symbol)
{
	const char *path = symbol->source_path;
	char *text;

	if (path[0] == '\0')
		return strdup("");
	if (asprintf(&text, "%.*s:%" PRIu32, TEXT_MAX,
		    names->options.has_full_paths ? path : basename(path), symbol->source_line) < 0)
		return NULL;
	return text;
}

/* Fills in the names of @count symbols. Returns 0 or -ENOMEM. */
static int format_names(const struct codectl_frame_names *names, struct entry *entry,
	const struct codectl_symbol *symbols, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *func = format_func(names, &symbols[i], entry->is_exact);
		char *src = format_src(names, &symbols[i]);

		entry->names[entry->count++] = (struct codectl_frame_name){
			.bin = entry->bin, .func = func, .src = src};
		if (!func || !src)
			return -ENOMEM;
		entry->bytes += strlen(func) + strlen(src);
	}
	return 0;
}

/*
 * What is known of the address @vaddr of the file: a chain of one symbol at least.
 * @scratch is for it if it is not in the file's own memory.
 */
static size_t find_symbols(const struct codectl_frame_names *names,
	struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *scratch,
	const struct codectl_symbol **symbols)
{
	size_t count;

	*scratch = (struct codectl_symbol){.function = "", .plain_function = "", .source_path = ""};
	*symbols = scratch;
	if (!file)
		return 1;
	if (names->options.has_inlines &&
		codectl_object_file_find_chain(file, vaddr, symbols, &count) == 0)
		return count;
	*symbols = scratch;
	if (!names->options.has_inlines)
		codectl_object_file_symbolize(file, vaddr, scratch);
	return 1;
}

static struct entry *create_entry(const struct codectl_frame_names *names,
	const struct codectl_object *object, const struct codectl_mapping *mapping, uint64_t pc,
	bool is_exact)
{
	uint64_t lookup_vaddr = pc - !is_exact - codectl_object_bias(object, mapping);
	bool is_located = codectl_object_is_located(object, mapping);
	const struct codectl_symbol *symbols;
	struct codectl_symbol scratch;
	size_t count = find_symbols(
		names, is_located ? object->file : NULL, lookup_vaddr, &scratch, &symbols);
	struct entry *entry = calloc(1, sizeof(*entry) + count * sizeof(entry->names[0]));

	if (!entry)
		return NULL;
	entry->object_id = object->id;
	entry->offset = entry_offset(object, mapping, pc);
	entry->is_exact = is_exact;
	entry->bin = format_bin(names, object, mapping, entry->offset);
	if (!entry->bin || format_names(names, entry, symbols, count) < 0) {
		destroy_entry(entry);
		return NULL;
	}
	entry->bytes += strlen(entry->bin);
	return entry;
}

int codectl_frame_names_get(struct codectl_frame_names *names, const struct codectl_object *object,
	const struct codectl_mapping *mapping, uint64_t pc, bool is_exact,
	const struct codectl_frame_name **chain, size_t *count)
{
	uint64_t offset = entry_offset(object, mapping, pc);
	uint64_t hash = (object->id * 31 + offset * 2 + is_exact) * UINT64_C(0x9e3779b97f4a7c15);
	struct entry **bucket = &names->buckets[(hash >> 40) % BUCKET_COUNT];
	struct entry *entry = *bucket;

	while (entry && (entry->object_id != object->id || entry->offset != offset ||
				entry->is_exact != is_exact))
		entry = entry->next;
	names->stats.hits += entry != NULL;
	names->stats.misses += entry == NULL;
	if (!entry) {
		entry = create_entry(names, object, mapping, pc, is_exact);
		if (!entry)
			return -ENOMEM;
		entry->next = *bucket;
		*bucket = entry;
		names->count++;
		names->bytes += entry->bytes;
	}
	*chain = entry->names;
	*count = entry->count;
	return 0;
}

const struct codectl_frame_names_stats *codectl_frame_names_borrow_stats(
	const struct codectl_frame_names *names)
{
	return &names->stats;
}
