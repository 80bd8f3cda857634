/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/sframe.h"

#include "format/reader.h"

#include <errno.h>

/*
 * The header, of all versions; then aux_len bytes that no version uses.
 * Offsets of the areas count from behind those.
 *  0 u16 magic | 2 u8 version | 3 u8 flags | 4 u8 abi | 5 s8 fixed FP offset
 *  6 s8 fixed RA offset | 7 u8 aux_len | 8 u32 FDEs | 12 u32 FREs
 * 16 u32 length of the FRE area | 20 u32 FDE area | 24 u32 FRE area
 */
#define MAGIC	    0xdee2
#define HEADER_SIZE 28

#define FLAG_SORTED	   0x1
#define FLAG_FRAME_POINTER 0x2 /* All functions keep FP: a hint. */
#define FLAG_START_PCREL   0x4 /* Starts of functions count from their own field. */

/* Version 1 does not say how long repeated blocks are: it has them for amd64's PLT only. */
#define V1_BLOCK 16

/* Behind an FDE of version 3, before its rows: u16 FREs, u8 info, u8 info2, u8 block. */
#define V3_ATTRIBUTES_SIZE 5

#define INFO_TYPE     0x0f
#define INFO_BLOCKS   0x10
#define INFO_KEY_B    0x20
#define INFO_SIGNAL   0x80 /* Version 3. */
#define INFO2_TYPE    0x1f
#define TYPE_MAX      2 /* Offsets of code of 4 bytes. */
#define FLEXIBLE_TYPE 1

/* A row begins with the offset of its code and this byte. */
#define ROW_BASE_SP 0x01
#define ROW_MANGLED 0x80
/* Three pairs, in a flexible FDE. */
#define WORD_MAX 6

/* The control word of a pair. */
#define CONTROL_HAS_REG	 0x1
#define CONTROL_DEREF	 0x2
#define CONTROL_RESERVED 0x4

/* The usual place of the CFA on s390x: 160 bytes above SP, counted in words. */
#define S390X_CFA_ADJUSTMENT 160
#define S390X_CFA_FACTOR     8

static uint64_t read_uint(
	const struct codectl_sframe *sframe, struct codectl_reader *reader, size_t size)
{
	uint64_t value;

	/* Constant sizes, for which no memcpy() is called. */
	switch (size) {
	case 1:
		return codectl_reader_u8(reader);
	case 2:
		value = codectl_reader_u16(reader);
		break;
	case 4:
		value = codectl_reader_u32(reader);
		break;
	default:
		value = codectl_reader_u64(reader);
		break;
	}
	return sframe->is_big_endian ? __builtin_bswap64(value) >> (64 - 8 * size) : value;
}

static uint32_t read_u32(const struct codectl_sframe *sframe, struct codectl_reader *reader)
{
	return (uint32_t)read_uint(sframe, reader, 4);
}

/* Whether byte order, version and flags are ones that we know. */
static bool is_known(const struct codectl_sframe *sframe, uint8_t flags)
{
	static const uint8_t known_flags[] = {
		[1] = FLAG_SORTED | FLAG_FRAME_POINTER,
		[2] = FLAG_SORTED | FLAG_FRAME_POINTER | FLAG_START_PCREL,
		[3] = FLAG_SORTED | FLAG_START_PCREL,
	};
	bool is_big_endian = sframe->abi == CODECTL_SFRAME_AARCH64_BE ||
			     sframe->abi == CODECTL_SFRAME_S390X;

	return sframe->version >= 1 && sframe->version <= 3 &&
	       !(flags & ~known_flags[sframe->version]) && sframe->abi >= 1 &&
	       sframe->abi <= CODECTL_SFRAME_S390X && sframe->is_big_endian == is_big_endian;
}

/*
 * All FDEs together must not have more rows than fit: they do not share them,
 * and reading all is linear in the section's length.
 */
static bool has_room_for_rows(const struct codectl_sframe *sframe)
{
	struct codectl_sframe_fde fde;
	uint64_t count = 0;

	for (size_t i = 0; i < sframe->fde_count; i++) {
		if (codectl_sframe_read_fde(sframe, i, &fde) == 0)
			count += fde.fre_count;
	}
	/* The smallest row: an offset of one byte, and no words. */
	return count <= sframe->fres_len / 2;
}

/* Checks that both areas are within @len bytes and apart. */
static bool has_sound_areas(struct codectl_sframe *sframe, size_t len)
{
	size_t fdes_len = sframe->fde_count * sframe->fde_size;

	if (sframe->fdes > len || fdes_len > len - sframe->fdes || sframe->fres > len ||
		sframe->fres_len > len - sframe->fres)
		return false;
	if (fdes_len && sframe->fres_len && sframe->fdes < sframe->fres + sframe->fres_len &&
		sframe->fres < sframe->fdes + fdes_len)
		return false;
	sframe->len = sframe->fdes + fdes_len;
	if (sframe->len < sframe->fres + sframe->fres_len)
		sframe->len = sframe->fres + sframe->fres_len;
	return true;
}

