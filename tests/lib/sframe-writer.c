/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/sframe-writer.h"

#include "lib/tap.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_SIZE 28

static bool is_big_endian(const struct sframe_writer *writer)
{
	return writer->abi == CODECTL_SFRAME_AARCH64_BE || writer->abi == CODECTL_SFRAME_S390X;
}

static void put(const struct sframe_writer *writer, uint8_t *bytes, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[is_big_endian(writer) ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

void sframe_writer_init(struct sframe_writer *writer, uint8_t version, uint8_t abi, uint8_t flags)
{
	memset(writer, 0, sizeof(*writer));
	writer->vaddr = SFRAME_VADDR;
	writer->version = version;
	writer->abi = abi;
	writer->flags = flags;
	writer->fixed_ra = abi == CODECTL_SFRAME_AMD64 ? -8 : 0;
}

static void write_fre(struct sframe_writer *writer, uint64_t value, size_t size)
{
	if (size > sizeof(writer->fres) - writer->fres_len)
		abort();
	put(writer, writer->fres + writer->fres_len, value, size);
	writer->fres_len += size;
}

struct sframe_writer_fde *sframe_begin_fde(
	struct sframe_writer *writer, uint64_t start, uint32_t size, uint8_t info)
{
	struct sframe_writer_fde *fde = &writer->fdes[writer->fde_count++];

	if (writer->fde_count > sizeof(writer->fdes) / sizeof(writer->fdes[0]))
		abort();
	*fde = (struct sframe_writer_fde){.start = start,
		.size = size,
		.info = info,
		.fre_offset = (uint32_t)writer->fres_len};
	/* Attributes, which are known at the end. */
	if (writer->version >= 3)
		write_fre(writer, 0, 5);
	return fde;
}

void sframe_add_row(struct sframe_writer *writer, uint32_t start, uint8_t info,
	const int32_t *words, size_t count)
{
	struct sframe_writer_fde *fde = &writer->fdes[writer->fde_count - 1];

	write_fre(writer, start, (size_t)1 << (fde->info & 0xf));
	write_fre(writer, info | count << 1, 1);
	for (size_t i = 0; i < count; i++)
		write_fre(writer, (uint32_t)words[i], (size_t)1 << (info >> 5 & 3));
	fde->fre_count++;
}

static void add_pair(const struct codectl_sframe_place *place, int32_t *words, size_t *count)
{
	uint32_t control = place->kind == CODECTL_SFRAME_MEMORY ? 2 : 0;

	if (place->base != CODECTL_SFRAME_BASE_CFA)
		control |= (uint32_t)place->base << 3 | 1;
	words[(*count)++] = (int32_t)control;
	words[(*count)++] = place->offset;
}

static bool is_default(const struct codectl_sframe_place *place, int8_t fixed)
{
	if (!fixed)
		return place->kind == CODECTL_SFRAME_SAME;
	return place->kind == CODECTL_SFRAME_MEMORY && place->base == CODECTL_SFRAME_BASE_CFA &&
	       place->offset == fixed;
}

static int32_t cfa_word(const struct sframe_writer *writer, const struct codectl_sframe_fre *fre)
{
	return writer->abi == CODECTL_SFRAME_S390X ? (fre->cfa.offset - 160) / 8 : fre->cfa.offset;
}

static size_t make_pairs(
	const struct sframe_writer *writer, const struct codectl_sframe_fre *fre, int32_t *words)
{
	bool has_fp = !is_default(&fre->fp, writer->fixed_fp);
	size_t count = 0;

	add_pair(&fre->cfa, words, &count);
	words[1] = cfa_word(writer, fre);
	if (!is_default(&fre->ra, writer->fixed_ra))
		add_pair(&fre->ra, words, &count);
	else if (has_fp)
		words[count++] = 0;
	if (has_fp)
		add_pair(&fre->fp, words, &count);
	return count;
}

static int32_t saved_word(const struct codectl_sframe_place *place)
{
	if (place->kind == CODECTL_SFRAME_SAME)
		return 0;
	return place->kind == CODECTL_SFRAME_VALUE ? place->base << 1 | 1 : place->offset;
}

static size_t make_words(
	const struct sframe_writer *writer, const struct codectl_sframe_fre *fre, int32_t *words)
{
	bool has_fp = !is_default(&fre->fp, writer->fixed_fp);
	size_t count = 1;

	words[0] = cfa_word(writer, fre);
	if (!writer->fixed_ra && (has_fp || fre->ra.kind != CODECTL_SFRAME_SAME))
		words[count++] = saved_word(&fre->ra);
	if (has_fp)
		words[count++] = saved_word(&fre->fp);
	return count;
}

void sframe_add_fre(
	struct sframe_writer *writer, uint32_t start, const struct codectl_sframe_fre *fre)
{
	const struct sframe_writer_fde *fde = &writer->fdes[writer->fde_count - 1];
	bool is_sp = fre->cfa.base == 31 || fre->cfa.base == 7 || fre->cfa.base == 15;
	uint8_t info = is_sp && !fre->is_outermost ? SFRAME_SP : SFRAME_FP;
	uint8_t size_bits = SFRAME_WORD_1;
	int32_t words[6];
	size_t count = 0;

	if (!fre->is_outermost)
		count = fde->is_flexible ? make_pairs(writer, fre, words)
					 : make_words(writer, fre, words);
	for (size_t i = 0; i < count; i++) {
		/* Control words are unsigned, but this much room is enough for either. */
		if (words[i] != (int16_t)words[i])
			size_bits = SFRAME_WORD_4;
		else if (words[i] != (int8_t)words[i] && size_bits == SFRAME_WORD_1)
			size_bits = SFRAME_WORD_2;
	}
	if (fre->is_ra_mangled)
		info |= SFRAME_MANGLED;
	sframe_add_row(writer, start, info | size_bits, words, count);
}

static void finish_fde(struct sframe_writer *writer, const struct sframe_writer_fde *fde,
	uint8_t *bytes, uint8_t *fres)
{
	uint64_t start = fde->start - writer->vaddr;

	if (writer->flags & SFRAME_START_PCREL)
		start -= (uint64_t)(bytes - writer->bytes);
	if (writer->version >= 3) {
		uint8_t *attributes = fres + fde->fre_offset;

		put(writer, bytes, start, 8);
		put(writer, bytes + 8, fde->size, 4);
		put(writer, bytes + 12, fde->fre_offset, 4);
		put(writer, attributes, fde->fre_count, 2);
		attributes[2] = fde->info;
		attributes[3] = fde->is_flexible;
		attributes[4] = fde->block;
		return;
	}
	put(writer, bytes, start, 4);
	put(writer, bytes + 4, fde->size, 4);
	put(writer, bytes + 8, fde->fre_offset, 4);
	put(writer, bytes + 12, fde->fre_count, 4);
	bytes[16] = fde->info;
	if (writer->version == 2)
		bytes[17] = fde->block;
}

void sframe_finish(struct sframe_writer *writer)
{
	static const uint8_t fde_sizes[] = {0, 17, 20, 16};
	size_t fde_size = fde_sizes[writer->version];
	size_t fdes = HEADER_SIZE + (size_t)writer->aux_len;
	size_t fres = fdes + writer->fde_count * fde_size;
	uint8_t *bytes = writer->bytes;
	uint32_t fre_count = 0;

	if (fres + writer->fres_len > sizeof(writer->bytes))
		abort();
	memset(bytes, 0, sizeof(writer->bytes));
	memcpy(bytes + fres, writer->fres, writer->fres_len);
	for (size_t i = 0; i < writer->fde_count; i++) {
		finish_fde(writer, &writer->fdes[i], bytes + fdes + i * fde_size, bytes + fres);
		fre_count += writer->fdes[i].fre_count;
	}
	put(writer, bytes, 0xdee2, 2);
	bytes[2] = writer->version;
	bytes[3] = writer->flags;
	bytes[4] = writer->abi;
	bytes[5] = (uint8_t)writer->fixed_fp;
	bytes[6] = (uint8_t)writer->fixed_ra;
	bytes[7] = writer->aux_len;
	put(writer, bytes + 8, writer->fde_count, 4);
	put(writer, bytes + 12, fre_count, 4);
	put(writer, bytes + 16, writer->fres_len, 4);
	put(writer, bytes + 24, fres - fdes, 4);
	writer->len = fres + writer->fres_len;
}

void sframe_patch(struct sframe_writer *writer, size_t offset, uint64_t value, size_t size)
{
	if (offset + size > sizeof(writer->bytes))
		abort();
	put(writer, writer->bytes + offset, value, size);
}

int sframe_open(const struct sframe_writer *writer, struct codectl_sframe *sframe)
{
	return codectl_sframe_init(sframe, writer->bytes, writer->len, writer->vaddr);
}

static int collect(void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	struct sframe_rows *rows = user;

	CHECK(start < end);
	CHECK(rows->count < SFRAME_ROW_MAX);
	CHECK(rows->count == 0 || rows->ends[rows->count - 1] == start);
	rows->starts[rows->count] = start;
	rows->ends[rows->count] = end;
	rows->fres[rows->count++] = *fre;
	return 0;
}

int sframe_run(struct sframe_writer *writer, size_t index, struct sframe_rows *rows)
{
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;
	int ret;

	sframe_finish(writer);
	rows->count = 0;
	CHECK_INT(sframe_open(writer, &sframe), 0);
	CHECK(index < sframe.fde_count);
	ret = codectl_sframe_read_fde(&sframe, index, &fde);
	return ret ? ret : codectl_sframe_run(&sframe, &fde, collect, rows);
}

static void check_place(const struct codectl_sframe_place *actual,
	const struct codectl_sframe_place *expected, const char *what)
{
	if (actual->kind != expected->kind)
		tap_fail(__FILE__, __LINE__, "kind of %s is %d, not %d", what, actual->kind,
			expected->kind);
	if (expected->kind == CODECTL_SFRAME_SAME)
		return;
	if (actual->base != expected->base || actual->offset != expected->offset)
		tap_fail(__FILE__, __LINE__, "%s is at %u%+d, not %u%+d", what, actual->base,
			actual->offset, expected->base, expected->offset);
}

void sframe_check_fre(
	const struct codectl_sframe_fre *actual, const struct codectl_sframe_fre *expected)
{
	CHECK_INT(actual->is_outermost, expected->is_outermost);
	CHECK_INT(actual->is_ra_mangled, expected->is_ra_mangled);
	if (expected->is_outermost)
		return;
	check_place(&actual->cfa, &expected->cfa, "CFA");
	check_place(&actual->ra, &expected->ra, "RA");
	check_place(&actual->fp, &expected->fp, "FP");
}

void sframe_write_usual(struct sframe_writer *writer, uint8_t version, uint8_t flags)
{
	sframe_writer_init(writer, version, CODECTL_SFRAME_AMD64, flags);
	sframe_begin_fde(writer, 0x1000, 0x80, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
	SFRAME_ROW(writer, 1, SFRAME_SP, 16, -16);
	SFRAME_ROW(writer, 4, SFRAME_FP, 16, -16);
	SFRAME_ROW(writer, 0x7f, SFRAME_SP, 8, -16);
	sframe_begin_fde(writer, 0x1080, 0x100, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
}

int sframe_run_flexible(const int32_t *words, size_t count, uint8_t abi, struct sframe_rows *rows)
{
	struct sframe_writer writer;

	sframe_writer_init(&writer, 3, abi, 0);
	sframe_begin_fde(&writer, 0x1000, 0x80, 0)->is_flexible = true;
	sframe_add_row(&writer, 0, SFRAME_SP | SFRAME_WORD_2, words, count);
	return sframe_run(&writer, 0, rows);
}
