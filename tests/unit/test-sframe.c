/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The reader of .sframe sections: all versions and machines, and what it must
 * refuse.
 */
#include "lib/sframe-writer.h"
#include "lib/tap.h"

#include <errno.h>
#include <stdlib.h>

TEST(usual)
{
	static const uint8_t flags[] = {0, SFRAME_SORTED, SFRAME_SORTED | SFRAME_START_PCREL};
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		for (size_t i = 0; i < (version == 1 ? 2 : 3); i++) {
			struct codectl_sframe sframe;
			struct codectl_sframe_fde fde;

			sframe_write_usual(&writer, version, flags[i]);
			writer.aux_len = i ? 12 : 0;
			CHECK_INT(sframe_run(&writer, 0, &rows), 0);
			CHECK_INT(rows.count, 4);
			CHECK_INT(rows.starts[2], 4);
			CHECK_INT(rows.ends[2], 0x7f);
			CHECK_INT(rows.ends[3], 0x80);
			sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(7, 8), .ra = AT_CFA(-8)));
			sframe_check_fre(&rows.fres[2],
				FRE(.cfa = VALUE(6, 16), .ra = AT_CFA(-8), .fp = AT_CFA(-16)));
			CHECK_INT(sframe_run(&writer, 1, &rows), 0);
			CHECK_INT(rows.count, 1);
			CHECK_INT(rows.ends[0], 0x100);
			CHECK_INT(sframe_open(&writer, &sframe), 0);
			CHECK_INT(sframe.is_sorted, i > 0);
			CHECK_INT(sframe.fde_count, 2);
			CHECK_INT(sframe.len, writer.len);
			CHECK_INT(codectl_sframe_read_fde(&sframe, 1, &fde), 0);
			CHECK_HEX(fde.start, 0x1080);
			CHECK_INT(fde.size, 0x100);
			CHECK(!fde.block && !fde.is_signal && !fde.is_flexible);
		}
	}
}

/* Segments are longer than the section in them, by notes that follow. */
TEST(length_from_header)
{
	struct codectl_sframe sframe;
	struct sframe_writer writer;

	sframe_write_usual(&writer, 2, SFRAME_SORTED);
	sframe_finish(&writer);
	CHECK_INT(codectl_sframe_init(&sframe, writer.bytes, writer.len + 34, SFRAME_VADDR), 0);
	CHECK_INT(sframe.len, writer.len);
}

/* Version 3 reaches further than 2 GiB. */
TEST(far_functions)
{
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;
	struct sframe_writer writer;

	sframe_writer_init(&writer, 3, CODECTL_SFRAME_AMD64, SFRAME_START_PCREL);
	sframe_begin_fde(&writer, UINT64_C(0x7f0012345678), 0x10, 0);
	sframe_finish(&writer);
	CHECK_INT(sframe_open(&writer, &sframe), 0);
	CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), 0);
	CHECK_HEX(fde.start, UINT64_C(0x7f0012345678));
}

TEST(rows_of_all_sizes)
{
	static const int32_t offsets[] = {0x70, 0x7000, 0x70000000};
	static const uint32_t starts[] = {0xfe, 0xfffe, 0xfffffffe};
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		for (uint8_t type = 0; type < 3; type++) {
			for (uint8_t size = 0; size < 3; size++) {
				sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
				sframe_begin_fde(&writer, 0x1000, starts[type] + 1, type);
				SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
				SFRAME_ROW(&writer, starts[type], (uint8_t)(SFRAME_FP | size << 5),
					offsets[size], -offsets[size]);
				CHECK_INT(sframe_run(&writer, 0, &rows), 0);
				CHECK_INT(rows.count, 2);
				CHECK_INT(rows.starts[1], starts[type]);
				sframe_check_fre(&rows.fres[1],
					FRE(.cfa = VALUE(6, offsets[size]), .ra = AT_CFA(-8),
						.fp = AT_CFA(-offsets[size])));
			}
		}
	}
}

/* Functions without rows or without code, and rows that begin late. */
TEST(nothing_said)
{
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;
	struct codectl_sframe_fre fre;
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
		sframe_begin_fde(&writer, 0x1000, 0x80, 0);
		sframe_begin_fde(&writer, 0x1080, 0, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
		sframe_begin_fde(&writer, 0x1080, 0x80, 0);
		SFRAME_ROW(&writer, 0x10, SFRAME_SP, 8);
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		CHECK_INT(rows.count, 0);
		CHECK_INT(sframe_run(&writer, 1, &rows), 0);
		CHECK_INT(rows.count, 0);
		CHECK_INT(sframe_run(&writer, 2, &rows), 0);
		CHECK_INT(rows.count, 1);
		CHECK_INT(rows.starts[0], 0x10);
		CHECK_INT(sframe_open(&writer, &sframe), 0);
		CHECK_INT(codectl_sframe_read_fde(&sframe, 2, &fde), 0);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x107f, &fre), -ENOENT);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x108f, &fre), -ENOENT);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x1090, &fre), 0);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x10ff, &fre), 0);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x1100, &fre), -ENOENT);
	}
}

