/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/page-index.h: where in a sorted column of u32 to begin a search, by
 * the upper bits of what is searched for. A binary search over a large column
 * misses the cache at each of its many steps; with the index it has few. Any
 * thread once made; the column stays its owner's.
 */
#ifndef CODECTL_UNWIND_PAGE_INDEX_H
#define CODECTL_UNWIND_PAGE_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* Values sorted in ascending order, each @stride numbers behind the one before. */
struct codectl_column {
	const uint32_t *values; /* Weak. */
	size_t stride;
	size_t count; /* At least 1. */
};

struct codectl_page_index {
	/*
	 * Entry i is the last value that is not above i << shift, 0 if there is
	 * none. There is one entry more than pages.
	 */
	uint32_t *entries; /* Owned. */
	size_t page_count;
	unsigned int shift;
};

/* Makes the index of @column. Returns 0 or -ENOMEM. */
int codectl_page_index_init(struct codectl_page_index *index, const struct codectl_column *column);
void codectl_page_index_fini(struct codectl_page_index *index);

/* The number of the last value that is not above @value, 0 if there is none. */
static inline size_t codectl_page_index_search(
	const struct codectl_page_index *index, const struct codectl_column *column, uint32_t value)
{
	size_t page = value >> index->shift;
	size_t first, last;

	if (page >= index->page_count)
		return column->count - 1;
	first = index->entries[page];
	last = index->entries[page + 1];
	while (first < last) {
		size_t middle = first + (last - first + 1) / 2;

		if (column->values[middle * column->stride] <= value)
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

#endif /* CODECTL_UNWIND_PAGE_INDEX_H */
