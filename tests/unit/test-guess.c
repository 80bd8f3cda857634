/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Callers of code without unwind information: by calls, and by frame pointers.
 */
#include "lib/stack-world.h"
#include "lib/tap.h"

#include <errno.h>
#include <stdlib.h>

/* Two functions without unwind information. */
#define LONE  UINT64_C(0x3000)
#define OTHER UINT64_C(0x3200)
/* A return address in code without unwind information. */
#define CALLER UINT64_C(0x4010)

#define CODE_START AT(LEAF)
#define CODE_SIZE  0x7000

static uint8_t code[CODE_SIZE];
static uint64_t code_limit;

static int read_code(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	(void)user;
	if (address < CODE_START || address + len > code_limit)
		return -ENOENT;
	memcpy(bytes, code + (address - CODE_START), len);
	return 0;
}

static struct world *create(void)
{
	struct world *world = world_create();

	memset(code, 0x90, sizeof(code));
	code_limit = CODE_START + CODE_SIZE;
	world->ops.read_code = read_code;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE + 0x10);
	return world;
}

/* Writes an instruction that ends before @vaddr. */
#define CODE_BEFORE(vaddr, ...)                                                \
	memcpy(code + ((vaddr)-LEAF) - sizeof((const uint8_t[]){__VA_ARGS__}), \
		((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__}))

/* A direct call of @target before @vaddr. */
static void write_call(uint64_t vaddr, uint64_t target)
{
	uint32_t offset = (uint32_t)(target - vaddr);

	CODE_BEFORE(vaddr, 0xe8, (uint8_t)offset, (uint8_t)(offset >> 8), (uint8_t)(offset >> 16),
		(uint8_t)(offset >> 24));
}

/* Unwinds, as if nothing were remembered. */
static void unwind(struct world *world)
{
	world->ops.generation++;
	world_unwind(world);
}

TEST(leaf_called_directly)
{
	struct world *world = create();

	write_call(FRAMED + 0x50, LONE);
	world_put(world, 0, AT(FRAMED + 0x50));
	world_put(world, 2, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_SCAN);
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_EH_FRAME);
	/* At its first byte, and not before. */
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	world_put(world, 0, world_slot(3));
	world_put(world, 1, AT(FRAMED + 0x50));
	world_put(world, 3, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE), AT(FRAMED + 0x50), AT(START + 1));
	world->regs[CODECTL_AMD64_RIP] = AT(LONE - 1);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE - 1));
	world_destroy(world);
}

/* It has pushed things, of which some look like return addresses. */
TEST(leaf_that_pushes)
{
	struct world *world = create();

	write_call(FRAMED + 0x50, LONE);
	write_call(FP_BASED + 0x20, OTHER);
	write_call(PLT + 0x20, LONE - 0x40);
	world_put(world, 0, AT(FRAMED + 0x40)); /* No call is before it. */
	world_put(world, 1, world_slot(9));
	world_put(world, 2, AT(FP_BASED + 0x20)); /* A call of what is behind the pc. */
	world_put(world, 3, AT(PLT + 0x20));	  /* A call of a function further away. */
	world_put(world, 5, AT(FRAMED + 0x50));
	world_put(world, 7, AT(START + 1));
	world_put(world, 8, AT(PLT + 0x20));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	/* Of two equal ones the nearest. */
	world_put(world, 4, AT(FRAMED + 0x50));
	world_put(world, 6, AT(START + 1));
	world_put(world, 7, world_slot(1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	world_destroy(world);
}

/* Not too far up, nor out of what is executable. */
TEST(limits_of_the_scan)
{
	struct world *world = create();

	write_call(FRAMED + 0x50, LONE);
	world_put(world, 64, AT(FRAMED + 0x50));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	world_put(world, 63, AT(FRAMED + 0x50));
	world_put(world, 65, AT(START + 1));
	unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	code_limit = AT(FRAMED + 0x4f);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	code_limit = AT(FRAMED + 0x50);
	unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	world->ops.read_code = NULL;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	/* Calls of what is too far away to be the same function. */
	world->ops.read_code = read_code;
	write_call(FRAMED + 0x50, LONE + 0x10 - 65536);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10));
	write_call(FRAMED + 0x50, LONE + 0x11 - 65536);
	unwind(world);
	CHECK_END(world, CODECTL_STACK_END_OUTERMOST);
	write_call(FRAMED + 0x50, LONE);
	/* The last words that have an address. */
	world->regs[CODECTL_AMD64_RSP] = UINT64_MAX - 7;
	unwind(world);
	CHECK_END(world, CODECTL_STACK_END_NO_RULE);
	/* A call in the first bytes of all. */
	world->regs[CODECTL_AMD64_RSP] = SP;
	world_put(world, 0, 1);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(START + 1));
	world_destroy(world);
}

