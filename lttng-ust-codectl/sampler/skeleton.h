/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/skeleton.h: an ELF file with only those parts of another one that
 * unwinding and naming need: headers of our own, and behind them the contents of
 * pieces, which are copied when they are emitted. The code is described but not
 * there. Plain data; no allocation, any thread.
 */
#ifndef CODECTL_SAMPLER_SKELETON_H
#define CODECTL_SAMPLER_SKELETON_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#define CODECTL_SKELETON_PIECE_MAX   24
#define CODECTL_SKELETON_LOAD_MAX    16
#define CODECTL_SKELETON_HEADERS_MAX 6144

/* A section. Its address in the file is 0 unless it is mapped. */
struct codectl_skeleton_piece {
	const char *name; /* Weak; static lifetime. */
	uint32_t type;	  /* SHT_*; of an SHT_NOBITS nothing is copied. */
	uint64_t flags;	  /* SHF_*. */
	uint64_t vaddr;
	uint64_t size;
	uint32_t link_piece; /* Index of the piece that sh_link means; meant for symbol tables. */
	uint64_t entry_size;
	uint32_t segment_type; /* PT_*: it is such a segment as well; 0: none. */
	uint64_t source;       /* Where to copy it from; the owner's. */
	uint64_t offset;       /* In the skeleton; set by codectl_skeleton_layout(). */
};

/* All zero: empty. */
struct codectl_skeleton {
	/* Of the original; what differs is set by codectl_skeleton_layout(). */
	uint16_t type;
	uint16_t machine;
	uint64_t entry;	    /* 0: none. */
	uint8_t has_interp; /* Whether it has a PT_INTERP: it is a program. */
	Elf64_Phdr loads[CODECTL_SKELETON_LOAD_MAX]; /* Its PT_LOADs. */
	size_t load_count;
	struct codectl_skeleton_piece pieces[CODECTL_SKELETON_PIECE_MAX];
	size_t piece_count;
	/* The file as it will be. */
	uint64_t headers[CODECTL_SKELETON_HEADERS_MAX / 8];
	size_t headers_len;
	uint64_t len;
};

/* Adds a piece, a copy of @piece. Returns its index, or -1 if there is no room. */
int codectl_skeleton_add(
	struct codectl_skeleton *skeleton, const struct codectl_skeleton_piece *piece);

/* Gives each piece its place and makes the headers. Returns 0, or -E2BIG if they have no room. */
int codectl_skeleton_layout(struct codectl_skeleton *skeleton);

#endif /* CODECTL_SAMPLER_SKELETON_H */
