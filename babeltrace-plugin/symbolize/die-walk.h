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
#include "symbolize/line-files.h"

/* Where the unit is, and what its header says. */
struct codectl_die_unit {
	struct codectl_section_bytes info;   /* The section of the unit: .debug_info … */
	struct codectl_section_bytes abbrev; /* .debug_abbrev … */
	uint64_t start;			     /* Where its header is there. */
	uint64_t first;			     /* Where its own entry is. */
	uint64_t end;
	uint64_t abbrev_offset;
	unsigned int version;
	uint8_t address_size;
	uint8_t offset_size;
};

struct codectl_die {
	uint64_t offset; /* In the section. */
	unsigned int tag;
	size_t depth; /* 0 for the unit's own entry. */
	bool has_children;
	bool has_range;	 /* One, from start to end. */
	bool has_ranges; /* Without has_range: libdw must read them. */
	uint64_t start;
	uint64_t end;
	uint64_t call_file; /* 0 without. */
	uint64_t call_line;
	uint64_t sibling; /* Counted from the unit's header; 0 without. */
};

struct codectl_die_abbrev;
struct codectl_die_spec;

/* All zero: nothing to walk. Ends with fini(). */
struct codectl_die_walk {
	struct codectl_die_unit unit;
	bool has_abbrevs;
	bool has_far_references; /* Some abbreviation has; to other units of the section. */
	struct codectl_die_abbrev *abbrevs; /* Owned; sorted by code. */
	size_t abbrev_count;
	size_t abbrev_capacity;
	struct codectl_die_spec *specs; /* Owned; of all abbreviations. */
	size_t spec_count;
	size_t spec_capacity;
	struct codectl_reader reader; /* Over info up to the unit's end. */
	size_t depth;		      /* Of the entry that comes next. */
	struct codectl_die last;
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

/* The next entry, weak until the next call; NULL after the last, or at damage. */
const struct codectl_die *codectl_die_walk_next(struct codectl_die_walk *walk);

/* Leaves out what is within the entry returned last. */
void codectl_die_walk_skip(struct codectl_die_walk *walk);

#endif /* CODECTL_SYMBOLIZE_DIE_WALK_H */
