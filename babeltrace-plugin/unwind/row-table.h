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

/* Appends a row, whose pc must not be below the one before. Returns 0 or -ENOMEM (full). */
int codectl_row_table_append(struct codectl_row_table *table, uint32_t pc, uint16_t id);

/* The rule with that number. */
static inline struct codectl_rule codectl_row_table_rule(
	const struct codectl_row_table *table, uint16_t id)
{
	if (id == CODECTL_RULE_ID_OVERFLOW)
		return codectl_rule_make_bare(CODECTL_RULE_SLOW_EXPR, false);
	return table->rules[id];
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
