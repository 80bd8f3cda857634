/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/functions.h: the functions of one compile unit by address, with
 * those that were inlined into them, out of its DWARF. The tree of functions,
 * blocks and inlined calls is walked once and flattened: after that a whole
 * chain of inlined calls is one binary search and a walk along its callers.
 * Names are read when somebody asks for them. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_FUNCTIONS_H
#define CODECTL_SYMBOLIZE_FUNCTIONS_H

#include "symbolize/die-walk.h"
#include "symbolize/dwarf-sections.h"
#include "symbolize/name.h"
#include "symbolize/range-list.h"
#include "symbolize/ranges.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More levels of functions, blocks and calls than this are not looked into. */
#define CODECTL_FUNCTIONS_DEPTH_MAX 256

struct codectl_functions;

/* A function, or a call of one that was inlined. There may be many. */
struct codectl_function {
	uint64_t entry; /* Where it begins, as far as the DWARF says. */
	Dwarf_Off die;
	uint32_t call_file; /* Of the call that was inlined, as the line table numbers it. */
	uint32_t call_line; /* 0 if unknown. */
	uint32_t caller;    /* See codectl_functions_caller(). */
	bool is_inlined;
	bool is_far;   /* Its names may be in another unit. */
	bool is_named; /* Of the two below it has the names. */
	union {
		struct {
			struct codectl_die_text plain, linkage;
		} texts; /* Where they are. */
		struct {
			struct codectl_name name;
			const char *plain_name; /* Weak, in the DWARF. */
		} names;
	};
};

/* What functions are made from. All weak. */
struct codectl_functions_source {
	struct codectl_section_bytes info;   /* The section that has the unit … */
	struct codectl_section_bytes abbrev; /* … and that of its abbreviations. */
	/* Not of split units, for which libdw reads these: */
	struct codectl_section_bytes str, line_str;
	struct codectl_range_sections lists;
	struct codectl_dwarf_sections
		*sections; /* In which lists are fetched. NULL: all are there. */
	const struct codectl_ranges *code;
	struct codectl_die_walk *entries; /* Of the unit before, or all zero. */
	size_t *budget;			  /* Ranges that may still be read. */
	size_t *abbrev_budget;		  /* Bytes of abbreviations. */
};

/*
 * Walks the unit @die once. Only what begins in the code counts: the rest was
 * dropped by the linker and seems to be at address 0. At the end of a budget the
 * walk ends. Returns 0 with *@functions owned by the caller, or -ENOMEM.
 */
int codectl_functions_create(Dwarf_Die *die, const struct codectl_functions_source *source,
	struct codectl_functions **functions);

void codectl_functions_destroy(struct codectl_functions *functions);

/* Where the unit's line table is in .debug_line. Returns 0, or -ENOENT: the walk did not tell. */
int codectl_functions_lines(const struct codectl_functions *functions, uint64_t *offset);

/* The memory that it takes, in bytes. */
size_t codectl_functions_size(const struct codectl_functions *functions);

/* The innermost function at @vaddr, weak as long as @functions; NULL without any. */
struct codectl_function *codectl_functions_find(
	struct codectl_functions *functions, uint64_t vaddr);

/* Into what @function was inlined; NULL if it was not, or if that is unknown. */
struct codectl_function *codectl_functions_caller(
	struct codectl_functions *functions, const struct codectl_function *function);

/* Its name to show, weak as long as @functions; "" if unknown, NULL if memory is short. */
const char *codectl_functions_name(
	struct codectl_functions *functions, struct codectl_function *function);

/* Its name alone, without those around it and without parameters: "" if unknown. As above. */
const char *codectl_functions_plain_name(
	struct codectl_functions *functions, struct codectl_function *function);

#endif /* CODECTL_SYMBOLIZE_FUNCTIONS_H */
