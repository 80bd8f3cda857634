/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/dwarf-package.h"

#include "format/reader.h"
#include "symbolize/elf-contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the index calls the sections; other numbers are of no use here. */
#define SECT_INFO	 1
#define SECT_ABBREV	 3
#define SECT_LINE	 4
#define SECT_STR_OFFSETS 6
#define SECT_RNGLISTS	 8 /* Of version 5; before it was .debug_macro. */

/* Of the string offsets of DWARF 5: length, version and padding. */
#define STR_OFFSETS_HEADER_LEN 8

/* What is before the tables of the index. */
struct index {
	uint16_t version;
	uint32_t columns, units, slots;
	size_t ids;	/* Where the signatures are. */
	size_t rows;	/* The row of each. */
	size_t numbers; /* Which section is in which column. */
	size_t offsets;
	size_t sizes;
};

static uint32_t read_u32(const struct codectl_elf_range *index, size_t offset)
{
	uint32_t value;

	memcpy(&value, index->bytes + offset, sizeof(value));
	return value;
}

static uint64_t read_u64(const struct codectl_elf_range *index, size_t offset)
{
	uint64_t value;

	memcpy(&value, index->bytes + offset, sizeof(value));
	return value;
}

/*
 * u16 version (2 or 5), u16 padding, u32 columns, units, slots; a hash table of
 * u64 ids, then for each slot the u32 row (from 1; 0: none); the u32 number of
 * the section in each column; for each row the u32 offsets, then the u32 sizes.
 * Returns whether all of it is there.
 */
static bool read_index(const struct codectl_elf_range *range, struct index *index)
{
	struct codectl_reader reader;
	uint64_t len;

	codectl_reader_init(&reader, range->bytes, range->len);
	index->version = codectl_reader_u16(&reader);
	codectl_reader_u16(&reader);
	index->columns = codectl_reader_u32(&reader);
	index->units = codectl_reader_u32(&reader);
	index->slots = codectl_reader_u32(&reader);
	if (reader.is_failed || (index->version != 2 && index->version != 5) || !index->slots ||
		(index->slots & (index->slots - 1)) || index->columns > 16)
		return false;
	len = 16 + (uint64_t)index->slots * 12 + 4 * (uint64_t)index->columns +
	      8 * (uint64_t)index->columns * index->units;
	if (len > range->len)
		return false;
	index->ids = 16;
	index->rows = index->ids + 8 * (size_t)index->slots;
	index->numbers = index->rows + 4 * (size_t)index->slots;
	index->offsets = index->numbers + 4 * (size_t)index->columns;
	index->sizes = index->offsets + 4 * (size_t)index->columns * index->units;
	return true;
}

/* The row of the unit with @id, counted from 0. Returns whether there is one. */
static bool find_row(
	const struct codectl_elf_range *range, const struct index *index, uint64_t id, size_t *row)
{
	const uint32_t mask = index->slots - 1;
	const uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;
	uint32_t slot = (uint32_t)id & mask;

	for (uint32_t i = 0; i < index->slots; i++, slot = (slot + step) & mask) {
		uint32_t number = read_u32(range, index->rows + 4 * (size_t)slot);

		if (number == 0)
			return false;
		if (read_u64(range, index->ids + 8 * (size_t)slot) == id) {
			*row = number - 1;
			return number <= index->units;
		}
	}
	return false;
}

/* Which of our sections is meant by a number of the index; COUNT: none that we need. */
static enum codectl_dwarf_section section_of(uint16_t version, uint32_t number)
{
	switch (number) {
	case SECT_INFO:
		return CODECTL_DWARF_INFO;
	case SECT_ABBREV:
		return CODECTL_DWARF_ABBREV;
	case SECT_LINE:
		return CODECTL_DWARF_LINE;
	case SECT_STR_OFFSETS:
		return CODECTL_DWARF_STR_OFFSETS;
	case SECT_RNGLISTS:
		return version == 5 ? CODECTL_DWARF_RNGLISTS : CODECTL_DWARF_SECTION_COUNT;
	default:
		return CODECTL_DWARF_SECTION_COUNT;
	}
}

/* Takes the unit's part of each section. Returns whether all lie within. */
static bool take_parts(const struct codectl_dwarf_package *package, const struct index *index,
	size_t row, struct codectl_dwarf_sections *sections)
{
	for (size_t column = 0; column < index->columns; column++) {
		size_t entry = 4 * (row * index->columns + column);
		enum codectl_dwarf_section which = section_of(
			index->version, read_u32(&package->index, index->numbers + 4 * column));
		uint64_t offset = read_u32(&package->index, index->offsets + entry);
		uint64_t len = read_u32(&package->index, index->sizes + entry);
		const struct codectl_elf_range *whole;

		if (which == CODECTL_DWARF_SECTION_COUNT || len == 0)
			continue;
		whole = &package->sections.sections[which];
		if (!whole->bytes || offset > whole->len || len > whole->len - offset ||
			codectl_dwarf_sections_fetch(&package->sections, which, offset, len))
			return false;
		sections->sections[which] = (struct codectl_elf_range){
			.bytes = whole->bytes + offset, .len = len};
	}
	return sections->sections[CODECTL_DWARF_INFO].bytes &&
	       sections->sections[CODECTL_DWARF_ABBREV].bytes;
}

