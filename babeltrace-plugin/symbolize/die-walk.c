/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/die-walk.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The length of a form depends on what is there. */
#define VARIABLE UINT32_MAX

struct codectl_die_spec {
	uint32_t name; /* DW_AT_*. */
	uint32_t form; /* DW_FORM_*. */
	uint32_t len;  /* Or VARIABLE. */
	int64_t constant;
};

struct codectl_die_abbrev {
	uint64_t code;
	uint32_t tag;
	uint32_t first; /* Of its specs. */
	uint32_t count;
	uint32_t len; /* Of all its attributes if none is of interest, or VARIABLE. */
	bool has_children;
};

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

/* The length of an attribute of that form. */
static uint32_t form_len(const struct codectl_die_unit *unit, uint64_t form)
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
		return VARIABLE;
	}
}

/* Goes over an attribute whose length is not fixed. */
static void skip_variable(
	const struct codectl_die_unit *unit, struct codectl_reader *reader, uint64_t form)
{
	/* The form may be told at the attribute, but not that again. */
	if (form == DW_FORM_indirect) {
		form = codectl_reader_uleb128(reader);
		if (form_len(unit, form) != VARIABLE) {
			codectl_reader_bytes(reader, form_len(unit, form));
			return;
		}
	}
	switch (form) {
	case DW_FORM_string:
		codectl_reader_string(reader);
		break;
	case DW_FORM_sdata:
		codectl_reader_sleb128(reader);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		codectl_reader_uleb128(reader);
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		codectl_reader_bytes(reader, codectl_reader_uleb128(reader));
		break;
	case DW_FORM_block1:
		codectl_reader_bytes(reader, codectl_reader_u8(reader));
		break;
	case DW_FORM_block2:
		codectl_reader_bytes(reader, codectl_reader_u16(reader));
		break;
	case DW_FORM_block4:
		codectl_reader_bytes(reader, codectl_reader_u32(reader));
		break;
	default:
		codectl_reader_fail(reader);
	}
}

/* Whether a walk tells the attribute to whom it may concern. */
static bool is_told(uint64_t name)
{
	return name == DW_AT_low_pc || name == DW_AT_high_pc || name == DW_AT_ranges ||
	       name == DW_AT_call_file || name == DW_AT_call_line || name == DW_AT_sibling;
}