/* Whether the bytes are taken for a call. */
static bool is_taken(struct world *world, const uint8_t *bytes, size_t len)
{
	memset(code, 0x90, sizeof(code));
	memcpy(code + (FRAMED + 0x50 - LEAF) - len, bytes, len);
	unwind(world);
	return world->frame_count > 1;
}

#define IS_TAKEN(world, ...) \
	is_taken(world, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Through a pointer or the PLT: only what is on top of the stack. */
TEST(leaf_called_otherwise)
{
	struct world *world = create();

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
	struct world *world = create();

	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(8));
	world_put(world, 5, AT(CALLER));
	world_put(world, 8, 0);
	world_put(world, 9, AT(START + 1));
	write_call(START + 1, LONE);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER), AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_FP);
	/* The same frame, seen as a call: FP is the caller's then, too. */
	write_call(CALLER, LONE);
	world_put(world, 2, AT(CALLER));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER), AT(START + 1));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_FP);
	/* Before the function has set FP up, it is its caller's: then the call is below. */
	write_call(CALLER, LONE - 0x100);
	write_call(FRAMED + 0x50, LONE);
	world_put(world, 0, AT(FRAMED + 0x50));
	world->kept[2] = false;
	world_put(world, 2, AT(FP_BASED + 0x20));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(FRAMED + 0x50),
		AT(FP_BASED + 0x20), AT(CALLER), AT(START + 1));
	world_destroy(world);
}

/* Of a caller FP is set up; only without it the stack is scanned. */
TEST(callers)
{
	struct world *world = create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 0, AT(LONE + 0x20));
	world_put(world, 2, AT(FRAMED + 0x50));
	write_call(FRAMED + 0x50, LONE);
	world_put(world, 5, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(LONE + 0x20), AT(START + 1));
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_FP);
	world->regs[CODECTL_AMD64_RBP] = 1;
	world_put(world, 4, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(LONE + 0x20),
		AT(FRAMED + 0x50), AT(START + 1));
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_SCAN);
	/* A call that is not direct says nothing of a caller. */
	CODE_BEFORE(FRAMED + 0x50, 0xff, 0xd0);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(LONE + 0x20));
	world_destroy(world);
}

TEST(cleared_frame_pointer)
{
	struct world *world = create();

	/* At the end of a chain of frame pointers. */
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, 0);
	world_put(world, 5, AT(CALLER));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER));
	/* Whatever is beyond. */
	CODE_BEFORE(START + 1, 0xff, 0xd0);
	world_put(world, 7, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LONE + 0x10), AT(CALLER));
	world->kept[7] = false;
	/* As the caller of a function with CFI: if nothing above has been called. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = 0;
	world_put(world, 0, AT(CALLER));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(CALLER));
	CODE_BEFORE(CALLER, 0xff, 0xd0);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(CALLER));
	world->kept[5] = false;
	world->ops.read_code = NULL;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(CALLER));
	/* After a scan, or where the sample was taken, it may be any number. */
	world->ops.read_code = read_code;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	write_call(CALLER, LONE);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE), AT(CALLER));
	world->ops.read_code = read_code;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE);
	world->kept[0] = false;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE));
	world_destroy(world);
}

