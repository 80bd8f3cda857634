/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Why stacks end in code without unwind information; and walks by one source.
 */
#include "lib/code-world.h"
#include "lib/tap.h"

TEST(cleared_frame_pointer)
{
	struct world *world = code_world_create();

	/* At the end of a chain of frame pointers. */
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, 0);
	world_put(world, 5, AT(CALLER));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER));
	/* Whatever is beyond. */
	CODE_BEFORE(START + 1, 0xff, 0xd0);
	world_put(world, 7, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER));
	world->kept[7] = false;
	/* As the caller of a function with CFI: if nothing above has been called. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = 0;
	world_put(world, 0, AT(CALLER));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(CALLER));
	CODE_BEFORE(CALLER, 0xff, 0xd0);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(CALLER));
	world->kept[5] = false;
	world->ops.read_code = NULL;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(CALLER));
	/* After a scan, or where the sample was taken, it may be any number. */
	world->ops.read_code = code_world_read;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	code_write_call(CALLER, LONE);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE), AT(CALLER));
	world->ops.read_code = code_world_read;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	world->kept[0] = false;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE));
	world_destroy(world);
}

/* Chains that lead down, nowhere, or out of what was captured. */
TEST(chains_without_end)
{
	struct world *world = code_world_create();

	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(4));
	world_put(world, 5, AT(CALLER));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_PROGRESS, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(WORDS - 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(WORDS + 1000));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(8)); /* To no code. */
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, UINT64_C(0x4141414141414141));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, UINT64_MAX - 7);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world->kept[4] = false;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_destroy(world);
}

/* As makecontext() does: a function's first byte as a return address, a gap before it. */
TEST(planted_return_address)
{
	struct world *world = code_world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(POPPED));
	world_put(world, 1, AT(FRAMED + 0x50));
	CODE_BEFORE(FRAMED + 0x50, 0xff, 0xd0);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(POPPED));
	CHECK(world->frames[1].is_exact);
	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI);
	world->regs[CODECTL_AMD64_RDI] = AT(POPPED);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(RA_IN_RDI), AT(POPPED));
	CHECK_INT(world_slow_samples(world), 1);
	/* Unless it was called from there. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	CODE_BEFORE(POPPED, 0xff, 0xd0);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(POPPED));
	world->ops.read_code = NULL;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(POPPED));
	world_destroy(world);
}

/* One source alone: of the module nothing but where the process begins. */
TEST(frame_pointers_alone)
{
	struct world *world = code_world_create();
	struct codectl_unwind_module *sound = world->module;
	struct codectl_unwind_files files = {.own = &world->elf, .mode = CODECTL_UNWIND_FP};

	world->image.header.e_entry = START;
	CHECK_INT(codectl_elf_init(&world->elf, &world->image, sizeof(world->image)), 0);
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	CHECK(codectl_unwind_module_is_empty(world->module));
	CHECK(!codectl_unwind_module_is_empty(sound));
	world->ops.mode = CODECTL_UNWIND_FP;
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF + 1);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 0, AT(FRAMED + 0x50));
	code_write_call(FRAMED + 0x50, LEAF);
	world_put(world, 4, world_slot(8));
	world_put(world, 5, AT(FP_BASED + 1));
	world_put(world, 8, 1);
	world_put(world, 9, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(LEAF + 1), AT(FP_BASED + 1), AT(START + 1));
	codectl_unwind_module_destroy(world->module);
	/* A module for SFrame has none of it here, and guesses are not made. */
	files.mode = CODECTL_UNWIND_SFRAME;
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	world->ops.mode = CODECTL_UNWIND_SFRAME;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF + 1));
	codectl_unwind_module_destroy(world->module);
	files.mode = CODECTL_UNWIND_EH_FRAME;
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	world->ops.mode = CODECTL_UNWIND_EH_FRAME;
	code_world_unwind(world);
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_EH_FRAME);
	world->regs[CODECTL_AMD64_RIP] = AT(GAP);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(GAP));
	codectl_unwind_module_destroy(world->module);
	world->module = sound;
	world_destroy(world);
}
