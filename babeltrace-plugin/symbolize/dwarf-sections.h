/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/dwarf-sections.h: the sections with the DWARF of one file, unpacked,
 * and ELF files made of them for libdw: as plain ones, with nothing in them that
 * would have it open other files on its own. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DWARF_SECTIONS_H
#define CODECTL_SYMBOLIZE_DWARF_SECTIONS_H

#include "symbolize/elf-file.h"
#include "symbolize/finding.h"

#include <libelf.h>

enum codectl_dwarf_section {
	CODECTL_DWARF_ABBREV,
	CODECTL_DWARF_ADDR,
	CODECTL_DWARF_ARANGES,
	CODECTL_DWARF_INFO,
	CODECTL_DWARF_LINE,
	CODECTL_DWARF_LINE_STR,
	CODECTL_DWARF_RANGES,
	CODECTL_DWARF_RNGLISTS,
	CODECTL_DWARF_STR,
	CODECTL_DWARF_STR_OFFSETS,
	CODECTL_DWARF_TYPES,
	CODECTL_DWARF_SECTION_COUNT
};

/* Which sections are taken, and how much of them is fetched at once. */
enum codectl_dwarf_file_kind {
	CODECTL_DWARF_PLAIN,   /* All but entries, lines and lists of ranges. */
	CODECTL_DWARF_WHOLE,   /* All. */
	CODECTL_DWARF_SPLIT,   /* All of those named .dwo. */
	CODECTL_DWARF_PACKAGE, /* The strings; .dwo as well. */
};

struct codectl_dwarf_sections {
	struct codectl_elf_file *file; /* Weak. */
	/* Weak, in the file or in unpacked; bytes NULL: there is none. */
	struct codectl_elf_range sections[CODECTL_DWARF_SECTION_COUNT];
	void *unpacked[CODECTL_DWARF_SECTION_COUNT]; /* Owned; NULL: it was not compressed. */
	bool has_lists;				     /* All lists of ranges were fetched. */
	uint16_t type;
	uint16_t machine;
};

/*
 * Takes the sections of @file, which must outlive them. What cannot be read or
 * unpacked is absent; @finder tells of it.
 */
void codectl_dwarf_sections_read(struct codectl_finder *finder, struct codectl_elf_file *file,
	enum codectl_dwarf_file_kind kind, struct codectl_dwarf_sections *sections);

/*
 * Sees to it that the bytes [offset, offset + len) of a section, as far as it has
 * them, can be read, for those that were not fetched at once. Returns 0, or
 * -ENOENT: the file has changed, or cannot be read; then there are zeros.
 */
int codectl_dwarf_sections_fetch(const struct codectl_dwarf_sections *sections,
	enum codectl_dwarf_section which, uint64_t offset, uint64_t len);

/* The same for all lists of ranges, which libdw reads where it likes. */
void codectl_dwarf_sections_fetch_lists(struct codectl_dwarf_sections *sections);

void codectl_dwarf_sections_fini(struct codectl_dwarf_sections *sections);

/* An ELF file over other memory. */
struct codectl_dwarf_image {
	void *bytes; /* Owned. */
	size_t len;
	Elf *elf; /* Owned; NULL if not asked for. */
};

/*
 * Makes an ELF file for libelf of the headers alone: the contents stay where they
 * are, so @sections must outlive it. Returns 0, -ENOENT or -ENOMEM.
 */
int codectl_dwarf_image_create(
	const struct codectl_dwarf_sections *sections, struct codectl_dwarf_image *image);

/*
 * Finds the section that @text is in, and sees to it that at least @len bytes may
 * be written there, the contents of the section or what is behind them; for
 * strings alone may the section move. Returns where the text is then, or NULL.
 */
char *codectl_dwarf_image_make_room(struct codectl_dwarf_sections *sections,
	struct codectl_dwarf_image *image, const char *text, size_t len);

/* Makes an ELF file that has all, as a split file. Returns 0 or -ENOMEM. */
int codectl_dwarf_image_copy(
	const struct codectl_dwarf_sections *sections, struct codectl_dwarf_image *image);

void codectl_dwarf_image_fini(struct codectl_dwarf_image *image);

#endif /* CODECTL_SYMBOLIZE_DWARF_SECTIONS_H */
