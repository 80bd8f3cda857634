/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Callers of code without unwind information: by calls, and by frame pointers.
 */
#include "lib/code-world.h"
#include "lib/tap.h"

TEST(leaf_called_directly)
{
	struct world *world = code_world_create();

	code_write_call(FRAMED + 0x50, LONE);
	world_put(world, 0, AT(FRAMED + 0x50));
	world_put(world, 2, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_SCAN);
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_EH_FRAME);
	/* At its first byte, and not before. */
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	code_world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	world_put(world, 0, world_slot(3));
	world_put(world, 1, AT(FRAMED + 0x50));
	world_put(world, 3, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE), AT(FRAMED + 0x50), AT(START + 1));
	world->regs[CODECTL_AMD64_RIP] = AT(LONE - 1);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE - 1));
	world_destroy(world);
}

/* It has pushed things, of which some look like return addresses. */
TEST(leaf_that_pushes)
{
	struct world *world = code_world_create();

	code_write_call(FRAMED + 0x50, LONE);
	code_write_call(FP_BASED + 0x20, OTHER);
	code_write_call(PLT + 0x20, LONE - 0x40);
	world_put(world, 0, AT(FRAMED + 0x40)); /* No call is before it. */
	world_put(world, 1, world_slot(9));
	world_put(world, 2, AT(FP_BASED + 0x20)); /* A call of what is behind the pc. */
	world_put(world, 3, AT(PLT + 0x20));	  /* A call of a function further away. */
	world_put(world, 5, AT(FRAMED + 0x50));
	world_put(world, 7, AT(START + 1));
	world_put(world, 8, AT(PLT + 0x20));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	/* Of two equal ones the nearest. */
	world_put(world, 4, AT(FRAMED + 0x50));
	world_put(world, 6, AT(START + 1));
	world_put(world, 7, world_slot(1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	world_destroy(world);
}

/* Not too far up, nor out of what is executable. */
TEST(limits_of_the_scan)
{
	struct world *world = code_world_create();

	code_write_call(FRAMED + 0x50, LONE);
	world_put(world, 64, AT(FRAMED + 0x50));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	world_put(world, 63, AT(FRAMED + 0x50));
	world_put(world, 65, AT(START + 1));
	code_world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	code_limit = AT(FRAMED + 0x4f);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	code_limit = AT(FRAMED + 0x50);
	code_world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	world->ops.read_code = NULL;
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	/* Calls of what is too far away to be the same function. */
	world->ops.read_code = code_world_read;
	code_write_call(FRAMED + 0x50, LONE + 0x10 - 65536);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	code_write_call(FRAMED + 0x50, LONE + 0x11 - 65536);
	code_world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	code_write_call(FRAMED + 0x50, LONE);
	/* The last words that have an address. */
	world->regs[CODECTL_AMD64_RSP] = UINT64_MAX - 7;
	code_world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_NO_RULE);
	/* A call in the first bytes of all. */
	world->regs[CODECTL_AMD64_RSP] = SP;
	world_put(world, 0, 1);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	world_destroy(world);
}

/* Whether the bytes are taken for a call. */
static bool is_taken(struct world *world, const uint8_t *bytes, size_t len)
{
	memset(code_bytes, 0x90, sizeof(code_bytes));
	memcpy(code_bytes + (FRAMED + 0x50 - LEAF) - len, bytes, len);
	code_world_unwind(world);
	return world->frame_count > 1;
}

#define IS_TAKEN(world, ...) \
	is_taken(world, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Through a pointer or the PLT: only what is on top of the stack. */
TEST(leaf_called_otherwise)
{
	struct world *world = code_world_create();

	world_put(world, 0, AT(FRAMED + 0x50));
	world_put(world, 2, AT(START + 1));
	CHECK(!IS_TAKEN(world, 0x90));
	CHECK(IS_TAKEN(world, 0xe8, 0, 0, 0x10, 0));
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_SCAN);
	CHECK(IS_TAKEN(world, 0xff, 0xd0));			    /* *%rax */
	CHECK(IS_TAKEN(world, 0x41, 0xff, 0xd3));		    /* *%r11 */
	CHECK(IS_TAKEN(world, 0xff, 0x10));			    /* *(%rax) */
	CHECK(IS_TAKEN(world, 0xff, 0x14, 0x24));		    /* *(%rsp) */
	CHECK(IS_TAKEN(world, 0xff, 0x50, 8));			    /* *8(%rax) */
	CHECK(IS_TAKEN(world, 0xff, 0x54, 0x24, 8));		    /* *8(%rsp) */
	CHECK(IS_TAKEN(world, 0xff, 0x90, 0, 1, 0, 0));		    /* *256(%rax) */
	CHECK(IS_TAKEN(world, 0xff, 0x15, 0, 1, 0, 0));		    /* *256(%rip) */
	CHECK(IS_TAKEN(world, 0xff, 0x94, 0x24, 0, 1, 0, 0));	    /* *256(%rsp) */
	CHECK(IS_TAKEN(world, 0x41, 0xff, 0x14, 0xc5, 0, 1, 0, 0)); /* *256(,%rax,8) */
	CHECK(!IS_TAKEN(world, 0xff, 0xe0));			    /* jmp *%rax */
	CHECK(!IS_TAKEN(world, 0xff, 0x25, 0, 1, 0, 0));	    /* jmp *256(%rip) */
	CHECK(!IS_TAKEN(world, 0xff, 0xd0, 0x90));
	CHECK(!IS_TAKEN(world, 0xff, 0x14));
	CHECK(!IS_TAKEN(world, 0xff, 0x50));
	CHECK(!IS_TAKEN(world, 0xe9, 0, 0, 0, 0));
	/* The first call is one of the other function. */
	world->kept[0] = false;
	world_put(world, 1, AT(FRAMED + 0x50));
	CHECK(!IS_TAKEN(world, 0xff, 0xd0));
	world_destroy(world);
}

/* What looks like a call beyond the frame that FP points to is of others. */
TEST(frame_pointer_of_the_function)
{
	struct world *world = code_world_create();

	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(8));
	world_put(world, 5, AT(CALLER));
	world_put(world, 8, 0);
	world_put(world, 9, AT(START + 1));
	code_write_call(START + 1, LONE);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER), AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_FP);
	/* The same frame, seen as a call: FP is the caller's then, too. */
	code_write_call(CALLER, LONE);
	world_put(world, 2, AT(CALLER));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER), AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	/* Before the function has set FP up, it is its caller's: then the call is below. */
	code_write_call(CALLER, LONE - 0x100);
	code_write_call(FRAMED + 0x50, LONE);
	world_put(world, 0, AT(FRAMED + 0x50));
	world->kept[2] = false;
	world_put(world, 2, AT(FP_BASED + 0x20));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(FP_BASED + 0x20), AT(CALLER), AT(START + 1));
	world_destroy(world);
}

