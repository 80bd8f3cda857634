/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Generated code in the map: which function was where, when.
 */
#include "lib/tap.h"

#include "space/space.h"

#include <errno.h>
#include <stdlib.h>

#define VPID  100
#define START 5

static int apply(struct codectl_space *space, struct codectl_event event, uint64_t time)
{
	event.vpid = VPID;
	event.start_time = START;
	event.timestamp = time;
	return codectl_space_apply(space, &event);
}

static int add_region(
	struct codectl_space *space, uint64_t serial, uint64_t time, uint64_t start, uint64_t end)
{
	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_REGISTER_JIT,
			.register_jit = {.serial = serial, .text_start = start, .text_end = end},
		},
		time);
}

static int add_file(
	struct codectl_space *space, uint64_t serial, uint64_t time, uint64_t start, uint64_t end)
{
	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_REGISTER_ELF,
			.register_elf = {.serial = serial,
				.text_start = start,
				.text_end = end,
				.pathname = "/file",
				.debug_link_pathname = ""},
		},
		time);
}

static int end_region(struct codectl_space *space, uint64_t serial, uint64_t registered,
	uint64_t time, uint64_t start)
{
	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_UNREGISTER,
			.unregister = {.serial = serial,
				.registered_serial = registered,
				.text_start = start},
		},
		time);
}

static int add_symbol(struct codectl_space *space, uint64_t serial, uint64_t time, const char *name,
	uint64_t start, uint64_t size)
{
	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_JIT_SYMBOL,
			.jit_symbol = {.serial = serial,
				.start = start,
				.size = size,
				.name = name,
				.line_count = 3,
				.inline_count = 2},
		},
		time);
}

static int unload(struct codectl_space *space, uint64_t serial, uint64_t registered, uint64_t time,
	uint64_t start)
{
	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_JIT_SYMBOL_UNLOAD,
			.jit_symbol_unload = {.serial = serial,
				.registered_serial = registered,
				.start = start},
		},
		time);
}

static const struct codectl_jit_symbol *symbol_at(
	struct codectl_space *space, uint64_t pc, uint64_t time)
{
	return codectl_process_find_symbol(
		codectl_space_find_process(space, VPID, START), pc, time);
}

/* The name of the function at @pc at @time, "-" if there is none. */
static const char *name_at(struct codectl_space *space, uint64_t pc, uint64_t time)
{
	const struct codectl_jit_symbol *symbol = symbol_at(space, pc, time);

	return symbol ? symbol->name : "-";
}

static bool is_generated(struct codectl_space *space, uint64_t pc, uint64_t time)
{
	const struct codectl_mapping *mapping = codectl_process_find(
		codectl_space_find_process(space, VPID, START), pc, time);

	return mapping && !mapping->object;
}

TEST(bounds_of_a_symbol)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_symbol(space, 1, 10, "a", 0x10f8, 0x210), 0);
	CHECK_STR(name_at(space, 0x10f7, 10), "-");
	CHECK_STR(name_at(space, 0x10f8, 10), "a");
	CHECK_STR(name_at(space, 0x1200, 10), "a");
	CHECK_STR(name_at(space, 0x1307, 10), "a");
	CHECK_STR(name_at(space, 0x1308, 10), "-");
	codectl_space_destroy(space);
}

