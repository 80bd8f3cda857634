/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/row-table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RULE_MAX CODECTL_RULE_ID_OVERFLOW
/* At most half full, when there are as many rules as there can be. */
#define SLOT_MAX   (2 * (RULE_MAX + 1))
#define SLOT_FIRST 4096

int codectl_row_table_init(struct codectl_row_table *table, size_t capacity)
{
	memset(table, 0, sizeof(*table));
	table->pcs = malloc(capacity * sizeof(*table->pcs));
	table->ids = malloc(capacity * sizeof(*table->ids));
	table->rules = malloc(RULE_MAX * sizeof(*table->rules));
	table->slots = calloc(SLOT_MAX, sizeof(*table->slots));
	if (!table->pcs || !table->ids || !table->rules || !table->slots) {
		codectl_row_table_fini(table);
		return -ENOMEM;
	}
	table->capacity = capacity;
	table->slot_mask = SLOT_FIRST - 1;
	table->rules[CODECTL_RULE_ID_NONE] = codectl_rule_make_bare(CODECTL_RULE_NONE, false);
	table->rule_count = 1;
	return 0;
}

void codectl_row_table_fini(struct codectl_row_table *table)
{
	free(table->pcs);
	free(table->ids);
	free(table->rules);
	free(table->slots);
	memset(table, 0, sizeof(*table));
}

/* The slot that holds @rule, or the free one where it belongs. */
static uint16_t *find_slot(const struct codectl_row_table *table, struct codectl_rule rule)
{
	size_t index = codectl_row_table_hash(table, rule);

	for (;; index++) {
		uint16_t *slot = &table->slots[index & table->slot_mask];

		if (!*slot || table->rules[*slot].bits == rule.bits)
			return slot;
	}
}

static void grow_slots(struct codectl_row_table *table)
{
	memset(table->slots, 0, (table->slot_mask + 1) * sizeof(*table->slots));
	table->slot_mask = 2 * table->slot_mask + 1;
	for (size_t id = 1; id < table->rule_count; id++)
		*find_slot(table, table->rules[id]) = (uint16_t)id;
}

/* Gives @rule a number, and @slot to it. */
static uint16_t add_rule(struct codectl_row_table *table, uint16_t *slot, struct codectl_rule rule)
{
	uint16_t id = (uint16_t)table->rule_count;

	if (table->rule_count == RULE_MAX)
		return CODECTL_RULE_ID_OVERFLOW;
	*slot = id;
	table->rules[table->rule_count++] = rule;
	if (table->rule_count > table->slot_mask / 2 && table->slot_mask + 1 < SLOT_MAX)
		grow_slots(table);
	return id;
}

uint16_t codectl_row_table_intern(struct codectl_row_table *table, struct codectl_rule rule)
{
	uint16_t *slot;

	if (codectl_rule_kind(rule) == CODECTL_RULE_NONE)
		return CODECTL_RULE_ID_NONE;
	slot = find_slot(table, rule);
	return *slot ? *slot : add_rule(table, slot, rule);
}
