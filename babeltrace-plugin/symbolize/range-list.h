/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/range-list.h: lists of address ranges of DWARF 3 to 5, for entries
 * whose code is not in one piece. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_RANGE_LIST_H
#define CODECTL_SYMBOLIZE_RANGE_LIST_H

#include "format/reader.h"
#include "symbolize/die-abbrevs.h"

/* Where they are. */
struct codectl_range_sections {
	struct codectl_section_bytes ranges;   /* .debug_ranges, before DWARF 5. */
	struct codectl_section_bytes rnglists; /* .debug_rnglists */
};

struct codectl_range_list {
	struct codectl_reader reader;
	uint64_t base;
	unsigned int version;
	uint8_t address_size;
};

/* The list at @offset, of @unit, in which addresses are counted from @base. */
void codectl_range_list_init(struct codectl_range_list *list,
	const struct codectl_range_sections *sections, const struct codectl_die_unit *unit,
	uint64_t offset, uint64_t base);

/*
 * Reads one entry. Returns whether there was one; an empty range is none of
 * code. Lists with addresses out of a table (.debug_addr) end there.
 */
bool codectl_range_list_next(struct codectl_range_list *list, uint64_t *start, uint64_t *end);

#endif /* CODECTL_SYMBOLIZE_RANGE_LIST_H */
