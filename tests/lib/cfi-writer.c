/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/cfi-writer.h"

#include "lib/tap.h"

#include "format/cfa-program.h"
#include "format/dwarf-constants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cfi_write(struct cfi_writer *writer, const void *bytes, size_t len)
{
	if (len > sizeof(writer->bytes) - writer->len)
		abort();
	memcpy(writer->bytes + writer->len, bytes, len);
	writer->len += len;
}

void cfi_write_uint(struct cfi_writer *writer, uint64_t value, size_t size)
{
	cfi_write(writer, &value, size);
}

void cfi_write_uleb128(struct cfi_writer *writer, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		cfi_write_uint(writer, (value & 0x7f) | 0x80, 1);
	cfi_write_uint(writer, value, 1);
}

void cfi_write_sleb128(struct cfi_writer *writer, int64_t value)
{
	for (; value < -64 || value > 63; value >>= 7)
		cfi_write_uint(writer, ((uint64_t)value & 0x7f) | 0x80, 1);
	cfi_write_uint(writer, (uint64_t)value & 0x7f, 1);
}

/* The length comes later, see cfi_end(). */
static void begin_entry(struct cfi_writer *writer)
{
	writer->entry = writer->len;
	if (writer->is_64)
		cfi_write_uint(writer, UINT32_MAX, 4);
	cfi_write_uint(writer, 0, writer->is_64 ? 8 : 4);
}

void cfi_end(struct cfi_writer *writer)
{
	size_t size = writer->is_64 ? 8 : 4;
	size_t start = writer->entry + (writer->is_64 ? 4 : 0);
	uint64_t len;

	while (writer->len % 8)
		CFI(writer, DW_CFA_nop);
	len = writer->len - start - size;
	memcpy(writer->bytes + start, &len, size);
}

void cfi_begin_cie(
	struct cfi_writer *writer, uint8_t version, const char *letters, uint8_t encoding)
{
	size_t start;

	writer->cie = writer->len;
	writer->encoding = letters && strchr(letters, 'R') ? encoding : DW_EH_PE_absptr;
	writer->has_len = letters != NULL;
	begin_entry(writer);
	cfi_write_uint(writer, writer->is_debug_frame ? UINT64_MAX : 0,
		writer->is_debug_frame && writer->is_64 ? 8 : 4);
	cfi_write_uint(writer, version, 1);
	if (letters)
		CFI(writer, 'z');
	cfi_write(writer, letters ? letters : "", letters ? strlen(letters) + 1 : 1);
	if (version == 4)
		CFI(writer, 8, 0);
	cfi_write_uleb128(writer, 1);
	cfi_write_sleb128(writer, -8);
	CFI(writer, CODECTL_AMD64_RIP);
	if (!letters)
		return;
	start = writer->len;
	CFI(writer, 0);
	for (; *letters; letters++) {
		if (*letters == 'R') {
			cfi_write_uint(writer, encoding, 1);
		} else if (*letters == 'P') {
			CFI(writer, DW_EH_PE_absptr);
			cfi_write_uint(writer, 0x1234, 8);
		} else if (*letters == 'L') {
			CFI(writer, DW_EH_PE_udata4);
		}
	}
	writer->bytes[start] = (uint8_t)(writer->len - start - 1);
}

void cfi_add_usual_cie(struct cfi_writer *writer)
{
	cfi_begin_cie(writer, 1, "R", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	CFI(writer, DW_CFA_def_cfa, CODECTL_AMD64_RSP, 8);
	CFI(writer, DW_CFA_offset | CODECTL_AMD64_RIP, 1);
	cfi_end(writer);
}

/* In the formats that the tests use. */
static void write_format(struct cfi_writer *writer, uint64_t value, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_uleb128:
		cfi_write_uleb128(writer, value);
		break;
	case DW_EH_PE_sleb128:
		cfi_write_sleb128(writer, (int64_t)value);
		break;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		cfi_write_uint(writer, value, 2);
		break;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		cfi_write_uint(writer, value, 4);
		break;
	default:
		cfi_write_uint(writer, value, 8);
		break;
	}
}

void cfi_begin_fde(struct cfi_writer *writer, uint64_t start, uint64_t size)
{
	begin_entry(writer);
	if (writer->is_debug_frame)
		cfi_write_uint(writer, writer->cie, writer->is_64 ? 8 : 4);
	else
		cfi_write_uint(writer, writer->len - writer->cie, 4);
	if ((writer->encoding & 0x70) == DW_EH_PE_pcrel)
		start -= writer->vaddr + writer->len;
	write_format(writer, start, writer->encoding);
	write_format(writer, size, writer->encoding);
	if (writer->has_len)
		cfi_write_uleb128(writer, 0);
}

struct codectl_cfi_section cfi_section(const struct cfi_writer *writer)
{
	return (struct codectl_cfi_section){
		.bytes = writer->bytes,
		.len = writer->len,
		.vaddr = writer->vaddr,
		.is_debug_frame = writer->is_debug_frame,
	};
}

int cfi_collect(void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	struct cfi_rows *rows = user;

	CHECK(start < end);
	CHECK(rows->count == 0 || start == rows->end);
	CHECK(rows->count < 16);
	rows->starts[rows->count] = start;
	rows->rules[rows->count++] = *rules;
	rows->end = end;
	return 0;
}

