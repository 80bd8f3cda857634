/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/eh-frame.h"

#include "format/cfa-program.h"
#include "format/dwarf-constants.h"
#include "format/reader.h"

#include <errno.h>

/*
 * Programs of CIEs are at most a few dozen bytes. One is run again for each FDE
 * that has another CIE than the one before, so a long one takes very long.
 */
#define CIE_PROGRAM_MAX 1024

/* An entry, CIE or FDE: u32 length (or ~0, u64 length), CIE id or pointer, body. */
struct entry {
	size_t offset;
	size_t end; /* Offset behind it, SIZE_MAX if unknown. */
	bool is_terminator;
	bool is_cie;
	size_t cie_offset; /* Of an FDE's CIE. */
	size_t body;	   /* Offset of what follows the CIE id or pointer. */
};

static int read_entry(const struct codectl_cfi_section *section, size_t offset, struct entry *entry)
{
	struct codectl_reader reader;
	uint64_t len, id;
	bool is_64 = false;

	*entry = (struct entry){.offset = offset, .end = SIZE_MAX};
	codectl_reader_init(&reader, section->bytes, section->len);
	codectl_reader_seek(&reader, offset);
	len = codectl_reader_u32(&reader);
	if (len == UINT32_MAX) {
		is_64 = true;
		len = codectl_reader_u64(&reader);
	} else if (len >= 0xfffffff0) {
		return -EINVAL;
	}
	if (reader.is_failed || len > codectl_reader_left(&reader))
		return -EINVAL;
	entry->end = reader.offset + len;
	if (len == 0) {
		entry->is_terminator = true;
		return 0;
	}

	size_t id_offset = reader.offset;

	reader.len = entry->end;
	/* The id stays 4 bytes in .eh_frame, whatever the length has (LSB 5, 8.6.1). */
	id = is_64 && section->is_debug_frame ? codectl_reader_u64(&reader)
					      : codectl_reader_u32(&reader);
	if (reader.is_failed)
		return -EINVAL;
	entry->body = reader.offset;
	if (section->is_debug_frame) {
		entry->is_cie = id == (is_64 ? UINT64_MAX : UINT32_MAX);
		entry->cie_offset = id;
	} else {
		/* Backwards from the pointer itself. */
		entry->is_cie = id == 0;
		if (id > id_offset)
			return -EINVAL;
		entry->cie_offset = id_offset - id;
	}
	return 0;
}

/* A value in one of the formats (low four bits) of DW_EH_PE_*. */
static uint64_t read_format(struct codectl_reader *reader, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return codectl_reader_u64(reader);
	case DW_EH_PE_uleb128:
		return codectl_reader_uleb128(reader);
	case DW_EH_PE_udata2:
		return codectl_reader_u16(reader);
	case DW_EH_PE_udata4:
		return codectl_reader_u32(reader);
	case DW_EH_PE_sleb128:
		return (uint64_t)codectl_reader_sleb128(reader);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)codectl_reader_u16(reader);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)codectl_reader_u32(reader);
	default:
		codectl_reader_fail(reader);
		return 0;
	}
}

uint64_t codectl_cfi_read_pointer(
	struct codectl_reader *reader, uint8_t encoding, uint64_t vaddr, uint64_t data_vaddr)
{
	uint64_t base = 0;

	if ((encoding & 0xf0) == DW_EH_PE_pcrel)
		base = vaddr + reader->offset;
	else if ((encoding & 0xf0) == DW_EH_PE_datarel && data_vaddr)
		base = data_vaddr;
	else if ((encoding & 0xf0) != 0)
		codectl_reader_fail(reader);
	return base + read_format(reader, encoding);
}

/* The letters of an augmentation that begins with 'z', and the data they announce. */
static void read_augmentation(
	struct codectl_reader *reader, const char *letters, struct codectl_cfi_cie *cie)
{
	uint64_t len = codectl_reader_uleb128(reader);
	size_t end;

	if (len > codectl_reader_left(reader)) {
		codectl_reader_fail(reader);
		return;
	}
	end = reader->offset + len;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->fde_encoding = codectl_reader_u8(reader);
			break;
		case 'L':
			codectl_reader_u8(reader);
			break;
		case 'P':
			/* Its value is not needed, but its size is. */
			read_format(reader, codectl_reader_u8(reader));
			break;
		case 'S':
			cie->is_signal_frame = true;
			break;
		case 'B': /* aarch64: return addresses are signed with key B. */
		case 'G': /* aarch64: the frame's memory is tagged. */
			break;
		default:
			codectl_reader_fail(reader);
			break;
		}
	}
	if (!reader->is_failed && reader->offset <= end)
		codectl_reader_seek(reader, end);
	else
		codectl_reader_fail(reader);
}

