/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/elf.h"

#include "format/reader.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

/*
 * Section names are a few dozen bytes. To look for the end of each in all of a
 * large table takes very long if a hostile one has no end.
 */
#define NAME_MAX_LEN 4096

/* Copies @size bytes at @offset of the image. Returns whether they are there. */
static bool read_at(const struct codectl_elf *elf, uint64_t offset, void *to, size_t size)
{
	if (offset > elf->len || size > elf->len - offset)
		return false;
	memcpy(to, elf->image + offset, size);
	return true;
}

/* Whether @count entries of @size bytes at @offset lie within the image. */
static bool has_table(const struct codectl_elf *elf, uint64_t offset, uint64_t count, size_t size)
{
	return offset <= elf->len && count <= (elf->len - offset) / size;
}

static void init_sections(struct codectl_elf *elf, const Elf64_Ehdr *header)
{
	Elf64_Shdr first;
	uint64_t count = header->e_shnum;
	uint64_t names = header->e_shstrndx;

	if (!header->e_shoff || header->e_shentsize != sizeof(Elf64_Shdr) ||
		!read_at(elf, header->e_shoff, &first, sizeof(first)))
		return;
	/* Numbers too large for the header are in the first section header. */
	if (count == 0)
		count = first.sh_size;
	if (names == SHN_XINDEX)
		names = first.sh_link;
	if (!has_table(elf, header->e_shoff, count, sizeof(Elf64_Shdr)))
		return;
	elf->shoff = header->e_shoff;
	elf->section_count = count;
	elf->name_section = names;
}

int codectl_elf_init(struct codectl_elf *elf, const void *image, size_t len)
{
	Elf64_Ehdr header;
	Elf64_Shdr first;

	memset(elf, 0, sizeof(*elf));
	elf->image = image;
	elf->len = len;
	if (!read_at(elf, 0, &header, sizeof(header)) ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return -EINVAL;
	elf->type = header.e_type;
	elf->machine = header.e_machine;
	elf->entry = header.e_entry;

	uint64_t segments = header.e_phnum;

	if (segments == PN_XNUM && header.e_shoff &&
		read_at(elf, header.e_shoff, &first, sizeof(first)))
		segments = first.sh_info;
	if (segments && (header.e_phentsize != sizeof(Elf64_Phdr) ||
				!has_table(elf, header.e_phoff, segments, sizeof(Elf64_Phdr))))
		return -EINVAL;
	elf->phoff = header.e_phoff;
	elf->segment_count = segments;
	init_sections(elf, &header);
	return 0;
}

int codectl_elf_get_segment(
	const struct codectl_elf *elf, size_t index, struct codectl_elf_segment *segment)
{
	Elf64_Phdr header;

	if (index >= elf->segment_count)
		return -ENOENT;
	if (!read_at(elf, elf->phoff + index * sizeof(header), &header, sizeof(header)))
		return -EINVAL;
	*segment = (struct codectl_elf_segment){
		.type = header.p_type,
		.flags = header.p_flags,
		.offset = header.p_offset,
		.vaddr = header.p_vaddr,
		.filesz = header.p_filesz,
		.memsz = header.p_memsz,
		.align = header.p_align,
	};
	return 0;
}

/* The NUL-terminated string at @offset of section @index, "" if there is none or it is too long. */
static const char *section_string(const struct codectl_elf *elf, size_t index, uint64_t offset)
{
	Elf64_Shdr names;
	const char *text;
	uint64_t len;

	if (index >= elf->section_count ||
		!read_at(elf, elf->shoff + index * sizeof(names), &names, sizeof(names)) ||
		names.sh_type == SHT_NOBITS || names.sh_offset > elf->len ||
		names.sh_size > elf->len - names.sh_offset || offset >= names.sh_size)
		return "";
	text = (const char *)elf->image + names.sh_offset + offset;
	len = names.sh_size - offset;
	return memchr(text, '\0', len < NAME_MAX_LEN ? len : NAME_MAX_LEN) ? text : "";
}

int codectl_elf_get_section(
	const struct codectl_elf *elf, size_t index, struct codectl_elf_section *section)
{
	Elf64_Shdr header;

	if (index >= elf->section_count)
		return -ENOENT;
	if (!read_at(elf, elf->shoff + index * sizeof(header), &header, sizeof(header)))
		return -EINVAL;
	*section = (struct codectl_elf_section){
		.name = section_string(elf, elf->name_section, header.sh_name),
		.type = header.sh_type,
		.flags = header.sh_flags,
		.vaddr = header.sh_addr,
		.offset = header.sh_offset,
		.size = header.sh_size,
		.link = header.sh_link,
		.entsize = header.sh_entsize,
	};
	return 0;
}

int codectl_elf_find_section(
	const struct codectl_elf *elf, const char *name, struct codectl_elf_section *section)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, section) == 0 && !strcmp(section->name, name))
			return 0;
	}
	return -ENOENT;
}

int codectl_elf_find_segment(
	const struct codectl_elf *elf, uint32_t type, struct codectl_elf_segment *segment)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		if (codectl_elf_get_segment(elf, i, segment) == 0 && segment->type == type)
			return 0;
	}
	return -ENOENT;
}

