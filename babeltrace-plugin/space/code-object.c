/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/internal.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a over all that tells one object from another. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
}

static uint64_t hash_object(const struct codectl_event_register_elf *elf)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325, elf->pathname, strlen(elf->pathname) + 1);

	return hash_bytes(hash, elf->build_id, elf->build_id_len);
}

static bool is_object(
	const struct codectl_code_object *object, const struct codectl_event_register_elf *elf)
{
	return !strcmp(object->pathname, elf->pathname) &&
	       object->build_id_len == elf->build_id_len &&
	       (!elf->build_id_len ||
		       !memcmp(object->build_id, elf->build_id, elf->build_id_len)) &&
	       !strcmp(object->debug_link_pathname, elf->debug_link_pathname) &&
	       object->debug_link_crc == elf->debug_link_crc;
}

static void destroy_object(struct codectl_code_object *object)
{
	if (!object)
		return;
	free(object->pathname);
	free(object->build_id);
	free(object->debug_link_pathname);
	free(object);
}

static struct codectl_code_object *create_object(const struct codectl_event_register_elf *elf)
{
	struct codectl_code_object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->pathname = strdup(elf->pathname);
	object->debug_link_pathname = strdup(elf->debug_link_pathname);
	object->debug_link_crc = elf->debug_link_crc;
	if (elf->build_id_len) {
		object->build_id = malloc(elf->build_id_len);
		if (object->build_id)
			memcpy(object->build_id, elf->build_id, elf->build_id_len);
		object->build_id_len = elf->build_id_len;
	}
	if (!object->pathname || !object->debug_link_pathname ||
		(elf->build_id_len && !object->build_id)) {
		destroy_object(object);
		return NULL;
	}
	return object;
}

static bool grow_table(struct codectl_object_table *table)
{
	size_t bucket_count = table->bucket_count ? table->bucket_count * 2 : 64;
	struct codectl_object_entry **buckets = calloc(bucket_count, sizeof(*buckets));

	if (!buckets)
		return false;
	for (size_t i = 0; i < table->bucket_count; i++) {
		struct codectl_object_entry *entry = table->buckets[i];

		while (entry) {
			struct codectl_object_entry *next = entry->next;
			struct codectl_object_entry **bucket =
				&buckets[entry->hash & (bucket_count - 1)];

			entry->next = *bucket;
			*bucket = entry;
			entry = next;
		}
	}
	free(table->buckets);
	table->buckets = buckets;
	table->bucket_count = bucket_count;
	return true;
}

struct codectl_code_object *codectl_object_table_get(
	struct codectl_object_table *table, const struct codectl_event_register_elf *elf)
{
	uint64_t hash = hash_object(elf);

	if (table->bucket_count) {
		for (struct codectl_object_entry *entry =
				table->buckets[hash & (table->bucket_count - 1)];
			entry; entry = entry->next) {
			if (entry->hash == hash && is_object(entry->object, elf))
				return entry->object;
		}
	}
	if (table->entry_count >= table->bucket_count && !grow_table(table))
		return NULL;

	struct codectl_object_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->hash = hash;
	entry->object = create_object(elf);
	if (!entry->object) {
		free(entry);
		return NULL;
	}
	entry->object->id = ++table->last_id;
	entry->next = table->buckets[hash & (table->bucket_count - 1)];
	table->buckets[hash & (table->bucket_count - 1)] = entry;
	table->entry_count++;
	return entry->object;
}

void codectl_object_table_fini(struct codectl_object_table *table)
{
	for (size_t i = 0; i < table->bucket_count; i++) {
		struct codectl_object_entry *entry = table->buckets[i];

		while (entry) {
			struct codectl_object_entry *next = entry->next;

			destroy_object(entry->object);
			free(entry);
			entry = next;
		}
	}
	free(table->buckets);
	memset(table, 0, sizeof(*table));
}
