/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/die-abbrevs.h"

#include "format/reader.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#define MERGED_MAX 4096

/* Of one abbreviation; real ones have some ten of interest, each at most once. */
#define SPECS_MAX 256

static void *make_room(void *entries, size_t count, size_t *capacity, size_t size)
{
	size_t larger = *capacity ? 2 * *capacity : 64;

	if (count < *capacity)
		return entries;
	entries = reallocarray(entries, larger, size);
	if (entries)
		*capacity = larger;
	return entries;
}

uint32_t codectl_die_form_len(const struct codectl_die_unit *unit, uint64_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return unit->address_size;
	case DW_FORM_ref_addr:
		return unit->version < 3 ? unit->address_size : unit->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return unit->offset_size;
	default:
		return CODECTL_DIE_VARIABLE;
	}
}

/* Whether a walk tells the attribute of such an entry to whom it may concern. */
static bool is_told(unsigned int tag, uint64_t name)
{
	switch (name) {
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges:
	case DW_AT_call_file:
	case DW_AT_call_line:
	case DW_AT_sibling:
		return true;
	case DW_AT_name:
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
	case DW_AT_language:
	case DW_AT_stmt_list:
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		return tag == DW_TAG_compile_unit;
	default:
		return false;
	}
}

/* Attributes of no interest that lie together are one, if their length is fixed. */
static bool is_merged(
	struct codectl_die_abbrevs *abbrevs, const struct codectl_die_abbrev *abbrev, uint32_t len)
{
	struct codectl_die_spec *last = abbrev->count ? &abbrevs->specs[abbrevs->spec_count - 1]
						      : NULL;

	if (!last || last->name || len == CODECTL_DIE_VARIABLE ||
		last->len == CODECTL_DIE_VARIABLE || last->len > MERGED_MAX)
		return false;
	last->len += len;
	return true;
}

/* The list of attributes ends with two zeros. Returns 0 or -ENOMEM. */
static int read_specs(struct codectl_die_abbrevs *abbrevs, const struct codectl_die_unit *unit,
	struct codectl_reader *reader, struct codectl_die_abbrev *abbrev)
{
	abbrev->first = (uint32_t)abbrevs->spec_count;
	while (!reader->is_failed) {
		uint64_t name = codectl_reader_uleb128(reader);
		uint64_t form = codectl_reader_uleb128(reader);
		int64_t constant = form == DW_FORM_implicit_const ? codectl_reader_sleb128(reader)
								  : 0;
		uint32_t len = codectl_die_form_len(unit, form);
		bool has_told;
		void *specs;

		if (!name && !form)
			break;
		abbrevs->has_far_references |= form == DW_FORM_ref_addr || form == DW_FORM_indirect;
		abbrevs->has_sup_references |= form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8;
		has_told = is_told(abbrev->tag, name);
		abbrev->has_told |= has_told;
		if (abbrev->len != CODECTL_DIE_VARIABLE)
			abbrev->len = len == CODECTL_DIE_VARIABLE || has_told ? CODECTL_DIE_VARIABLE
									      : abbrev->len + len;
		if (!has_told && is_merged(abbrevs, abbrev, len))
			continue;
		if (abbrev->count == SPECS_MAX) {
			codectl_reader_fail(reader);
			break;
		}
		specs = make_room(abbrevs->specs, abbrevs->spec_count, &abbrevs->spec_capacity,
			sizeof(*abbrevs->specs));
		if (!specs)
			return -ENOMEM;
		abbrevs->specs = specs;
		abbrevs->specs[abbrevs->spec_count++] = (struct codectl_die_spec){
			.name = has_told ? (uint32_t)name : 0,
			.form = form <= UINT32_MAX ? (uint32_t)form : 0,
			.len = len,
			.constant = constant,
		};
		abbrev->count++;
	}
	return 0;
}

static int compare_abbrevs(const void *left, const void *right)
{
	const struct codectl_die_abbrev *a = left, *b = right;

	return a->code < b->code ? -1 : a->code > b->code;
}

/* Each is a code, a tag and whether there are children, then the attributes; a code of 0 ends. */
static int read_abbrevs(struct codectl_die_abbrevs *abbrevs, const struct codectl_die_unit *unit,
	struct codectl_reader *reader)
{
	bool is_sorted = true;

	while (codectl_reader_left(reader) > 0) {
		struct codectl_die_abbrev abbrev = {.code = codectl_reader_uleb128(reader)};
		void *entries;
		int ret;

		if (!abbrev.code)
			break;
		abbrev.tag = (uint32_t)codectl_reader_uleb128(reader);
		abbrev.has_children = codectl_reader_u8(reader) != 0;
		ret = read_specs(abbrevs, unit, reader, &abbrev);
		entries = ret ? NULL
			      : make_room(abbrevs->entries, abbrevs->count, &abbrevs->capacity,
					sizeof(abbrev));
		if (!entries)
			return -ENOMEM;
		abbrevs->entries = entries;
		if (abbrevs->count && abbrevs->entries[abbrevs->count - 1].code >= abbrev.code)
			is_sorted = false;
		abbrevs->entries[abbrevs->count++] = abbrev;
	}
	if (!is_sorted)
		qsort(abbrevs->entries, abbrevs->count, sizeof(*abbrevs->entries), compare_abbrevs);
	return reader->is_failed ? -EINVAL : 0;
}

/* Whether they would be read from the same bytes in the same way. */
static bool is_same(const struct codectl_die_abbrevs *abbrevs, const struct codectl_die_unit *unit)
{
	const struct codectl_die_unit *last = &abbrevs->unit;

	return abbrevs->is_read && last->abbrev.bytes == unit->abbrev.bytes &&
	       last->abbrev_offset == unit->abbrev_offset && last->version == unit->version &&
	       last->address_size == unit->address_size && last->offset_size == unit->offset_size;
}

int codectl_die_abbrevs_read(
	struct codectl_die_abbrevs *abbrevs, const struct codectl_die_unit *unit, size_t *budget)
{
	struct codectl_reader reader;
	size_t left;
	int ret;

	if (is_same(abbrevs, unit))
		return 0;
	abbrevs->is_read = abbrevs->has_far_references = abbrevs->has_sup_references = false;
	abbrevs->count = abbrevs->spec_count = 0;
	abbrevs->unit = *unit;
	/* Where they end is not known before they are read. */
	codectl_reader_init(&reader, unit->abbrev.bytes, unit->abbrev.len);
	codectl_reader_seek(&reader, unit->abbrev_offset);
	if (!*budget || reader.is_failed)
		return -EINVAL;
	left = codectl_reader_left(&reader);
	ret = read_abbrevs(abbrevs, unit, &reader);
	left -= codectl_reader_left(&reader);
	*budget = left < *budget ? *budget - left : 0;
	abbrevs->is_read = !ret;
	return ret;
}

void codectl_die_abbrevs_fini(struct codectl_die_abbrevs *abbrevs)
{
	free(abbrevs->entries);
	free(abbrevs->specs);
	*abbrevs = (struct codectl_die_abbrevs){0};
}

const struct codectl_die_abbrev *codectl_die_abbrevs_find(
	const struct codectl_die_abbrevs *abbrevs, uint64_t code)
{
	const struct codectl_die_abbrev key = {.code = code};

	/* Compilers number them from 1. */
	if (code - 1 < abbrevs->count && abbrevs->entries[code - 1].code == code)
		return &abbrevs->entries[code - 1];
	if (!abbrevs->count)
		return NULL;
	return bsearch(&key, abbrevs->entries, abbrevs->count, sizeof(key), compare_abbrevs);
}
