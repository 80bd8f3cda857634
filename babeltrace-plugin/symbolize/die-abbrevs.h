/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/die-abbrevs.h: the abbreviations of a unit of DWARF 2 to 5: which
 * attributes its entries have, and how these are written down. What is of no
 * interest is only kept as a length. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DIE_ABBREVS_H
#define CODECTL_SYMBOLIZE_DIE_ABBREVS_H

#include "symbolize/line-files.h"

#include <stdbool.h>
#include <stdint.h>

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

/* Instead of a length: it depends on what is there. */
#define CODECTL_DIE_VARIABLE UINT32_MAX

/* An attribute, or several that are of no interest. */
struct codectl_die_spec {
	uint32_t name; /* DW_AT_*; 0 if it is of no interest. */
	uint32_t form; /* DW_FORM_*. */
	uint32_t len;  /* Or CODECTL_DIE_VARIABLE. */
	int64_t constant;
};

struct codectl_die_abbrev {
	uint64_t code;
	uint32_t tag;
	uint32_t first; /* Of its specs. */
	uint32_t count;
	uint32_t len; /* Of all its attributes if none is of interest, or CODECTL_DIE_VARIABLE. */
	bool has_children;
	bool has_told; /* Some attribute is of interest. */
};

/* All zero: none. Ends with fini(). */
struct codectl_die_abbrevs {
	bool is_read;
	bool has_far_references;	    /* One of them has; to other units of the section. */
	bool has_sup_references;	    /* To a supplementary file, as in DWARF 5. */
	struct codectl_die_unit unit;	    /* From which they are. */
	struct codectl_die_abbrev *entries; /* Owned; sorted by code. */
	size_t count;
	size_t capacity;
	struct codectl_die_spec *specs; /* Owned; of all. */
	size_t spec_count;
	size_t spec_capacity;
};

/*
 * Reads those of @unit, unless they are the same as before. The bytes read are
 * taken off *@budget, which hostile units use up. Returns 0, -EINVAL or -ENOMEM.
 */
int codectl_die_abbrevs_read(
	struct codectl_die_abbrevs *abbrevs, const struct codectl_die_unit *unit, size_t *budget);

void codectl_die_abbrevs_fini(struct codectl_die_abbrevs *abbrevs);

/* That with the number @code, weak as long as they; or NULL. */
const struct codectl_die_abbrev *codectl_die_abbrevs_find(
	const struct codectl_die_abbrevs *abbrevs, uint64_t code);

/* The length of an attribute of that form (DW_FORM_*), or CODECTL_DIE_VARIABLE. */
uint32_t codectl_die_form_len(const struct codectl_die_unit *unit, uint64_t form);

#endif /* CODECTL_SYMBOLIZE_DIE_ABBREVS_H */