/* Appends the string at @offset of @strings to *@to. Returns where it is then. */
static uint32_t take_string(const struct codectl_elf_range *strings, uint32_t offset, uint8_t *to,
	size_t *used, size_t max)
{
	const uint8_t *end = offset < strings->len
				     ? memchr(strings->bytes + offset, '\0', strings->len - offset)
				     : NULL;
	size_t len = end ? (size_t)(end - strings->bytes) - offset + 1 : 0;
	uint32_t place = (uint32_t)*used;

	/* The first one is empty, for what makes no sense. */
	if (len <= 1 || len > max - *used)
		return 0;
	memcpy(to + *used, strings->bytes + offset, len);
	*used += len;
	return place;
}

/*
 * libdw gets a copy of the unit; of the strings of all units it gets only those
 * that this one has, through a copy of its offsets. Returns 0 or -ENOMEM.
 */
static int take_strings(const struct codectl_elf_range *strings, bool has_header,
	struct codectl_dwarf_sections *sections)
{
	struct codectl_elf_range *offsets = &sections->sections[CODECTL_DWARF_STR_OFFSETS];
	size_t first = has_header ? STR_OFFSETS_HEADER_LEN : 0;
	/* Honest units name each string once. */
	size_t max = strings->len + 1 < UINT32_MAX ? strings->len + 1 : UINT32_MAX;
	size_t used = 1;
	uint8_t *copy, *texts;

	if (!offsets->bytes || !strings->bytes || offsets->len < first)
		return 0;
	copy = malloc(offsets->len);
	texts = malloc(max);
	sections->unpacked[CODECTL_DWARF_STR_OFFSETS] = copy;
	sections->unpacked[CODECTL_DWARF_STR] = texts;
	if (!copy || !texts)
		return -ENOMEM;
	texts[0] = '\0';
	memcpy(copy, offsets->bytes, offsets->len);
	for (size_t at = first; offsets->len - at >= sizeof(uint32_t); at += sizeof(uint32_t)) {
		uint32_t place = take_string(strings, read_u32(offsets, at), texts, &used, max);

		memcpy(copy + at, &place, sizeof(place));
	}
	offsets->bytes = copy;
	sections->sections[CODECTL_DWARF_STR] = (struct codectl_elf_range){
		.bytes = texts, .len = used};
	return 0;
}

int codectl_dwarf_package_open(struct codectl_dwarf_package *package, struct codectl_finder *finder,
	const char *path, enum codectl_object_status *status)
{
	struct codectl_elf_section section;
	struct index index;
	int ret;

	*package = (struct codectl_dwarf_package){0};
	ret = codectl_elf_file_open(&package->file, path, status);
	if (!ret &&
		(codectl_elf_find_section(&package->file.elf, ".debug_cu_index", &section) ||
			codectl_elf_section_range(&package->file.elf, &section, &package->index) ||
			codectl_elf_contents_fetch(&package->file, section.offset, section.size) ||
			!read_index(&package->index, &index))) {
		*status = CODECTL_OBJECT_NO_DEBUG_INFO;
		ret = -ENOENT;
	}
	if (ret)
		codectl_dwarf_package_close(package);
	else
		codectl_dwarf_sections_read(
			finder, &package->file, CODECTL_DWARF_PACKAGE, &package->sections);
	return ret;
}

void codectl_dwarf_package_close(struct codectl_dwarf_package *package)
{
	codectl_dwarf_sections_fini(&package->sections);
	codectl_elf_file_close(&package->file);
	package->index = (struct codectl_elf_range){0};
}

int codectl_dwarf_package_find(const struct codectl_dwarf_package *package, uint64_t id,
	struct codectl_dwarf_sections *sections)
{
	struct index index;
	size_t row;
	int ret;

	*sections = (struct codectl_dwarf_sections){
		.file = package->sections.file,
		.type = package->sections.type,
		.machine = package->sections.machine,
	};
	if (!read_index(&package->index, &index) || !find_row(&package->index, &index, id, &row) ||
		!take_parts(package, &index, row, sections))
		return -ENOENT;
	ret = take_strings(
		&package->sections.sections[CODECTL_DWARF_STR], index.version == 5, sections);
	if (ret)
		codectl_dwarf_sections_fini(sections);
	return ret;
}