/* The second version's erratum 2: a row without words. The first has no such row. */
TEST(outermost_row)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
		sframe_begin_fde(&writer, 0x1000, 0x80, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
		sframe_add_row(&writer, 2, SFRAME_SP, NULL, 0);
		SFRAME_ROW(&writer, 4, SFRAME_SP, 8);
		CHECK_INT(sframe_run(&writer, 0, &rows), version == 1 ? -EINVAL : 0);
		if (version > 1) {
			CHECK_INT(rows.count, 3);
			CHECK(rows.fres[1].is_outermost);
			CHECK(!rows.fres[2].is_outermost);
		}
	}
}

TEST(aarch64)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		for (uint8_t abi = CODECTL_SFRAME_AARCH64_BE; abi <= CODECTL_SFRAME_AARCH64_LE;
			abi++) {
			struct codectl_sframe sframe;
			struct codectl_sframe_fde fde;

			sframe_writer_init(&writer, version, abi, SFRAME_SORTED);
			sframe_begin_fde(&writer, 0x400, 0x300, 1 | SFRAME_KEY_B);
			SFRAME_ROW(&writer, 0, SFRAME_SP, 0);
			SFRAME_ROW(&writer, 4, SFRAME_SP | SFRAME_MANGLED, 0);
			SFRAME_ROW(&writer, 8, SFRAME_SP | SFRAME_MANGLED | SFRAME_WORD_2, 0x140,
				-0x138, -0x140);
			SFRAME_ROW(&writer, 0x200, SFRAME_FP | SFRAME_MANGLED, 96, -88, -96);
			CHECK_INT(sframe_run(&writer, 0, &rows), 0);
			CHECK_INT(rows.count, 4);
			sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(31, 0)));
			sframe_check_fre(
				&rows.fres[1], FRE(.is_ra_mangled = true, .cfa = VALUE(31, 0)));
			sframe_check_fre(
				&rows.fres[2], FRE(.is_ra_mangled = true, .cfa = VALUE(31, 0x140),
						       .ra = AT_CFA(-0x138), .fp = AT_CFA(-0x140)));
			sframe_check_fre(
				&rows.fres[3], FRE(.is_ra_mangled = true, .cfa = VALUE(29, 96),
						       .ra = AT_CFA(-88), .fp = AT_CFA(-96)));
			CHECK_INT(sframe_open(&writer, &sframe), 0);
			CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), 0);
			CHECK(fde.has_pauth_key_b);
			CHECK_INT(sframe.is_big_endian, abi == CODECTL_SFRAME_AARCH64_BE);
		}
	}
}

TEST(s390x)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 2; version <= 3; version++) {
		sframe_writer_init(&writer, version, CODECTL_SFRAME_S390X, SFRAME_SORTED);
		sframe_begin_fde(&writer, 0x400, 0x300, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP, 0);
		SFRAME_ROW(&writer, 6, SFRAME_SP, 0, -48, -72);
		SFRAME_ROW(&writer, 12, SFRAME_FP, 20, 0, -72);
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(15, 160)));
		sframe_check_fre(&rows.fres[1],
			FRE(.cfa = VALUE(15, 160), .ra = AT_CFA(-48), .fp = AT_CFA(-72)));
		sframe_check_fre(&rows.fres[2], FRE(.cfa = VALUE(11, 320), .fp = AT_CFA(-72)));
		/* A leaf that saves registers in floating-point ones, 16 and 17. */
		sframe_writer_init(&writer, version, CODECTL_SFRAME_S390X, SFRAME_SORTED);
		sframe_begin_fde(&writer, 0x400, 0x300, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP, 0, 16 << 1 | 1, 17 << 1 | 1);
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		if (version == 2)
			sframe_check_fre(&rows.fres[0],
				FRE(.cfa = VALUE(15, 160), .ra = VALUE(16, 0), .fp = VALUE(17, 0)));
		else
			sframe_check_fre(&rows.fres[0],
				FRE(.cfa = VALUE(15, 160), .ra = AT_CFA(33), .fp = AT_CFA(35)));
		/* A CFA beyond what can be. */
		sframe_writer_init(&writer, version, CODECTL_SFRAME_S390X, SFRAME_SORTED);
		sframe_begin_fde(&writer, 0x400, 0x300, 0);
		SFRAME_ROW(&writer, 0, SFRAME_SP | SFRAME_WORD_4, INT32_MAX / 8);
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
	}
}

