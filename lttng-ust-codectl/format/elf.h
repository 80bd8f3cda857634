/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/elf.h: a bounded look at an ELF64 little-endian image in a buffer: a
 * mapped file, or the vDSO. Nothing in the image is trusted; every offset is
 * checked against the bytes at hand. Owns nothing, allocates nothing;
 * async-signal-safe. Symbols and DWARF are not its business.
 */
#ifndef CODECTL_FORMAT_ELF_H
#define CODECTL_FORMAT_ELF_H

#include <stddef.h>
#include <stdint.h>

struct codectl_elf {
	const uint8_t *image; /* Weak. */
	size_t len;
	uint16_t type;	  /* ET_*. */
	uint16_t machine; /* EM_*. */
	uint64_t entry;
	uint64_t phoff;
	uint64_t shoff;
	size_t segment_count;
	size_t section_count; /* 0 without section headers. */
	size_t name_section;  /* Index of the section with the names. */
};

struct codectl_elf_segment {
	uint32_t type; /* PT_*. */
	uint32_t flags;
	uint64_t offset;
	uint64_t vaddr;
	uint64_t filesz;
	uint64_t memsz;
	uint64_t align;
};

struct codectl_elf_section {
	const char *name; /* Weak, in the image; "" if it has none. */
	uint32_t type;	  /* SHT_*. */
	uint64_t flags;
	uint64_t vaddr;
	uint64_t offset;
	uint64_t size;
	uint32_t link;
	uint64_t entsize;
};

/* A part of the image and where it is mapped. */
struct codectl_elf_range {
	const uint8_t *bytes; /* Weak, in the image; NULL if there is none. */
	size_t len;
	uint64_t vaddr;
};

/*
 * Looks at the @len bytes at @image, which must outlive @elf. Returns 0, or
 * -EINVAL if they are no ELF64 little-endian file or its headers are outside.
 * Section headers that are damaged count as absent.
 */
int codectl_elf_init(struct codectl_elf *elf, const void *image, size_t len);

/* Reads program header @index. Returns 0, -ENOENT or -EINVAL. */
int codectl_elf_get_segment(
	const struct codectl_elf *elf, size_t index, struct codectl_elf_segment *segment);

/* Reads section header @index. Returns 0, -ENOENT or -EINVAL. */
int codectl_elf_get_section(
	const struct codectl_elf *elf, size_t index, struct codectl_elf_section *section);

/* The first section with that name. Returns 0 or -ENOENT. */
int codectl_elf_find_section(
	const struct codectl_elf *elf, const char *name, struct codectl_elf_section *section);

/* The first segment of that type. Returns 0 or -ENOENT. */
int codectl_elf_find_segment(
	const struct codectl_elf *elf, uint32_t type, struct codectl_elf_segment *segment);

/*
 * The bytes of a section as they are in the file. Returns 0, -ENOENT (it has
 * none: SHT_NOBITS) or -EINVAL (outside the image).
 */
int codectl_elf_section_range(const struct codectl_elf *elf,
	const struct codectl_elf_section *section, struct codectl_elf_range *range);

/*
 * The bytes from @vaddr to the end of the file's part of the PT_LOAD segment
 * which holds it. Returns 0 or -ENOENT.
 */
int codectl_elf_vaddr_range(
	const struct codectl_elf *elf, uint64_t vaddr, struct codectl_elf_range *range);

/* The same, of an executable segment. */
int codectl_elf_code_range(
	const struct codectl_elf *elf, uint64_t vaddr, struct codectl_elf_range *range);

/*
 * The span of all PT_LOAD segments: from the lowest p_vaddr to the highest
 * p_vaddr + p_memsz. Returns 0, or -ENOENT without any.
 */
int codectl_elf_load_span(const struct codectl_elf *elf, uint64_t *start, uint64_t *end);

/*
 * Finds NT_GNU_BUILD_ID among the @len bytes of notes at @notes. Returns 0
 * with @build_id pointing into them, or -ENOENT.
 */
int codectl_elf_find_build_id_note(
	const void *notes, size_t len, const uint8_t **build_id, size_t *build_id_len);

/* The build-id of the image, from its PT_NOTE segments, else its SHT_NOTE sections. 0 or -ENOENT. */
int codectl_elf_build_id(
	const struct codectl_elf *elf, const uint8_t **build_id, size_t *build_id_len);

/* Name and CRC-32 out of .gnu_debuglink. Returns 0 or -ENOENT. */
int codectl_elf_debug_link(const struct codectl_elf *elf, const char **pathname, uint32_t *crc);

#endif /* CODECTL_FORMAT_ELF_H */