int codectl_sframe_init(
	struct codectl_sframe *sframe, const uint8_t *bytes, size_t len, uint64_t vaddr)
{
	static const uint8_t fde_sizes[] = {[1] = 17, [2] = 20, [3] = 16};
	struct codectl_reader reader;
	size_t header_len;
	uint16_t magic;
	uint8_t flags;

	codectl_reader_init(&reader, bytes, len);
	*sframe = (struct codectl_sframe){.bytes = bytes, .vaddr = vaddr};
	magic = codectl_reader_u16(&reader);
	sframe->is_big_endian = magic == __builtin_bswap16(MAGIC);
	if (magic != MAGIC && !sframe->is_big_endian)
		return -EINVAL;
	sframe->version = codectl_reader_u8(&reader);
	flags = codectl_reader_u8(&reader);
	sframe->abi = codectl_reader_u8(&reader);
	if (!is_known(sframe, flags) || len > CODECTL_SFRAME_SECTION_MAX)
		return -EINVAL;
	sframe->is_sorted = flags & FLAG_SORTED;
	sframe->is_start_pcrel = flags & FLAG_START_PCREL;
	sframe->fixed_fp = (int8_t)codectl_reader_u8(&reader);
	sframe->fixed_ra = (int8_t)codectl_reader_u8(&reader);
	header_len = HEADER_SIZE + (size_t)codectl_reader_u8(&reader);
	sframe->fde_count = read_u32(sframe, &reader);
	/* The number of all rows: it is of no use to us. */
	read_u32(sframe, &reader);
	sframe->fde_size = fde_sizes[sframe->version];
	sframe->fres_len = read_u32(sframe, &reader);
	sframe->fdes = header_len + read_u32(sframe, &reader);
	sframe->fres = header_len + read_u32(sframe, &reader);
	if (reader.is_failed || header_len > len || !has_sound_areas(sframe, len) ||
		!has_room_for_rows(sframe))
		return -EINVAL;
	return 0;
}

/* Reads the byte that all versions have. Returns whether we know all of its bits. */
static bool read_info(
	const struct codectl_sframe *sframe, uint8_t info, struct codectl_sframe_fde *fde)
{
	uint8_t known_bits = INFO_TYPE | INFO_BLOCKS | INFO_KEY_B;

	if (sframe->version >= 3)
		known_bits |= INFO_SIGNAL;
	fde->fre_type = info & INFO_TYPE;
	fde->is_signal = info & INFO_SIGNAL;
	fde->has_pauth_key_b = info & INFO_KEY_B;
	return !(info & ~known_bits) && fde->fre_type <= TYPE_MAX;
}

/*
 * Version 1: s32 start, u32 size, u32 offset of the rows, u32 rows, u8 info;
 * version 2: and u8 block, u16 padding;
 * version 3: s64 start, u32 size, u32 offset of attributes and rows.
 */
int codectl_sframe_read_fde(
	const struct codectl_sframe *sframe, size_t index, struct codectl_sframe_fde *fde)
{
	size_t offset = sframe->fdes + index * sframe->fde_size;
	size_t fres_end = sframe->fres + sframe->fres_len;
	struct codectl_reader reader;
	uint8_t info, info2 = 0, block = V1_BLOCK;

	codectl_reader_init(&reader, sframe->bytes, sframe->len);
	codectl_reader_seek(&reader, offset);
	if (sframe->version >= 3)
		fde->start = read_uint(sframe, &reader, 8);
	else
		fde->start = (uint64_t)(int32_t)read_u32(sframe, &reader);
	fde->start += sframe->vaddr + (sframe->is_start_pcrel ? offset : 0);
	fde->size = read_u32(sframe, &reader);
	fde->fre_offset = sframe->fres + read_u32(sframe, &reader);
	if (fde->fre_offset > fres_end || fde->start + fde->size < fde->start)
		return -EINVAL;
	if (sframe->version >= 3) {
		if (fres_end - fde->fre_offset < V3_ATTRIBUTES_SIZE)
			return -EINVAL;
		codectl_reader_seek(&reader, fde->fre_offset);
		fde->fre_offset += V3_ATTRIBUTES_SIZE;
		fde->fre_count = (uint32_t)read_uint(sframe, &reader, 2);
		info = codectl_reader_u8(&reader);
		info2 = codectl_reader_u8(&reader);
	} else {
		fde->fre_count = read_u32(sframe, &reader);
		info = codectl_reader_u8(&reader);
	}
	if (sframe->version >= 2)
		block = codectl_reader_u8(&reader);
	fde->block = info & INFO_BLOCKS ? block : 0;
	fde->is_flexible = info2 == FLEXIBLE_TYPE;
	if (reader.is_failed || !read_info(sframe, info, fde) || info2 > FLEXIBLE_TYPE ||
		(info & INFO_BLOCKS && !block))
		return -EINVAL;
	return 0;
}

