/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/functions.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#define NO_FUNCTION UINT32_MAX

struct codectl_functions {
	Dwarf *dwarf; /* Weak; has the unit, which may be a split one. */
	bool is_c;    /* No function is in a type. */
	bool has_lines;
	bool has_sup_references; /* Entries of a supplementary file are referred to, as in DWARF 5. */
	uint64_t lines;
	struct codectl_section_bytes info, str, line_str; /* Where names are. */
	struct codectl_function *functions;		  /* Owned. */
	size_t count;
	size_t capacity;
	struct codectl_ranges ranges; /* Values are indexes of functions. */
};

/* An abstract instance, its declaration: honest chains are short. */
#define ORIGINS_MAX 8

struct walk {
	struct codectl_functions *functions;
	const struct codectl_functions_source *source;
	const struct codectl_die_unit *unit;
	bool has_lists; /* Of ranges, which can be read without libdw … */
	uint64_t base;	/* … and are counted from there. */
	/* The innermost function around the children of each entry on the way down. */
	uint32_t around[CODECTL_FUNCTIONS_DEPTH_MAX];
};

static int append(struct codectl_functions *functions, const struct codectl_function *function)
{
	if (functions->count == functions->capacity) {
		size_t capacity = functions->capacity ? 2 * functions->capacity : 16;
		void *larger = reallocarray(
			functions->functions, capacity, sizeof(*functions->functions));

		if (!larger)
			return -ENOMEM;
		functions->functions = larger;
		functions->capacity = capacity;
	}
	/* Ranges number them with 32 bits; no unit is that large. */
	if (functions->count == NO_FUNCTION)
		return -ENOMEM;
	functions->functions[functions->count++] = *function;
	return 0;
}

/* Finds out where the names of @function are that its own entry lacks, by way of @origin. */
static void find_texts(
	struct codectl_die_walk *entries, uint64_t origin, struct codectl_function *function)
{
	for (int i = 0; origin && i < ORIGINS_MAX; i++) {
		const struct codectl_die *die = codectl_die_walk_look_at(entries, origin);

		if (!die)
			return;
		if (!function->texts.plain.form)
			function->texts.plain = die->name;
		if (!function->texts.linkage.form)
			function->texts.linkage = die->linkage_name;
		function->is_far |= die->has_far_origin;
		origin = die->origin;
	}
}

/* Adds a piece of the function @*index, which is added if it is the first. Returns 0 or -ENOMEM. */
static int add_piece(struct walk *walk, const struct codectl_die *die, uint64_t start, uint64_t end,
	uint32_t *index)
{
	uint32_t rank = CODECTL_FUNCTIONS_DEPTH_MAX - (uint32_t)die->depth;
	int ret = 0;

	if (!codectl_ranges_find(walk->source->code, start))
		return 0;
	if (*index == NO_FUNCTION) {
		bool is_inlined = die->tag == DW_TAG_inlined_subroutine;
		struct codectl_function function = {
			.entry = start,
			.die = die->offset,
			.call_file = die->call_file <= UINT32_MAX ? (uint32_t)die->call_file : 0,
			.call_line = (uint32_t)die->call_line,
			/* One within another is not inlined into it. */
			.caller = is_inlined ? walk->around[die->depth - 1] : NO_FUNCTION,
			.is_inlined = is_inlined,
			.is_far = die->has_far_origin,
			.texts = {.plain = die->name, .linkage = die->linkage_name},
		};

		find_texts(walk->source->entries, die->origin, &function);
		ret = append(walk->functions, &function);
		*index = (uint32_t)(walk->functions->count - 1);
	}
	/* It lies on top of what is around it. */
	return ret ? ret : codectl_ranges_add(&walk->functions->ranges, start, end, *index, rank);
}

/* No entry of a list is longer. */
#define LIST_ENTRY_MAX 64

static void fetch_entry(const struct walk *walk, const struct codectl_range_list *list)
{
	if (walk->source->sections)
		codectl_dwarf_sections_fetch(walk->source->sections,
			list->version < 5 ? CODECTL_DWARF_RANGES : CODECTL_DWARF_RNGLISTS,
			list->reader.offset, LIST_ENTRY_MAX);
}

/* Adds the pieces that a list has. */
static int add_list(struct walk *walk, const struct codectl_die *die, uint32_t *index)
{
	struct codectl_range_list list;
	uint64_t start, end;
	int ret = 0;

	codectl_range_list_init(&list, &walk->source->lists, walk->unit, die->ranges, walk->base);
	while (!ret && *walk->source->budget > 0) {
		--*walk->source->budget;
		fetch_entry(walk, &list);
		if (!codectl_range_list_next(&list, &start, &end))
			break;
		if (start < end)
			ret = add_piece(walk, die, start, end, index);
	}
	return ret;
}