/* Chains that lead down, nowhere, or out of what was captured. */
TEST(chains_without_end)
{
	struct world *world = create();

	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(4));
	world_put(world, 5, AT(CALLER));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_PROGRESS, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(WORDS - 1));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(WORDS + 1000));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, world_slot(8)); /* To no code. */
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, UINT64_C(0x4141414141414141));
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_put(world, 4, UINT64_MAX - 7);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world->kept[4] = false;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LONE + 0x10), AT(CALLER));
	world_destroy(world);
}

/* As makecontext() does: a function's first byte as a return address, a gap before it. */
TEST(planted_return_address)
{
	struct world *world = create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(POPPED));
	world_put(world, 1, AT(FRAMED + 0x50));
	CODE_BEFORE(FRAMED + 0x50, 0xff, 0xd0);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(POPPED));
	CHECK(world->frames[1].is_exact);
	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI);
	world->regs[CODECTL_AMD64_RDI] = AT(POPPED);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(RA_IN_RDI), AT(POPPED));
	CHECK_INT(world_slow_samples(world), 1);
	/* Unless it was called from there. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	CODE_BEFORE(POPPED, 0xff, 0xd0);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(POPPED));
	world->ops.read_code = NULL;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(POPPED));
	world_destroy(world);
}

/* One source alone: of the module nothing but where the process begins. */
TEST(frame_pointers_alone)
{
	struct world *world = create();
	struct codectl_unwind_module *sound = world->module;
	struct codectl_unwind_files files = {.own = &world->elf, .mode = CODECTL_UNWIND_FP};

	world->image.header.e_entry = START;
	CHECK_INT(codectl_elf_init(&world->elf, &world->image, sizeof(world->image)), 0);
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	world->ops.mode = CODECTL_UNWIND_FP;
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF + 1);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 0, AT(FRAMED + 0x50));
	write_call(FRAMED + 0x50, LEAF);
	world_put(world, 4, world_slot(8));
	world_put(world, 5, AT(FP_BASED + 1));
	world_put(world, 8, 1);
	world_put(world, 9, AT(START + 1));
	unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(LEAF + 1), AT(FP_BASED + 1), AT(START + 1));
	codectl_unwind_module_destroy(world->module);
	/* A module for SFrame has none of it here, and guesses are not made. */
	files.mode = CODECTL_UNWIND_SFRAME;
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	world->ops.mode = CODECTL_UNWIND_SFRAME;
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF + 1));
	codectl_unwind_module_destroy(world->module);
	files.mode = CODECTL_UNWIND_EH_FRAME;
	CHECK_INT(codectl_unwind_module_create_from(&files, &world->module), 0);
	world->ops.mode = CODECTL_UNWIND_EH_FRAME;
	unwind(world);
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_EH_FRAME);
	world->regs[CODECTL_AMD64_RIP] = AT(GAP);
	unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(GAP));
	codectl_unwind_module_destroy(world->module);
	world->module = sound;
	world_destroy(world);
}

/* Any code and any stack: it ends, within bounds, and each frame is in code. */
TEST(random_worlds)
{
	/* Opcodes, ModRM bytes and offsets of calls. */
	static const uint8_t likely[] = {0xe8, 0xff, 0x15, 0xd0, 0x00, 0xff, 0x10, 0x14};
	struct world *world = create();
	uint64_t state = 12345;
	size_t scanned = 0;

	world_keep_all(world);
	for (int round = 0; round < 3000; round++) {
		for (size_t i = 0; round % 100 == 0 && i < sizeof(code); i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			code[i] = likely[state >> 61];
		}
		for (size_t i = 0; i < WORDS; i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			world->words[i] = state >> 63 ? AT(LEAF + (state >> 32) % CODE_SIZE)
						      : world_slot((state >> 32) % WORDS);
		}
		world->regs[CODECTL_AMD64_RIP] = AT(LONE + (state >> 20) % 0x4000);
		world->regs[CODECTL_AMD64_RBP] = world_slot((state >> 10) % WORDS);
		unwind(world);
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
