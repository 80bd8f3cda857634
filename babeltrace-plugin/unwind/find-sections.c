/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/find-sections.h"

#include <elf.h>
#include <string.h>

struct finding {
	const struct codectl_unwind_files *files;
	struct codectl_found_section *found;
	size_t count;
};

/* Adds the bytes at @range of @elf. */
static void add(struct finding *finding, const struct codectl_elf *elf,
	const struct codectl_elf_range *range, bool is_debug_frame)
{
	const struct codectl_elf *own = finding->files->own;
	struct codectl_found_section *found;
	uint64_t own_base, end;
	/* Without a section's size: up to the entry that ends it, or the segment's end. */
	size_t len = range->len < CODECTL_CFI_SECTION_MAX ? range->len : CODECTL_CFI_SECTION_MAX;

	if (!len || finding->count == CODECTL_FOUND_SECTION_MAX)
		return;
	found = &finding->found[finding->count++];
	*found = (struct codectl_found_section){.section = {.bytes = range->bytes,
							.len = len,
							.vaddr = range->vaddr,
							.is_debug_frame = is_debug_frame}};
	if (codectl_elf_load_span(elf, &found->base, &end))
		found->base = 0;
	if (own && own != elf && codectl_elf_load_span(own, &own_base, &end) == 0)
		found->shift = found->base - own_base;
}

/* Adds all sections of @elf with that name. Returns whether there is one, be it empty. */
static bool add_named(
	struct finding *finding, const struct codectl_elf *elf, const char *name, bool is_debug)
{
	bool has_section = false;

	for (size_t i = 0; i < elf->section_count; i++) {
		const struct codectl_elf_range *unpacked = &finding->files->debug_frame;
		struct codectl_elf_section section;
		struct codectl_elf_range range;

		if (codectl_elf_get_section(elf, i, &section) || strcmp(section.name, name) != 0)
			continue;
		has_section = true;
		if (section.flags & SHF_COMPRESSED) {
			if (is_debug && unpacked->bytes)
				add(finding, elf, unpacked, is_debug);
			continue;
		}
		/* Debug files keep the section's header, but not what is in it. */
		if (codectl_elf_section_range(elf, &section, &range) == 0)
			add(finding, elf, &range, is_debug);
	}
	return has_section;
}

/* Returns whether there is a usable PT_GNU_EH_FRAME. */
static bool find_hdr(const struct codectl_elf *elf, struct codectl_eh_frame_hdr *hdr)
{
	struct codectl_elf_segment segment;
	struct codectl_elf_range range;

	return codectl_elf_find_segment(elf, PT_GNU_EH_FRAME, &segment) == 0 &&
	       codectl_elf_vaddr_range(elf, segment.vaddr, &range) == 0 &&
	       codectl_eh_frame_hdr_init(hdr, range.bytes, range.len, range.vaddr) == 0;
}

static void add_eh_frame(struct finding *finding, const struct codectl_elf *elf)
{
	size_t first = finding->count;
	struct codectl_eh_frame_hdr hdr;
	struct codectl_elf_range range;
	bool has_hdr = find_hdr(elf, &hdr);

	if (!add_named(finding, elf, ".eh_frame", false) && has_hdr &&
		codectl_elf_vaddr_range(elf, hdr.eh_frame_vaddr, &range) == 0)
		add(finding, elf, &range, false);
	/* The table of several sections names FDEs of all of them. */
	if (has_hdr && finding->count == first + 1) {
		finding->found[first].has_hdr = true;
		finding->found[first].hdr = hdr;
	}
}

size_t codectl_find_cfi_sections(const struct codectl_unwind_files *files,
	struct codectl_found_section found[static CODECTL_FOUND_SECTION_MAX])
{
	struct finding finding = {.files = files, .found = found};
	size_t eh_frame_count;

	if (files->own)
		add_eh_frame(&finding, files->own);
	if (!finding.count && files->debug)
		add_eh_frame(&finding, files->debug);
	eh_frame_count = finding.count;
	if (files->own)
		add_named(&finding, files->own, ".debug_frame", true);
	if (finding.count == eh_frame_count && files->debug)
		add_named(&finding, files->debug, ".debug_frame", true);
	return finding.count;
}