/* In flexible functions too the CFA is counted in words from its usual place. */
TEST(s390x_flexible)
{
	const uint8_t abi = CODECTL_SFRAME_S390X;
	struct sframe_rows rows;

	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(15), 0, REG(16), 0, REG(17), 0), 0);
	sframe_check_fre(
		&rows.fres[0], FRE(.cfa = VALUE(15, 160), .ra = VALUE(16, 0), .fp = VALUE(17, 0)));
	CHECK_INT(RUN_FLEXIBLE(&rows, abi, REG(1), 2, 0, 2, -72), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(1, 176), .fp = AT_CFA(-72)));
}

/* A header that says where FP always is. */
TEST(fixed_fp)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	sframe_writer_init(&writer, 2, CODECTL_SFRAME_AARCH64_LE, 0);
	writer.fixed_fp = -16;
	sframe_begin_fde(&writer, 0x400, 0x300, 0);
	SFRAME_ROW(&writer, 0, SFRAME_SP, 32, -8);
	CHECK_INT(sframe_run(&writer, 0, &rows), 0);
	sframe_check_fre(
		&rows.fres[0], FRE(.cfa = VALUE(31, 32), .ra = AT_CFA(-8), .fp = AT_CFA(-16)));
	SFRAME_ROW(&writer, 4, SFRAME_SP, 32, -8, -24);
	CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
}

TEST(repeated_blocks)
{
	struct sframe_writer writer;
	struct sframe_rows rows;

	for (uint8_t version = 1; version <= 3; version++) {
		struct codectl_sframe sframe;
		struct codectl_sframe_fde fde;
		struct codectl_sframe_fre fre;

		sframe_writer_init(&writer, version, CODECTL_SFRAME_AMD64, 0);
		sframe_begin_fde(&writer, 0x1010, 0x38, SFRAME_BLOCKS)->block = 16;
		SFRAME_ROW(&writer, 0, SFRAME_SP, 16);
		SFRAME_ROW(&writer, 11, SFRAME_SP, 24);
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		CHECK_INT(rows.count, 2);
		CHECK_INT(rows.ends[0], 11);
		CHECK_INT(rows.ends[1], 16);
		CHECK_INT(sframe_open(&writer, &sframe), 0);
		CHECK_INT(codectl_sframe_read_fde(&sframe, 0, &fde), 0);
		CHECK_INT(fde.block, 16);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x101a, &fre), 0);
		CHECK_INT(fre.cfa.offset, 16);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x103b, &fre), 0);
		CHECK_INT(fre.cfa.offset, 24);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x1047, &fre), 0);
		CHECK_INT(fre.cfa.offset, 16);
		CHECK_INT(codectl_sframe_find(&sframe, &fde, 0x1048, &fre), -ENOENT);
		/* A row behind the block. */
		SFRAME_ROW(&writer, 16, SFRAME_SP, 24);
		CHECK_INT(sframe_run(&writer, 0, &rows), -EINVAL);
	}
}

TEST(flexible)
{
	const uint8_t amd64 = CODECTL_SFRAME_AMD64, aarch64 = CODECTL_SFRAME_AARCH64_LE;
	struct sframe_rows rows;

	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(10), 0), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(10, 0), .ra = AT_CFA(-8)));
	/* A realigned stack: RA is where it always is. */
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, AT_REG(6), -8, 0, AT_REG(6), 0), 0);
	sframe_check_fre(
		&rows.fres[0], FRE(.cfa = MEMORY(6, -8), .ra = AT_CFA(-8), .fp = MEMORY(6, 0)));
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(7), 8, AT_REG(7), 168, AT_REG(7), 120), 0);
	sframe_check_fre(
		&rows.fres[0], FRE(.cfa = VALUE(7, 8), .ra = MEMORY(7, 168), .fp = MEMORY(7, 120)));
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(7), 8, REG(5), 0), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(7, 8), .ra = VALUE(5, 0)));
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(7), 8, 0), 0);
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(7), 8, 2, -16, 2, -24), 0);
	sframe_check_fre(
		&rows.fres[0], FRE(.cfa = VALUE(7, 8), .ra = AT_CFA(-16), .fp = AT_CFA(-24)));
	CHECK_INT(RUN_FLEXIBLE(&rows, aarch64, REG(31), 32, 2, -8), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(31, 32), .ra = AT_CFA(-8)));
	CHECK_INT(RUN_FLEXIBLE(&rows, aarch64, REG(31), 32), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(31, 32)));
	/* The control word is unsigned. */
	CHECK_INT(RUN_FLEXIBLE(&rows, amd64, REG(0x1fff), 8), 0);
	sframe_check_fre(&rows.fres[0], FRE(.cfa = VALUE(0x1fff, 8), .ra = AT_CFA(-8)));
	CHECK_INT(sframe_run_flexible(NULL, 0, amd64, &rows), 0);
	CHECK(rows.fres[0].is_outermost);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> 33;
}