/* Adds the function or inlined call @die, if it has code. Returns 0 or -ENOMEM. */
static int add_function(struct walk *walk, const struct codectl_die *die)
{
	uint32_t *index = &walk->around[die->depth];
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	Dwarf_Die entry;
	int ret = 0;

	if (die->has_range && *walk->source->budget > 0) {
		--*walk->source->budget;
		return add_piece(walk, die, die->start, die->end, index);
	}
	if (die->ranges_form && walk->has_lists)
		return add_list(walk, die, index);
	if (!die->has_ranges || !dwarf_offdie(walk->functions->dwarf, die->offset, &entry))
		return 0;
	if (walk->source->sections)
		codectl_dwarf_sections_fetch_lists(walk->source->sections);
	while (!ret && *walk->source->budget > 0 &&
		(offset = dwarf_ranges(&entry, offset, &base, &start, &end)) > 0) {
		--*walk->source->budget;
		ret = add_piece(walk, die, start, end, index);
	}
	return ret;
}

static bool is_c(uint64_t language)
{
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}

/* Takes what concerns all of the unit. */
static void visit_unit(struct walk *walk, const struct codectl_die *die)
{
	walk->functions->is_c = is_c(die->language);
	walk->functions->has_lines = die->has_lines;
	walk->functions->lines = die->lines;
	walk->base = die->has_base ? die->start : 0;
	/* Addresses out of a table may be in the lists. */
	walk->has_lists = !die->has_address_table &&
			  (walk->unit->version < 5 ? walk->source->lists.ranges.len
						   : walk->source->lists.rnglists.len) > 0;
}

/* Looks at @die. Sets *@has_inner to whether its children are of interest. */
static int visit(struct walk *walk, const struct codectl_die *die, bool *has_inner)
{
	*has_inner = true;
	walk->around[die->depth] = NO_FUNCTION;
	if (!die->depth)
		visit_unit(walk, die);
	switch (die->tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		return die->depth ? add_function(walk, die) : 0;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		if (die->depth)
			walk->around[die->depth] = walk->around[die->depth - 1];
		return 0;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		/* Units of C are mostly types, in which no function is. */
		*has_inner = !walk->functions->is_c;
		return 0;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return 0;
	default:
		*has_inner = die->depth == 0;
		return 0;
	}
}

static int walk_unit(struct walk *walk, const struct codectl_die_unit *unit)
{
	struct codectl_die_walk *entries = walk->source->entries;
	const struct codectl_die *die;

	walk->unit = unit;

	int ret = codectl_die_walk_init(entries, unit, walk->source->abbrev_budget);

	if (ret)
		return ret == -ENOMEM ? ret : 0;
	while (!ret && (die = codectl_die_walk_next(entries))) {
		bool has_inner = false;

		if (die->depth < CODECTL_FUNCTIONS_DEPTH_MAX)
			ret = visit(walk, die, &has_inner);
		if (!has_inner)
			codectl_die_walk_skip(entries);
	}
	walk->functions->has_sup_references = entries->abbrevs.has_sup_references;
	return ret;
}

/* What libdw has read of the unit's header, and where the unit ends. Returns whether it is sound. */
static bool describe_unit(Dwarf_Die *die, const struct codectl_functions_source *source,
	struct codectl_die_unit *unit)
{
	struct codectl_reader reader;
	Dwarf_Half version;
	Dwarf_Off abbrev_offset;
	Dwarf_Die unused;
	uint64_t len;

	if (!dwarf_cu_die(die->cu, &unused, &version, &abbrev_offset, &unit->address_size,
		    &unit->offset_size, NULL, NULL))
		return false;
	unit->info = source->info;
	unit->abbrev = source->abbrev;
	unit->version = version;
	unit->abbrev_offset = abbrev_offset;
	unit->first = dwarf_dieoffset(die);
	unit->start = unit->first - dwarf_cuoffset(die);
	codectl_reader_init(&reader, unit->info.bytes, unit->info.len);
	codectl_reader_seek(&reader, unit->start);
	len = codectl_reader_u32(&reader);
	if (len == UINT32_MAX)
		len = codectl_reader_u64(&reader);
	unit->end = reader.offset + len;
	return !reader.is_failed && len <= codectl_reader_left(&reader);
}

/* Gives back the room for more. */
static void fit(struct codectl_functions *functions)
{
	void *smaller = functions->count ? reallocarray(functions->functions, functions->count,
						   sizeof(*functions->functions))
					 : NULL;

	if (smaller) {
		functions->functions = smaller;
		functions->capacity = functions->count;
	}
}