static uint16_t sp_register(const struct codectl_sframe *sframe)
{
	static const uint8_t registers[] = {[CODECTL_SFRAME_AARCH64_BE] = 31,
		[CODECTL_SFRAME_AARCH64_LE] = 31,
		[CODECTL_SFRAME_AMD64] = 7,
		[CODECTL_SFRAME_S390X] = 15};

	return registers[sframe->abi];
}

static uint16_t fp_register(const struct codectl_sframe *sframe)
{
	static const uint8_t registers[] = {[CODECTL_SFRAME_AARCH64_BE] = 29,
		[CODECTL_SFRAME_AARCH64_LE] = 29,
		[CODECTL_SFRAME_AMD64] = 6,
		[CODECTL_SFRAME_S390X] = 11};

	return registers[sframe->abi];
}

/* Where something is that entries do not mention. */
static struct codectl_sframe_place default_place(int8_t fixed)
{
	if (!fixed)
		return (struct codectl_sframe_place){.kind = CODECTL_SFRAME_SAME};
	return (struct codectl_sframe_place){CODECTL_SFRAME_MEMORY, CODECTL_SFRAME_BASE_CFA, fixed};
}

/* Where something is of which a row says @word. */
static struct codectl_sframe_place saved_place(const struct codectl_sframe *sframe, int32_t word)
{
	/* 0 only keeps the place, so that another word can follow. */
	if (!word)
		return (struct codectl_sframe_place){.kind = CODECTL_SFRAME_SAME};
	/* Offsets are even; odd words are numbers of registers. */
	if (sframe->abi == CODECTL_SFRAME_S390X && sframe->version == 2 && word & 1) {
		uint16_t reg = (uint16_t)((uint32_t)word >> 1);

		return (struct codectl_sframe_place){CODECTL_SFRAME_VALUE, reg, 0};
	}
	return (struct codectl_sframe_place){CODECTL_SFRAME_MEMORY, CODECTL_SFRAME_BASE_CFA, word};
}

/* Words: the CFA's offset, then those of RA and FP unless they are always at the same place. */
static bool read_words(const struct codectl_sframe *sframe, uint8_t info, const int32_t *words,
	size_t count, struct codectl_sframe_fre *fre)
{
	size_t used = 1;

	fre->cfa.kind = CODECTL_SFRAME_VALUE;
	fre->cfa.base = info & ROW_BASE_SP ? sp_register(sframe) : fp_register(sframe);
	fre->cfa.offset = words[0];
	fre->ra = default_place(sframe->fixed_ra);
	if (!sframe->fixed_ra && used < count)
		fre->ra = saved_place(sframe, words[used++]);
	fre->fp = default_place(sframe->fixed_fp);
	if (!sframe->fixed_fp && used < count)
		fre->fp = saved_place(sframe, words[used++]);
	return used == count;
}

/* A pair of words: how, and the offset. Returns whether it makes sense. */
static bool read_pair(uint32_t control, int32_t offset, struct codectl_sframe_place *place)
{
	uint32_t reg = control >> 3;

	place->kind = control & CONTROL_DEREF ? CODECTL_SFRAME_MEMORY : CODECTL_SFRAME_VALUE;
	place->base = CODECTL_SFRAME_BASE_CFA;
	if (control & CONTROL_HAS_REG)
		place->base = (uint16_t)reg;
	place->offset = offset;
	return !(control & CONTROL_RESERVED) && reg < CODECTL_SFRAME_BASE_CFA;
}

/*
 * Pairs for CFA, RA and FP. Instead of RA's pair there may be one word, 0: it
 * is where it always is. Control words are unsigned, but were extended as signed.
 */
static bool read_pairs(const struct codectl_sframe *sframe, const int32_t *words, size_t count,
	uint32_t control_mask, struct codectl_sframe_fre *fre)
{
	size_t used = 2;

	if (count < 2 || !read_pair((uint32_t)words[0] & control_mask, words[1], &fre->cfa) ||
		fre->cfa.base == CODECTL_SFRAME_BASE_CFA)
		return false;
	fre->ra = default_place(sframe->fixed_ra);
	if (used < count && !words[used]) {
		used++;
	} else if (used + 1 < count) {
		if (!read_pair((uint32_t)words[used] & control_mask, words[used + 1], &fre->ra))
			return false;
		used += 2;
	}
	fre->fp = default_place(sframe->fixed_fp);
	if (used + 1 < count) {
		if (!read_pair((uint32_t)words[used] & control_mask, words[used + 1], &fre->fp))
			return false;
		used += 2;
	}
	return used == count;
}

