/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/unpack.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

/* No compiler's output comes near; a header may claim anything. */
#define UNPACKED_MAX ((uint64_t)256 << 20)

/* The index of the first compressed section with that name, 0 if there is none. */
static size_t find_compressed(
	const struct codectl_elf *elf, const char *name, struct codectl_elf_section *section)
{
	for (size_t i = 1; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, section) == 0 &&
			(section->flags & SHF_COMPRESSED) && !strcmp(section->name, name))
			return i;
	}
	return 0;
}

bool codectl_unpack_has_section(const struct codectl_elf_file *file, const char *name)
{
	struct codectl_elf_section section;

	return find_compressed(&file->elf, name, &section) != 0;
}

/* What section @index unpacks to. Returns 0 or -ENOENT. */
static int unpack(Elf *elf, size_t index, void **bytes, size_t *len)
{
	Elf_Scn *section = elf_getscn(elf, index);
	GElf_Chdr header;
	Elf_Data *contents;

	if (!section || !gelf_getchdr(section, &header) || header.ch_size > UNPACKED_MAX ||
		elf_compress(section, 0, 0) < 0)
		return -ENOENT;
	contents = elf_rawdata(section, NULL);
	if (!contents || !contents->d_buf || !contents->d_size)
		return -ENOENT;
	*bytes = malloc(contents->d_size);
	if (!*bytes)
		return -ENOENT;
	memcpy(*bytes, contents->d_buf, contents->d_size);
	*len = contents->d_size;
	return 0;
}

int codectl_unpack_section(
	const struct codectl_elf_file *file, const char *name, void **bytes, size_t *len)
{
	struct codectl_elf_section section;
	size_t index = find_compressed(&file->elf, name, &section);
	Elf *elf;
	int ret;

	if (!index || elf_version(EV_CURRENT) == EV_NONE)
		return -ENOENT;
	/* Opened for reading, libelf leaves the bytes alone. */
	elf = elf_memory(file->bytes, file->len);
	if (!elf)
		return -ENOENT;
	ret = unpack(elf, index, bytes, len);
	elf_end(elf);
	return ret;
}