int codectl_elf_section_range(const struct codectl_elf *elf,
	const struct codectl_elf_section *section, struct codectl_elf_range *range)
{
	if (section->type == SHT_NOBITS)
		return -ENOENT;
	if (section->offset > elf->len || section->size > elf->len - section->offset)
		return -EINVAL;
	range->bytes = elf->image + section->offset;
	range->len = section->size;
	range->vaddr = section->vaddr;
	return 0;
}

/* From a segment which has all of @flags. */
static int find_range(const struct codectl_elf *elf, uint64_t vaddr, uint32_t flags,
	struct codectl_elf_range *range)
{
	struct codectl_elf_segment segment;

	for (size_t i = 0; i < elf->segment_count; i++) {
		if (codectl_elf_get_segment(elf, i, &segment) || segment.type != PT_LOAD ||
			(segment.flags & flags) != flags || vaddr < segment.vaddr ||
			vaddr - segment.vaddr >= segment.filesz)
			continue;
		if (segment.offset > elf->len || segment.filesz > elf->len - segment.offset)
			continue;
		range->bytes = elf->image + segment.offset + (vaddr - segment.vaddr);
		range->len = segment.filesz - (vaddr - segment.vaddr);
		range->vaddr = vaddr;
		return 0;
	}
	return -ENOENT;
}

int codectl_elf_vaddr_range(
	const struct codectl_elf *elf, uint64_t vaddr, struct codectl_elf_range *range)
{
	return find_range(elf, vaddr, 0, range);
}

int codectl_elf_code_range(
	const struct codectl_elf *elf, uint64_t vaddr, struct codectl_elf_range *range)
{
	return find_range(elf, vaddr, PF_X, range);
}

int codectl_elf_load_span(const struct codectl_elf *elf, uint64_t *start, uint64_t *end)
{
	struct codectl_elf_segment segment;

	*start = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < elf->segment_count; i++) {
		if (codectl_elf_get_segment(elf, i, &segment) || segment.type != PT_LOAD ||
			segment.memsz > UINT64_MAX - segment.vaddr)
			continue;
		if (segment.vaddr < *start)
			*start = segment.vaddr;
		if (segment.vaddr + segment.memsz > *end)
			*end = segment.vaddr + segment.memsz;
	}
	return *start < *end ? 0 : -ENOENT;
}

int codectl_elf_find_build_id_note(
	const void *notes, size_t len, const uint8_t **build_id, size_t *build_id_len)
{
	struct codectl_reader reader;

	codectl_reader_init(&reader, notes, len);
	while (codectl_reader_left(&reader) > 0) {
		uint32_t name_len = codectl_reader_u32(&reader);
		uint32_t desc_len = codectl_reader_u32(&reader);
		uint32_t type = codectl_reader_u32(&reader);
		/* GNU notes are padded to 4 bytes, in segments aligned to 8 too. */
		const uint8_t *name = codectl_reader_bytes(
			&reader, ((size_t)name_len + 3) & ~(size_t)3);
		const uint8_t *desc = codectl_reader_bytes(&reader, desc_len);

		if (reader.is_failed)
			break;
		if (type == NT_GNU_BUILD_ID && name_len == sizeof(ELF_NOTE_GNU) && desc_len > 0 &&
			!memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			*build_id = desc;
			*build_id_len = desc_len;
			return 0;
		}
		codectl_reader_bytes(&reader, -(size_t)desc_len & 3);
	}
	return -ENOENT;
}

int codectl_elf_build_id(
	const struct codectl_elf *elf, const uint8_t **build_id, size_t *build_id_len)
{
	struct codectl_elf_segment segment;
	struct codectl_elf_section section;
	struct codectl_elf_range range;
	/* Notes do not overlap: all together are no longer than the file. */
	uint64_t left = elf->len;

	for (size_t i = 0; i < elf->segment_count; i++) {
		if (codectl_elf_get_segment(elf, i, &segment) || segment.type != PT_NOTE ||
			segment.offset > elf->len || segment.filesz > elf->len - segment.offset ||
			segment.filesz > left)
			continue;
		left -= segment.filesz;
		if (codectl_elf_find_build_id_note(elf->image + segment.offset, segment.filesz,
			    build_id, build_id_len) == 0)
			return 0;
	}
	left = elf->len;
	for (size_t i = 0; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, &section) || section.type != SHT_NOTE ||
			codectl_elf_section_range(elf, &section, &range) || range.len > left)
			continue;
		left -= range.len;
		if (codectl_elf_find_build_id_note(
			    range.bytes, range.len, build_id, build_id_len) == 0)
			return 0;
	}
	return -ENOENT;
}

int codectl_elf_debug_link(const struct codectl_elf *elf, const char **pathname, uint32_t *crc)
{
	struct codectl_elf_section section;
	struct codectl_elf_range range;
	struct codectl_reader reader;

	if (codectl_elf_find_section(elf, ".gnu_debuglink", &section) ||
		codectl_elf_section_range(elf, &section, &range))
		return -ENOENT;
	/* A NUL-terminated name, padded to 4 bytes, and the CRC. */
	codectl_reader_init(&reader, range.bytes, range.len);
	*pathname = codectl_reader_string(&reader);
	codectl_reader_bytes(&reader, -reader.offset & 3);
	*crc = codectl_reader_u32(&reader);
	return reader.is_failed || !**pathname ? -ENOENT : 0;
}