static int32_t random_offset(uint64_t *state, unsigned int alignment)
{
	static const int32_t ranges[] = {128, 32768, 1 << 28};
	int32_t range = ranges[next_random(state) % 3];
	int32_t value = (int32_t)(next_random(state) % (uint64_t)range) - range / 2;

	value -= value % (int32_t)alignment;
	return value ? value : (int32_t)alignment;
}

static struct codectl_sframe_place random_place(uint64_t *state, bool is_flexible)
{
	struct codectl_sframe_place place = AT_CFA(random_offset(state, 8));

	if (!is_flexible)
		return place;
	place.kind = next_random(state) % 2 ? CODECTL_SFRAME_MEMORY : CODECTL_SFRAME_VALUE;
	if (next_random(state) % 2)
		place.base = (uint16_t)(next_random(state) % 1000);
	/* The CFA itself: it would look like "where it always is". */
	else if (place.kind == CODECTL_SFRAME_VALUE)
		place.kind = CODECTL_SFRAME_MEMORY;
	return place;
}

static struct codectl_sframe_fre random_fre(
	uint64_t *state, const struct sframe_writer *writer, bool is_flexible)
{
	static const uint16_t bases[][2] = {{0}, {31, 29}, {31, 29}, {7, 6}, {15, 11}};
	struct codectl_sframe_fre fre = {.ra = SAME};

	if (writer->version > 1 && next_random(state) % 8 == 0) {
		fre.is_outermost = true;
		return fre;
	}
	if (writer->abi <= CODECTL_SFRAME_AARCH64_LE)
		fre.is_ra_mangled = next_random(state) % 2;
	fre.cfa = (struct codectl_sframe_place)VALUE(
		bases[writer->abi][next_random(state) % 2], random_offset(state, 8));
	if (is_flexible) {
		fre.cfa.base = (uint16_t)(next_random(state) % 20);
		if (next_random(state) % 2)
			fre.cfa.kind = CODECTL_SFRAME_MEMORY;
	}
	if (writer->fixed_ra)
		fre.ra = (struct codectl_sframe_place)AT_CFA(writer->fixed_ra);
	if (next_random(state) % 2 && (is_flexible || !writer->fixed_ra))
		fre.ra = random_place(state, is_flexible);
	if (next_random(state) % 2)
		fre.fp = random_place(state, is_flexible);
	return fre;
}

/* What is written is what is read. */
TEST(round_trip)
{
	uint64_t state = 1;

	for (unsigned int i = 0; i < 20000; i++) {
		uint8_t version = (uint8_t)(1 + next_random(&state) % 3);
		uint8_t abi = (uint8_t)(1 + next_random(&state) % 4);
		uint8_t type = (uint8_t)(next_random(&state) % 3);
		struct codectl_sframe_fre fres[8];
		struct sframe_writer writer;
		struct sframe_writer_fde *fde;
		struct sframe_rows rows;

		sframe_writer_init(&writer, version, abi,
			version > 1 && next_random(&state) % 2 ? SFRAME_START_PCREL : 0);
		fde = sframe_begin_fde(&writer, 0x1000, 0x200, type);
		fde->is_flexible = version == 3 && next_random(&state) % 2;
		for (uint32_t row = 0; row < 8; row++) {
			fres[row] = random_fre(&state, &writer, fde->is_flexible);
			sframe_add_fre(&writer, row * 7, &fres[row]);
		}
		CHECK_INT(sframe_run(&writer, 0, &rows), 0);
		CHECK_INT(rows.count, 8);
		for (size_t row = 0; row < 8; row++)
			sframe_check_fre(&rows.fres[row], &fres[row]);
	}
}
