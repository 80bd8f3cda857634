/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/jit-symbols.h"

#include "space/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GRANULE_SHIFT 8
/* Symbols that cover more granules are kept in a list of their own. */
#define GRANULE_MAX 256
/* As many are kept in any case. */
#define TRIM_MIN 65536
/* Symbols of one granule that are looked at: more are there only if nothing ever fits. */
#define SCAN_MAX 4096

void codectl_jit_symbols_fini(struct codectl_jit_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++)
		codectl_jit_symbol_destroy(symbols->entries[i]);
	for (size_t i = 0; i < symbols->bucket_capacity; i++)
		free(symbols->buckets[i].entries);
	free(symbols->entries);
	free(symbols->buckets);
	free(symbols->large.entries);
	memset(symbols, 0, sizeof(*symbols));
}

/* Index of the first symbol whose serial is not below @serial. */
static size_t find_serial(const struct codectl_jit_symbols *symbols, uint64_t serial)
{
	size_t low = 0, high = symbols->count;

	/* Nearly always the newest one is meant, or one after it. */
	if (high > 0 && symbols->entries[high - 1]->symbol.serial < serial)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->entries[middle]->symbol.serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct codectl_jit_symbol_entry *codectl_jit_symbols_find_serial(
	const struct codectl_jit_symbols *symbols, uint64_t serial)
{
	size_t at = find_serial(symbols, serial);

	if (at < symbols->count && symbols->entries[at]->symbol.serial == serial)
		return symbols->entries[at];
	return NULL;
}

/* The place of @granule in the hash table, in use or not. */
static struct codectl_jit_bucket *find_bucket(
	struct codectl_jit_bucket *buckets, size_t capacity, uint64_t granule)
{
	size_t at = (size_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);

	while (buckets[at].entries && buckets[at].granule != granule)
		at = (at + 1) & (capacity - 1);
	return &buckets[at];
}

static int grow_buckets(struct codectl_jit_symbols *symbols)
{
	size_t capacity = symbols->bucket_capacity ? symbols->bucket_capacity * 2 : 256;
	struct codectl_jit_bucket *buckets = calloc(capacity, sizeof(*buckets));

	if (!buckets)
		return -ENOMEM;
	for (size_t i = 0; i < symbols->bucket_capacity; i++) {
		const struct codectl_jit_bucket *old = &symbols->buckets[i];

		if (old->entries)
			*find_bucket(buckets, capacity, old->granule) = *old;
	}
	free(symbols->buckets);
	symbols->buckets = buckets;
	symbols->bucket_capacity = capacity;
	return 0;
}

/* Index of the first symbol that begins after @time. */
static size_t find_after(const struct codectl_jit_bucket *bucket, uint64_t time)
{
	size_t low = 0, high = bucket->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (bucket->entries[middle]->symbol.begin <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_to_bucket(struct codectl_jit_bucket *bucket, struct codectl_jit_symbol_entry *entry)
{
	size_t at = find_after(bucket, entry->symbol.begin);

	if (bucket->count == bucket->capacity) {
		size_t capacity = bucket->capacity ? bucket->capacity * 2 : 2;
		struct codectl_jit_symbol_entry **grown = reallocarray(
			bucket->entries, capacity, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		bucket->entries = grown;
		bucket->capacity = capacity;
	}
	memmove(bucket->entries + at + 1, bucket->entries + at,
		(bucket->count - at) * sizeof(*bucket->entries));
	bucket->entries[at] = entry;
	bucket->count++;
	return 0;
}

static int add_to_granule(struct codectl_jit_symbols *symbols, uint64_t granule,
	struct codectl_jit_symbol_entry *entry)
{
	/* At most half of the table is in use, so that searches end soon. */
	if (symbols->bucket_count * 2 >= symbols->bucket_capacity && grow_buckets(symbols))
		return -ENOMEM;

	struct codectl_jit_bucket *bucket = find_bucket(
		symbols->buckets, symbols->bucket_capacity, granule);
	bool is_new = !bucket->entries;
	int ret = add_to_bucket(bucket, entry);

	if (ret == 0 && is_new) {
		bucket->granule = granule;
		symbols->bucket_count++;
	}
	return ret;
}

/* Takes @entry out of the granules again, when adding it failed half-way. */
static void remove_from_buckets(
	struct codectl_jit_symbols *symbols, const struct codectl_jit_symbol_entry *entry)
{
	for (size_t i = 0; i < symbols->bucket_capacity; i++) {
		struct codectl_jit_bucket *bucket = &symbols->buckets[i];
		size_t kept = 0;

		for (size_t j = 0; j < bucket->count; j++) {
			if (bucket->entries[j] != entry)
				bucket->entries[kept++] = bucket->entries[j];
		}
		bucket->count = kept;
	}
}

static int add_to_buckets(
	struct codectl_jit_symbols *symbols, struct codectl_jit_symbol_entry *entry)
{
	uint64_t first = entry->symbol.start >> GRANULE_SHIFT;
	uint64_t last = (entry->symbol.start + (entry->symbol.size - 1)) >> GRANULE_SHIFT;

	if (last - first >= GRANULE_MAX)
		return add_to_bucket(&symbols->large, entry);
	for (uint64_t granule = first; granule <= last; granule++) {
		if (add_to_granule(symbols, granule, entry)) {
			remove_from_buckets(symbols, entry);
			return -ENOMEM;
		}
	}
	return 0;
}

int codectl_jit_symbols_add(struct codectl_jit_symbols *symbols,
	const struct codectl_event_jit_symbol *event, uint64_t time, uint64_t id,
	struct codectl_jit_symbol_entry **entry)
{
	size_t at = find_serial(symbols, event->serial);
	struct codectl_jit_symbol_entry *made;

	*entry = NULL;
	if (event->size == 0 || event->start > UINT64_MAX - event->size)
		return -EINVAL;
	made = codectl_jit_symbol_create(event, time, id);
	if (!made)
		return -ENOMEM;
	if (codectl_space_grow((void **)&symbols->entries, symbols->count, &symbols->capacity,
		    sizeof(*symbols->entries)) ||
		add_to_buckets(symbols, made)) {
		codectl_jit_symbol_destroy(made);
		return -ENOMEM;
	}
	memmove(symbols->entries + at + 1, symbols->entries + at,
		(symbols->count - at) * sizeof(*symbols->entries));
	symbols->entries[at] = made;
	symbols->count++;
	*entry = made;
	return 0;
}

/* Takes what ended before @time out of a bucket, without freeing it. */
static void trim_bucket(struct codectl_jit_bucket *bucket, uint64_t time)
{
	size_t kept = 0;

	for (size_t i = 0; i < bucket->count; i++) {
		if (bucket->entries[i]->symbol.end >= time)
			bucket->entries[kept++] = bucket->entries[i];
	}
	bucket->count = kept;
}

bool codectl_jit_symbols_trim(struct codectl_jit_symbols *symbols, uint64_t time)
{
	size_t kept = 0;
	size_t count = symbols->count;

	if (count < TRIM_MIN || count < symbols->trim_count)
		return false;
	/* Buckets stay where they are: places in an open hash table depend on each other. */
	for (size_t i = 0; i < symbols->bucket_capacity; i++)
		trim_bucket(&symbols->buckets[i], time);
	trim_bucket(&symbols->large, time);
	for (size_t i = 0; i < count; i++) {
		if (symbols->entries[i]->symbol.end >= time)
			symbols->entries[kept++] = symbols->entries[i];
		else
			codectl_jit_symbol_destroy(symbols->entries[i]);
	}
	symbols->count = kept;
	symbols->trim_count = 2 * kept;
	return kept < count;
}

static bool covers(const struct codectl_jit_symbol *symbol, uint64_t pc)
{
	return pc - symbol->start < symbol->size;
}

/* What of @bucket was at @pc at @time; *@later is what came next. */
static const struct codectl_jit_symbol *find_in_bucket(const struct codectl_jit_bucket *bucket,
	uint64_t pc, uint64_t time, const struct codectl_jit_symbol **later)
{
	size_t after = find_after(bucket, time);
	size_t first = after > SCAN_MAX ? after - SCAN_MAX : 0;
	size_t last = bucket->count - after > SCAN_MAX ? after + SCAN_MAX : bucket->count;

	*later = NULL;
	for (size_t i = after; i < last && !*later; i++) {
		if (covers(&bucket->entries[i]->symbol, pc))
			*later = &bucket->entries[i]->symbol;
	}
	for (size_t i = after; i > first; i--) {
		const struct codectl_jit_symbol *symbol = &bucket->entries[i - 1]->symbol;

		/* Whatever was there before has been overwritten. */
		if (covers(symbol, pc))
			return time < symbol->end ? symbol : NULL;
	}
	return NULL;
}

const struct codectl_jit_symbol *codectl_jit_symbols_find(const struct codectl_jit_symbols *symbols,
	uint64_t pc, uint64_t time,
	bool (*is_right)(void *user, const struct codectl_jit_symbol *symbol), void *user)
{
	static const struct codectl_jit_bucket none;
	const struct codectl_jit_bucket *bucket = &none;
	const struct codectl_jit_symbol *later, *large_later;

	if (symbols->bucket_capacity)
		bucket = find_bucket(
			symbols->buckets, symbols->bucket_capacity, pc >> GRANULE_SHIFT);

	const struct codectl_jit_symbol *small = find_in_bucket(bucket, pc, time, &later);
	const struct codectl_jit_symbol *large = find_in_bucket(
		&symbols->large, pc, time, &large_later);

	if (large && (!small || small->begin < large->begin))
		small = large;
	if (large_later && (!later || large_later->begin < later->begin))
		later = large_later;
	if (small && is_right(user, small))
		return small;
	return later && is_right(user, later) ? later : NULL;
}
