/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/unpack.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* No compiler's output comes near; a header may claim anything. */
#define UNPACKED_MAX ((uint64_t)256 << 20)
/* The best that deflate can do is 1032 to 1. */
#define RATIO_MAX 1032

/* Finds the first compressed section with that name. */
static bool find_compressed(
	const struct codectl_elf *elf, const char *name, struct codectl_elf_section *section)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, section) == 0 &&
			(section->flags & SHF_COMPRESSED) && !strcmp(section->name, name))
			return true;
	}
	return false;
}

bool codectl_unpack_has_section(const struct codectl_elf_file *file, const char *name)
{
	struct codectl_elf_section section;

	return find_compressed(&file->elf, name, &section);
}

int codectl_unpack_section(
	const struct codectl_elf_file *file, const char *name, void **bytes, size_t *len)
{
	struct codectl_elf_section section;
	struct codectl_elf_range packed;
	Elf64_Chdr header;
	uLongf unpacked_len;

	if (!find_compressed(&file->elf, name, &section) ||
		codectl_elf_section_range(&file->elf, &section, &packed) ||
		packed.len < sizeof(header))
		return -ENOENT;
	memcpy(&header, packed.bytes, sizeof(header));
	packed.bytes += sizeof(header);
	packed.len -= sizeof(header);
	if (header.ch_type != ELFCOMPRESS_ZLIB || header.ch_size == 0 ||
		header.ch_size > UNPACKED_MAX || header.ch_size / RATIO_MAX > packed.len)
		return -ENOENT;
	*bytes = malloc(header.ch_size);
	if (!*bytes)
		return -ENOENT;
	unpacked_len = header.ch_size;
	if (uncompress(*bytes, &unpacked_len, packed.bytes, packed.len) != Z_OK ||
		unpacked_len != header.ch_size) {
		free(*bytes);
		*bytes = NULL;
		return -ENOENT;
	}
	*len = unpacked_len;
	return 0;
}
