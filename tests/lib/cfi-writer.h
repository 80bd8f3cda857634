/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/cfi-writer.h: writes .eh_frame, and ELF files that hold nothing
 * else, for tests. Everything is in the caller's structs; a test that writes
 * too much dies.
 */
#ifndef CODECTL_TESTS_CFI_WRITER_H
#define CODECTL_TESTS_CFI_WRITER_H

#include "format/eh-frame.h"

#include <elf.h>

struct cfi_writer {
	uint8_t bytes[4096];
	size_t len;
	uint64_t vaddr; /* Where the section is. */
	bool is_64;	/* Entries have 64-bit lengths. */
	bool is_debug_frame;
	size_t entry;	  /* Offset of the entry being written. */
	uint8_t encoding; /* Of pointers in FDEs of the last CIE. */
	bool has_len;	  /* FDEs of the last CIE have augmentation data. */
	size_t cie;	  /* Offset of the last CIE. */
};

void cfi_write(struct cfi_writer *writer, const void *bytes, size_t len);
void cfi_write_uint(struct cfi_writer *writer, uint64_t value, size_t size);
void cfi_write_uleb128(struct cfi_writer *writer, uint64_t value);
void cfi_write_sleb128(struct cfi_writer *writer, int64_t value);

/* Appends bytes, mostly of a CFA program. */
#define CFI(writer, ...) \
	cfi_write(writer, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/*
 * Begins a CIE: its augmentation is "z" and @letters; data for 'R' is @encoding,
 * for 'P' an absolute pointer, for 'L' one byte. NULL: no augmentation at all.
 * Code alignment 1, data alignment -8, return address in column 16.
 */
void cfi_begin_cie(
	struct cfi_writer *writer, uint8_t version, const char *letters, uint8_t encoding);

/* The CIE of every compiler: "zR", pcrel sdata4; CFA = rsp + 8, rip at CFA - 8. */
void cfi_add_usual_cie(struct cfi_writer *writer);

/* Begins an FDE of the last CIE. */
void cfi_begin_fde(struct cfi_writer *writer, uint64_t start, uint64_t size);

/* Ends a CIE or FDE: pads it with nops and sets its length. */
void cfi_end(struct cfi_writer *writer);

struct codectl_cfi_section cfi_section(const struct cfi_writer *writer);

/* What a CFA program said. */
struct cfi_rows {
	size_t count;
	uint64_t starts[16];
	uint64_t end; /* Of the last row. */
	struct codectl_cfi_rules rules[16];
};

/* A codectl_cfa_row_function for a struct cfi_rows; checks that rows come in order. */
int cfi_collect(void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules);

/* Runs the first FDE of what was written. Returns as the functions for that do. */
int cfi_run_first(
	const struct cfi_writer *writer, struct codectl_cfi_cie *cie, struct cfi_rows *rows);

/* An ELF file: code (not in it) at 0x1000, .eh_frame_hdr at 0x100000, .eh_frame behind it. */
struct cfi_image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
	Elf64_Shdr sections[3];
	char names[24];
	uint8_t hdr[512];
	uint8_t eh_frame[4096];
};

#define CFI_IMAGE_HDR_VADDR	 0x100000
#define CFI_IMAGE_EH_FRAME_VADDR 0x100200

/* Starts a writer of that file's .eh_frame. */
void cfi_writer_init(struct cfi_writer *writer);

/*
 * Makes the file, with section headers or not, and with a search table (of all
 * FDEs, sorted) or not.
 */
void cfi_image_make(struct cfi_image *image, const struct cfi_writer *writer, bool has_sections,
	bool has_table);

#endif /* CODECTL_TESTS_CFI_WRITER_H */
