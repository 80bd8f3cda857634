/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/debug-info.h"

#include "symbolize/dwarf-file.h"
#include "symbolize/functions.h"
#include "symbolize/line-table.h"
#include "symbolize/split.h"
#include "symbolize/symbol-table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	Dwarf_Die die;
	Dwarf_Die split; /* The entry of its other part, if has_split. */
	bool has_tried_split;
	bool has_split;
	bool has_aranges;
	bool is_skeleton;		     /* Its functions are in another file. */
	struct codectl_functions *functions; /* Owned; NULL until needed, or without. */
	struct codectl_line_table *lines;    /* Owned; NULL until needed, or without. */
	bool has_tried_lines;
	bool has_tried_functions;
};

struct codectl_debug_info {
	struct codectl_dwarf_file dwarf;
	struct codectl_split split;
	struct unit *units; /* Owned; ascending in the file. */
	size_t unit_count;
	size_t unit_capacity;
	struct codectl_ranges ranges;	  /* Values are indexes of units. */
	const struct codectl_range *last; /* Of these, the one found last; weak. */
	struct codectl_ranges code;	  /* Where code can be. */
	size_t budget;			  /* Ranges that may still be read. */
	size_t file_len;
	size_t memory; /* What functions and lines of all units take. */
	struct codectl_line_sections sections;
	struct codectl_range_sections lists;
	size_t line_budget;			 /* Bytes of line programs that may still be run. */
	struct codectl_section_bytes unit_bytes; /* .debug_info */
	struct codectl_section_bytes abbrev_bytes; /* .debug_abbrev */
	size_t abbrev_budget;			   /* Bytes of it that may still be read. */
	struct codectl_die_walk entries;	   /* Of the unit that was read last. */
};

static struct codectl_section_bytes section_bytes(
	const struct codectl_debug_info *info, enum codectl_dwarf_section which)
{
	const struct codectl_elf_range *section = &info->dwarf.sections.sections[which];

	return (struct codectl_section_bytes){.bytes = section->bytes, .len = section->len};
}

static int add_unit(struct codectl_debug_info *info, const Dwarf_Die *die, bool is_skeleton)
{
	if (info->unit_count == info->unit_capacity) {
		size_t capacity = info->unit_capacity ? 2 * info->unit_capacity : 64;
		void *larger = reallocarray(info->units, capacity, sizeof(*info->units));

		if (!larger)
			return -ENOMEM;
		info->units = larger;
		info->unit_capacity = capacity;
	}
	info->units[info->unit_count++] = (struct unit){.die = *die, .is_skeleton = is_skeleton};
	return 0;
}

static int list_units(struct codectl_debug_info *info)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;
	Dwarf_Die die;
	int ret = 0;

	while (!ret &&
		dwarf_get_units(info->dwarf.dwarf, unit, &unit, NULL, &type, &die, NULL) == 0) {
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			ret = add_unit(info, &die, type == DW_UT_skeleton);
	}
	return ret;
}

static int compare_offset(const void *key, const void *entry)
{
	Dwarf_Off offset = *(const Dwarf_Off *)key;
	Dwarf_Off other = dwarf_dieoffset(&((struct unit *)(uintptr_t)entry)->die);

	return offset < other ? -1 : offset > other;
}

/*
 * Notes that @unit has code at [start, end). Code that the linker threw away
 * seems to be at address 0 or nearby: whatever does not start in code is dropped.
 */
static int add_range(
	struct codectl_debug_info *info, const struct unit *unit, uint64_t start, uint64_t end)
{
	if (!codectl_ranges_find(&info->code, start))
		return 0;
	return codectl_ranges_add(&info->ranges, start, end, (uint32_t)(unit - info->units), 0);
}

/* What .debug_aranges says; it may say nothing, or nothing about some units. */
static int index_aranges(struct codectl_debug_info *info)
{
	Dwarf_Aranges *aranges;
	size_t count;
	int ret = 0;

	if (!info->unit_count || dwarf_getaranges(info->dwarf.dwarf, &aranges, &count) != 0)
		return 0;
	for (size_t i = 0; !ret && i < count; i++) {
		Dwarf_Arange *arange = dwarf_onearange(aranges, i);
		Dwarf_Addr start;
		Dwarf_Word len;
		Dwarf_Off offset;
		struct unit *unit;

		if (!arange || dwarf_getarangeinfo(arange, &start, &len, &offset) != 0 ||
			len > UINT64_MAX - start)
			continue;
		unit = bsearch(&offset, info->units, info->unit_count, sizeof(*info->units),
			compare_offset);
		if (!unit)
			continue;
		unit->has_aranges = true;
		ret = add_range(info, unit, start, start + len);
	}
	return ret;
}

