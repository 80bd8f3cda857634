/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "symbolize/die-walk.h"

#include <dwarf.h>
#include <errno.h>

#define HEADER_LEN 12

/* 1: a unit; 2: a function; 3: a variable of many forms; 4: an inlined call; 7: a type. */
static const uint8_t abbrevs[] = {
	1,
	DW_TAG_compile_unit,
	1,
	DW_AT_name,
	DW_FORM_string,
	0,
	0,
	2,
	DW_TAG_subprogram,
	1,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data1,
	DW_AT_sibling,
	DW_FORM_ref4,
	0,
	0,
	3,
	DW_TAG_variable,
	0,
	DW_AT_const_value,
	DW_FORM_sdata,
	DW_AT_location,
	DW_FORM_exprloc,
	DW_AT_decl_line,
	DW_FORM_implicit_const,
	5,
	DW_AT_type,
	DW_FORM_ref_udata,
	0,
	0,
	4,
	DW_TAG_inlined_subroutine,
	0,
	DW_AT_ranges,
	DW_FORM_rnglistx,
	DW_AT_call_file,
	DW_FORM_implicit_const,
	9,
	DW_AT_call_line,
	DW_FORM_data2,
	0,
	0,
	7,
	DW_TAG_base_type,
	0,
	DW_AT_call_line,
	DW_FORM_data1,
	0,
	0,
	0,
};

static const uint8_t entries[] = {
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	0xee,
	/* 12: the unit. */
	1,
	'u',
	0,
	/* 15: a function at 0x1000, 0x20 long, whose sibling is at 49. */
	2,
	0,
	0x10,
	0,
	0,
	0,
	0,
	0,
	0,
	0x20,
	49,
	0,
	0,
	0,
	/* 29: the smallest number there is, an expression of two bytes, a reference. */
	3,
	0x80,
	0x80,
	0x80,
	0x80,
	0x80,
	0x80,
	0x80,
	0x80,
	0x80,
	0x7f,
	2,
	0xee,
	0xee,
	0x81,
	0x01,
	/* 45: an inlined call, line 300; then the end of the function. */
	4,
	3,
	0x2c,
	1,
	/* 49 */
	0,
	/* 50 */
	7,
	1,
	/* 52: the end of the unit. */
	0,
	7,
	1,
};

static struct codectl_die_unit make_unit(void)
{
	return (struct codectl_die_unit){
		.info = {entries, sizeof(entries)},
		.abbrev = {abbrevs, sizeof(abbrevs)},
		.first = HEADER_LEN,
		.end = sizeof(entries),
		.version = 5,
		.address_size = 8,
		.offset_size = 4,
	};
}

static const struct codectl_die *expect(
	struct codectl_die_walk *walk, uint64_t offset, unsigned int tag, size_t depth)
{
	const struct codectl_die *die = codectl_die_walk_next(walk);

	CHECK(die);
	CHECK_INT(die->offset, offset);
	CHECK_INT(die->tag, tag);
	CHECK_INT(die->depth, depth);
	return die;
}

TEST(walks_all)
{
	struct codectl_die_walk walk = {0};
	struct codectl_die_unit unit = make_unit();
	const struct codectl_die *die;
	size_t budget = sizeof(abbrevs);

	/* The second time the abbreviations are there, and cost nothing. */
	for (int round = 0; round < 2; round++) {
		CHECK_INT(codectl_die_walk_init(&walk, &unit, &budget), 0);
		CHECK_INT(budget, 0);
		CHECK(expect(&walk, 12, DW_TAG_compile_unit, 0)->has_children);
		die = expect(&walk, 15, DW_TAG_subprogram, 1);
		CHECK(die->has_range);
		CHECK_HEX(die->start, 0x1000);
		CHECK_HEX(die->end, 0x1020);
		/* Of the variable there is nothing to tell. */
		die = expect(&walk, 45, DW_TAG_inlined_subroutine, 2);
		CHECK(!die->has_range && die->has_ranges);
		CHECK_INT(die->call_file, 9);
		CHECK_INT(die->call_line, 300);
		die = expect(&walk, 50, DW_TAG_base_type, 1);
		CHECK(!die->has_range && !die->has_ranges && !die->has_children);
		CHECK(!codectl_die_walk_next(&walk));
		die = codectl_die_walk_look_at(&walk, 15);
		CHECK(die && die->tag == DW_TAG_subprogram && die->start == 0x1000);
		CHECK(!codectl_die_walk_look_at(&walk, 11));
		CHECK(!codectl_die_walk_look_at(&walk, 49));
		CHECK(!codectl_die_walk_look_at(&walk, sizeof(entries)));
	}
	codectl_die_walk_fini(&walk);
}

/* By the sibling, or where that makes no sense, by going over all that is in between. */
TEST(skips)
{
	static const uint8_t siblings[] = {50, 0, 20, 200};
	struct codectl_die_walk walk = {0};
	struct codectl_die_unit unit = make_unit();
	uint8_t copy[sizeof(entries)];
	size_t budget = sizeof(abbrevs);

	for (size_t i = 0; i < sizeof(siblings); i++) {
		memcpy(copy, entries, sizeof(copy));
		copy[25] = siblings[i];
		unit.info.bytes = copy;
		CHECK_INT(codectl_die_walk_init(&walk, &unit, &budget), 0);
		expect(&walk, 12, DW_TAG_compile_unit, 0);
		expect(&walk, 15, DW_TAG_subprogram, 1);
		codectl_die_walk_skip(&walk);
		expect(&walk, 50, DW_TAG_base_type, 1);
		codectl_die_walk_skip(&walk);
		CHECK(!codectl_die_walk_next(&walk));
	}
	codectl_die_walk_fini(&walk);
}

/* Wherever a unit or its abbreviations are cut off, the walk ends. */
TEST(cut)
{
	size_t budget = SIZE_MAX;

	for (size_t cut = 0; cut <= sizeof(abbrevs) + sizeof(entries); cut++) {
		struct codectl_die_walk walk = {0};
		struct codectl_die_unit unit = make_unit();
		size_t count = 0;

		if (cut <= sizeof(abbrevs))
			unit.abbrev.len = cut;
		else
			unit.end = unit.info.len = cut - sizeof(abbrevs);
		if (codectl_die_walk_init(&walk, &unit, &budget) == 0)
			while (codectl_die_walk_next(&walk) && count < 10)
				count++;
		CHECK(count <= 5);
		codectl_die_walk_fini(&walk);
	}
}

TEST(budget)
{
	struct codectl_die_walk walk = {0};
	struct codectl_die_unit unit = make_unit();
	size_t budget = 0;

	CHECK_INT(codectl_die_walk_init(&walk, &unit, &budget), -EINVAL);
	unit.end = sizeof(entries) + 1;
	budget = SIZE_MAX;
	CHECK_INT(codectl_die_walk_init(&walk, &unit, &budget), -EINVAL);
	codectl_die_walk_fini(&walk);
}
