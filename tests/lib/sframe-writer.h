/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/sframe-writer.h: writes .sframe sections of all versions and
 * machines for tests. Everything is in the caller's struct; a test that writes
 * too much dies.
 */
#ifndef CODECTL_TESTS_SFRAME_WRITER_H
#define CODECTL_TESTS_SFRAME_WRITER_H

#include "format/sframe.h"

/* Bits of the header's flags and of an FDE's info byte. */
#define SFRAME_SORTED	     0x1
#define SFRAME_FRAME_POINTER 0x2
#define SFRAME_START_PCREL   0x4
#define SFRAME_BLOCKS	     0x10
#define SFRAME_KEY_B	     0x20
#define SFRAME_SIGNAL	     0x80

struct sframe_writer_fde {
	uint64_t start;
	uint32_t size;
	uint32_t fre_offset;
	uint32_t fre_count;
	uint8_t info;
	bool is_flexible;
	uint8_t block;
};

struct sframe_writer {
	uint64_t vaddr;
	uint8_t version;
	uint8_t flags;
	uint8_t abi;
	int8_t fixed_fp;
	int8_t fixed_ra;
	uint8_t aux_len;
	struct sframe_writer_fde fdes[24];
	size_t fde_count;
	uint8_t fres[3072];
	size_t fres_len;
	uint8_t bytes[4096]; /* The section, after sframe_finish(). */
	size_t len;
};

/* Begins a section at SFRAME_VADDR; fixed offsets are those of real ones for @abi. */
void sframe_writer_init(struct sframe_writer *writer, uint8_t version, uint8_t abi, uint8_t flags);

#define SFRAME_VADDR 0x100000

/* Begins an FDE; @info: the type of rows (0 to 2) and bits. */
struct sframe_writer_fde *sframe_begin_fde(
	struct sframe_writer *writer, uint64_t start, uint32_t size, uint8_t info);

/* Adds a row to it: @info as it will be, but for the number of words. */
void sframe_add_row(struct sframe_writer *writer, uint32_t start, uint8_t info,
	const int32_t *words, size_t count);

#define SFRAME_ROW(writer, start, info, ...)                                \
	sframe_add_row(writer, start, info, (const int32_t[]){__VA_ARGS__}, \
		sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

/* Bits of a row's info byte. */
#define SFRAME_FP      0x00
#define SFRAME_SP      0x01
#define SFRAME_WORD_1  0x00
#define SFRAME_WORD_2  0x20
#define SFRAME_WORD_4  0x40
#define SFRAME_MANGLED 0x80

/* Adds a row that says @fre, in the smallest words that can. */
void sframe_add_fre(
	struct sframe_writer *writer, uint32_t start, const struct codectl_sframe_fre *fre);

/* Puts it all together in writer->bytes: the header, FDEs, rows. */
void sframe_finish(struct sframe_writer *writer);

/* Overwrites @size bytes at @offset of the finished section, in its byte order. */
void sframe_patch(struct sframe_writer *writer, size_t offset, uint64_t value, size_t size);

/* Looks at what was finished. Returns as codectl_sframe_init(). */
int sframe_open(const struct sframe_writer *writer, struct codectl_sframe *sframe);

#define SFRAME_ROW_MAX 16

/* What codectl_sframe_run() said. */
struct sframe_rows {
	size_t count;
	uint32_t starts[SFRAME_ROW_MAX];
	uint32_t ends[SFRAME_ROW_MAX];
	struct codectl_sframe_fre fres[SFRAME_ROW_MAX];
};

/* Finishes the section, which must be sound, and reads and runs FDE @index. Returns as those do. */
int sframe_run(struct sframe_writer *writer, size_t index, struct sframe_rows *rows);

/* How places of values look in literals. */
#define SAME                              \
	{                                 \
		CODECTL_SFRAME_SAME, 0, 0 \
	}
#define VALUE(reg, at)                        \
	{                                     \
		CODECTL_SFRAME_VALUE, reg, at \
	}
#define MEMORY(reg, at)                        \
	{                                      \
		CODECTL_SFRAME_MEMORY, reg, at \
	}
#define AT_CFA(at) MEMORY(CODECTL_SFRAME_BASE_CFA, at)

#define FRE(...) (&(const struct codectl_sframe_fre){__VA_ARGS__})

/* Fails the test if they differ. */
void sframe_check_fre(
	const struct codectl_sframe_fre *actual, const struct codectl_sframe_fre *expected);

/* Two functions for amd64, at 0x1000 and 0x1080, with rows that most compilers make. */
void sframe_write_usual(struct sframe_writer *writer, uint8_t version, uint8_t flags);

/* Runs a function of version 3 whose one row, of those words of two bytes, names its registers. */
int sframe_run_flexible(const int32_t *words, size_t count, uint8_t abi, struct sframe_rows *rows);

#define RUN_FLEXIBLE(rows, abi, ...)                        \
	sframe_run_flexible((const int32_t[]){__VA_ARGS__}, \
		sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), abi, rows)

/* Control words: a register, and what is in memory there. */
#define REG(number)    ((number) << 3 | 1)
#define AT_REG(number) ((number) << 3 | 3)

#endif /* CODECTL_TESTS_SFRAME_WRITER_H */