/* Writes instructions at LONE + 0x10, where the sample is. */
#define CODE_AT_PC(before, ...)                                                           \
	do {                                                                              \
		memset(code_bytes, 0x90, sizeof(code_bytes));                             \
		CODE_BEFORE(FRAMED + 0x50, 0xff, 0xd0);                                   \
		CODE_BEFORE(LONE + 0x10, before);                                         \
		memcpy(code_bytes + (LONE + 0x10 - LEAF), (const uint8_t[]){__VA_ARGS__}, \
			sizeof((const uint8_t[]){__VA_ARGS__}));                          \
	} while (0)

/* Whether the caller's caller is not lost. */
static bool has_caller(struct world *world)
{
	code_world_unwind(world);
	return world->frame_count == 4 && world->frames[1].pc == AT(FRAMED + 0x50) &&
	       world->frames[2].pc == AT(FP_BASED + 0x20) && world->frames[3].pc == AT(START + 1);
}

/* Called through a pointer, where FP is still, or again, the caller's. */
TEST(prologues_and_epilogues)
{
	struct world *world = code_world_create();

	/* The caller's caller is found by FP, as the caller keeps it. */
	world->regs[CODECTL_AMD64_RBP] = world_slot(6);
	world_put(world, 6, world_slot(9));
	world_put(world, 7, AT(START + 1));
	world_put(world, 0, AT(FRAMED + 0x50));
	world_put(world, 2, AT(FP_BASED + 0x20));
	CODE_AT_PC(0x90, 0xc3);
	CHECK(has_caller(world));
	CODE_AT_PC(0x90, 0xc2, 8, 0);
	CHECK(has_caller(world));
	CODE_AT_PC(0x90, 0xf3, 0xc3);
	CHECK(has_caller(world));
	CODE_AT_PC(0x90, 0x55, 0x48, 0x89, 0xe5);
	CHECK(has_caller(world));
	CODE_AT_PC(0x90, 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5);
	CHECK(has_caller(world));
	/* FP has been pushed. */
	world_put(world, 0, world_slot(6));
	world_put(world, 1, AT(FRAMED + 0x50));
	world_put(world, 3, AT(FP_BASED + 0x20));
	CODE_AT_PC(0x55, 0x48, 0x89, 0xe5);
	CHECK(has_caller(world));
	/* Anything else is not known to be a prologue: the caller is lost. */
	CODE_AT_PC(0x90, 0x48, 0x89, 0xe5);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	/* Nor is there one where no call has been. */
	CODE_AT_PC(0x55, 0x48, 0x89, 0xe5);
	CODE_BEFORE(FRAMED + 0x50, 0x90, 0x90);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(START + 1));
	/* At the end of what can be read. */
	world_put(world, 0, AT(FRAMED + 0x50));
	world_put(world, 2, AT(FP_BASED + 0x20));
	CODE_AT_PC(0x90, 0xc3);
	code_limit = AT(LONE + 0x11);
	CHECK(has_caller(world));
	world_destroy(world);
}

