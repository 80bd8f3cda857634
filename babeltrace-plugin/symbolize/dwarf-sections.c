/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/dwarf-sections.h"

#include "symbolize/elf-contents.h"
#include "symbolize/unpack.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 32
/* The first section is none, and the last one has the names. */
#define HEADER_COUNT (CODECTL_DWARF_SECTION_COUNT + 2)

/* In the order of enum codectl_dwarf_section; what comes after ".debug_" or ".zdebug_". */
static const char *const names[CODECTL_DWARF_SECTION_COUNT] = {"abbrev", "addr", "aranges", "info",
	"line", "line_str", "ranges", "rnglists", "str", "str_offsets", "types"};

/* What is at the beginning of the ELF file that libelf gets. */
struct headers {
	Elf64_Ehdr header;
	Elf64_Shdr sections[HEADER_COUNT];
	char names[HEADER_COUNT][NAME_SIZE];
};

/* Which section of DWARF has that name; COUNT: none. */
static size_t find_name(const char *name, bool is_split)
{
	size_t prefix_len = !strncmp(name, ".debug_", 7)    ? 7
			    : !strncmp(name, ".zdebug_", 8) ? 8
							    : 0;
	size_t len = strlen(name);
	size_t i = 0;

	if (!prefix_len)
		return CODECTL_DWARF_SECTION_COUNT;
	if (is_split != (len > 4 && !strcmp(name + len - 4, ".dwo")))
		return CODECTL_DWARF_SECTION_COUNT;
	len -= prefix_len + (is_split ? 4 : 0);
	while (i < CODECTL_DWARF_SECTION_COUNT &&
		(strlen(names[i]) != len || strncmp(name + prefix_len, names[i], len) != 0))
		i++;
	return i;
}

/* Whether a section is large, and read in parts, in that kind of file. */
static bool is_read_in_parts(enum codectl_dwarf_file_kind kind, size_t which)
{
	if (kind == CODECTL_DWARF_PACKAGE)
		return which != CODECTL_DWARF_STR;
	return kind == CODECTL_DWARF_PLAIN &&
	       (which == CODECTL_DWARF_INFO || which == CODECTL_DWARF_LINE ||
		       which == CODECTL_DWARF_RANGES || which == CODECTL_DWARF_RNGLISTS);
}

/* Takes section @which. Returns NULL, or why it cannot be used. */
static const char *take_section(struct codectl_dwarf_sections *sections, size_t which,
	const struct codectl_elf_section *section, enum codectl_dwarf_file_kind kind)
{
	struct codectl_elf_range *range = &sections->sections[which];
	bool is_packed = codectl_unpack_is_packed(section);
	const char *reason = NULL;
	size_t len;

	if (section->type == SHT_NOBITS)
		return NULL;
	if ((is_packed || !is_read_in_parts(kind, which)) &&
		codectl_elf_contents_fetch(sections->file, section->offset, section->size))
		return codectl_object_status_text(CODECTL_OBJECT_CHANGED);
	if (!is_packed) {
		if (codectl_elf_section_range(&sections->file->elf, section, range) || !range->len)
			*range = (struct codectl_elf_range){0};
		return NULL;
	}
	if (codectl_unpack_section(
		    sections->file, section, &sections->unpacked[which], &len, &reason) == 0)
		*range = (struct codectl_elf_range){.bytes = sections->unpacked[which], .len = len};
	return range->bytes ? NULL : reason;
}

void codectl_dwarf_sections_read(struct codectl_finder *finder, struct codectl_elf_file *file,
	enum codectl_dwarf_file_kind kind, struct codectl_dwarf_sections *sections)
{
	bool is_split = kind == CODECTL_DWARF_SPLIT || kind == CODECTL_DWARF_PACKAGE;
	struct codectl_elf_section section;

	*sections = (struct codectl_dwarf_sections){
		.file = file,
		.type = file->elf.type,
		.machine = file->elf.machine,
	};
	for (size_t i = 0; i < file->elf.section_count; i++) {
		const char *reason;
		size_t which;

		if (codectl_elf_get_section(&file->elf, i, &section))
			continue;
		which = find_name(section.name, is_split);
		if (which == CODECTL_DWARF_SECTION_COUNT || sections->sections[which].bytes)
			continue;
		reason = take_section(sections, which, &section, kind);
		if (reason)
			codectl_finder_tell(
				finder, CODECTL_PART_SECTION, section.name, reason, false);
	}
}

int codectl_dwarf_sections_fetch(const struct codectl_dwarf_sections *sections,
	enum codectl_dwarf_section which, uint64_t offset, uint64_t len)
{
	const struct codectl_elf_range *section = &sections->sections[which];

	if (sections->unpacked[which] || offset >= section->len)
		return 0;
	if (len > section->len - offset)
		len = section->len - offset;
	return codectl_elf_contents_fetch(sections->file,
		(uint64_t)(section->bytes - sections->file->elf.image) + offset, len);
}

void codectl_dwarf_sections_fetch_lists(struct codectl_dwarf_sections *sections)
{
	if (sections->has_lists)
		return;
	sections->has_lists = true;
	codectl_dwarf_sections_fetch(sections, CODECTL_DWARF_RANGES, 0, UINT64_MAX);
	codectl_dwarf_sections_fetch(sections, CODECTL_DWARF_RNGLISTS, 0, UINT64_MAX);
}

void codectl_dwarf_sections_fini(struct codectl_dwarf_sections *sections)
{
	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++)
		free(sections->unpacked[i]);
	*sections = (struct codectl_dwarf_sections){0};
}