int cfi_run_first(
	const struct cfi_writer *writer, struct codectl_cfi_cie *cie, struct cfi_rows *rows)
{
	const struct codectl_cfi_section section = cfi_section(writer);
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	memset(rows, 0, sizeof(*rows));
	codectl_cfi_cie_init(cie);
	ret = codectl_cfi_next_fde(&section, &offset, cie, &fde);
	return ret ? ret : codectl_cfa_program_run(&section, cie, &fde, cfi_collect, rows);
}

void cfi_writer_init(struct cfi_writer *writer)
{
	memset(writer, 0, sizeof(*writer));
	writer->vaddr = CFI_IMAGE_EH_FRAME_VADDR;
}

struct table_entry {
	int32_t start;
	int32_t fde;
};

static int compare_entries(const void *left, const void *right)
{
	const struct table_entry *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Version, encodings, pointer to .eh_frame, number of entries, entries. */
static void make_hdr(struct cfi_image *image, const struct cfi_writer *writer, bool has_table)
{
	const int32_t eh_frame = CFI_IMAGE_EH_FRAME_VADDR - (CFI_IMAGE_HDR_VADDR + 4);
	const struct codectl_cfi_section section = cfi_section(writer);
	struct table_entry entries[32];
	uint32_t count = 0;
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	codectl_cfi_cie_init(&cie);
	while ((ret = codectl_cfi_next_fde(&section, &offset, &cie, &fde)) != -ENOENT) {
		if (ret)
			continue;
		if (count == sizeof(entries) / sizeof(entries[0]))
			abort();
		entries[count++] = (struct table_entry){
			(int32_t)((int64_t)fde.start - CFI_IMAGE_HDR_VADDR),
			(int32_t)(fde.offset + CFI_IMAGE_EH_FRAME_VADDR - CFI_IMAGE_HDR_VADDR),
		};
	}
	qsort(entries, count, sizeof(entries[0]), compare_entries);
	image->hdr[0] = 1;
	image->hdr[1] = DW_EH_PE_pcrel | DW_EH_PE_sdata4;
	image->hdr[2] = has_table ? DW_EH_PE_udata4 : DW_EH_PE_omit;
	image->hdr[3] = has_table ? DW_EH_PE_datarel | DW_EH_PE_sdata4 : DW_EH_PE_omit;
	memcpy(image->hdr + 4, &eh_frame, 4);
	if (!has_table)
		return;
	memcpy(image->hdr + 8, &count, 4);
	memcpy(image->hdr + 12, entries, count * sizeof(entries[0]));
}

static void make_sections(struct cfi_image *image, const struct cfi_writer *writer)
{
	static const char names[] = "\0.shstrtab\0.eh_frame";

	_Static_assert(sizeof(names) <= sizeof(image->names), "names fit");
	memcpy(image->names, names, sizeof(names));
	image->sections[1] = (Elf64_Shdr){
		.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct cfi_image, names),
		.sh_size = sizeof(image->names),
	};
	image->sections[2] = (Elf64_Shdr){
		.sh_name = 11,
		.sh_type = SHT_PROGBITS,
		.sh_addr = CFI_IMAGE_EH_FRAME_VADDR,
		.sh_offset = offsetof(struct cfi_image, eh_frame),
		.sh_size = writer->len,
	};
	image->header.e_shoff = offsetof(struct cfi_image, sections);
	image->header.e_shentsize = sizeof(Elf64_Shdr);
	image->header.e_shnum = 3;
	image->header.e_shstrndx = 1;
}

void cfi_image_make(
	struct cfi_image *image, const struct cfi_writer *writer, bool has_sections, bool has_table)
{
	_Static_assert(offsetof(struct cfi_image, eh_frame) - offsetof(struct cfi_image, hdr) ==
			       CFI_IMAGE_EH_FRAME_VADDR - CFI_IMAGE_HDR_VADDR,
		"both are in one segment");
	*image = (struct cfi_image){
		.header =
			{
				.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
					EV_CURRENT},
				.e_type = ET_DYN,
				.e_machine = EM_X86_64,
				.e_phoff = offsetof(struct cfi_image, segments),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 3,
			},
		.segments =
			{
				{.p_type = PT_LOAD, .p_flags = PF_X, .p_memsz = 0x10000},
				{.p_type = PT_LOAD,
					.p_vaddr = CFI_IMAGE_HDR_VADDR,
					.p_offset = offsetof(struct cfi_image, hdr),
					.p_filesz = sizeof(image->hdr) + sizeof(image->eh_frame),
					.p_memsz = sizeof(image->hdr) + sizeof(image->eh_frame)},
				{.p_type = PT_GNU_EH_FRAME,
					.p_vaddr = CFI_IMAGE_HDR_VADDR,
					.p_offset = offsetof(struct cfi_image, hdr),
					.p_filesz = sizeof(image->hdr)},
			},
	};
	memcpy(image->eh_frame, writer->bytes, writer->len);
	if (has_sections)
		make_sections(image, writer);
	if (has_table || !has_sections)
		make_hdr(image, writer, has_table);
	else
		image->header.e_phnum = 2;
}
