/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Events of generated code, in the map and in what unwinds it. Input: a byte that
 * says what to do and what it needs, over and over, from a small world of
 * addresses, times and serials, so that things meet.
 */
#include "fuzz/fuzz.h"

#include "space/space.h"
#include "unwind/jit.h"

#define REGION	    UINT64_C(0x100000)
#define REGION_SIZE 0x10000
#define STEP_MAX    512
#define COLUMN_MAX  4
#define VPID	    1

struct world {
	struct codectl_reader input;
	struct codectl_space *space;
	struct codectl_unwind_jit *jit;
	struct codectl_unwind_jit_stats stats;
	uint8_t *blob; /* Owned. */
	uint32_t format;
	uint64_t serial;
};

/* A small number, mostly. */
static uint64_t small(struct world *world)
{
	uint8_t byte = codectl_reader_u8(&world->input);

	return byte == 0xff ? codectl_reader_u64(&world->input) : byte;
}

static uint64_t address(struct world *world)
{
	uint8_t byte = codectl_reader_u8(&world->input);

	return byte == 0xff ? codectl_reader_u64(&world->input) : REGION + (uint64_t)byte * 128;
}

static void apply(struct world *world, struct codectl_event *event)
{
	event->vpid = VPID;
	event->timestamp = codectl_reader_u8(&world->input);
	codectl_space_apply(world->space, event);
}

static void add_region(struct world *world)
{
	apply(world, &(struct codectl_event){
			     .type = CODECTL_EVENT_REGISTER_JIT,
			     .register_jit = {.serial = ++world->serial,
				     .text_start = address(world),
				     .text_end = address(world),
				     .format = codectl_reader_u8(&world->input)},
		     });
}

static void add_file(struct world *world)
{
	apply(world, &(struct codectl_event){
			     .type = CODECTL_EVENT_REGISTER_ELF,
			     .register_elf = {.serial = ++world->serial,
				     .text_start = address(world),
				     .text_end = address(world),
				     .pathname = "/file",
				     .debug_link_pathname = ""},
		     });
}

static void unregister(struct world *world)
{
	apply(world, &(struct codectl_event){
			     .type = CODECTL_EVENT_UNREGISTER,
			     .unregister = {.serial = ++world->serial,
				     .registered_serial = small(world),
				     .text_start = address(world)},
		     });
}

static void add_symbol(struct world *world)
{
	apply(world, &(struct codectl_event){
			     .type = CODECTL_EVENT_JIT_SYMBOL,
			     .jit_symbol = {.serial = ++world->serial,
				     .start = address(world),
				     .size = small(world) * 32,
				     .name = "name",
				     .inline_count = codectl_reader_u8(&world->input),
				     .line_count = codectl_reader_u8(&world->input)},
		     });
}

static void unload(struct world *world)
{
	apply(world, &(struct codectl_event){
			     .type = CODECTL_EVENT_JIT_SYMBOL_UNLOAD,
			     .jit_symbol_unload = {.serial = ++world->serial,
				     .registered_serial = small(world),
				     .start = address(world)},
		     });
}

/* Fills @count numbers of each of four columns. */
static size_t read_columns(struct world *world, uint32_t columns[4][COLUMN_MAX])
{
	size_t count = codectl_reader_u8(&world->input) % (COLUMN_MAX + 1);

	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < count; j++)
			columns[i][j] = (uint32_t)small(world);
	}
	return count;
}

static void add_part(struct world *world, bool is_inlines)
{
	static const char *const texts[] = {"", "a", "a\nb", "\n\n\n"};
	uint32_t columns[4][COLUMN_MAX];
	size_t count = read_columns(world, columns);
	const char *text = texts[codectl_reader_u8(&world->input) % 4];
	uint64_t serial = small(world), first = small(world);

	if (is_inlines)
		apply(world, &(struct codectl_event){
				     .type = CODECTL_EVENT_JIT_INLINES,
				     .jit_inlines = {.registered_serial = serial,
					     .first = first,
					     .parent = columns[0],
					     .parent_count = count,
					     .name = columns[1],
					     .call_file = columns[2],
					     .call_line = columns[3],
					     .texts = text},
			     });
	else
		apply(world, &(struct codectl_event){
				     .type = CODECTL_EVENT_JIT_LINES,
				     .jit_lines = {.registered_serial = serial,
					     .first = first,
					     .offset = columns[0],
					     .offset_count = count,
					     .scope = columns[1],
					     .file = columns[2],
					     .line = columns[3],
					     .texts = text},
			     });
}

static void dump(struct world *world, bool is_begin)
{
	apply(world, &(struct codectl_event){
			     .type = is_begin ? CODECTL_EVENT_STATEDUMP_BEGIN
					      : CODECTL_EVENT_STATEDUMP_END,
			     .statedump = {.serial = small(world),
				     .count = small(world),
				     .rows = small(world)},
		     });
}

