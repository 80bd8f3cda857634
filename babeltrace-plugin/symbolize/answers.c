/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/answers.h"

#include <stdlib.h>
#include <string.h>

#define BITS_MIN 8
#define BITS_MAX 14

void codectl_answers_fini(struct codectl_answers *answers)
{
	free(answers->entries);
	memset(answers, 0, sizeof(*answers));
}

/* Neighbours go far apart: a multiplication by 2^64 / golden ratio, of which the top bits. */
static struct codectl_answers_entry *place_of(const struct codectl_answers *answers, uint64_t vaddr)
{
	return &answers->entries[vaddr * UINT64_C(0x9e3779b97f4a7c15) >> (64 - answers->bits)];
}

bool codectl_answers_find(
	const struct codectl_answers *answers, uint64_t vaddr, struct codectl_symbol *symbol)
{
	const struct codectl_answers_entry *entry;

	if (!answers->entries)
		return false;
	entry = place_of(answers, vaddr);
	if (!entry->is_used || entry->vaddr != vaddr)
		return false;
	*symbol = entry->symbol;
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
	struct codectl_answers larger = {
		.bits = answers->entries ? answers->bits + 2 : BITS_MIN,
	};

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

void codectl_answers_add(
	struct codectl_answers *answers, uint64_t vaddr, const struct codectl_symbol *symbol)
{
	if (!answers->entries || answers->used >= (size_t)1 << (answers->bits - 1))
		grow(answers);
	if (answers->entries)
		put(answers, &(struct codectl_answers_entry){
				     .vaddr = vaddr, .is_used = true, .symbol = *symbol});
}
