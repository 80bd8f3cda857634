/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/page-index.h"

#include <errno.h>
#include <stdlib.h>

/* A page covers at least 256; more if the values are few and far between. */
#define SHIFT_MIN 8

int codectl_page_index_init(struct codectl_page_index *index, const struct codectl_column *column)
{
	uint64_t span = (uint64_t)column->values[(column->count - 1) * column->stride] + 1;
	size_t last = 0;

	index->shift = SHIFT_MIN;
	while (span >> index->shift > column->count)
		index->shift++;
	index->page_count = (size_t)(span >> index->shift) + 1;
	index->entries = malloc((index->page_count + 1) * sizeof(*index->entries));
	if (!index->entries)
		return -ENOMEM;
	for (size_t page = 0; page <= index->page_count; page++) {
		uint64_t start = (uint64_t)page << index->shift;

		while (last + 1 < column->count &&
			column->values[(last + 1) * column->stride] <= start)
			last++;
		index->entries[page] = (uint32_t)last;
	}
	return 0;
}

void codectl_page_index_fini(struct codectl_page_index *index)
{
	free(index->entries);
	index->entries = NULL;
}
