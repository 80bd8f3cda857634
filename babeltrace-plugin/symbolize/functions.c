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
	Dwarf *dwarf;			    /* Weak; has the unit, which may be a split one. */
	bool is_c;			    /* A function has one name, and is in no type. */
	struct codectl_function *functions; /* Owned. */
	size_t count;
	size_t capacity;
	struct codectl_ranges ranges; /* Values are indexes of functions. */
};

/* An entry on the way from the unit down to the one that is looked at. */
struct level {
	Dwarf_Die die;
	uint32_t function; /* The innermost one around its children. */
};

struct walk {
	struct codectl_functions *functions;
	const struct codectl_ranges *code;
	size_t *budget;
	size_t depth;
	struct level levels[CODECTL_FUNCTIONS_DEPTH_MAX];
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

static uint64_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? value : 0;
}

/*
 * Adds the function or inlined call at the current level, if it has code. It lies
 * on top of what is around it. Returns 0 or -ENOMEM.
 */
static int add_function(struct walk *walk, uint32_t caller, bool is_inlined)
{
	struct level *level = &walk->levels[walk->depth];
	uint32_t rank = CODECTL_FUNCTIONS_DEPTH_MAX - (uint32_t)walk->depth;
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	int ret = 0;

	level->function = NO_FUNCTION;
	while (!ret && *walk->budget > 0 &&
		(offset = dwarf_ranges(&level->die, offset, &base, &start, &end)) > 0) {
		--*walk->budget;
		if (!codectl_ranges_find(walk->code, start))
			continue;
		if (level->function == NO_FUNCTION) {
			struct codectl_function function = {
				.entry = start,
				.die = dwarf_dieoffset(&level->die),
				.caller = caller,
				.is_inlined = is_inlined,
			};

			if (is_inlined) {
				function.call_file = number_of(&level->die, DW_AT_call_file);
				function.call_line = (uint32_t)number_of(
					&level->die, DW_AT_call_line);
			}
			ret = append(walk->functions, &function);
			if (ret)
				break;
			level->function = (uint32_t)(walk->functions->count - 1);
		}
		ret = codectl_ranges_add(
			&walk->functions->ranges, start, end, level->function, rank);
	}
	return ret;
}

/* Looks at the current level. Sets *@has_inner to whether its children are of interest. */
static int visit(struct walk *walk, bool *has_inner)
{
	struct level *level = &walk->levels[walk->depth];
	uint32_t around = walk->depth ? level[-1].function : NO_FUNCTION;

	*has_inner = true;
	level->function = NO_FUNCTION;
	switch (dwarf_tag(&level->die)) {
	case DW_TAG_subprogram:
		/* One within another is not inlined into it. */
		return add_function(walk, NO_FUNCTION, false);
	case DW_TAG_inlined_subroutine:
		return add_function(walk, around, true);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		level->function = around;
		return 0;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		*has_inner = !walk->functions->is_c;
		return 0;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return 0;
	default:
		*has_inner = false;
		return 0;
	}
}

/* Units of C are mostly types, whose members need not be looked at. */
static bool is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return true;
	default:
		return false;
	}
}

static int walk_unit(struct walk *walk, Dwarf_Die *unit)
{
	int ret = 0;

	if (dwarf_child(unit, &walk->levels[0].die) != 0)
		return 0;
	while (!ret) {
		struct level *level = &walk->levels[walk->depth];
		bool has_inner;

		ret = visit(walk, &has_inner);
		if (has_inner && walk->depth + 1 < CODECTL_FUNCTIONS_DEPTH_MAX &&
			dwarf_child(&level->die, &level[1].die) == 0) {
			walk->depth++;
			continue;
		}
		/* The next one here, or after one of those around. */
		while (dwarf_siblingof(&walk->levels[walk->depth].die,
			       &walk->levels[walk->depth].die) != 0) {
			if (walk->depth == 0)
				return ret;
			walk->depth--;
		}
	}
	return ret;
}

int codectl_functions_create(Dwarf_Die *unit, const struct codectl_ranges *code, size_t *budget,
	struct codectl_functions **functions)
{
	struct walk *walk = malloc(sizeof(*walk));
	int ret = -ENOMEM;

	*functions = calloc(1, sizeof(**functions));
	if (walk && *functions) {
		walk->functions = *functions;
		walk->code = code;
		walk->budget = budget;
		(*functions)->is_c = is_c(unit);
		walk->depth = 0;
		(*functions)->dwarf = dwarf_cu_getdwarf(unit->cu);
		ret = walk_unit(walk, unit);
		if (!ret)
			ret = codectl_ranges_flatten(&(*functions)->ranges);
	}
	free(walk);
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
	for (size_t i = 0; i < functions->count; i++)
		codectl_name_fini(&functions->functions[i].name);
	free(functions->functions);
	free(functions);
}

size_t codectl_functions_size(const struct codectl_functions *functions)
{
	return sizeof(*functions) + functions->capacity * sizeof(*functions->functions) +
	       functions->ranges.capacity * sizeof(*functions->ranges.ranges);
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

static void read_names(struct codectl_functions *functions, struct codectl_function *function)
{
	const char *linkage_name = NULL, *plain_name = NULL;
	Dwarf_Die die;

	if (dwarf_offdie(functions->dwarf, function->die, &die)) {
		plain_name = dwarf_diename(&die);
		if (!functions->is_c)
			linkage_name = read_linkage_name(&die);
	}
	function->plain_name = plain_name ? plain_name : "";
	function->name.text = linkage_name ? linkage_name : function->plain_name;
}

const char *codectl_functions_name(
	struct codectl_functions *functions, struct codectl_function *function)
{
	if (!function->name.text)
		read_names(functions, function);
	return codectl_name_show(&function->name);
}

const char *codectl_functions_plain_name(
	struct codectl_functions *functions, struct codectl_function *function)
{
	if (!function->name.text)
		read_names(functions, function);
	return function->plain_name;
}
