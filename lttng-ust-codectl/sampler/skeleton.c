/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/skeleton.h"

#include <errno.h>
#include <string.h>

/* Each piece may be a PT_LOAD and another segment; and PT_INTERP. */
#define SEGMENT_MAX (CODECTL_SKELETON_LOAD_MAX + 2 * CODECTL_SKELETON_PIECE_MAX + 1)
/* Beside the pieces: the one that is nothing, and the names. */
#define SECTION_MAX (CODECTL_SKELETON_PIECE_MAX + 2)
#define NAMES_MAX   512

struct headers {
	Elf64_Ehdr file;
	Elf64_Phdr segments[SEGMENT_MAX];
	size_t segment_count;
	Elf64_Shdr sections[SECTION_MAX];
	size_t section_count;
	char names[NAMES_MAX];
	size_t names_len;
};

int codectl_skeleton_add(
	struct codectl_skeleton *skeleton, const struct codectl_skeleton_piece *piece)
{
	if (skeleton->piece_count == CODECTL_SKELETON_PIECE_MAX)
		return -1;
	skeleton->pieces[skeleton->piece_count] = *piece;
	return (int)skeleton->piece_count++;
}

static void add_segment(struct headers *headers, const Elf64_Phdr *segment)
{
	headers->segments[headers->segment_count++] = *segment;
}

static void add_segments_of(struct headers *headers, const struct codectl_skeleton_piece *piece)
{
	Elf64_Phdr segment = {
		.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_offset = piece->offset,
		.p_vaddr = piece->vaddr,
		.p_paddr = piece->vaddr,
		.p_filesz = piece->size,
		.p_memsz = piece->size,
		.p_align = 8,
	};

	if (!(piece->flags & SHF_ALLOC) || piece->type == SHT_NOBITS)
		return;
	add_segment(headers, &segment);
	if (!piece->segment_type)
		return;
	segment.p_type = piece->segment_type;
	add_segment(headers, &segment);
}

static int add_section(struct headers *headers, const char *name, Elf64_Shdr section)
{
	size_t size = strlen(name) + 1;

	if (size > NAMES_MAX - headers->names_len)
		return -E2BIG;
	section.sh_name = (Elf64_Word)headers->names_len;
	memcpy(headers->names + headers->names_len, name, size);
	headers->names_len += size;
	headers->sections[headers->section_count++] = section;
	return 0;
}

static int add_section_of(struct headers *headers, const struct codectl_skeleton_piece *piece)
{
	return add_section(headers, piece->name,
		(Elf64_Shdr){
			.sh_type = piece->type,
			.sh_flags = piece->flags,
			.sh_addr = piece->vaddr,
			.sh_offset = piece->offset,
			.sh_size = piece->size,
			/* The first section is none of the pieces. */
			.sh_link = piece->entry_size ? piece->link_piece + 1 : 0,
			.sh_info = 0,
			.sh_addralign = 1,
			.sh_entsize = piece->entry_size,
		});
}

/* The places of the pieces must be known. */
static int fill(struct headers *headers, const struct codectl_skeleton *skeleton)
{
	int ret = add_section(headers, "", (Elf64_Shdr){.sh_type = SHT_NULL});

	/* The original's span stays as it is, but no contents are there. */
	for (size_t i = 0; i < skeleton->load_count; i++) {
		Elf64_Phdr load = skeleton->loads[i];

		load.p_offset = 0;
		load.p_filesz = 0;
		add_segment(headers, &load);
	}
	if (skeleton->has_interp)
		add_segment(headers, &(Elf64_Phdr){.p_type = PT_INTERP, .p_flags = PF_R});
	for (size_t i = 0; ret == 0 && i < skeleton->piece_count; i++) {
		add_segments_of(headers, &skeleton->pieces[i]);
		ret = add_section_of(headers, &skeleton->pieces[i]);
	}
	return ret ? ret : add_section(headers, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB});
}

static uint64_t align(uint64_t offset)
{
	return (offset + 7) & ~(uint64_t)7;
}

/* Writes the headers one behind the other. Returns their length. */
static size_t write_headers(struct headers *headers, const struct codectl_skeleton *skeleton,
	uint8_t bytes[static CODECTL_SKELETON_HEADERS_MAX])
{
	size_t segments_at = sizeof(headers->file);
	size_t sections_at = segments_at + headers->segment_count * sizeof(Elf64_Phdr);
	size_t names_at = sections_at + headers->section_count * sizeof(Elf64_Shdr);
	Elf64_Shdr *names = &headers->sections[headers->section_count - 1];

	names->sh_offset = names_at;
	names->sh_size = headers->names_len;
	names->sh_addralign = 1;
	headers->file = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT},
		.e_type = skeleton->type,
		.e_machine = skeleton->machine,
		.e_version = EV_CURRENT,
		.e_entry = skeleton->entry,
		.e_phoff = segments_at,
		.e_shoff = sections_at,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (Elf64_Half)headers->segment_count,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)headers->section_count,
		.e_shstrndx = (Elf64_Half)(headers->section_count - 1),
	};
	memcpy(bytes, &headers->file, sizeof(headers->file));
	memcpy(bytes + segments_at, headers->segments, sections_at - segments_at);
	memcpy(bytes + sections_at, headers->sections, names_at - sections_at);
	memcpy(bytes + names_at, headers->names, headers->names_len);
	return align(names_at + headers->names_len);
}

_Static_assert(sizeof(Elf64_Ehdr) + SEGMENT_MAX * sizeof(Elf64_Phdr) +
			       SECTION_MAX * sizeof(Elf64_Shdr) + NAMES_MAX <=
		       CODECTL_SKELETON_HEADERS_MAX,
	"any skeleton has room for its headers");

int codectl_skeleton_layout(struct codectl_skeleton *skeleton)
{
	/* Their number decides on their length, so they are made twice. */
	for (int round = 0; round < 2; round++) {
		struct headers headers = {.segment_count = 0};
		int ret = fill(&headers, skeleton);

		if (ret)
			return ret;
		memset(skeleton->headers, 0, sizeof(skeleton->headers));
		skeleton->headers_len = write_headers(
			&headers, skeleton, (uint8_t *)skeleton->headers);
		skeleton->len = skeleton->headers_len;
		for (size_t i = 0; i < skeleton->piece_count; i++) {
			struct codectl_skeleton_piece *piece = &skeleton->pieces[i];

			piece->offset = piece->type == SHT_NOBITS ? 0 : skeleton->len;
			if (piece->type != SHT_NOBITS)
				skeleton->len = align(skeleton->len + piece->size);
		}
	}
	return 0;
}
