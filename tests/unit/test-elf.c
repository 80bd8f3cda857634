/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "format/elf.h"
#include "format/reader.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

/* A small file: header, two PT_LOADs and a PT_NOTE, three sections. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
	struct {
		Elf64_Nhdr header;
		char name[4];
		uint8_t desc[6];
		uint8_t pad[2];
	} note;
	char names[32];
	struct {
		char name[8];
		uint32_t crc;
	} debug_link;
	Elf64_Shdr sections[3];
};

static void make_image(struct image *image)
{
	*image = (struct image){
		.header =
			{
				.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
					EV_CURRENT},
				.e_type = ET_DYN,
				.e_machine = EM_X86_64,
				.e_phoff = offsetof(struct image, segments),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 3,
				.e_shoff = offsetof(struct image, sections),
				.e_shentsize = sizeof(Elf64_Shdr),
				.e_shnum = 3,
				.e_shstrndx = 1,
			},
		.segments =
			{
				{.p_type = PT_LOAD,
					.p_vaddr = 0x1000,
					.p_filesz = 0x100,
					.p_memsz = 0x100},
				{.p_type = PT_LOAD,
					.p_vaddr = 0x3000,
					.p_offset = 0x40,
					.p_filesz = 0x10,
					.p_memsz = 0x800},
				{.p_type = PT_NOTE,
					.p_offset = offsetof(struct image, note),
					.p_filesz = sizeof(image->note)},
			},
		.note =
			{
				.header = {.n_namesz = 4, .n_descsz = 6, .n_type = NT_GNU_BUILD_ID},
				.name = "GNU",
				.desc = {1, 2, 3, 4, 5, 6},
			},
		.names = "\0.shstrtab\0.gnu_debuglink",
		.debug_link = {.name = "a.debug", .crc = 0xdeadbeef},
		.sections =
			{
				{.sh_type = SHT_NULL},
				{.sh_type = SHT_STRTAB,
					.sh_name = 1,
					.sh_offset = offsetof(struct image, names),
					.sh_size = sizeof(image->names)},
				{.sh_type = SHT_PROGBITS,
					.sh_name = 11,
					.sh_offset = offsetof(struct image, debug_link),
					.sh_size = sizeof(image->debug_link)},
			},
	};
}

TEST(sound_file)
{
	struct image image;
	struct codectl_elf elf;
	const uint8_t *build_id;
	size_t len;
	uint64_t start, end;
	const char *debug_link;
	uint32_t crc;
	struct codectl_elf_range range;

	make_image(&image);
	CHECK_INT(codectl_elf_init(&elf, &image, sizeof(image)), 0);
	CHECK_INT(elf.segment_count, 3);
	CHECK_INT(codectl_elf_build_id(&elf, &build_id, &len), 0);
	CHECK_INT(len, 6);
	CHECK(!memcmp(build_id, "\1\2\3\4\5\6", 6));
	CHECK_INT(codectl_elf_load_span(&elf, &start, &end), 0);
	CHECK_HEX(start, 0x1000);
	CHECK_HEX(end, 0x3800);
	CHECK_INT(codectl_elf_debug_link(&elf, &debug_link, &crc), 0);
	CHECK_STR(debug_link, "a.debug");
	CHECK_HEX(crc, 0xdeadbeef);
	CHECK_INT(codectl_elf_vaddr_range(&elf, 0x3004, &range), 0);
	CHECK_INT(range.len, 12);
	CHECK(range.bytes == (uint8_t *)&image + 0x44);
	CHECK_INT(codectl_elf_vaddr_range(&elf, 0x3010, &range), -ENOENT);
}

/* Every prefix of the file, and every byte of it set to extremes: no read outside. */
TEST(damaged_files)
{
	struct image image;

	for (size_t len = 0; len <= sizeof(image); len++) {
		for (int mutation = 0; mutation < 3; mutation++) {
			/* The copy ends where the allocation does, for ASan. */
			uint8_t *copy = malloc(len ? len : 1);
			struct codectl_elf elf;
			const uint8_t *build_id;
			const char *name;
			size_t id_len;
			uint32_t crc;
			uint64_t start, end;
			struct codectl_elf_section section;

			CHECK(copy);
			make_image(&image);
			memcpy(copy, &image, len);
			if (mutation && len > 16)
				copy[16 + (len * 7) % (len - 16)] = mutation == 1 ? 0xff : 0x7f;
			if (codectl_elf_init(&elf, copy, len) == 0) {
				codectl_elf_build_id(&elf, &build_id, &id_len);
				codectl_elf_debug_link(&elf, &name, &crc);
				codectl_elf_load_span(&elf, &start, &end);
				codectl_elf_find_section(&elf, ".none", &section);
			}
			free(copy);
		}
	}
}

/* A name that does not end soon is none: all would be looked at to the table's end. */
TEST(names_without_end)
{
	static struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[3];
		char names[5000];
	} image;
	struct codectl_elf_section section;
	struct codectl_elf elf;

	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_shoff = sizeof(image.header);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 3;
	image.sections[0].sh_type = SHT_STRTAB;
	image.sections[0].sh_offset = sizeof(image) - sizeof(image.names);
	image.sections[0].sh_size = sizeof(image.names);
	image.sections[2].sh_name = sizeof(image.names) - 3;
	memset(image.names, 'a', sizeof(image.names));
	memcpy(image.names + sizeof(image.names) - 3, ".x", 3);
	CHECK_INT(codectl_elf_init(&elf, &image, sizeof(image)), 0);
	CHECK_INT(codectl_elf_get_section(&elf, 1, &section), 0);
	CHECK_STR(section.name, "");
	CHECK_INT(codectl_elf_find_section(&elf, ".x", &section), 0);
}

/* Notes are looked at no further than the file is long. */
TEST(notes_that_overlap)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
		Elf64_Nhdr note;
		char name[4];
		uint8_t build_id[4];
	} image = {.note = {4, 4, NT_GNU_BUILD_ID}, .name = "GNU"};
	const uint8_t *build_id;
	struct codectl_elf elf;
	size_t len;

	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_phoff = sizeof(image.header);
	image.header.e_phentsize = sizeof(Elf64_Phdr);
	image.header.e_phnum = 2;
	image.segments[0] = image.segments[1] = (Elf64_Phdr){.p_type = PT_NOTE,
		.p_offset = sizeof(image.header) + sizeof(image.segments),
		.p_filesz = sizeof(image.note) + 8};
	image.segments[0].p_filesz = 0;
	CHECK_INT(codectl_elf_init(&elf, &image, sizeof(image)), 0);
	CHECK_INT(codectl_elf_build_id(&elf, &build_id, &len), 0);
	image.segments[0].p_offset = 0;
	image.segments[0].p_filesz = sizeof(image);
	CHECK_INT(codectl_elf_build_id(&elf, &build_id, &len), -ENOENT);
}

TEST(leb128)
{
	static const uint8_t bytes[] = {0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x7f, 0x80};
	struct codectl_reader reader;

	codectl_reader_init(&reader, bytes, sizeof(bytes));
	CHECK_INT(codectl_reader_uleb128(&reader), 624485);
	CHECK_INT(codectl_reader_sleb128(&reader), -1);
	CHECK_INT(codectl_reader_sleb128(&reader), -128);
	CHECK_INT(codectl_reader_uleb128(&reader), 0);
	CHECK(reader.is_failed);
}