static int read_cie(
	const struct codectl_cfi_section *section, size_t offset, struct codectl_cfi_cie *cie)
{
	struct codectl_reader reader;
	struct entry entry;
	const char *augmentation;
	uint64_t ra_reg;
	uint8_t version;

	codectl_cfi_cie_init(cie);
	if (read_entry(section, offset, &entry) || entry.is_terminator || !entry.is_cie)
		return -EINVAL;
	codectl_reader_init(&reader, section->bytes, entry.end);
	codectl_reader_seek(&reader, entry.body);
	version = codectl_reader_u8(&reader);
	augmentation = codectl_reader_string(&reader);
	if (reader.is_failed || (version != 1 && version != 3 && version != 4))
		return -EINVAL;
	/* Address size and segment selector size. */
	if (version == 4 && (codectl_reader_u8(&reader) != 8 || codectl_reader_u8(&reader) != 0))
		return -EINVAL;
	cie->code_align = codectl_reader_uleb128(&reader);
	cie->data_align = codectl_reader_sleb128(&reader);
	ra_reg = version == 1 ? codectl_reader_u8(&reader) : codectl_reader_uleb128(&reader);
	cie->fde_encoding = DW_EH_PE_absptr;
	cie->is_signal_frame = false;
	cie->has_augmentation_len = *augmentation == 'z';
	if (cie->has_augmentation_len)
		read_augmentation(&reader, augmentation + 1, cie);
	else if (*augmentation)
		return -EINVAL;
	if (reader.is_failed || ra_reg >= CODECTL_AMD64_REG_COUNT ||
		codectl_reader_left(&reader) > CIE_PROGRAM_MAX)
		return -EINVAL;
	cie->ra_reg = (uint8_t)ra_reg;
	if (codectl_cfa_program_run_initial(section, cie, reader.offset, entry.end - reader.offset))
		return -EINVAL;
	cie->offset = offset;
	return 0;
}

static int read_fde_entry(const struct codectl_cfi_section *section, const struct entry *entry,
	struct codectl_cfi_cie *cie, struct codectl_cfi_fde *fde)
{
	struct codectl_reader reader;

	if (cie->offset != entry->cie_offset && read_cie(section, entry->cie_offset, cie))
		return -EINVAL;
	codectl_reader_init(&reader, section->bytes, entry->end);
	codectl_reader_seek(&reader, entry->body);
	fde->offset = entry->offset;
	fde->start = codectl_cfi_read_pointer(&reader, cie->fde_encoding, section->vaddr, 0);
	fde->size = read_format(&reader, cie->fde_encoding);
	if (cie->has_augmentation_len) {
		uint64_t len = codectl_reader_uleb128(&reader);

		codectl_reader_bytes(&reader, len);
	}
	if (reader.is_failed || fde->size > UINT64_MAX - fde->start)
		return -EINVAL;
	fde->program_offset = reader.offset;
	fde->program_len = entry->end - reader.offset;
	return 0;
}

int codectl_cfi_next_fde(const struct codectl_cfi_section *section, size_t *offset,
	struct codectl_cfi_cie *cie, struct codectl_cfi_fde *fde)
{
	while (*offset < section->len) {
		struct entry entry;
		int ret = read_entry(section, *offset, &entry);

		*offset = entry.end < section->len ? entry.end : section->len;
		if (ret)
			return ret;
		/* crtend.o ends .eh_frame with an empty entry; in .debug_frame it is padding. */
		if (entry.is_terminator && !section->is_debug_frame)
			*offset = section->len;
		if (entry.is_terminator || entry.is_cie)
			continue;
		ret = read_fde_entry(section, &entry, cie, fde);
		/* Linkers leave empty ranges of code that they dropped. */
		if (ret || fde->size)
			return ret;
	}
	return -ENOENT;
}

int codectl_cfi_read_fde(const struct codectl_cfi_section *section, size_t offset,
	struct codectl_cfi_cie *cie, struct codectl_cfi_fde *fde)
{
	struct entry entry;

	if (offset >= section->len || read_entry(section, offset, &entry) || entry.is_terminator ||
		entry.is_cie || read_fde_entry(section, &entry, cie, fde) || !fde->size)
		return -EINVAL;
	return 0;
}

const uint8_t *codectl_cfi_expression(
	const struct codectl_cfi_section *section, int32_t offset, size_t *len)
{
	struct codectl_reader reader;

	codectl_reader_init(&reader, section->bytes, section->len);
	codectl_reader_seek(&reader, (size_t)offset);
	*len = codectl_reader_uleb128(&reader);
	return codectl_reader_bytes(&reader, *len);
}

int codectl_eh_frame_hdr_init(
	struct codectl_eh_frame_hdr *hdr, const uint8_t *bytes, size_t len, uint64_t vaddr)
{
	struct codectl_reader reader;
	uint8_t version, eh_frame_encoding, count_encoding, table_encoding;

	codectl_reader_init(&reader, bytes, len);
	version = codectl_reader_u8(&reader);
	eh_frame_encoding = codectl_reader_u8(&reader);
	count_encoding = codectl_reader_u8(&reader);
	table_encoding = codectl_reader_u8(&reader);
	*hdr = (struct codectl_eh_frame_hdr){.vaddr = vaddr};
	if (version != 1)
		return -EINVAL;
	hdr->eh_frame_vaddr = codectl_cfi_read_pointer(&reader, eh_frame_encoding, vaddr, vaddr);
	if (reader.is_failed)
		return -EINVAL;
	/* Every linker writes this table or none. */
	if (count_encoding != DW_EH_PE_udata4 ||
		table_encoding != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return 0;
	hdr->count = codectl_reader_u32(&reader);
	if (reader.is_failed || hdr->count > codectl_reader_left(&reader) / 8) {
		hdr->count = 0;
		return 0;
	}
	hdr->table = bytes + reader.offset;
	return 0;
}

void codectl_eh_frame_hdr_entry(
	const struct codectl_eh_frame_hdr *hdr, size_t index, uint64_t *start, uint64_t *fde_vaddr)
{
	int32_t entry[2];

	memcpy(entry, hdr->table + index * sizeof(entry), sizeof(entry));
	*start = hdr->vaddr + (uint64_t)(int64_t)entry[0];
	*fde_vaddr = hdr->vaddr + (uint64_t)(int64_t)entry[1];
}
