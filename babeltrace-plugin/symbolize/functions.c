/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/functions.h"

#include "symbolize/name.h"
#include "symbolize/ranges.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* Namespaces and classes around functions; real ones are not nested deeper. */
#define DEPTH_MAX 32

/* A function, or a part of one that lies elsewhere. */
struct part {
	uint64_t start;
	struct codectl_name name;
};

struct codectl_functions {
	struct part *parts; /* Owned. */
	size_t count;
	size_t capacity;
	struct codectl_ranges ranges; /* Values are indexes of parts. */
};

static int add_part(
	struct codectl_functions *functions, const char *name, uint64_t start, uint64_t end)
{
	if (functions->count == functions->capacity) {
		size_t capacity = functions->capacity ? 2 * functions->capacity : 16;
		void *larger = reallocarray(functions->parts, capacity, sizeof(*functions->parts));

		if (!larger)
			return -ENOMEM;
		functions->parts = larger;
		functions->capacity = capacity;
	}
	functions->parts[functions->count++] = (struct part){
		.start = start, .name = {.text = name}};
	return codectl_ranges_add(
		&functions->ranges, start, end, (uint32_t)(functions->count - 1), 0);
}

/* The linkage name as symbol tables have it, else the plain name. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name ? name : dwarf_diename(die);
}

static int add_function(struct codectl_functions *functions, Dwarf_Die *die, size_t *budget)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	const char *name = NULL;
	int ret = 0;

	while (!ret && *budget > 0 &&
		(offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		--*budget;
		if (!name)
			name = name_of(die);
		if (!name)
			break;
		ret = add_part(functions, name, start, end);
	}
	return ret;
}

static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static int walk(struct codectl_functions *functions, Dwarf_Die *unit, size_t *budget)
{
	Dwarf_Die stack[DEPTH_MAX];
	size_t depth = 0;
	int ret = 0;

	if (dwarf_child(unit, &stack[0]) != 0)
		return 0;
	while (!ret) {
		Dwarf_Die *die = &stack[depth];
		int tag = dwarf_tag(die);

		if (tag == DW_TAG_subprogram)
			ret = add_function(functions, die, budget);
		if (holds_functions(tag) && depth + 1 < DEPTH_MAX &&
			dwarf_child(die, &stack[depth + 1]) == 0) {
			depth++;
			continue;
		}
		/* The next one here, or after one of those around. */
		while (dwarf_siblingof(&stack[depth], &stack[depth]) != 0) {
			if (depth == 0)
				return ret;
			depth--;
		}
	}
	return ret;
}

int codectl_functions_create(Dwarf_Die *unit, size_t *budget, struct codectl_functions **functions)
{
	int ret;

	*functions = calloc(1, sizeof(**functions));
	if (!*functions)
		return -ENOMEM;
	ret = walk(*functions, unit, budget);
	if (!ret)
		ret = codectl_ranges_flatten(&(*functions)->ranges);
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
		codectl_name_fini(&functions->parts[i].name);
	free(functions->parts);
	free(functions);
}

int codectl_functions_find(
	struct codectl_functions *functions, uint64_t vaddr, const char **name, uint64_t *start)
{
	const struct codectl_range *range = codectl_ranges_find(&functions->ranges, vaddr);

	if (!range)
		return -ENOENT;
	*name = codectl_name_show(&functions->parts[range->value].name);
	*start = functions->parts[range->value].start;
	return *name ? 0 : -ENOMEM;
}
