/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What the reader of .sframe sections must refuse, and where it must stop.
 */
#include "lib/sframe-writer.h"
#include "lib/tap.h"

#include <errno.h>
#include <stdlib.h>

TEST(every_truncation)
{
	struct sframe_writer writer;

	for (uint8_t version = 1; version <= 3; version++) {
		sframe_write_usual(&writer, version, SFRAME_SORTED);
		sframe_finish(&writer);
		for (size_t len = 0; len < writer.len; len++) {
			/* Of just that length, for the sanitizer to see what is behind. */
			uint8_t *bytes = malloc(len ? len : 1);
			struct codectl_sframe sframe;

			CHECK(bytes);
			memcpy(bytes, writer.bytes, len);
			CHECK_INT(codectl_sframe_init(&sframe, bytes, len, 0), -EINVAL);
			free(bytes);
		}
	}
}

/* Each header is refused after one change to it. */
TEST(headers_refused)
{
	static const struct {
		uint8_t version;
		size_t offset;
		uint64_t value;
		size_t size;
	} changes[] = {
		{2, 0, 0xdee3, 2}, /* Magic. */
		{2, 0, 0xe2de, 2}, /* The other byte order. */
		{2, 2, 0, 1},	   /* Version. */
		{2, 2, 4, 1},
		{1, 3, SFRAME_START_PCREL, 1}, /* Flags that the version does not have. */
		{2, 3, 0x8, 1},
		{3, 3, SFRAME_FRAME_POINTER, 1},
		{3, 3, 0x80, 1},
		{2, 4, 0, 1}, /* ABI. */
		{2, 4, 1, 1}, /* One of the other byte order. */
		{2, 4, 5, 1},
		{2, 7, 255, 1},	     /* The auxiliary header's length. */
		{2, 8, 0xffffff, 4}, /* FDEs. */
		{2, 8, 0xffffffff, 4},
		{2, 16, 0x7fffffff, 4}, /* Length of the rows. */
		{2, 20, 0x7ffffff0, 4}, /* Where the FDEs are. */
		{2, 20, 0xffffffff, 4},
		{2, 24, 0x7ffffff0, 4},	  /* Where the rows are. */
		{2, 24, 0, 4},		  /* The same place as the FDEs. */
		{2, 24, 20, 4},		  /* Within them. */
		{1, 28 + 12, 0x10000, 4}, /* Rows of an FDE: more than there is room for. */
		{2, 28 + 12, 0xffffffff, 4},
	};
	struct codectl_sframe sframe;
	struct sframe_writer writer;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		sframe_write_usual(&writer, changes[i].version, 0);
		sframe_finish(&writer);
		CHECK_INT(sframe_open(&writer, &sframe), 0);
		sframe_patch(&writer, changes[i].offset, changes[i].value, changes[i].size);
		if (sframe_open(&writer, &sframe) != -EINVAL)
			tap_fail(__FILE__, __LINE__, "change %zu was accepted", i);
	}
}

/* FDEs may share their rows, but all of them together have not more than fit. */
TEST(shared_rows)
{
	struct codectl_sframe sframe;
	struct sframe_writer writer;

	sframe_writer_init(&writer, 2, CODECTL_SFRAME_AMD64, 0);
	sframe_begin_fde(&writer, 0x1000, 0x80, 0);
	for (uint32_t i = 0; i < 20; i++)
		SFRAME_ROW(&writer, i, SFRAME_SP, 8);
	sframe_begin_fde(&writer, 0x1080, 0x80, 0);
	writer.fdes[1].fre_offset = 0;
	writer.fdes[1].fre_count = 10;
	sframe_finish(&writer);
	CHECK_INT(sframe_open(&writer, &sframe), 0);
	writer.fdes[1].fre_count = 11;
	sframe_finish(&writer);
	CHECK_INT(sframe_open(&writer, &sframe), -EINVAL);
}

TEST(fdes_refused)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		size_t fre_offset_at = version == 3 ? 28 + 12 : 28 + 8;
		struct codectl_sframe sframe;
		struct codectl_sframe_fde fde;

		/* Rows outside: also so that the attributes of version 3 are. */
		for (uint32_t over = version == 3 ? 0 : 1; over < 2; over++) {
			uint32_t behind = 0;

			sframe_write_usual(&writer, version, 0);
			sframe_finish(&writer);
			behind = (uint32_t)writer.fres_len + over - (version == 3 ? 4 : 0);
			sframe_patch(&writer, fre_offset_at, behind, 4);
			CHECK_INT(sframe_open(&writer, &sframe), 0);
			CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), -EINVAL);
			CHECK_INT(codectl_sframe_read_fde(&sframe, 1, &fde), 0);
		}
		sframe_patch(&writer, fre_offset_at, 0x7ffffff0, 4);
		CHECK_INT(sframe_open(&writer, &sframe), 0);
		CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), -EINVAL);
		/* A type of rows, and bits, that there are not. */
		sframe_write_usual(&writer, version, 0);
		writer.fdes[0].info = 3;
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
		writer.fdes[0].info = 0x40;
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
		writer.fdes[0].info = SFRAME_SIGNAL;
		CHECK_INT(sframe_run(&writer, 0, &rows), version == 3 ? 0 : -EINVAL);
		/* Repeated blocks of no length; the first version does not say. */
		writer.fdes[0].info = SFRAME_BLOCKS;
		writer.fdes[0].size = 0x200;
		writer.fdes[0].block = 0;
		writer.fdes[0].fre_count = 3;
		CHECK_INT(sframe_run(&writer, 0, &rows), version == 1 ? 0 : -EINVAL);
		/* A function that wraps around. */
		writer.fdes[0].info = 0;
		writer.vaddr = UINT64_MAX - 0x10000;
		writer.fdes[0].start = UINT64_MAX - 0x1000;
		writer.fdes[0].size = 0x1001;
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
		writer.fdes[0].size = 0x1000;
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
	}
	/* A type of FDE that there is not. */
	sframe_write_usual(&writer, 3, 0);
	sframe_finish(&writer);
	{
		struct codectl_sframe sframe;
		struct codectl_sframe_fde fde;

		sframe_patch(&writer, 28 + 2 * 16 + 3, 2, 1);
		CHECK_INT(sframe_open(&writer, &sframe), 0);
		CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), -EINVAL);
	}
}

