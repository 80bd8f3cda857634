/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/row-table.h: rows in the form of format/row.h: a column of u32 pcs, a
 * column of u16 rule numbers, and the rules, each once. All memory is reserved
 * by init(); appending never allocates. One thread.
 */
#ifndef CODECTL_UNWIND_ROW_TABLE_H
#define CODECTL_UNWIND_ROW_TABLE_H

#include "format/row.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of all rules for which there was no number left: it stands for a
 * slow rule, which is always right, as it asks the source again.
 */
#define CODECTL_RULE_ID_OVERFLOW 0xffff
/* The number of the rule of kind CODECTL_RULE_NONE. */
#define CODECTL_RULE_ID_NONE 0

struct codectl_row_table {
	uint32_t *pcs;		    /* Owned. */
	uint16_t *ids;		    /* Owned; parallel to pcs. */
	size_t count;		    /* Rows. */
	size_t capacity;	    /* Rows that there is room for. */
	size_t slow_count;	    /* Rows whose rule is slow. */
	struct codectl_rule *rules; /* Owned. */
	size_t rule_count;
	uint16_t *slots;  /* Owned; hash table of numbers, 0 if free. */
	size_t slot_mask; /* Slots in use, less one. */
};

/* Reserves room for @capacity rows. Returns 0 or -ENOMEM. */
int codectl_row_table_init(struct codectl_row_table *table, size_t capacity);
void codectl_row_table_fini(struct codectl_row_table *table);

/* The number of @rule, an old or a new one. */
uint16_t codectl_row_table_intern(struct codectl_row_table *table, struct codectl_rule rule);

/* The rule with that number. */
static inline struct codectl_rule codectl_row_table_rule(
	const struct codectl_row_table *table, uint16_t id)
{
	if (id == CODECTL_RULE_ID_OVERFLOW)
		return codectl_rule_make_bare(CODECTL_RULE_SLOW_EXPR, false);
	return table->rules[id];
}

/* Appends a row with @rule, whose number @id is. Its pc must not be below the one before. */
static inline int codectl_row_table_append_both(
	struct codectl_row_table *table, uint32_t pc, uint16_t id, struct codectl_rule rule)
{
	size_t count = table->count;

	if (count == table->capacity)
		return -ENOMEM;
	table->pcs[count] = pc;
	table->ids[count] = id;
	table->count = count + 1;
	table->slow_count += codectl_rule_is_slow(rule);
	return 0;
}

/* Appends a row, whose pc must not be below the one before. Returns 0 or -ENOMEM (full). */
static inline int codectl_row_table_append(
	struct codectl_row_table *table, uint32_t pc, uint16_t id)
{
	return codectl_row_table_append_both(table, pc, id, codectl_row_table_rule(table, id));
}

/* Where the search for @rule among the slots begins. */
static inline size_t codectl_row_table_hash(
	const struct codectl_row_table *table, struct codectl_rule rule)
{
	return rule.bits * UINT64_C(0x9e3779b97f4a7c15) >> 44 & table->slot_mask;
}

/* Appends a row with the number of @rule, an old or a new one. Returns as above. */
static inline int codectl_row_table_append_rule(
	struct codectl_row_table *table, uint32_t pc, struct codectl_rule rule)
{
	uint16_t id = table->slots[codectl_row_table_hash(table, rule)];

	if (!id || table->rules[id].bits != rule.bits) {
		id = codectl_row_table_intern(table, rule);
		rule = codectl_row_table_rule(table, id);
	}
	return codectl_row_table_append_both(table, pc, id, rule);
}

/*
 * The last of the rows @first to @last (inclusive) whose pc is not above @pc,
 * @first if there is none.
 */
static inline size_t codectl_row_table_search(
	const struct codectl_row_table *table, size_t first, size_t last, uint32_t pc)
{
	while (first < last) {
		size_t middle = first + (last - first + 1) / 2;

		if (table->pcs[middle] <= pc)
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

#endif /* CODECTL_UNWIND_ROW_TABLE_H */
