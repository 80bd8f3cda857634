/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/die-walk.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

/* Goes over an attribute whose length is not fixed. */
static void skip_variable(
	const struct codectl_die_unit *unit, struct codectl_reader *reader, uint64_t form)
{
	/* The form may be told at the attribute, but not that again. */
	if (form == DW_FORM_indirect) {
		form = codectl_reader_uleb128(reader);
		if (codectl_die_form_len(unit, form) != CODECTL_DIE_VARIABLE) {
			codectl_reader_bytes(reader, codectl_die_form_len(unit, form));
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

int codectl_die_walk_init(
	struct codectl_die_walk *walk, const struct codectl_die_unit *unit, size_t *budget)
{
	walk->unit = *unit;
	walk->depth = 0;
	if (unit->end > unit->info.len || unit->first > unit->end || unit->start > unit->first ||
		(unit->offset_size != 4 && unit->offset_size != 8) || unit->address_size > 8)
		return -EINVAL;
	codectl_reader_init(&walk->reader, unit->info.bytes, unit->end);
	codectl_reader_seek(&walk->reader, unit->first);
	return codectl_die_abbrevs_read(&walk->abbrevs, unit, budget);
}

void codectl_die_walk_fini(struct codectl_die_walk *walk)
{
	codectl_die_abbrevs_fini(&walk->abbrevs);
	memset(walk, 0, sizeof(*walk));
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
		break;
	}
	switch (spec->len) {
	case 1:
		return codectl_reader_u8(reader);
	case 2:
		return codectl_reader_u16(reader);
	case 4:
		return codectl_reader_u32(reader);
	case 0:
	case 3:
	case 8:
		return codectl_reader_uint(reader, spec->len);
	default:
		codectl_reader_fail(reader);
		return 0;
	}
}

static void skip_attribute(struct codectl_die_walk *walk, const struct codectl_die_spec *spec)
{
	if (spec->len == CODECTL_DIE_VARIABLE)
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

/* A string may also be an index, whose table is not known here. */
static void read_text(struct codectl_die_walk *walk, const struct codectl_die_spec *spec,
	struct codectl_die_text *text)
{
	text->form = spec->form;
	text->value = walk->reader.offset;
	if (spec->form == DW_FORM_strp || spec->form == DW_FORM_line_strp)
		text->value = read_number(walk, spec);
	else
		skip_attribute(walk, spec);
}

/* Another entry: of the same unit, or anywhere. */
static void read_origin(
	struct codectl_die_walk *walk, const struct codectl_die_spec *spec, struct codectl_die *die)
{
	switch (spec->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		die->origin = walk->unit.start + read_number(walk, spec);
		break;
	default:
		die->has_far_origin = true;
		skip_attribute(walk, spec);
	}
}

static void read_ranges(
	struct codectl_die_walk *walk, const struct codectl_die_spec *spec, struct codectl_die *die)
{
	die->has_ranges = true;
	if (spec->form == DW_FORM_sec_offset || spec->form == DW_FORM_data4 ||
		spec->form == DW_FORM_data8) {
		die->ranges_form = spec->form;
		die->ranges = read_number(walk, spec);
	} else {
		skip_attribute(walk, spec);
	}
}

/* Where a number goes to that is told as it is; NULL: it is not. */
static uint64_t *place_of_number(const struct codectl_die_spec *spec, struct codectl_die *die)
{
	/* Nobody writes these so. */
	if (spec->form == DW_FORM_indirect || spec->form == DW_FORM_ref_addr)
		return NULL;
	switch (spec->name) {
	case DW_AT_call_file:
		return &die->call_file;
	case DW_AT_call_line:
		return &die->call_line;
	case DW_AT_sibling:
		return &die->sibling;
	case DW_AT_language:
		return &die->language;
	case DW_AT_stmt_list:
		die->has_lines = true;
		return &die->lines;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		die->has_address_table = true;
		return NULL;
	default:
		return NULL;
	}
}

/* Takes what is of interest in the attribute, and goes over it. */
static void read_attribute(struct codectl_die_walk *walk, const struct codectl_die_spec *spec,
	struct codectl_die *die, struct bounds *bounds)
{
	uint64_t *number;

	switch (spec->name) {
	case DW_AT_name:
		read_text(walk, spec, &die->name);
		return;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		read_text(walk, spec, &die->linkage_name);
		return;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		read_origin(walk, spec, die);
		return;
	case DW_AT_ranges:
		read_ranges(walk, spec, die);
		return;
	case DW_AT_low_pc:
		number = spec->form == DW_FORM_addr ? &die->start : NULL;
		bounds->has_start |= number != NULL;
		break;
	case DW_AT_high_pc:
		die->has_ranges = true;
		number = is_plain_end(spec->form) ? &die->end : NULL;
		bounds->has_end |= number != NULL;
		bounds->is_length |= number && spec->form != DW_FORM_addr;
		break;
	default:
		number = place_of_number(spec, die);
	}
	if (number)
		*number = read_number(walk, spec);
	else
		skip_attribute(walk, spec);
}

/* Goes over the attributes of an entry that has none of interest. */
static void skip_attributes(struct codectl_die_walk *walk, const struct codectl_die_abbrev *abbrev)
{
	if (abbrev->len != CODECTL_DIE_VARIABLE) {
		codectl_reader_bytes(&walk->reader, abbrev->len);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count; i++)
		skip_attribute(walk, &walk->abbrevs.specs[abbrev->first + i]);
}

static void read_attributes(struct codectl_die_walk *walk, const struct codectl_die_abbrev *abbrev,
	struct codectl_die *die)
{
	struct bounds bounds = {0};

	if (!abbrev->has_told) {
		skip_attributes(walk, abbrev);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct codectl_die_spec *spec = &walk->abbrevs.specs[abbrev->first + i];

		if (spec->name)
			read_attribute(walk, spec, die, &bounds);
		else
			skip_attribute(walk, spec);
	}
	die->has_base = bounds.has_start;
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
		abbrev = codectl_die_abbrevs_find(&walk->abbrevs, code);
		if (!abbrev)
			return NULL;
		if (!abbrev->has_told && !abbrev->has_children && walk->depth) {
			skip_attributes(walk, abbrev);
			continue;
		}
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

const struct codectl_die *codectl_die_walk_look_at(struct codectl_die_walk *walk, uint64_t offset)
{
	const struct codectl_reader place = walk->reader;
	const struct codectl_die_abbrev *abbrev;
	bool is_read = false;

	if (offset < walk->unit.first || offset >= walk->unit.end)
		return NULL;
	codectl_reader_init(&walk->reader, walk->unit.info.bytes, walk->unit.end);
	codectl_reader_seek(&walk->reader, offset);
	abbrev = codectl_die_abbrevs_find(&walk->abbrevs, codectl_reader_uleb128(&walk->reader));
	if (abbrev) {
		walk->other = (struct codectl_die){.offset = offset, .tag = abbrev->tag};
		read_attributes(walk, abbrev, &walk->other);
		is_read = !walk->reader.is_failed;
	}
	walk->reader = place;
	return is_read ? &walk->other : NULL;
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
		uint64_t code = codectl_reader_uleb128(&walk->reader);

		if (!code) {
			walk->depth--;
			continue;
		}
		abbrev = codectl_die_abbrevs_find(&walk->abbrevs, code);
		if (!abbrev) {
			codectl_reader_fail(&walk->reader);
			return;
		}
		skip_attributes(walk, abbrev);
		walk->depth += abbrev->has_children;
	}
}