int codectl_functions_create(Dwarf_Die *die, const struct codectl_functions_source *source,
	struct codectl_functions **functions)
{
	struct walk walk = {.source = source};
	struct codectl_die_unit unit;
	int ret = 0;

	*functions = calloc(1, sizeof(**functions));
	if (!*functions)
		return -ENOMEM;
	walk.functions = *functions;
	(*functions)->dwarf = dwarf_cu_getdwarf(die->cu);
	(*functions)->info = source->info;
	(*functions)->str = source->str;
	(*functions)->line_str = source->line_str;
	if (describe_unit(die, source, &unit))
		ret = walk_unit(&walk, &unit);
	if (!ret)
		ret = codectl_ranges_flatten(&(*functions)->ranges);
	fit(*functions);
	if (ret) {
		codectl_functions_destroy(*functions);
		*functions = NULL;
	}
	return ret;
}

void codectl_functions_destroy(struct codectl_functions *functions)
{
	if (!functions)
		return;
	codectl_ranges_fini(&functions->ranges);
	for (size_t i = 0; i < functions->count; i++) {
		if (functions->functions[i].is_named)
			codectl_name_fini(&functions->functions[i].names.name);
	}
	free(functions->functions);
	free(functions);
}

size_t codectl_functions_size(const struct codectl_functions *functions)
{
	return sizeof(*functions) + functions->capacity * sizeof(*functions->functions) +
	       functions->ranges.capacity * sizeof(*functions->ranges.ranges);
}

int codectl_functions_lines(const struct codectl_functions *functions, uint64_t *offset)
{
	*offset = functions->lines;
	return functions->has_lines ? 0 : -ENOENT;
}

struct codectl_function *codectl_functions_find(struct codectl_functions *functions, uint64_t vaddr)
{
	const struct codectl_range *range = codectl_ranges_find(&functions->ranges, vaddr);

	return range ? &functions->functions[range->value] : NULL;
}

struct codectl_function *codectl_functions_caller(
	struct codectl_functions *functions, const struct codectl_function *function)
{
	return function->caller == NO_FUNCTION ? NULL : &functions->functions[function->caller];
}

/* The linkage name as symbol tables have it, or NULL. */
static const char *read_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return NULL;
}

/* The section that has a text, and where it is there. NULL: there is none, or libdw must read it. */
static const struct codectl_section_bytes *section_of(
	const struct codectl_functions *functions, const struct codectl_die_text *text)
{
	switch (text->form) {
	case DW_FORM_string:
		return &functions->info;
	case DW_FORM_strp:
		return functions->str.bytes ? &functions->str : NULL;
	case DW_FORM_line_strp:
		return functions->line_str.bytes ? &functions->line_str : NULL;
	default:
		return NULL;
	}
}

static const char *read_text(
	const struct codectl_functions *functions, const struct codectl_die_text *text)
{
	const struct codectl_section_bytes *section = section_of(functions, text);

	return section ? codectl_line_string(section, text->value) : NULL;
}

/* Whether the walk saw all there is to know of the names. */
static bool is_plain(
	const struct codectl_functions *functions, const struct codectl_function *function)
{
	const struct codectl_die_text *plain = &function->texts.plain;
	const struct codectl_die_text *linkage = &function->texts.linkage;

	return !function->is_far && (!plain->form || section_of(functions, plain)) &&
	       (!linkage->form || section_of(functions, linkage));
}

static void read_names(struct codectl_functions *functions, struct codectl_function *function)
{
	const char *linkage_name = NULL, *plain_name = NULL;
	Dwarf_Die die;

	if (is_plain(functions, function)) {
		plain_name = read_text(functions, &function->texts.plain);
		linkage_name = read_text(functions, &function->texts.linkage);
	} else if (function->is_far && functions->has_sup_references) {
		/* libdw up to 0.188 at least looks for these in the file itself: no name is better. */
	} else if (dwarf_offdie(functions->dwarf, function->die, &die)) {
		plain_name = dwarf_diename(&die);
		linkage_name = read_linkage_name(&die);
	}
	if (!plain_name)
		plain_name = "";
	function->names.plain_name = plain_name;
	function->names.name = (struct codectl_name){
		.text = linkage_name ? linkage_name : plain_name};
	function->is_named = true;
}

const char *codectl_functions_name(
	struct codectl_functions *functions, struct codectl_function *function)
{
	if (!function->is_named)
		read_names(functions, function);
	return codectl_name_show(&function->names.name);
}

const char *codectl_functions_plain_name(
	struct codectl_functions *functions, struct codectl_function *function)
{
	if (!function->is_named)
		read_names(functions, function);
	return function->names.plain_name;
}
