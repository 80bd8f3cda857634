/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/range-list.h"

#include <dwarf.h>

void codectl_range_list_init(struct codectl_range_list *list,
	const struct codectl_range_sections *sections, const struct codectl_die_unit *unit,
	uint64_t offset, uint64_t base)
{
	const struct codectl_section_bytes *section = unit->version < 5 ? &sections->ranges
									: &sections->rnglists;

	*list = (struct codectl_range_list){
		.base = base,
		.version = unit->version,
		.address_size = unit->address_size,
	};
	codectl_reader_init(&list->reader, section->bytes, section->len);
	codectl_reader_seek(&list->reader, offset);
	if (unit->address_size != 4 && unit->address_size != 8)
		codectl_reader_fail(&list->reader);
}

/* Pairs of addresses: two zeros end, the highest address comes with a new base. */
static bool next_pair(struct codectl_range_list *list, uint64_t *start, uint64_t *end)
{
	const uint64_t highest = list->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	*start = codectl_reader_uint(&list->reader, list->address_size);
	*end = codectl_reader_uint(&list->reader, list->address_size);
	if (list->reader.is_failed || (!*start && !*end))
		return false;
	if (*start == highest) {
		list->base = *end;
		*start = *end = 0;
	} else {
		*start += list->base;
		*end += list->base;
	}
	return true;
}

/* DWARF 5, 7.25: a kind and its operands. */
static bool next_entry(struct codectl_range_list *list, uint64_t *start, uint64_t *end)
{
	struct codectl_reader *reader = &list->reader;

	*start = *end = 0;
	switch (codectl_reader_u8(reader)) {
	case DW_RLE_base_address:
		list->base = codectl_reader_uint(reader, list->address_size);
		break;
	case DW_RLE_offset_pair:
		*start = list->base + codectl_reader_uleb128(reader);
		*end = list->base + codectl_reader_uleb128(reader);
		break;
	case DW_RLE_start_end:
		*start = codectl_reader_uint(reader, list->address_size);
		*end = codectl_reader_uint(reader, list->address_size);
		break;
	case DW_RLE_start_length:
		*start = codectl_reader_uint(reader, list->address_size);
		*end = *start + codectl_reader_uleb128(reader);
		break;
	default:
		return false;
	}
	return !reader->is_failed;
}

bool codectl_range_list_next(struct codectl_range_list *list, uint64_t *start, uint64_t *end)
{
	return list->version < 5 ? next_pair(list, start, end) : next_entry(list, start, end);
}