static int index_unit(struct codectl_debug_info *info, struct unit *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	int ret = 0;

	codectl_dwarf_sections_fetch_lists(&info->dwarf.sections);
	while (!ret && info->budget > 0 &&
		(offset = dwarf_ranges(&unit->die, offset, &base, &start, &end)) > 0) {
		info->budget--;
		ret = add_range(info, unit, start, end);
	}
	return ret;
}

static void set_budgets(struct codectl_debug_info *info)
{
	/* Honest ranges take more than 4 bytes each; hostile ones may share them. */
	info->budget = info->file_len / 4;
	/* Honest units have a program of their own each. */
	info->line_budget = 2 * info->sections.line.len;
	/* Units that lie together share abbreviations, or each has its own. */
	info->abbrev_budget = 4 * info->abbrev_bytes.len;
}

static int make_index(struct codectl_debug_info *info, const struct codectl_elf_file *file)
{
	int ret = codectl_symbol_table_find_code(&file->elf, &info->code);

	info->file_len = file->len;
	set_budgets(info);
	if (!ret)
		ret = list_units(info);
	if (!ret)
		ret = index_aranges(info);
	for (size_t i = 0; !ret && i < info->unit_count; i++) {
		if (!info->units[i].has_aranges)
			ret = index_unit(info, &info->units[i]);
	}
	return ret ? ret : codectl_ranges_flatten(&info->ranges);
}

int codectl_debug_info_create(struct codectl_finder *finder, struct codectl_elf_file *file,
	struct codectl_debug_info **info)
{
	int ret;

	/* What we find no sections in, libdw need not see. */
	*info = NULL;
	if (!file->elf.section_count)
		return -ENOENT;
	*info = calloc(1, sizeof(**info));
	if (!*info)
		return -ENOMEM;
	ret = codectl_dwarf_file_open(finder, file, &(*info)->dwarf);
	if (!ret)
		ret = codectl_split_init(&(*info)->split, finder, file);
	if (!ret) {
		(*info)->sections.line = section_bytes(*info, CODECTL_DWARF_LINE);
		(*info)->sections.line_str = section_bytes(*info, CODECTL_DWARF_LINE_STR);
		(*info)->sections.str = section_bytes(*info, CODECTL_DWARF_STR);
		(*info)->lists.ranges = section_bytes(*info, CODECTL_DWARF_RANGES);
		(*info)->lists.rnglists = section_bytes(*info, CODECTL_DWARF_RNGLISTS);
		(*info)->unit_bytes = section_bytes(*info, CODECTL_DWARF_INFO);
		(*info)->abbrev_bytes = section_bytes(*info, CODECTL_DWARF_ABBREV);
		ret = make_index(*info, file);
	}
	if (ret) {
		codectl_debug_info_destroy(*info);
		*info = NULL;
	}
	return ret;
}

/* Frees what was read of the units. */
static void forget_units(struct codectl_debug_info *info)
{
	for (size_t i = 0; i < info->unit_count; i++) {
		struct unit *unit = &info->units[i];

		codectl_functions_destroy(unit->functions);
		codectl_line_table_destroy(unit->lines);
		unit->functions = NULL;
		unit->lines = NULL;
		unit->has_tried_functions = unit->has_tried_lines = false;
	}
	info->memory = 0;
}

bool codectl_debug_info_trim(struct codectl_debug_info *info, size_t max)
{
	if (info->memory <= max)
		return false;
	forget_units(info);
	set_budgets(info);
	return true;
}

void codectl_debug_info_destroy(struct codectl_debug_info *info)
{
	if (!info)
		return;
	forget_units(info);
	free(info->units);
	codectl_ranges_fini(&info->ranges);
	codectl_ranges_fini(&info->code);
	codectl_die_walk_fini(&info->entries);
	codectl_dwarf_file_close(&info->dwarf);
	codectl_split_fini(&info->split);
	free(info);
}