/* Makes the true offset of the CFA on s390x. Returns whether there is one. */
static bool adjust_cfa(struct codectl_sframe_place *cfa)
{
	int64_t offset = (int64_t)cfa->offset * S390X_CFA_FACTOR + S390X_CFA_ADJUSTMENT;

	cfa->offset = (int32_t)offset;
	return cfa->offset == offset;
}

/*
 * GNU ld (2.41 to 2.47 at least) says SP + 16 of the stubs in .plt.got. But a
 * stub in which nothing changes has pushed nothing.
 */
static void correct_plt_got(const struct codectl_sframe *sframe, struct codectl_sframe_place *cfa)
{
	if (cfa->kind == CODECTL_SFRAME_VALUE && cfa->base == sp_register(sframe) &&
		cfa->offset == 16)
		cfa->offset = 8;
}

/* Reads the row at @reader, but for its offset. Returns whether it is sound. */
static bool read_row(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde,
	struct codectl_reader *reader, struct codectl_sframe_fre *fre)
{
	uint8_t info = codectl_reader_u8(reader);
	size_t count = info >> 1 & 0xf;
	unsigned int size_code = info >> 5 & 3;
	int32_t words[WORD_MAX];

	fre->is_outermost = count == 0;
	fre->is_ra_mangled = info & ROW_MANGLED;
	/* Version 1 cannot say that there is no caller. */
	if (count > WORD_MAX || size_code == 3 || (count == 0 && sframe->version == 1))
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t word = read_uint(sframe, reader, (size_t)1 << size_code);

		words[i] = size_code == 0   ? (int8_t)word
			   : size_code == 1 ? (int16_t)word
					    : (int32_t)word;
	}
	if (reader->is_failed)
		return false;
	if (count == 0)
		return true;
	/* Control words have no sign. */
	if (fde->is_flexible ? !read_pairs(sframe, words, count,
				       UINT32_MAX >> (32 - (8u << size_code)), fre)
			     : !read_words(sframe, info, words, count, fre))
		return false;
	if (sframe->abi == CODECTL_SFRAME_AMD64 && fde->block && fde->fre_count == 1)
		correct_plt_got(sframe, &fre->cfa);
	return sframe->abi != CODECTL_SFRAME_S390X || adjust_cfa(&fre->cfa);
}

int codectl_sframe_run(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde,
	codectl_sframe_row_function *row, void *user)
{
	uint32_t end = fde->block && fde->block < fde->size ? fde->block : fde->size;
	struct codectl_sframe_fre fres[2];
	struct codectl_reader reader;
	uint32_t start = 0;

	/*
	 * Without rows nothing is said. That of version 3 could mean that there is
	 * no caller, but assemblers write it for what they cannot translate, too.
	 */
	if (!end || !fde->fre_count)
		return 0;
	codectl_reader_init(&reader, sframe->bytes, sframe->fres + sframe->fres_len);
	codectl_reader_seek(&reader, fde->fre_offset);
	/* A row holds until the next one begins. */
	for (uint32_t i = 0; i < fde->fre_count; i++) {
		uint32_t next = (uint32_t)read_uint(sframe, &reader, (size_t)1 << fde->fre_type);
		int ret;

		if (reader.is_failed || next >= end || (i && next <= start) ||
			!read_row(sframe, fde, &reader, &fres[i % 2]))
			return -EINVAL;
		if (i) {
			ret = row(user, start, next, &fres[(i - 1) % 2]);
			if (ret)
				return ret;
		}
		start = next;
	}
	return row(user, start, end, &fres[(fde->fre_count - 1) % 2]);
}

/* What codectl_sframe_find() looks for. */
struct wanted_row {
	uint32_t offset;
	bool is_found;
	struct codectl_sframe_fre *fre;
};

static int take_row(void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	struct wanted_row *wanted = user;

	if (wanted->offset >= start && wanted->offset < end) {
		*wanted->fre = *fre;
		wanted->is_found = true;
	}
	return 0;
}

int codectl_sframe_find(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde,
	uint64_t vaddr, struct codectl_sframe_fre *fre)
{
	struct wanted_row wanted = {.fre = fre};
	int ret;

	if (vaddr - fde->start >= fde->size)
		return -ENOENT;
	wanted.offset = (uint32_t)(vaddr - fde->start);
	if (fde->block)
		wanted.offset %= fde->block;
	ret = codectl_sframe_run(sframe, fde, take_row, &wanted);
	if (ret)
		return ret;
	return wanted.is_found ? 0 : -ENOENT;
}
