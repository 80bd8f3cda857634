/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The reader of ELF files. Input: the file.
 */
#include "fuzz/fuzz.h"

#include "format/elf.h"

#include <errno.h>

/* A hostile file may have a header per 56 bytes, and every one overlap. */
#define HEADER_MAX 512

static void check_range(const struct codectl_elf *elf, const struct codectl_elf_range *range)
{
	size_t offset = (size_t)(range->bytes - elf->image);

	FUZZ_CHECK(range->bytes >= elf->image && offset <= elf->len);
	FUZZ_CHECK(range->len <= elf->len - offset);
}

static void check_string(const struct codectl_elf *elf, const char *text)
{
	const uint8_t *start = (const uint8_t *)text;

	if (!*text)
		return;
	FUZZ_CHECK(start >= elf->image && start < elf->image + elf->len);
	FUZZ_CHECK(memchr(start, '\0', (size_t)(elf->image + elf->len - start)));
}

static void check_segments(const struct codectl_elf *elf)
{
	struct codectl_elf_segment segment, found;
	struct codectl_elf_range range;

	for (size_t i = 0; i < elf->segment_count && i < HEADER_MAX; i++) {
		FUZZ_CHECK(codectl_elf_get_segment(elf, i, &segment) == 0);
		FUZZ_CHECK(codectl_elf_find_segment(elf, segment.type, &found) == 0);
		FUZZ_CHECK(found.type == segment.type);
		if (codectl_elf_vaddr_range(elf, segment.vaddr, &range) == 0) {
			check_range(elf, &range);
			FUZZ_CHECK(range.vaddr == segment.vaddr && range.len > 0);
		}
		if (codectl_elf_vaddr_range(elf, segment.vaddr + segment.filesz - 1, &range) == 0)
			check_range(elf, &range);
	}
	FUZZ_CHECK(codectl_elf_get_segment(elf, elf->segment_count, &segment) == -ENOENT);
}

static void check_sections(const struct codectl_elf *elf)
{
	struct codectl_elf_section section, found;
	struct codectl_elf_range range;

	for (size_t i = 0; i < elf->section_count && i < HEADER_MAX; i++) {
		FUZZ_CHECK(codectl_elf_get_section(elf, i, &section) == 0);
		check_string(elf, section.name);
		FUZZ_CHECK(codectl_elf_find_section(elf, section.name, &found) == 0);
		FUZZ_CHECK(!strcmp(found.name, section.name));
		if (codectl_elf_section_range(elf, &section, &range) == 0) {
			check_range(elf, &range);
			FUZZ_CHECK(range.len == section.size);
		}
	}
	FUZZ_CHECK(codectl_elf_get_section(elf, elf->section_count, &section) == -ENOENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct codectl_elf elf;
	const uint8_t *build_id;
	size_t build_id_len;
	const char *pathname;
	uint32_t crc;
	uint64_t start, end;

	if (codectl_elf_init(&elf, bytes, len))
		return 0;
	check_segments(&elf);
	check_sections(&elf);
	if (codectl_elf_load_span(&elf, &start, &end) == 0)
		FUZZ_CHECK(start < end);
	if (codectl_elf_build_id(&elf, &build_id, &build_id_len) == 0) {
		check_range(&elf, &(struct codectl_elf_range){build_id, build_id_len, 0});
		FUZZ_CHECK(build_id_len > 0);
	}
	if (codectl_elf_debug_link(&elf, &pathname, &crc) == 0) {
		FUZZ_CHECK(*pathname);
		check_string(&elf, pathname);
	}
	return 0;
}