static void fill_header(const struct codectl_dwarf_sections *sections, struct headers *headers)
{
	headers->header = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT},
		/* Relocations, of which there are none here, would change what is in there. */
		.e_type = sections->type == ET_REL ? ET_EXEC : sections->type,
		.e_machine = sections->machine,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shoff = offsetof(struct headers, sections),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADER_COUNT,
		.e_shstrndx = HEADER_COUNT - 1,
	};
	headers->sections[HEADER_COUNT - 1] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct headers, names),
		.sh_size = sizeof(headers->names),
		.sh_addralign = 1,
	};
}

/* Of contents that are at @offset; without, of the first byte of the file. */
static void fill_section(
	struct headers *headers, size_t which, const char *suffix, uint64_t offset, uint64_t len)
{
	headers->sections[which + 1] = (Elf64_Shdr){
		.sh_name = (Elf64_Word)((which + 1) * NAME_SIZE),
		.sh_type = SHT_PROGBITS,
		.sh_offset = offset,
		.sh_size = len,
		.sh_addralign = 1,
	};
	snprintf(headers->names[which + 1], NAME_SIZE, ".debug_%s%s", names[which], suffix);
}

/*
 * Has libelf take the contents of the sections from where they are. libdw asks for
 * them as they are in memory (up to elfutils 0.188 at least) or in the file (0.192).
 */
static int set_contents(const struct codectl_dwarf_sections *sections, Elf *elf)
{
	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++) {
		const struct codectl_elf_range *range = &sections->sections[i];
		Elf_Scn *section;
		Elf_Data *contents[2];

		if (!range->bytes)
			continue;
		section = elf_getscn(elf, i + 1);
		contents[0] = section ? elf_getdata(section, NULL) : NULL;
		contents[1] = section ? elf_rawdata(section, NULL) : NULL;
		for (size_t j = 0; j < 2; j++) {
			if (!contents[j])
				return -ENOENT;
			/* What libelf itself has to free it knows in another place. */
			contents[j]->d_buf = (void *)(uintptr_t)range->bytes;
			contents[j]->d_size = range->len;
		}
	}
	return 0;
}

int codectl_dwarf_image_create(
	const struct codectl_dwarf_sections *sections, struct codectl_dwarf_image *image)
{
	struct headers *headers = calloc(1, sizeof(*headers));
	int ret = headers ? -ENOENT : -ENOMEM;

	*image = (struct codectl_dwarf_image){.bytes = headers, .len = sizeof(*headers)};
	if (!headers)
		return ret;
	fill_header(sections, headers);
	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++) {
		if (sections->sections[i].bytes)
			fill_section(headers, i, "", 0, 1);
	}
	if (elf_version(EV_CURRENT) != EV_NONE)
		image->elf = elf_memory(image->bytes, image->len);
	if (image->elf)
		ret = set_contents(sections, image->elf);
	if (ret)
		codectl_dwarf_image_fini(image);
	return ret;
}

/* Whether a section has only strings, to which libdw keeps no pointers of its own. */
static bool is_movable(size_t which)
{
	return which == CODECTL_DWARF_STR || which == CODECTL_DWARF_LINE_STR;
}

/* Moves a section to memory of ours. Returns whether it did. */
static bool move(
	struct codectl_dwarf_sections *sections, struct codectl_dwarf_image *image, size_t which)
{
	struct codectl_elf_range *section = &sections->sections[which];
	char *copy = malloc(section->len + CODECTL_UNPACK_SLACK);

	if (!copy)
		return false;
	memcpy(copy, section->bytes, section->len);
	sections->unpacked[which] = copy;
	section->bytes = (const uint8_t *)copy;
	return set_contents(sections, image->elf) == 0;
}

char *codectl_dwarf_image_make_room(struct codectl_dwarf_sections *sections,
	struct codectl_dwarf_image *image, const char *text, size_t len)
{
	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++) {
		const struct codectl_elf_range *section = &sections->sections[i];
		uintptr_t offset = (uintptr_t)text - (uintptr_t)section->bytes;

		if (!section->bytes || offset >= section->len)
			continue;
		if (len > CODECTL_UNPACK_SLACK ||
			(len > section->len - offset && !sections->unpacked[i] &&
				(!is_movable(i) || !move(sections, image, i))))
			return NULL;
		return (char *)(uintptr_t)section->bytes + offset;
	}
	return NULL;
}

int codectl_dwarf_image_copy(
	const struct codectl_dwarf_sections *sections, struct codectl_dwarf_image *image)
{
	size_t len = sizeof(struct headers);
	struct headers *headers;

	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++)
		len += sections->sections[i].len;
	headers = malloc(len);
	*image = (struct codectl_dwarf_image){.bytes = headers, .len = len};
	if (!headers)
		return -ENOMEM;
	memset(headers, 0, sizeof(*headers));
	fill_header(sections, headers);
	len = sizeof(*headers);
	for (size_t i = 0; i < CODECTL_DWARF_SECTION_COUNT; i++) {
		const struct codectl_elf_range *from = &sections->sections[i];

		if (!from->bytes)
			continue;
		fill_section(headers, i, ".dwo", len, from->len);
		memcpy((char *)image->bytes + len, from->bytes, from->len);
		len += from->len;
	}
	return 0;
}

void codectl_dwarf_image_fini(struct codectl_dwarf_image *image)
{
	elf_end(image->elf);
	free(image->bytes);
	*image = (struct codectl_dwarf_image){0};
}