/* Rows that make no sense: the second of two. */
TEST(rows_refused)
{
	static const int32_t words[15] = {8, -16};
	static const struct {
		uint32_t start;
		uint8_t info;
		size_t count;
	} bad[] = {
		{0, SFRAME_SP, 1},	  /* Not above the one before. */
		{0x80, SFRAME_SP, 1},	  /* At the function's end. */
		{0xff, SFRAME_SP, 1},	  /* Behind it. */
		{1, SFRAME_SP | 0x60, 1}, /* Words of no size. */
		{1, SFRAME_SP, 3},	  /* More words than there are places. */
		{1, SFRAME_SP | SFRAME_WORD_4, 15},
	};
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
			sframe_begin_fde(&writer, 0x1000, 0x80, 0);
			SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
			sframe_add_row(&writer, bad[i].start, bad[i].info, words, bad[i].count);
			/* Room behind, so that this is not why. */
			sframe_begin_fde(&writer, 0x1080, 0x80, 0);
			SFRAME_ROW(&writer, 0, SFRAME_SP | SFRAME_WORD_4, 8, -16);
			if (sframe_run(&writer, 0, &rows) != -EINVAL)
				tap_fail(__FILE__, __LINE__, "row %zu was accepted", i);
			CHECK_INT(sframe_run(&writer, 1, &rows), 0);
		}
		/* More rows than the area has. */
		sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
		sframe_begin_fde(&writer, 0x1000, 0x80, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
		SFRAME_ROW(&writer, 1, SFRAME_SP | SFRAME_WORD_4, 8);
		writer.fdes[0].fre_count++;
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
		writer.fdes[0].fre_count--;
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		/* The last row's words end behind the area. */
		writer.fres_len--;
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
	}
}

TEST(flexible_refused)
{
	const uint8_t abi = CODECTL_SFRAME_AMD64;
	struct sframe_rows rows;

	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7)), -EINVAL);
	/* A CFA from the CFA. */
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, 2, 8), -EINVAL);
	/* The reserved bit, in each place. */
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7) | 4, 8), -EINVAL);
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 6, -8), -EINVAL);
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 0, 6, -8), -EINVAL);
	/* Half a pair, and too much. */
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 2), -EINVAL);
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 0, 2), -EINVAL);
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 0, 2, -8, 2), -EINVAL);
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(7), 8, 2, -8, 2, -16, 2), -EINVAL);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> 33;
}

static int check_range(
	void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	const struct codectl_sframe_fde *fde = user;

	CHECK(start < end);
	CHECK(end <= fde->size);
	CHECK(fre->is_outermost || fre->cfa.kind != CODECTL_SFRAME_SAME);
	return 0;
}

/* Damaged anywhere, it is refused or says something within bounds. */
TEST(damaged)
{
	uint64_t state = 2;
	size_t accepted = 0;

	for (unsigned int i = 0; i < 30000; i++) {
		struct codectl_sframe sframe;
		struct sframe_writer writer;
		uint8_t *bytes;

		sframe_write_usual(&writer, (uint8_t)(1 + i % 3), SFRAME_SORTED);
		sframe_finish(&writer);
		for (unsigned int damage = 0; damage <= i % 4; damage++)
			writer.bytes[next_random(&state) % writer.len] = (uint8_t)next_random(
				&state);
		bytes = malloc(writer.len);
		CHECK(bytes);
		memcpy(bytes, writer.bytes, writer.len);
		if (codectl_sframe_init(&sframe, bytes, writer.len, SFRAME_VADDR) == 0) {
			for (size_t index = 0; index < sframe.fde_count; index++) {
				struct codectl_sframe_fde fde;

				if (codectl_sframe_read_fde(&sframe, index, &fde) == 0 &&
					codectl_sframe_run(&sframe, &fde, check_range, &fde) == 0)
					accepted++;
			}
		}
		free(bytes);
	}
	CHECK(accepted > 1000);
}
