/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/fuzz/image.h: wraps an unwind section, as hostile as it comes, in an
 * ELF file that is sound, so that inputs need not begin with one. The section
 * is the end of the block: AddressSanitizer sees reads beyond it.
 */
#ifndef CODECTL_TESTS_FUZZ_IMAGE_H
#define CODECTL_TESTS_FUZZ_IMAGE_H

#include "fuzz/fuzz.h"

struct fuzz_image {
	uint8_t *bytes; /* Owned. */
	size_t len;
	size_t hdr_offset; /* Of .eh_frame_hdr, which is hdr_len bytes, in the file. */
	size_t hdr_len;
	size_t section_offset;
	size_t section_len;
	uint64_t section_vaddr;
	uint64_t hdr_vaddr;
	bool has_hdr;
	bool is_debug_frame;
};

/* Bits of the u8 that begins what fuzz_image_make() reads. */
enum fuzz_image_flags {
	FUZZ_IMAGE_DEBUG_FRAME = 1, /* The section is .debug_frame. */
	FUZZ_IMAGE_NO_SECTIONS = 2, /* Found through PT_GNU_EH_FRAME alone. */
	FUZZ_IMAGE_NO_HDR = 4,
	FUZZ_IMAGE_ENTRY = 8,	/* The file is a program and says where it begins. */
	FUZZ_IMAGE_SFRAME = 16, /* The section is .sframe. */
	/* All of these: padding comes before it, so that it is compiled on demand. That takes a while. */
	FUZZ_IMAGE_LAZY = 0xe0,
};

/*
 * Reads u8 flags, u32 vaddr of the section, u16 length of .eh_frame_hdr, then
 * it, then the section, which is all that is left. The file's code begins at 0.
 */
void fuzz_image_make(struct fuzz_image *image, struct codectl_reader *input);
void fuzz_image_free(struct fuzz_image *image);

#endif /* CODECTL_TESTS_FUZZ_IMAGE_H */
