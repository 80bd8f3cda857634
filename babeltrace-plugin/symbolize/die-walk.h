/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/die-walk.h: the entries of one unit of DWARF 2 to 5 in their order,
 * each with what tells where its code is. A walk reads every byte once, which
 * the calls of libdw for children and siblings do not. Whatever is in the bytes,
 * it stays in them. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DIE_WALK_H
#define CODECTL_SYMBOLIZE_DIE_WALK_H

#include "format/reader.h"
#include "symbolize/die-abbrevs.h"

/* A string as it is written down; form 0: none. */
struct codectl_die_text {
	uint64_t value : 48; /* Of DW_FORM_string where it is in the section, else what is there. */
	uint64_t form : 16;  /* DW_FORM_*. */
};

struct codectl_die {
	uint64_t offset; /* In the section. */
	unsigned int tag;
	size_t depth; /* 0 for the unit's own entry. */
	bool has_children;
	bool has_range;	 /* One, from start to end. */
	bool has_ranges; /* Without has_range: in another table. */
	bool has_base;	 /* start was told, as an address. */
	bool has_far_origin;
	bool has_lines;
	bool has_address_table;
	uint32_t ranges_form; /* Of ranges; 0 if they are not in a list. */
	uint64_t start;
	uint64_t end;
	uint64_t call_file; /* 0 without. */
	uint64_t call_line;
	uint64_t sibling; /* Counted from the unit's header; 0 without. */
	uint64_t ranges;
	/* Of functions and inlined calls alone: */
	uint64_t origin; /* The entry that says the rest, in the section; 0 without. */
	struct codectl_die_text name;
	struct codectl_die_text linkage_name;
	/* Of units alone: */
	uint64_t language;
	uint64_t lines; /* In .debug_line, if has_lines. */
};

/* All zero: nothing to walk. Ends with fini(). */
struct codectl_die_walk {
	struct codectl_die_unit unit;
	struct codectl_die_abbrevs abbrevs;
	struct codectl_reader reader; /* Over info up to the unit's end. */
	size_t depth;		      /* Of the entry that comes next. */
	struct codectl_die last;
	struct codectl_die other; /* That was looked at. */
};

/*
 * Prepares to walk @unit, whose bytes must outlive it; if @walk had another one
 * before with the same abbreviations they are kept. The bytes of abbreviations
 * read are taken off *@budget, which hostile units use up. Returns 0, -EINVAL or
 * -ENOMEM.
 */
int codectl_die_walk_init(
	struct codectl_die_walk *walk, const struct codectl_die_unit *unit, size_t *budget);

void codectl_die_walk_fini(struct codectl_die_walk *walk);

/*
 * The next entry of which there is something to tell, or that has others in it:
 * weak until the next call; NULL after the last, or at damage.
 */
const struct codectl_die *codectl_die_walk_next(struct codectl_die_walk *walk);

/*
 * The entry at @offset of the section, weak until the next call. Returns NULL if
 * there is none in the unit. After that the walk is at an end.
 */
const struct codectl_die *codectl_die_walk_look_at(struct codectl_die_walk *walk, uint64_t offset);

/* Leaves out what is within the entry returned last. */
void codectl_die_walk_skip(struct codectl_die_walk *walk);

#endif /* CODECTL_SYMBOLIZE_DIE_WALK_H */
