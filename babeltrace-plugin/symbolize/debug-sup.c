/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/debug-sup.h"

#include "format/reader.h"

#include <errno.h>

/* Starts to read a section. Returns 0 or -ENOENT. */
static int open_section(
	const struct codectl_elf_file *file, const char *name, struct codectl_reader *reader)
{
	struct codectl_elf_section section;
	struct codectl_elf_range range;

	if (codectl_elf_find_section(&file->elf, name, &section) ||
		codectl_elf_section_range(&file->elf, &section, &range))
		return -ENOENT;
	codectl_reader_init(reader, range.bytes, range.len);
	return 0;
}

/*
 * .debug_sup: u16 version, u8 whether this is the supplementary file, the name of
 * that (empty in itself), the length of the checksum, the checksum.
 */
static int read_sup(
	const struct codectl_elf_file *file, bool is_supplementary, struct codectl_debug_sup *sup)
{
	struct codectl_reader reader;
	bool is_other;

	if (open_section(file, ".debug_sup", &reader) || codectl_reader_u16(&reader) != 5)
		return -ENOENT;
	is_other = codectl_reader_u8(&reader) == 0;
	sup->name = codectl_reader_string(&reader);
	sup->id_len = codectl_reader_uleb128(&reader);
	sup->id = codectl_reader_bytes(&reader, sup->id_len);
	return is_other != is_supplementary && sup->id && sup->id_len ? 0 : -ENOENT;
}

/* .gnu_debugaltlink: the name, and the build-id up to the end. */
static int read_alt(const struct codectl_elf_file *file, struct codectl_debug_sup *sup)
{
	struct codectl_reader reader;

	if (open_section(file, ".gnu_debugaltlink", &reader))
		return -ENOENT;
	sup->name = codectl_reader_string(&reader);
	sup->id_len = codectl_reader_left(&reader);
	sup->id = codectl_reader_bytes(&reader, sup->id_len);
	return sup->id && sup->id_len ? 0 : -ENOENT;
}

int codectl_debug_sup_link(const struct codectl_elf_file *file, struct codectl_debug_sup *sup)
{
	return read_alt(file, sup) == 0 ? 0 : read_sup(file, false, sup);
}

int codectl_debug_sup_identity(const struct codectl_elf_file *file, const uint8_t **id, size_t *len)
{
	struct codectl_debug_sup sup;
	int ret;

	if (codectl_elf_build_id(&file->elf, id, len) == 0)
		return 0;
	ret = read_sup(file, true, &sup);
	if (!ret) {
		*id = sup.id;
		*len = sup.id_len;
	}
	return ret;
}
