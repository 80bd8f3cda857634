/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/stack-world.h"

#include "format/dwarf-constants.h"

#include <errno.h>
#include <stdlib.h>

#define USUAL_ENCODING (DW_EH_PE_pcrel | DW_EH_PE_sdata4)

static int find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	struct world *world = user;

	world->asked++;
	if (world->is_gone)
		return -ENOENT;
	*code = (struct codectl_unwind_code){.bias = BIAS};
	if (lookup_pc >= AT(LEAF) && lookup_pc < AT(0x8000))
		code->module = world->module;
	else if (lookup_pc < JIT_START || lookup_pc >= JIT_END)
		return -ENOENT;
	return 0;
}

#define FUNCTION(writer, start, ...)                 \
	do {                                         \
		cfi_begin_fde(writer, start, 0x100); \
		CFI(writer, __VA_ARGS__);            \
		cfi_end(writer);                     \
	} while (0)

/* As glibc's __restore_rt: rsp points to a struct ucontext. */
static void write_trampoline(struct cfi_writer *writer)
{
	static const struct {
		uint8_t reg, offset;
	} saved[] = {{8, 40}, {9, 48}, {10, 56}, {11, 64}, {12, 72}, {13, 80}, {14, 88}, {15, 96},
		{5, 104}, {4, 112}, {6, 120}, {3, 128}, {1, 136}, {0, 144}, {2, 152}, {7, 160},
		{16, 168}};

	cfi_begin_cie(writer, 1, "RS", USUAL_ENCODING);
	cfi_end(writer);
	cfi_begin_fde(writer, TRAMPOLINE - 1, 0x101);
	CFI(writer, DW_CFA_def_cfa_expression, 4, DW_OP_breg0 + 7, 0xa0, 1, DW_OP_deref);
	for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++) {
		CFI(writer, DW_CFA_expression, saved[i].reg, 3, DW_OP_breg0 + 7,
			saved[i].offset | 0x80, saved[i].offset >> 7);
	}
	cfi_end(writer);
}

static void write_functions(struct cfi_writer *writer)
{
	cfi_writer_init(writer);
	cfi_add_usual_cie(writer);
	FUNCTION(writer, LEAF, DW_CFA_advance_loc1, 0x80, DW_CFA_def_cfa_offset, 64);
	FUNCTION(writer, FRAMED, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16);
	FUNCTION(writer, FP_BASED, DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2);
	FUNCTION(writer, PLT, DW_CFA_def_cfa_expression, 11, DW_OP_breg0 + 7, 8, DW_OP_breg0 + 16,
		0, DW_OP_lit0 + 15, DW_OP_and, DW_OP_lit0 + 11, DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl,
		DW_OP_plus);
	FUNCTION(writer, REALIGNED, DW_CFA_def_cfa_expression, 3, DW_OP_breg0 + 6, 0x78,
		DW_OP_deref, DW_CFA_expression, 6, 2, DW_OP_breg0 + 6, 0, DW_CFA_advance_loc1, 0x80,
		DW_CFA_def_cfa, 10, 0, DW_CFA_advance_loc1, 5, DW_CFA_def_cfa, 7, 8);
	FUNCTION(writer, START, DW_CFA_undefined, 16);
	FUNCTION(writer, BY_RBX, DW_CFA_def_cfa, 3, 16, DW_CFA_offset | 3, 2);
	FUNCTION(writer, RA_IN_RDI, DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 5,
		DW_CFA_advance_loc1, 0x80, DW_CFA_register, 16, 2);
	FUNCTION(writer, SAVES_RBX, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2);
	FUNCTION(writer, POPPED, DW_CFA_offset | 6, 2);
	FUNCTION(writer, MALFORMED, DW_CFA_def_cfa_expression, 1, DW_OP_plus);
	/* From +0x80 on, its CFA is rax + 8. */
	FUNCTION(writer, NO_GROWTH, DW_CFA_def_cfa_offset, 0, DW_CFA_advance_loc1, 0x80,
		DW_CFA_def_cfa, 0, 8);
	write_trampoline(writer);
}

struct world *world_create(void)
{
	struct world *world = calloc(1, sizeof(*world));

	CHECK(world);
	write_functions(&world->writer);
	cfi_image_make(&world->image, &world->writer, true, true);
	CHECK_INT(codectl_elf_init(&world->elf, &world->image, sizeof(world->image)), 0);
	CHECK_INT(codectl_unwind_module_create(&world->elf, &world->module), 0);
	world->unwinder = codectl_unwinder_create();
	CHECK(world->unwinder);
	world->ops = (struct codectl_unwind_ops){find_code, world, .generation = 1};
	world->regs[CODECTL_AMD64_RSP] = SP;
	world->word_count = WORDS;
	world->frame_max = 32;
	return world;
}

void world_destroy(struct world *world)
{
	codectl_unwinder_destroy(world->unwinder);
	codectl_unwind_module_destroy(world->module);
	free(world);
}

uint64_t world_slot(size_t index)
{
	return SP + 8 * index;
}

void world_put(struct world *world, size_t index, uint64_t value)
{
	CHECK(index < WORDS);
	world->words[index] = value;
	world->kept[index] = true;
}

void world_keep_all(struct world *world)
{
	memset(world->kept, 1, sizeof(world->kept));
}

void world_unwind(struct world *world)
{
	uint64_t map[(WORDS + 63) / 64] = {0};
	uint64_t stack[WORDS];
	struct codectl_event_sample sample = {
		.stack_start = SP,
		.stack_len = (uint32_t)world->word_count * 8,
		.regs = world->regs,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.stack_map = map,
		.stack_map_count = (world->word_count + 63) / 64,
		.stack = stack,
	};

	for (size_t i = 0; i < world->word_count; i++) {
		if (!world->kept[i])
			continue;
		map[i / 64] |= UINT64_C(1) << i % 64;
		stack[sample.stack_count++] = world->words[i];
	}
	world->end = codectl_unwind(world->unwinder, &world->ops, &sample, world->frames,
		world->frame_max, &world->frame_count);
}

void world_check_chain(
	const struct world *world, enum codectl_stack_end end, const uint64_t *pcs, size_t count)
{
	CHECK_END(world, end);
	for (size_t i = 0; i < count && i < world->frame_count; i++)
		CHECK_HEX(world->frames[i].pc, pcs[i]);
	CHECK_INT(world->frame_count, count);
}

uint64_t world_slow_samples(const struct world *world)
{
	return codectl_unwinder_borrow_stats(world->unwinder)->slow_samples;
}