int codectl_debug_info_for_each_part(
	const struct codectl_debug_info *info, codectl_object_part_visit *visit, void *user)
{
	struct codectl_object_part_file part = {.part = CODECTL_PART_SUPPLEMENTARY, .name = ""};
	const struct codectl_elf_file *alt = &info->dwarf.alt_file;
	int ret = 0;

	if (codectl_elf_file_is_open(alt) && alt->path &&
		codectl_elf_build_id(&alt->elf, &part.build_id, &part.build_id_len) == 0) {
		part.path = alt->path;
		ret = visit(user, &part);
	}
	for (size_t i = 0; !ret && i < info->split.used_count; i++) {
		part = (struct codectl_object_part_file){
			.part = CODECTL_PART_SPLIT,
			.path = info->split.used[i].path,
			.name = info->split.used[i].name,
		};
		ret = visit(user, &part);
	}
	return ret;
}

static struct unit *find_unit(struct codectl_debug_info *info, uint64_t vaddr)
{
	/* Functions and line of one address are asked for one after the other. */
	if (!info->last || vaddr < info->last->start || vaddr >= info->last->end)
		info->last = codectl_ranges_find(&info->ranges, vaddr);
	return info->last ? &info->units[info->last->value] : NULL;
}

/* Where the unit is. */
static void fetch_unit(struct codectl_debug_info *info, struct unit *unit)
{
	uint64_t first = dwarf_dieoffset(&unit->die);
	uint64_t start = first - dwarf_cuoffset(&unit->die);
	uint64_t end = unit + 1 < info->units + info->unit_count ? dwarf_dieoffset(&unit[1].die)
								 : info->unit_bytes.len;

	codectl_dwarf_sections_fetch(&info->dwarf.sections, CODECTL_DWARF_INFO, start, end - start);
}

/*
 * The table is as long as its header says. Returns its version, on which it
 * depends whether the compiler's directory is in there.
 */
static uint16_t fetch_lines(const struct codectl_debug_info *info, uint64_t offset)
{
	const struct codectl_dwarf_sections *sections = &info->dwarf.sections;
	const struct codectl_section_bytes *line = &info->sections.line;
	struct codectl_reader reader;
	uint64_t len;

	codectl_reader_init(&reader, line->bytes, line->len);
	codectl_reader_seek(&reader, offset);
	codectl_dwarf_sections_fetch(sections, CODECTL_DWARF_LINE, offset, 12);
	len = codectl_reader_u32(&reader);
	if (len == UINT32_MAX)
		len = codectl_reader_u64(&reader);
	codectl_dwarf_sections_fetch(sections, CODECTL_DWARF_LINE, reader.offset, len);
	return codectl_reader_u16(&reader);
}

static void read_lines(struct codectl_debug_info *info, struct unit *unit)
{
	const char *comp_dir = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	unit->has_tried_lines = true;
	if ((!unit->functions || unit->is_skeleton ||
		    codectl_functions_lines(unit->functions, &offset) != 0) &&
		dwarf_formudata(dwarf_attr(&unit->die, DW_AT_stmt_list, &attribute), &offset) != 0)
		return;
	if (fetch_lines(info, offset) < 5)
		comp_dir = dwarf_formstring(dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute));
	if (codectl_line_table_create(&info->sections, offset, comp_dir, &info->code,
		    &info->line_budget, &unit->lines) == 0)
		info->memory += codectl_line_table_size(unit->lines);
}

int codectl_debug_info_find_source(
	struct codectl_debug_info *info, uint64_t vaddr, const char **path, uint32_t *line)
{
	struct unit *unit = find_unit(info, vaddr);

	if (!unit)
		return -ENOENT;
	if (!unit->has_tried_lines)
		read_lines(info, unit);
	return unit->lines ? codectl_line_table_find(unit->lines, vaddr, path, line) : -ENOENT;
}

/* A section of the file that libdw has for a split unit, which is plain. */
static struct codectl_section_bytes split_bytes(Elf *elf, const char *name)
{
	struct codectl_section_bytes bytes = {0};
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return bytes;
	while (!bytes.bytes && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *own = gelf_getshdr(section, &header)
					  ? elf_strptr(elf, names, header.sh_name)
					  : NULL;
		Elf_Data *contents = own && !strcmp(own, name) ? elf_rawdata(section, NULL) : NULL;

		if (contents && contents->d_buf) {
			bytes.bytes = contents->d_buf;
			bytes.len = contents->d_size;
		}
	}
	return bytes;
}

