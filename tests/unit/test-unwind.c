/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * From frame to frame by each kind of rule.
 */
#include "lib/stack-world.h"
#include "lib/tap.h"

TEST(sp_and_fp)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = world_slot(10);
	world_put(world, 0, AT(FRAMED + 5));
	world_put(world, 2, AT(FP_BASED + 5));
	world_put(world, 10, world_slot(20));
	world_put(world, 11, AT(FP_BASED + 9));
	world_put(world, 21, AT(START + 3));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(FRAMED + 5), AT(FP_BASED + 5),
		AT(FP_BASED + 9), AT(START + 3));
	CHECK(world->frames[0].is_exact);
	CHECK_INT(world->frames[0].via, CODECTL_FRAME_VIA_REGS);
	for (size_t i = 1; i < 5; i++) {
		CHECK(!world->frames[i].is_exact);
		CHECK_INT(world->frames[i].via, CODECTL_FRAME_VIA_EH_FRAME);
	}
	CHECK_INT(world_slow_samples(world), 0);
	world_destroy(world);
}

/* Compilers do not say that an epilogue has restored a register: its slot is in the red zone. */
TEST(register_below_the_stack_pointer)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(POPPED);
	world->regs[CODECTL_AMD64_RSP] = world_slot(16);
	world->regs[CODECTL_AMD64_RBP] = world_slot(20);
	world_put(world, 15, world_slot(20));
	world_put(world, 16, AT(FP_BASED + 5));
	world_put(world, 20, world_slot(30));
	world_put(world, 21, AT(START + 3));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(POPPED), AT(FP_BASED + 5), AT(START + 3));
	world_destroy(world);
}

/* A call that never returns may be a function's last instruction. */
TEST(return_address_behind_function)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(FP_BASED)); /* Returns to FRAMED's end. */
	world_put(world, 2, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(FP_BASED), AT(START + 1));
	CHECK_HEX(codectl_unwind_frame_lookup_pc(&world->frames[0]), AT(LEAF));
	CHECK_HEX(codectl_unwind_frame_lookup_pc(&world->frames[1]), AT(FP_BASED) - 1);
	world_destroy(world);
}

TEST(sampled_at_first_instruction)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(FRAMED);
	world_put(world, 0, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(FRAMED), AT(START + 1));
	world_destroy(world);
}

TEST(plt_stub)
{
	struct world *world = world_create();

	world_put(world, 0, AT(START + 1));
	world_put(world, 1, AT(START + 2));
	for (unsigned int offset = 0; offset < 32; offset++) {
		world->regs[CODECTL_AMD64_RIP] = AT(PLT + offset);
		world_unwind(world);
		CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(PLT + offset),
			AT(START + (offset % 16 >= 11 ? 2 : 1)));
	}
	CHECK_INT(world_slow_samples(world), 0);
	world_destroy(world);
}

TEST(realigned_frame)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(REALIGNED);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 3, world_slot(12)); /* The CFA. */
	world_put(world, 4, world_slot(20)); /* The caller's rbp. */
	world_put(world, 11, AT(FP_BASED + 1));
	world_put(world, 21, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(REALIGNED), AT(FP_BASED + 1), AT(START + 1));
	CHECK_INT(world_slow_samples(world), 0);
	/* The word with the CFA was not kept, so it cannot have been one. */
	world->kept[3] = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(REALIGNED));
	world_destroy(world);
}

/* Its epilogue: rbp is restored by `leave`, and the rules go on to say where it is saved. */
TEST(realigned_frame_left)
{
	struct world *world = world_create();

	world_put(world, 4, AT(FP_BASED + 1));
	world_put(world, 8, world_slot(10));
	world_put(world, 9, AT(START + 1));
	/* Before it. */
	world->regs[CODECTL_AMD64_RIP] = AT(REALIGNED + 0x80);
	world->regs[CODECTL_AMD64_R10] = world_slot(5);
	world->regs[CODECTL_AMD64_RBP] = world_slot(3);
	world_put(world, 3, world_slot(8));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(REALIGNED + 0x80), AT(FP_BASED + 1),
		AT(START + 1));
	/* After it. */
	world->regs[CODECTL_AMD64_RIP] = AT(REALIGNED + 0x81);
	world->regs[CODECTL_AMD64_RSP] = world_slot(4);
	world->regs[CODECTL_AMD64_RBP] = world_slot(8);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(REALIGNED + 0x81), AT(FP_BASED + 1),
		AT(START + 1));
	/* At the return. */
	world->regs[CODECTL_AMD64_RIP] = AT(REALIGNED + 0x85);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(REALIGNED + 0x85), AT(FP_BASED + 1),
		AT(START + 1));
	world_destroy(world);
}

/* Another register has the CFA: it takes all registers, from the first frame on. */
TEST(cfa_in_rbx)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(SAVES_RBX);
	world_put(world, 0, world_slot(30)); /* rbx of BY_RBX. */
	world_put(world, 1, AT(BY_RBX + 1));
	world_put(world, 30, world_slot(40)); /* rbx of the next. */
	world_put(world, 31, AT(BY_RBX + 2));
	world_put(world, 41, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(SAVES_RBX), AT(BY_RBX + 1),
		AT(BY_RBX + 2), AT(START + 1));
	CHECK_INT(world_slow_samples(world), 1);
	CHECK_INT(world->frames[3].via, CODECTL_FRAME_VIA_EH_FRAME);
	/* rbx was not kept. */
	world->kept[0] = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(SAVES_RBX), AT(BY_RBX + 1));
	world_destroy(world);
}