TEST(other_functions_at_the_same_address)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(add_symbol(space, 2, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(add_symbol(space, 3, 20, "b", 0x2080, 0x100), 0);
	CHECK_INT(unload(space, 4, 3, 30, 0x2080), 0);
	CHECK_INT(add_symbol(space, 5, 40, "c", 0x2000, 0x400), 0);
	CHECK_STR(name_at(space, 0x2080, 10), "a");
	CHECK_STR(name_at(space, 0x2080, 19), "a");
	CHECK_STR(name_at(space, 0x2080, 20), "b");
	/* Beside it the older one goes on, as nobody has ended it. */
	CHECK_STR(name_at(space, 0x2000, 25), "a");
	CHECK_STR(name_at(space, 0x2080, 29), "b");
	/* What b has overwritten does not come back: c was seen a little late. */
	CHECK_STR(name_at(space, 0x2080, 35), "c");
	CHECK_STR(name_at(space, 0x2200, 35), "c");
	CHECK_STR(name_at(space, 0x2080, 40), "c");
	CHECK_STR(name_at(space, 0x2000, 40), "c");
	CHECK_STR(name_at(space, 0x23ff, 1000), "c");
	/* Seen late, it holds for what was before, too. */
	CHECK_STR(name_at(space, 0x2000, 7), "a");
	codectl_space_destroy(space);
}

TEST(events_in_any_order)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_symbol(space, 3, 30, "c", 0x2000, 0x100), 0);
	CHECK_INT(add_symbol(space, 1, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(add_symbol(space, 2, 20, "b", 0x2000, 0x100), 0);
	CHECK_STR(name_at(space, 0x2000, 15), "a");
	CHECK_STR(name_at(space, 0x2000, 25), "b");
	CHECK_STR(name_at(space, 0x2000, 35), "c");
	codectl_space_destroy(space);
}

TEST(a_symbol_ends_with_its_region)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(add_symbol(space, 2, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(end_region(space, 3, 1, 20, 0x1000), 0);
	CHECK_STR(name_at(space, 0x2000, 19), "a");
	CHECK_STR(name_at(space, 0x2000, 20), "-");
	CHECK_INT(add_region(space, 4, 30, 0x1000, 0x9000), 0);
	CHECK_STR(name_at(space, 0x2000, 30), "-");
	CHECK_INT(add_symbol(space, 5, 40, "b", 0x2000, 0x100), 0);
	CHECK_STR(name_at(space, 0x2000, 19), "a");
	CHECK_STR(name_at(space, 0x2000, 35), "b");
	/* Of the first region, it never was. */
	CHECK_STR(name_at(space, 0x2000, 6), "a");
	CHECK_STR(name_at(space, 0x3000, 6), "-");
	codectl_space_destroy(space);
}

TEST(generated_code_wins_over_files)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_file(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(add_region(space, 2, 10, 0x2000, 0x3000), 0);
	CHECK_INT(add_file(space, 3, 20, 0x1000, 0x9000), 0);
	CHECK(is_generated(space, 0x2000, 15));
	CHECK(is_generated(space, 0x2000, 25));
	CHECK(!is_generated(space, 0x2000, 5));
	CHECK(!is_generated(space, 0x3000, 25));
	CHECK_INT(end_region(space, 4, 2, 30, 0x2000), 0);
	CHECK(!is_generated(space, 0x2000, 30));
	codectl_space_destroy(space);
}

/* Memory of generated code may have become that of a file, and nobody has told. */
TEST(a_file_that_is_mapped_later)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_symbol(space, 1, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(add_file(space, 2, 20, 0x1000, 0x9000), 0);
	CHECK_STR(name_at(space, 0x2000, 15), "a");
	CHECK_STR(name_at(space, 0x2000, 20), "-");
	CHECK_INT(add_symbol(space, 3, 30, "b", 0x2000, 0x100), 0);
	CHECK_STR(name_at(space, 0x2000, 30), "b");
	codectl_space_destroy(space);
}

TEST(large_symbols)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_symbol(space, 1, 10, "all", 0x1000, UINT64_C(1) << 40), 0);
	CHECK_INT(add_symbol(space, 2, 20, "a", 0x2000, 0x100), 0);
	CHECK_STR(name_at(space, UINT64_C(1) << 30, 15), "all");
	CHECK_STR(name_at(space, 0x2000, 15), "all");
	CHECK_STR(name_at(space, 0x2000, 25), "a");
	CHECK_STR(name_at(space, 0x2100, 25), "all");
	codectl_space_destroy(space);
}

/* Descending addresses, as LuaJIT has them, and as many as V8. */
TEST(many_symbols)
{
	struct codectl_space *space = codectl_space_create();
	const uint64_t count = 20000;

	for (uint64_t i = 0; i < count; i++)
		CHECK_INT(add_symbol(space, i + 1, i, i % 2 ? "odd" : "even", 0x10000000 - i * 0x80,
				  0x80),
			0);
	for (uint64_t i = 0; i < count; i++)
		CHECK_STR(name_at(space, 0x10000000 - i * 0x80 + 0x7f, count),
			i % 2 ? "odd" : "even");
	codectl_space_destroy(space);
}