/* Looks for the rest of the unit once: libdw keeps it. Returns whether it is there. */
static bool find_split(struct codectl_debug_info *info, struct unit *unit)
{
	if (!unit->has_tried_split)
		unit->has_split = codectl_split_find(&info->split, &info->dwarf, &unit->die,
					  &unit->split) == 0;
	unit->has_tried_split = true;
	return unit->has_split;
}

/* With link-time optimization names are in other units; libdw may be led to any of them. */
static void fetch_far_units(struct codectl_debug_info *info)
{
	if (info->entries.abbrevs.has_far_references)
		codectl_dwarf_sections_fetch(
			&info->dwarf.sections, CODECTL_DWARF_INFO, 0, info->unit_bytes.len);
}

/* The functions of a split unit are in a file of their own, if that is to be had. */
static void read_functions(struct codectl_debug_info *info, struct unit *unit)
{
	Dwarf_Die die = unit->die;

	unit->has_tried_functions = true;
	if (unit->is_skeleton) {
		if (!find_split(info, unit))
			return;
		die = unit->split;
	}
	struct codectl_functions_source source = {
		.info = info->unit_bytes,
		.abbrev = info->abbrev_bytes,
		.str = info->sections.str,
		.line_str = info->sections.line_str,
		.lists = info->lists,
		.sections = &info->dwarf.sections,
		.code = &info->code,
		.entries = &info->entries,
		.budget = &info->budget,
		.abbrev_budget = &info->abbrev_budget,
	};
	size_t split_budget;

	if (!unit->is_skeleton)
		fetch_unit(info, unit);
	if (unit->is_skeleton) {
		Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(die.cu));

		source.str = source.line_str = (struct codectl_section_bytes){0};
		source.lists = (struct codectl_range_sections){0};
		source.sections = NULL;
		/* Before DWARF 5 they are in the file with the skeleton. */
		codectl_dwarf_sections_fetch_lists(&info->dwarf.sections);
		source.info = split_bytes(elf, ".debug_info.dwo");
		source.abbrev = split_bytes(elf, ".debug_abbrev.dwo");
		/* They are read once. */
		split_budget = source.abbrev.len;
		source.abbrev_budget = &split_budget;
	}
	if (codectl_functions_create(&die, &source, &unit->functions) == 0)
		info->memory += codectl_functions_size(unit->functions);
	if (!unit->is_skeleton)
		fetch_far_units(info);
}

/* Where @function was called: the line table of the unit numbers the files. */
static const char *call_path(const struct unit *unit, const struct codectl_function *function)
{
	return unit->lines ? codectl_line_table_path(unit->lines, function->call_file) : NULL;
}

size_t codectl_debug_info_find_chain(struct codectl_debug_info *info, uint64_t vaddr,
	struct codectl_debug_info_level levels[static CODECTL_DEBUG_INFO_LEVELS_MAX])
{
	struct unit *unit = find_unit(info, vaddr);
	struct codectl_function *function;
	size_t count = 0;

	if (!unit)
		return 0;
	if (!unit->has_tried_functions)
		read_functions(info, unit);
	if (!unit->has_tried_lines)
		read_lines(info, unit);
	function = unit->functions ? codectl_functions_find(unit->functions, vaddr) : NULL;
	for (; function && count < CODECTL_DEBUG_INFO_LEVELS_MAX;
		function = codectl_functions_caller(unit->functions, function)) {
		levels[count++] = (struct codectl_debug_info_level){
			.functions = unit->functions,
			.function = function,
			.is_inlined = function->is_inlined,
			.entry = function->entry,
			.call_path = function->is_inlined ? call_path(unit, function) : NULL,
			.call_line = function->call_line,
		};
	}
	return count;
}

const char *codectl_debug_info_name(const struct codectl_debug_info_level *level)
{
	const char *name = codectl_functions_name(level->functions, level->function);

	return name ? name : "";
}

const char *codectl_debug_info_plain_name(const struct codectl_debug_info_level *level)
{
	return codectl_functions_plain_name(level->functions, level->function);
}
