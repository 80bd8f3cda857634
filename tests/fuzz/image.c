/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/image.h"

#include <elf.h>

/* Sections larger than this are compiled on demand; see unwind/module.c. */
#define EAGER_MAX (1024 * 1024)
/* .eh_frame_hdr; its inputs are about as long as the section's. */
#define HDR_MAX 4096
/* Code at most, and what is found there. */
#define CODE_END   UINT32_MAX
#define CODE_ENTRY 0x1000

/* The file up to .eh_frame_hdr. */
struct head {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
	Elf64_Shdr sections[3];
	char names[32];
};

#define NAMES "\0.shstrtab"

static const char *section_name(uint8_t flags)
{
	if (flags & FUZZ_IMAGE_SFRAME)
		return ".sframe";
	return flags & FUZZ_IMAGE_DEBUG_FRAME ? ".debug_frame" : ".eh_frame";
}

static void write_head(const struct fuzz_image *image, uint8_t flags)
{
	struct head head = {.names = NAMES};
	bool is_sframe = flags & FUZZ_IMAGE_SFRAME;

	strcpy(head.names + sizeof(NAMES), section_name(flags));
	memcpy(head.header.e_ident, ELFMAG, SELFMAG);
	head.header.e_ident[EI_CLASS] = ELFCLASS64;
	head.header.e_ident[EI_DATA] = ELFDATA2LSB;
	head.header.e_type = flags & FUZZ_IMAGE_ENTRY ? ET_EXEC : ET_DYN;
	head.header.e_entry = flags & FUZZ_IMAGE_ENTRY ? CODE_ENTRY : 0;
	head.header.e_machine = EM_X86_64;
	head.header.e_phoff = offsetof(struct head, segments);
	head.header.e_phentsize = sizeof(Elf64_Phdr);
	head.header.e_phnum = 3;
	head.segments[0] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_memsz = CODE_END};
	head.segments[1] = (Elf64_Phdr){.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_offset = image->hdr_offset,
		.p_vaddr = image->hdr_vaddr,
		.p_filesz = image->len - image->hdr_offset,
		.p_memsz = image->len - image->hdr_offset};
	head.segments[2] = (Elf64_Phdr){
		.p_type = is_sframe ? 0x6474e554 /* PT_GNU_SFRAME */ : PT_GNU_EH_FRAME,
		.p_flags = PF_R,
		.p_offset = is_sframe ? image->section_offset : image->hdr_offset,
		.p_vaddr = is_sframe ? image->section_vaddr : image->hdr_vaddr,
		.p_filesz = is_sframe ? image->section_len : image->hdr_len,
		.p_memsz = is_sframe ? image->section_len : image->hdr_len};
	if (!image->has_hdr && !is_sframe)
		head.segments[2].p_type = PT_NULL;
	if (!(flags & FUZZ_IMAGE_NO_SECTIONS)) {
		head.header.e_shoff = offsetof(struct head, sections);
		head.header.e_shentsize = sizeof(Elf64_Shdr);
		head.header.e_shnum = 3;
		head.header.e_shstrndx = 1;
	}
	head.sections[1] = (Elf64_Shdr){.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct head, names),
		.sh_size = sizeof(head.names)};
	head.sections[2] = (Elf64_Shdr){.sh_name = sizeof(NAMES),
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC,
		.sh_addr = image->section_vaddr,
		.sh_offset = image->section_offset,
		.sh_size = image->section_len};
	memcpy(image->bytes, &head, sizeof(head));
}

/* Fills what makes a section large with one entry that every walk steps over: it has no CIE. */
static void write_padding(uint8_t *bytes)
{
	static const uint32_t entry[] = {EAGER_MAX - 4, UINT32_MAX - 1};

	memcpy(bytes, entry, sizeof(entry));
}

void fuzz_image_make(struct fuzz_image *image, struct codectl_reader *input)
{
	uint8_t flags = codectl_reader_u8(input);
	uint32_t vaddr = codectl_reader_u32(input);
	size_t hdr_len = codectl_reader_u16(input) % HDR_MAX;
	size_t padding = (flags & FUZZ_IMAGE_LAZY) == FUZZ_IMAGE_LAZY ? EAGER_MAX : 0;
	uint8_t *hdr = fuzz_copy(input, hdr_len, &hdr_len);
	size_t section_len = codectl_reader_left(input);

	*image = (struct fuzz_image){
		.hdr_offset = sizeof(struct head),
		.hdr_len = hdr_len,
		.section_offset = sizeof(struct head) + ((hdr_len + 7) & ~(size_t)7),
		.section_len = padding + section_len,
		.section_vaddr = vaddr - padding,
		.has_hdr = !(flags & FUZZ_IMAGE_NO_HDR),
		.is_debug_frame = flags & FUZZ_IMAGE_DEBUG_FRAME,
	};
	image->hdr_vaddr = image->section_vaddr - (image->section_offset - image->hdr_offset);
	image->len = image->section_offset + image->section_len;
	image->bytes = fuzz_alloc(image->len);
	memcpy(image->bytes + image->hdr_offset, hdr, hdr_len);
	if (padding)
		write_padding(image->bytes + image->section_offset);
	if (section_len)
		memcpy(image->bytes + image->section_offset + padding,
			codectl_reader_bytes(input, section_len), section_len);
	write_head(image, flags);
	free(hdr);
}

void fuzz_image_free(struct fuzz_image *image)
{
	free(image->bytes);
	image->bytes = NULL;
}