/* The list of attributes ends with two zeros. Returns 0 or -ENOMEM. */
static int read_specs(struct codectl_die_walk *walk, struct codectl_reader *reader,
	struct codectl_die_abbrev *abbrev)
{
	abbrev->first = (uint32_t)walk->spec_count;
	while (!reader->is_failed) {
		uint64_t name = codectl_reader_uleb128(reader);
		uint64_t form = codectl_reader_uleb128(reader);
		int64_t constant = form == DW_FORM_implicit_const ? codectl_reader_sleb128(reader)
								  : 0;
		uint32_t len = form_len(&walk->unit, form);
		void *specs;

		if (!name && !form)
			break;
		specs = make_room(
			walk->specs, walk->spec_count, &walk->spec_capacity, sizeof(*walk->specs));
		if (!specs)
			return -ENOMEM;
		walk->specs = specs;
		walk->specs[walk->spec_count++] = (struct codectl_die_spec){
			.name = name <= UINT32_MAX ? (uint32_t)name : 0,
			.form = form <= UINT32_MAX ? (uint32_t)form : 0,
			.len = len,
			.constant = constant,
		};
		walk->has_far_references |= form == DW_FORM_ref_addr || form == DW_FORM_indirect;
		if (abbrev->len != VARIABLE)
			abbrev->len = len == VARIABLE || is_told(name) ? VARIABLE
								       : abbrev->len + len;
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
static int read_abbrevs(struct codectl_die_walk *walk, struct codectl_reader *reader)
{
	bool is_sorted = true;

	while (codectl_reader_left(reader) > 0) {
		struct codectl_die_abbrev abbrev = {.code = codectl_reader_uleb128(reader)};
		void *abbrevs;
		int ret;

		if (!abbrev.code)
			break;
		abbrev.tag = (uint32_t)codectl_reader_uleb128(reader);
		abbrev.has_children = codectl_reader_u8(reader) != 0;
		ret = read_specs(walk, reader, &abbrev);
		abbrevs = ret ? NULL
			      : make_room(walk->abbrevs, walk->abbrev_count, &walk->abbrev_capacity,
					sizeof(abbrev));
		if (!abbrevs)
			return -ENOMEM;
		walk->abbrevs = abbrevs;
		if (walk->abbrev_count && walk->abbrevs[walk->abbrev_count - 1].code >= abbrev.code)
			is_sorted = false;
		walk->abbrevs[walk->abbrev_count++] = abbrev;
	}
	if (!is_sorted)
		qsort(walk->abbrevs, walk->abbrev_count, sizeof(*walk->abbrevs), compare_abbrevs);
	return reader->is_failed ? -EINVAL : 0;
}

static bool has_same_abbrevs(
	const struct codectl_die_walk *walk, const struct codectl_die_unit *unit)
{
	return walk->has_abbrevs && walk->unit.abbrev.bytes == unit->abbrev.bytes &&
	       walk->unit.abbrev_offset == unit->abbrev_offset &&
	       walk->unit.version == unit->version &&
	       walk->unit.address_size == unit->address_size &&
	       walk->unit.offset_size == unit->offset_size;
}

int codectl_die_walk_init(
	struct codectl_die_walk *walk, const struct codectl_die_unit *unit, size_t *budget)
{
	struct codectl_reader abbrevs;
	bool is_known = has_same_abbrevs(walk, unit);
	int ret;

	walk->unit = *unit;
	walk->depth = 0;
	if (unit->end > unit->info.len || unit->first > unit->end || unit->start > unit->first ||
		(unit->offset_size != 4 && unit->offset_size != 8) || unit->address_size > 8)
		return -EINVAL;
	codectl_reader_init(&walk->reader, unit->info.bytes, unit->end);
	codectl_reader_seek(&walk->reader, unit->first);
	if (is_known)
		return 0;
	walk->has_abbrevs = walk->has_far_references = false;
	walk->abbrev_count = walk->spec_count = 0;
	/* Where they end is not known before they are read. */
	codectl_reader_init(&abbrevs, unit->abbrev.bytes, unit->abbrev.len);
	codectl_reader_seek(&abbrevs, unit->abbrev_offset);
	if (!*budget || abbrevs.is_failed)
		return -EINVAL;

	size_t left = codectl_reader_left(&abbrevs);

	ret = read_abbrevs(walk, &abbrevs);
	left -= codectl_reader_left(&abbrevs);
	*budget = left < *budget ? *budget - left : 0;
	walk->has_abbrevs = !ret;
	return ret;
}

void codectl_die_walk_fini(struct codectl_die_walk *walk)
{
	free(walk->abbrevs);
	free(walk->specs);
	memset(walk, 0, sizeof(*walk));
}

static const struct codectl_die_abbrev *find_abbrev(
	const struct codectl_die_walk *walk, uint64_t code)
{
	const struct codectl_die_abbrev key = {.code = code};

	/* Compilers number them from 1. */
	if (code <= walk->abbrev_count && walk->abbrevs[code - 1].code == code)
		return &walk->abbrevs[code - 1];
	if (!walk->abbrev_count)
		return NULL;
	return bsearch(&key, walk->abbrevs, walk->abbrev_count, sizeof(key), compare_abbrevs);
}

/* Reads an attribute that is a number, or fails. */
static uint64_t read_number(struct codectl_die_walk *walk, const struct codectl_die_spec *spec)
{
	struct codectl_reader *reader = &walk->reader;

	switch (spec->form) {
	case DW_FORM_implicit_const:
		return (uint64_t)spec->constant;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
		return codectl_reader_uleb128(reader);
	case DW_FORM_sdata:
		return (uint64_t)codectl_reader_sleb128(reader);
	default:
		if (spec->len <= 8)
			return codectl_reader_uint(reader, spec->len);
		codectl_reader_fail(reader);
		return 0;
	}
}

static void skip_attribute(struct codectl_die_walk *walk, const struct codectl_die_spec *spec)
{
	if (spec->len == VARIABLE)
		skip_variable(&walk->unit, &walk->reader, spec->form);
	else
		codectl_reader_bytes(&walk->reader, spec->len);
}

/* Whether a form of high_pc says where the range ends without another table. */
static bool is_plain_end(uint32_t form)
{
	return form == DW_FORM_addr || form == DW_FORM_data1 || form == DW_FORM_data2 ||
	       form == DW_FORM_data4 || form == DW_FORM_data8 || form == DW_FORM_udata ||
	       form == DW_FORM_implicit_const;
}

/* What of an entry's range has been seen. */
struct bounds {
	bool has_start;
	bool has_end;
	bool is_length; /* The end is one. */
};

/* Takes what is of interest in the attribute, and goes over it. */
static void read_attribute(struct codectl_die_walk *walk, const struct codectl_die_spec *spec,
	struct codectl_die *die, struct bounds *bounds)
{
	uint64_t unused;
	uint64_t *number = &unused;

	if (spec->name == DW_AT_low_pc && spec->form == DW_FORM_addr) {
		bounds->has_start = true;
		number = &die->start;
	} else if (spec->name == DW_AT_high_pc || spec->name == DW_AT_ranges) {
		die->has_ranges = true;
		if (spec->name == DW_AT_high_pc && is_plain_end(spec->form)) {
			bounds->has_end = true;
			bounds->is_length = spec->form != DW_FORM_addr;
			number = &die->end;
		}
	} else if (spec->form == DW_FORM_indirect || spec->form == DW_FORM_ref_addr) {
		/* Nobody writes these so. */
	} else if (spec->name == DW_AT_call_file) {
		number = &die->call_file;
	} else if (spec->name == DW_AT_call_line) {
		number = &die->call_line;
	} else if (spec->name == DW_AT_sibling) {
		number = &die->sibling;
	}
	if (number != &unused)
		*number = read_number(walk, spec);
	else
		skip_attribute(walk, spec);
}

static void read_attributes(struct codectl_die_walk *walk, const struct codectl_die_abbrev *abbrev,
	struct codectl_die *die)
{
	struct bounds bounds = {0};

	if (abbrev->len != VARIABLE) {
		codectl_reader_bytes(&walk->reader, abbrev->len);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct codectl_die_spec *spec = &walk->specs[abbrev->first + i];

		if (is_told(spec->name))
			read_attribute(walk, spec, die, &bounds);
		else
			skip_attribute(walk, spec);
	}
	die->has_range = bounds.has_start && bounds.has_end;
	if (bounds.is_length)
		die->end += die->start;
}

const struct codectl_die *codectl_die_walk_next(struct codectl_die_walk *walk)
{
	struct codectl_reader *reader = &walk->reader;

	while (codectl_reader_left(reader) > 0) {
		uint64_t offset = reader->offset;
		uint64_t code = codectl_reader_uleb128(reader);
		const struct codectl_die_abbrev *abbrev;

		if (!code) {
			/* The end of somebody's children. */
			if (walk->depth <= 1)
				return NULL;
			walk->depth--;
			continue;
		}
		abbrev = find_abbrev(walk, code);
		if (!abbrev)
			return NULL;
		walk->last = (struct codectl_die){
			.offset = offset,
			.tag = abbrev->tag,
			.depth = walk->depth,
			.has_children = abbrev->has_children,
		};
		read_attributes(walk, abbrev, &walk->last);
		if (reader->is_failed)
			return NULL;
		walk->depth += abbrev->has_children;
		/* A unit is one entry with all the others in it. */
		return walk->depth ? &walk->last : NULL;
	}
	return NULL;
}

void codectl_die_walk_skip(struct codectl_die_walk *walk)
{
	size_t depth = walk->last.depth;
	uint64_t header = walk->unit.start;

	if (!walk->last.has_children)
		return;
	if (walk->last.sibling && walk->last.sibling <= walk->unit.end - header &&
		header + walk->last.sibling > walk->reader.offset) {
		codectl_reader_seek(&walk->reader, header + walk->last.sibling);
		walk->depth = depth;
		return;
	}
	while (walk->depth > depth && codectl_reader_left(&walk->reader) > 0) {
		const struct codectl_die_abbrev *abbrev;
		struct codectl_die unused = {0};
		uint64_t code = codectl_reader_uleb128(&walk->reader);

		if (!code) {
			walk->depth--;
			continue;
		}
		abbrev = find_abbrev(walk, code);
		if (!abbrev) {
			codectl_reader_fail(&walk->reader);
			return;
		}
		read_attributes(walk, abbrev, &unused);
		walk->depth += abbrev->has_children;
	}
}