/* Assembler keeps the CFA in a register that its own helpers leave alone. */
TEST(cfa_in_caller_saved_register)
{
	struct world *world = world_create();
	const uint64_t by_rax = AT(NO_GROWTH + 0x80);

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RAX] = world_slot(20);
	world_put(world, 0, AT(FRAMED + 5));
	world_put(world, 2, by_rax + 1);
	world_put(world, 20, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(FRAMED + 5), by_rax + 1,
		AT(START + 1));
	/* It has to lead upwards all the same. */
	world->regs[CODECTL_AMD64_RAX] = world_slot(1);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_PROGRESS, AT(LEAF), AT(FRAMED + 5), by_rax + 1);
	world_destroy(world);
}

TEST(return_address_in_register)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI);
	world->regs[CODECTL_AMD64_RDI] = AT(FRAMED + 1 + 4);
	world_put(world, 1, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(RA_IN_RDI), AT(FRAMED + 5), AT(START + 1));
	/* rdi does not survive a call, so a caller's is not known. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(RA_IN_RDI + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF), AT(RA_IN_RDI + 1));
	world_destroy(world);
}

/* The end of __builtin_eh_return(): rcx is no return address, but where it jumps to. */
TEST(landing_pad)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI + 0x80);
	world->regs[CODECTL_AMD64_RCX] = AT(FRAMED);
	world_put(world, 0, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(RA_IN_RDI + 0x80), AT(FRAMED),
		AT(START + 1));
	CHECK(world->frames[1].is_exact);
	world_destroy(world);
}

/* A handler returns to the trampoline at word 0; the ucontext is at word 1. */
static void put_signal(struct world *world, uint64_t interrupted_pc, uint64_t interrupted_sp)
{
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(TRAMPOLINE));
	world_put(world, 1 + 160 / 8, interrupted_sp);
	world_put(world, 1 + 168 / 8, interrupted_pc);
	world_put(world, 1 + 120 / 8, world_slot(60)); /* rbp */
}

/* The first instruction of a function was interrupted: its pc is looked up as it is. */
TEST(signal_frame)
{
	struct world *world = world_create();

	put_signal(world, AT(FRAMED), world_slot(50));
	world_put(world, 50, AT(FP_BASED + 1));
	world_put(world, 61, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(TRAMPOLINE), AT(FRAMED),
		AT(FP_BASED + 1), AT(START + 1));
	CHECK(world->frames[1].is_exact);
	CHECK(world->frames[2].is_exact);
	CHECK(!world->frames[3].is_exact);
	world_destroy(world);
}

/* All code is calls by register. */
static int read_calls(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	(void)user;
	(void)address;
	for (size_t i = 0; i < len; i++)
		bytes[i] = (len - i) % 2 ? 0xd0 : 0xff;
	return 0;
}

TEST(signal_frame_of_call_through_null)
{
	struct world *world = world_create();

	put_signal(world, 0, world_slot(50));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(TRAMPOLINE), 0);
	/* The call has left its return address. */
	world_put(world, 50, AT(FP_BASED + 1));
	world_put(world, 61, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(TRAMPOLINE), 0);
	world->ops.read_code = read_calls;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(TRAMPOLINE), 0,
		AT(FP_BASED + 1), AT(START + 1));
	CHECK(!world->frames[3].is_exact);
	/* A sampler does not keep 0. */
	world->kept[1 + 168 / 8] = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(TRAMPOLINE), 0,
		AT(FP_BASED + 1), AT(START + 1));
	world->ops.read_code = NULL;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(TRAMPOLINE));
	/* No other address without code is known to be a function that was called. */
	world->ops.read_code = read_calls;
	put_signal(world, 0x1234, world_slot(50));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(TRAMPOLINE), 0x1234);
	world_destroy(world);
}

/* What was interrupted is on another stack: its pc is known, and that is all. */
TEST(signal_on_other_stack)
{
	struct world *world = world_create();

	put_signal(world, AT(FRAMED), UINT64_C(0x7f0000001000));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_STACK_SWITCH, AT(LEAF), AT(TRAMPOLINE), AT(FRAMED));
	CHECK(world->frames[2].is_exact);
	put_signal(world, AT(FRAMED), SP + (UINT64_C(1) << 20));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_STACK_SWITCH, AT(LEAF), AT(TRAMPOLINE), AT(FRAMED));
	/* A sampler keeps only pointers into the sampled stack. */
	world->kept[1 + 160 / 8] = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_STACK_SWITCH, AT(LEAF), AT(TRAMPOLINE), AT(FRAMED));
	world_destroy(world);
}

/* The ucontext reaches beyond what was examined, or the interrupted frame does. */
TEST(signal_frame_truncated)
{
	struct world *world = world_create();

	put_signal(world, AT(FRAMED), world_slot(50));
	world->word_count = 10;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF), AT(TRAMPOLINE));
	world->word_count = 40;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF), AT(TRAMPOLINE), AT(FRAMED));
	world_destroy(world);
}

TEST(frame_pointers)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = JIT_START;
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(10));
	world_put(world, 5, AT(GAP + 8));
	world_put(world, 10, world_slot(20));
	world_put(world, 11, JIT_START + 5);
	world_put(world, 21, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, JIT_START, AT(GAP + 8), JIT_START + 5,
		AT(START + 1));
	for (size_t i = 1; i < 4; i++)
		CHECK_INT(world->frames[i].via, CODECTL_FRAME_VIA_FP);
	/* The slow walk does the same. */
	world_put(world, 21, AT(BY_RBX + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, JIT_START, AT(GAP + 8), JIT_START + 5,
		AT(BY_RBX + 1));
	CHECK_INT(world_slow_samples(world), 1);
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	world_destroy(world);
}