static void add_rows(struct world *world)
{
	uint32_t columns[4][COLUMN_MAX];
	size_t count = read_columns(world, columns);
	int32_t cfa_off[COLUMN_MAX], ra_off[COLUMN_MAX];
	uint8_t info[COLUMN_MAX], flags[COLUMN_MAX];
	struct codectl_event_jit_rows rows = {
		.table = (uint32_t)small(world),
		.first = small(world),
		.ip_off = columns[0],
		.ip_off_count = count,
		.size = columns[1],
		.cfa_off = cfa_off,
		.ra_off = ra_off,
		.fp_off = cfa_off,
		.info = info,
		.flags = flags,
		.flags_count = codectl_reader_u8(&world->input) % 2 ? count : 0,
	};

	for (size_t i = 0; i < count; i++) {
		cfa_off[i] = (int32_t)columns[2][i];
		ra_off[i] = columns[3][i] % 4 ? -8 : (int32_t)columns[3][i];
		/* The size of offsets is right, mostly. */
		info[i] = (uint8_t)(columns[3][i] % 8 ? (columns[3][i] & 7) | 0x40 : columns[3][i]);
		flags[i] = (uint8_t)(columns[2][i] % 3);
	}
	codectl_unwind_jit_add_rows(world->jit, &rows, &world->stats);
}

static void set_blob(struct world *world)
{
	size_t len;

	if (world->blob)
		return;
	world->blob = fuzz_copy(&world->input, codectl_reader_u16(&world->input) % 2048, &len);
	codectl_unwind_jit_set_blob(world->jit, world->blob, len, REGION, &world->stats);
}

/* What is said of an address, and that it is of one mind. */
static void look(struct world *world)
{
	const struct codectl_process *process = codectl_space_find_process(world->space, VPID, 0);
	struct codectl_unwind_module_cfi cfi;
	uint64_t pc = address(world), time = codectl_reader_u8(&world->input), bias;
	const struct codectl_unwind_module *module = codectl_unwind_jit_borrow_module(
		world->jit, &bias);

	if (module) {
		struct codectl_rule rule = codectl_unwind_module_find_rule(module, pc - bias);
		int ret = codectl_unwind_module_find_cfi(module, pc - bias, &cfi);

		FUZZ_CHECK(ret || codectl_rule_kind(rule) != CODECTL_RULE_NONE);
		FUZZ_CHECK(ret || cfi.via == CODECTL_FRAME_VIA_JIT);
	}
	if (!process)
		return;

	const struct codectl_mapping *mapping = codectl_process_find(process, pc, time);
	const struct codectl_mapping *file = codectl_process_find_file(process, pc, time);
	const struct codectl_jit_symbol *symbol = codectl_process_find_symbol(process, pc, time);

	FUZZ_CHECK(!mapping || pc - mapping->text_start < mapping->text_end - mapping->text_start);
	FUZZ_CHECK(!file || (file->object && mapping));
	if (!symbol)
		return;
	FUZZ_CHECK(pc - symbol->start < symbol->size);
	FUZZ_CHECK(time < symbol->end || time < symbol->begin);

	const struct codectl_jit_line *line = codectl_jit_symbol_find_line(
		symbol, pc - symbol->start);

	FUZZ_CHECK(!line ||
		   (line->offset <= pc - symbol->start && line->scope <= symbol->inline_count));
	for (uint32_t scope = line ? line->scope : 0; scope > 0;) {
		FUZZ_CHECK(symbol->inlines[scope - 1].parent < scope);
		scope = symbol->inlines[scope - 1].parent;
	}
}

static void step(struct world *world)
{
	switch (codectl_reader_u8(&world->input) % 12) {
	case 0:
		return add_region(world);
	case 1:
		return add_file(world);
	case 2:
		return unregister(world);
	case 3:
		return add_symbol(world);
	case 4:
		return unload(world);
	case 5:
		return add_part(world, true);
	case 6:
		return add_part(world, false);
	case 7:
		return dump(world, true);
	case 8:
		return dump(world, false);
	case 9:
		return add_rows(world);
	case 10:
		return set_blob(world);
	default:
		return look(world);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct world world = {.space = codectl_space_create()};

	codectl_reader_init(&world.input, bytes, len);
	world.format = codectl_reader_u8(&world.input) % CODECTL_JIT_FORMAT_COUNT;
	world.jit = codectl_unwind_jit_create(world.format, REGION, REGION + REGION_SIZE);
	FUZZ_CHECK(world.space && world.jit);
	for (int i = 0; i < STEP_MAX && codectl_reader_left(&world.input) > 0; i++)
		step(&world);
	/* At last everything is looked at. */
	for (uint64_t offset = 0; offset < REGION_SIZE; offset += 128) {
		struct codectl_unwind_module_cfi cfi;
		uint64_t bias;
		const struct codectl_unwind_module *module = codectl_unwind_jit_borrow_module(
			world.jit, &bias);

		if (module)
			codectl_unwind_module_find_cfi(module, REGION + offset - bias, &cfi);
	}
	codectl_unwind_jit_destroy(world.jit);
	codectl_space_destroy(world.space);
	free(world.blob);
	return 0;
}
