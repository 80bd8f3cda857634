/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/dwarf-file.h"

#include "format/reader.h"
#include "symbolize/debug-sup.h"

#include <errno.h>
#include <string.h>

/* The header of a unit, and its own entry: some hundred bytes, more with long names in it. */
#define UNIT_BEGIN ((uint64_t)4 << 10)

/* What libdw looks at to know the units: it does so for all up to one that is asked for. */
static void fetch_units(const struct codectl_dwarf_sections *sections)
{
	const struct codectl_elf_range *info = &sections->sections[CODECTL_DWARF_INFO];
	struct codectl_reader reader;
	int ret = 0;

	codectl_reader_init(&reader, info->bytes, info->len);
	while (!ret && codectl_reader_left(&reader) > 0) {
		uint64_t len;

		ret = codectl_dwarf_sections_fetch(
			sections, CODECTL_DWARF_INFO, reader.offset, UNIT_BEGIN);
		len = codectl_reader_u32(&reader);
		if (len == UINT32_MAX)
			len = codectl_reader_u64(&reader);
		codectl_reader_bytes(&reader, len);
	}
}

/* Returns 0, -ENOENT or -ENOMEM. */
static int open_dwarf(struct codectl_finder *finder, struct codectl_elf_file *elf,
	enum codectl_dwarf_file_kind kind, struct codectl_dwarf_sections *sections,
	struct codectl_dwarf_image *image, Dwarf **dwarf)
{
	int ret;

	codectl_dwarf_sections_read(finder, elf, kind, sections);
	fetch_units(sections);
	ret = codectl_dwarf_image_create(sections, image);
	if (ret)
		return ret;
	*dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	return *dwarf ? 0 : -ENOENT;
}

static void open_alt(struct codectl_finder *finder, const struct codectl_elf_file *elf,
	struct codectl_dwarf_file *file)
{
	struct codectl_debug_sup sup;

	/* Without it, names that were moved there are unknown: not worth failing. */
	if (codectl_debug_sup_link(elf, &sup) ||
		codectl_finding_open_supplementary(
			finder, elf, sup.name, sup.id, sup.id_len, &file->alt_file))
		return;
	if (open_dwarf(finder, &file->alt_file, CODECTL_DWARF_WHOLE, &file->alt_sections,
		    &file->alt_image, &file->alt) == 0)
		dwarf_setalt(file->dwarf, file->alt);
}

int codectl_dwarf_file_open(struct codectl_finder *finder, struct codectl_elf_file *elf,
	struct codectl_dwarf_file *file)
{
	int ret;

	*file = (struct codectl_dwarf_file){0};
	ret = open_dwarf(
		finder, elf, CODECTL_DWARF_PLAIN, &file->sections, &file->image, &file->dwarf);
	if (ret)
		codectl_dwarf_file_close(file);
	else
		open_alt(finder, elf, file);
	return ret;
}

void codectl_dwarf_file_close(struct codectl_dwarf_file *file)
{
	dwarf_end(file->dwarf);
	dwarf_end(file->alt);
	codectl_dwarf_image_fini(&file->image);
	codectl_dwarf_image_fini(&file->alt_image);
	codectl_dwarf_sections_fini(&file->sections);
	codectl_dwarf_sections_fini(&file->alt_sections);
	codectl_elf_file_close(&file->alt_file);
	*file = (struct codectl_dwarf_file){0};
}
