/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/answers.h"

#include <stdlib.h>
#include <string.h>

#define BITS_MIN    8
#define BITS_MAX    14
#define SYMBOLS_MAX ((size_t)1 << 17)

void codectl_answers_fini(struct codectl_answers *answers)
{
	free(answers->entries);
	free(answers->symbols);
	memset(answers, 0, sizeof(*answers));
}

void codectl_answers_forget(struct codectl_answers *answers)
{
	if (answers->entries)
		memset(answers->entries, 0, sizeof(*answers->entries) << answers->bits);
	answers->used = 0;
	answers->symbol_count = 0;
}

/* Neighbours go far apart: a multiplication by 2^64 / golden ratio, of which the top bits. */
static struct codectl_answers_entry *place_of(const struct codectl_answers *answers, uint64_t vaddr)
{
	return &answers->entries[vaddr * UINT64_C(0x9e3779b97f4a7c15) >> (64 - answers->bits)];
}

bool codectl_answers_find(const struct codectl_answers *answers, uint64_t vaddr,
	const struct codectl_symbol **chain, size_t *count)
{
	const struct codectl_answers_entry *entry;

	if (!answers->entries)
		return false;
	entry = place_of(answers, vaddr);
	if (!entry->is_used || entry->vaddr != vaddr)
		return false;
	*chain = answers->symbols + entry->first;
	*count = entry->count;
	return true;
}

static void put(struct codectl_answers *answers, const struct codectl_answers_entry *entry)
{
	struct codectl_answers_entry *place = place_of(answers, entry->vaddr);

	if (!place->is_used)
		answers->used++;
	*place = *entry;
}

/* Grows when half of the places are taken, and carries on if it cannot. */
static void grow(struct codectl_answers *answers)
{
	struct codectl_answers larger = *answers;

	larger.bits = answers->entries ? answers->bits + 2 : BITS_MIN;
	larger.used = 0;
	if (larger.bits > BITS_MAX)
		return;
	larger.entries = calloc((size_t)1 << larger.bits, sizeof(*larger.entries));
	if (!larger.entries)
		return;
	for (size_t i = 0; answers->entries && i < (size_t)1 << answers->bits; i++) {
		if (answers->entries[i].is_used)
			put(&larger, &answers->entries[i]);
	}
	free(answers->entries);
	*answers = larger;
}

/* Makes room for @count more symbols. Returns whether there is. */
static bool reserve(struct codectl_answers *answers, size_t count)
{
	size_t capacity = answers->symbol_capacity ? answers->symbol_capacity : 64;
	void *larger;

	if (count > SYMBOLS_MAX)
		return false;
	if (answers->symbol_count + count > SYMBOLS_MAX)
		codectl_answers_forget(answers);
	while (answers->symbol_count + count > capacity)
		capacity *= 2;
	if (capacity == answers->symbol_capacity)
		return true;
	larger = reallocarray(answers->symbols, capacity, sizeof(*answers->symbols));
	if (!larger)
		return false;
	answers->symbols = larger;
	answers->symbol_capacity = capacity;
	return true;
}

void codectl_answers_add(struct codectl_answers *answers, uint64_t vaddr,
	const struct codectl_symbol *chain, size_t count)
{
	struct codectl_answers_entry entry = {
		.vaddr = vaddr, .count = (uint32_t)count, .is_used = true};

	if (!answers->entries || answers->used >= (size_t)1 << (answers->bits - 1))
		grow(answers);
	if (!answers->entries || !reserve(answers, count))
		return;
	entry.first = (uint32_t)answers->symbol_count;
	if (count)
		memcpy(answers->symbols + answers->symbol_count, chain, count * sizeof(*chain));
	answers->symbol_count += count;
	put(answers, &entry);
}