/* Of a caller FP is set up; only without it the stack is scanned. */
TEST(callers)
{
	struct world *world = code_world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 0, AT(LONE + 0x20));
	world_put(world, 2, AT(FRAMED + 0x50));
	code_write_call(FRAMED + 0x50, LONE);
	world_put(world, 5, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(LONE + 0x20), AT(START + 1));
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_FP);
	world->regs[CODECTL_AMD64_RBP] = 1;
	world_put(world, 4, AT(START + 1));
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(LONE + 0x20),
		AT(FRAMED + 0x50), AT(START + 1));
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_SCAN);
	/* A call that is not direct says nothing of a caller. */
	CODE_BEFORE(FRAMED + 0x50, 0xff, 0xd0);
	code_world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(LONE + 0x20));
	world_destroy(world);
}

/* Any code and any stack: it ends, within bounds, and each frame is in code. */
TEST(random_worlds)
{
	/* Opcodes, ModRM bytes and offsets of calls. */
	static const uint8_t likely[] = {0xe8, 0xff, 0x15, 0xd0, 0x00, 0xff, 0x10, 0x14};
	struct world *world = code_world_create();
	uint64_t state = 12345;
	size_t scanned = 0;

	world_keep_all(world);
	for (int round = 0; round < 3000; round++) {
		for (size_t i = 0; round % 100 == 0 && i < sizeof(code_bytes); i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			code_bytes[i] = likely[state >> 61];
		}
		for (size_t i = 0; i < WORDS; i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			world->words[i] = state >> 63 ? AT(LEAF + (state >> 32) % CODE_SIZE)
						      : world_slot((state >> 32) % WORDS);
		}
		world->regs[CODECTL_AMD64_RIP] = AT(LONE + (state >> 20) % 0x4000);
		world->regs[CODECTL_AMD64_RBP] = world_slot((state >> 10) % WORDS);
		code_world_unwind(world);
		CHECK(world->frame_count > 0);
		for (size_t i = 1; i < world->frame_count; i++) {
			if (world->frames[i].via != CODECTL_FRAME_VIA_SCAN)
				continue;
			CHECK(world->frames[i].pc > AT(LEAF) && world->frames[i].pc <= AT(0x8000));
			scanned++;
		}
	}
	CHECK(scanned > 100);
	world_destroy(world);
}
