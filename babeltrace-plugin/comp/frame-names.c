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
	char *bin;  /* Owned. */
	char *func; /* Owned. */
	char *src;  /* Owned. */
};

struct codectl_frame_names {
	bool has_full_paths;
	const char *target_prefix; /* Weak. */
	size_t count;
	size_t bytes; /* Of the texts. */
	struct codectl_frame_names_stats stats;
	struct entry *buckets[BUCKET_COUNT]; /* Owned. */
};

struct codectl_frame_names *codectl_frame_names_create(
	bool has_full_paths, const char *target_prefix)
{
	struct codectl_frame_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->has_full_paths = has_full_paths;
	names->target_prefix = target_prefix;
	return names;
}

static void destroy_entry(struct entry *entry)
{
	free(entry->bin);
	free(entry->func);
	free(entry->src);
	free(entry);
}

static void forget_all(struct codectl_frame_names *names)
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
	forget_all(names);
	free(names);
}

void codectl_frame_names_trim(struct codectl_frame_names *names)
{
	if (names->count >= ENTRY_MAX || names->bytes >= BYTES_MAX)
		forget_all(names);
}

/* Names an address in an object wherever that is mapped. */
static uint64_t entry_offset(
	const struct codectl_object *object, const struct codectl_mapping *mapping, uint64_t pc)
{
	return object->has_fixed_address ? pc : pc - mapping->elf_start;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns an owned text, or NULL without memory. */
static char *format_bin(const struct codectl_frame_names *names,
	const struct codectl_object *object, const struct codectl_code_object *code,
	uint64_t offset)
{
	const char *prefix = "";
	const char *path = code->pathname;
	char *text;

	if (path[0] == '\0')
		return strdup("");
	if (!names->has_full_paths)
		path = base_name(path);
	else if (path[0] == '/')
		prefix = names->target_prefix;
	/* No double slash where the two meet. */
	size_t prefix_len = strlen(prefix);
	while (prefix_len > 0 && prefix[prefix_len - 1] == '/')
		prefix_len--;
	if (asprintf(&text, "%.*s%.*s%c%#" PRIx64, (int)prefix_len, prefix, TEXT_MAX, path,
		    object->has_fixed_address ? '@' : '+', offset) < 0)
		return NULL;
	return text;
}

static char *format_func(const struct codectl_symbol *symbol, bool is_exact)
{
	char *text;

	if (symbol->function[0] == '\0')
		return strdup("");
	/* What was looked up is the byte before a return address; shown is the address. */
	if (asprintf(&text, "%.*s+%#" PRIx64, TEXT_MAX, symbol->function,
		    symbol->offset + !is_exact) < 0)
		return NULL;
	return text;
}

static char *format_src(
	const struct codectl_frame_names *names, const struct codectl_symbol *symbol)
{
	const char *path = symbol->source_path;
	char *text;

	if (path[0] == '\0')
		return strdup("");
	if (asprintf(&text, "%.*s:%" PRIu32, TEXT_MAX,
		    names->has_full_paths ? path : base_name(path), symbol->source_line) < 0)
		return NULL;
	return text;
}

static struct entry *create_entry(const struct codectl_frame_names *names,
	const struct codectl_object *object, const struct codectl_mapping *mapping, uint64_t pc,
	bool is_exact)
{
	const struct codectl_symbol unknown = {.function = "", .source_path = ""};
	struct codectl_symbol symbol = unknown;
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->object_id = object->id;
	entry->offset = entry_offset(object, mapping, pc);
	entry->is_exact = is_exact;
	uint64_t lookup_vaddr = pc - !is_exact - codectl_object_bias(object, mapping);
	if (!object->file || !codectl_object_is_located(object, mapping) ||
		codectl_object_file_symbolize(object->file, lookup_vaddr, &symbol) < 0)
		symbol = unknown;
	entry->bin = format_bin(names, object, mapping->object, entry->offset);
	entry->func = format_func(&symbol, is_exact);
	entry->src = format_src(names, &symbol);
	if (!entry->bin || !entry->func || !entry->src) {
		destroy_entry(entry);
		return NULL;
	}
	return entry;
}

int codectl_frame_names_get(struct codectl_frame_names *names, const struct codectl_object *object,
	const struct codectl_mapping *mapping, uint64_t pc, bool is_exact,
	struct codectl_frame_name *name)
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
		names->bytes += strlen(entry->bin) + strlen(entry->func) + strlen(entry->src);
	}
	*name = (struct codectl_frame_name){
		.bin = entry->bin, .func = entry->func, .src = entry->src};
	return 0;
}

const struct codectl_frame_names_stats *codectl_frame_names_borrow_stats(
	const struct codectl_frame_names *names)
{
	return &names->stats;
}