/* Functions that are replaced for hours are not kept for ever. */
TEST(what_has_ended_long_ago)
{
	struct codectl_space *space = codectl_space_create();
	const uint64_t second = 1000000000;
	uint64_t serial = 0;

	CHECK_INT(add_symbol(space, ++serial, second, "old", 0x2000, 0x80), 0);
	CHECK_INT(unload(space, serial + 1, serial, 2 * second, 0x2000), 0);
	serial++;
	CHECK_INT(add_symbol(space, ++serial, second, "lives", 0x3000, 0x80), 0);
	for (uint64_t i = 0; i < 100000; i++) {
		CHECK_INT(add_symbol(space, ++serial, 100 * second + i, "new", 0x2000, 0x80), 0);
		CHECK_INT(unload(space, serial + 1, serial, 100 * second + i + 1, 0x2000), 0);
		serial++;
	}
	CHECK_STR(name_at(space, 0x3000, second), "lives");
	CHECK_STR(name_at(space, 0x2000, 100 * second + 5), "new");
	/* It is forgotten; what came next answers. */
	CHECK_STR(name_at(space, 0x2000, second), "new");
	codectl_space_destroy(space);
}

TEST(dumps)
{
	struct codectl_space *space = codectl_space_create();
	struct codectl_event begin = {
		.type = CODECTL_EVENT_STATEDUMP_BEGIN,
		.statedump = {.serial = 4, .count = 2, .rows = 3},
	};
	struct codectl_event rows = {
		.type = CODECTL_EVENT_JIT_ROWS,
		.jit_rows = {.registered_serial = 1, .ip_off_count = 3},
	};
	struct codectl_event end = begin;

	end.type = CODECTL_EVENT_STATEDUMP_END;
	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(add_symbol(space, 2, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(add_symbol(space, 3, 11, "b", 0x3000, 0x100), 0);
	/* The rows are missing: it proves nothing. */
	CHECK_INT(apply(space, begin, 20), 0);
	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(add_symbol(space, 2, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(apply(space, end, 20), -EINVAL);
	CHECK_STR(name_at(space, 0x3000, 25), "b");
	/* What it does not have has ended. */
	CHECK_INT(apply(space, begin, 30), 0);
	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(apply(space, rows, 5), 0);
	CHECK_INT(add_symbol(space, 2, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(apply(space, end, 30), 0);
	CHECK_STR(name_at(space, 0x3000, 29), "b");
	CHECK_STR(name_at(space, 0x3000, 30), "-");
	CHECK_STR(name_at(space, 0x2000, 35), "a");
	CHECK(codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 4));
	codectl_space_destroy(space);
}

TEST(lost_rows_show)
{
	struct codectl_space *space = codectl_space_create();
	struct codectl_event rows = {
		.type = CODECTL_EVENT_JIT_ROWS,
		.jit_rows = {.serial = 3, .registered_serial = 1},
	};

	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x9000), 0);
	CHECK_INT(apply(space, rows, 6), 0);
	CHECK(!codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 3));
	rows.jit_rows.serial = 2;
	CHECK_INT(apply(space, rows, 6), 0);
	CHECK(codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 3));
	codectl_space_destroy(space);
}

static int add_lines(struct codectl_space *space, uint64_t serial, uint64_t first,
	const uint32_t *offsets, size_t count, uint32_t scope, const char *texts)
{
	const uint32_t scopes[] = {scope, scope, scope, scope};
	const uint32_t numbers[] = {1, 2, 3, 4};

	return apply(space,
		(struct codectl_event){
			.type = CODECTL_EVENT_JIT_LINES,
			.jit_lines = {.registered_serial = serial,
				.first = first,
				.offset = offsets,
				.offset_count = count,
				.scope = scopes,
				.file = numbers,
				.line = numbers,
				.texts = texts},
		},
		10);
}

TEST(lines)
{
	struct codectl_space *space = codectl_space_create();
	const uint32_t offsets[] = {0x10, 0x20, 0x20, 0x30};

	CHECK_INT(add_symbol(space, 1, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(add_lines(space, 2, 0, offsets, 2, 0, "x"), -EINVAL);
	CHECK_INT(add_lines(space, 1, 1, offsets, 2, 0, "x"), -EINVAL);
	CHECK_INT(add_lines(space, 1, 0, offsets, 4, 0, "x"), -EINVAL);
	CHECK_INT(add_lines(space, 1, 0, offsets, 2, 1, "x"), -EINVAL);
	CHECK_INT(add_lines(space, 1, 0, offsets, 2, 0, "x.js\ny.js"), 0);
	/* Once more, as in a dump. */
	CHECK_INT(add_lines(space, 1, 0, offsets, 2, 0, "x.js\ny.js"), 0);
	CHECK_INT(add_lines(space, 1, 2, offsets, 1, 0, "x"), -EINVAL);
	CHECK_INT(add_lines(space, 1, 2, offsets + 3, 1, 0, ""), 0);

	const struct codectl_jit_symbol *symbol = symbol_at(space, 0x2000, 10);

	CHECK_INT(symbol->line_count, 3);
	CHECK(!codectl_jit_symbol_find_line(symbol, 0xf));
	CHECK_STR(codectl_jit_symbol_find_line(symbol, 0x10)->file, "x.js");
	CHECK_STR(codectl_jit_symbol_find_line(symbol, 0x20)->file, "y.js");
	CHECK_INT(codectl_jit_symbol_find_line(symbol, 0x2f)->line, 2);
	CHECK_STR(codectl_jit_symbol_find_line(symbol, 0x99)->file, "");
	codectl_space_destroy(space);
}

TEST(inlined_functions)
{
	struct codectl_space *space = codectl_space_create();
	const uint32_t cyclic[] = {1, 1}, numbers[] = {1, 2}, parents[] = {0, 1};
	struct codectl_event event = {
		.type = CODECTL_EVENT_JIT_INLINES,
		.jit_inlines = {.registered_serial = 1,
			.parent = cyclic,
			.parent_count = 2,
			.name = numbers,
			.call_file = numbers,
			.call_line = numbers,
			.texts = "f\ng"},
	};

	CHECK_INT(add_symbol(space, 1, 10, "a", 0x2000, 0x100), 0);
	CHECK_INT(apply(space, event, 10), -EINVAL);
	event.jit_inlines.parent = parents;
	CHECK_INT(apply(space, event, 10), 0);
	event.jit_inlines.first = 2;
	CHECK_INT(apply(space, event, 10), -EINVAL);

	const struct codectl_jit_symbol *symbol = symbol_at(space, 0x2000, 10);

	CHECK_INT(symbol->inline_count, 2);
	CHECK_STR(symbol->inlines[0].name, "f");
	CHECK_STR(symbol->inlines[1].name, "g");
	CHECK_INT(symbol->inlines[1].parent, 1);
	codectl_space_destroy(space);
}

TEST(nonsense)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_INT(add_region(space, 1, 5, 0x1000, 0x1000), -EINVAL);
	CHECK_INT(add_region(space, 2, 5, 0x1000, 0x1001 + (UINT64_C(1) << 32)), -EINVAL);
	CHECK_INT(add_symbol(space, 3, 5, "a", 0x1000, 0), -EINVAL);
	CHECK_INT(add_symbol(space, 4, 5, "a", 0x1000, UINT64_MAX - 0xfff), -EINVAL);
	CHECK_INT(unload(space, 5, 4, 5, 0x1000), -EINVAL);
	CHECK_INT(add_symbol(space, 6, 5, "a", 0x1000, 1), 0);
	CHECK_INT(unload(space, 7, 6, 5, 0x1001), -EINVAL);
	/* An end before the begin. */
	CHECK_INT(unload(space, 8, 6, 1, 0x1000), 0);
	CHECK_INT(unload(space, 9, 6, 1, 0x1000), -EINVAL);
	CHECK_STR(name_at(space, 0x1000, 5), "-");
	/* All that was seen counts as seen. */
	CHECK(codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 9));
	codectl_space_destroy(space);
}
