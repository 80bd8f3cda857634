/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Why stacks end, what was not captured, and what is remembered.
 */
#include "lib/stack-world.h"
#include "lib/tap.h"

/* A saved rbp that was not kept was no pointer: nobody misses it until it is needed. */
TEST(saved_fp_not_kept)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(FP_BASED);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 5, AT(FRAMED + 5));
	world_put(world, 7, AT(START + 1));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(FP_BASED), AT(FRAMED + 5), AT(START + 1));
	world_put(world, 7, AT(FP_BASED + 1));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_TRUNCATED, AT(FP_BASED), AT(FRAMED + 5), AT(FP_BASED + 1));
	world_destroy(world);
}

TEST(return_address_not_kept)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF));
	/* Kept, as in a whole copy, and 0. */
	world_keep_all(world);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF));
	/* Kept, and no code: the frame stays. */
	world_put(world, 0, 0x1234);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), 0x1234);
	world_destroy(world);
}

static int read_filled(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	const struct world *world = user;

	if (address < BIAS)
		return -1;
	/* ff d0: call *%rax */
	for (size_t i = 0; i < len; i++)
		bytes[i] = world->is_filled_by_calls ? ((len - i) % 2 ? 0xd0 : 0xff) : 0x90;
	return 0;
}

/* What no call returns to was made by hand, to begin a stack. */
TEST(stack_made_by_hand)
{
	struct world *world = world_create();

	world->ops.read_code = read_filled;
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(FRAMED + 5));
	world->is_filled_by_calls = true;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(FRAMED + 5));
	world->is_filled_by_calls = false;
	world_unwind(world);
	/* In the middle of a function: a landing pad that was put there. */
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), AT(FRAMED + 5));
	for (unsigned int i = 0; i < 2; i++) {
		world_put(world, 0, AT(FRAMED + i));
		world_unwind(world);
		CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(FRAMED + i));
	}
	/* The sampled frame itself has not been called by hand. */
	world->kept[0] = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF));
	/* Nor is there a hand that writes words without code. */
	world_put(world, 0, 0x1234);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF), 0x1234);
	world_destroy(world);
}

TEST(beyond_examined)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->word_count = 0;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF));
	world->word_count = 2;
	world_put(world, 0, AT(FRAMED + 5));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF), AT(FRAMED + 5));
	world_destroy(world);
}

/* Words are found in any order, across words of the map. */
TEST(whole_copy)
{
	struct world *world = world_create();

	world_keep_all(world);
	for (size_t i = 0; i < WORDS; i++)
		world->words[i] = 0xbad;
	world->regs[CODECTL_AMD64_RIP] = AT(REALIGNED);
	world->regs[CODECTL_AMD64_RBP] = world_slot(80);
	world->words[79] = world_slot(70); /* The CFA is below. */
	world->words[80] = world_slot(90);
	world->words[69] = AT(FP_BASED + 1);
	world->words[90] = 0;
	world->words[91] = AT(START + 1);
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(REALIGNED), AT(FP_BASED + 1), AT(START + 1));
	world_destroy(world);
}

TEST(no_rule)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(GAP + 8));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_RULE, AT(LEAF), AT(GAP + 8));
	/* Below SP, beyond the end, to no code: none of these is a frame pointer. */
	world->regs[CODECTL_AMD64_RBP] = world_slot(0);
	world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_NO_RULE);
	world->regs[CODECTL_AMD64_RBP] = world_slot(WORDS - 1);
	world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_NO_RULE);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 5, world_slot(9));
	world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_NO_RULE);
	CHECK_INT(world->frame_count, 2);
	world_destroy(world);
}

TEST(no_progress)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(NO_GROWTH);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_PROGRESS, AT(NO_GROWTH));
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(NO_GROWTH + 1));
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_PROGRESS, AT(LEAF), AT(NO_GROWTH + 1));
	/* A frame that points to itself. */
	world_put(world, 0, AT(FP_BASED + 1));
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 4, world_slot(4));
	world_put(world, 5, AT(FP_BASED + 1));
	world_unwind(world);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_NO_PROGRESS, AT(LEAF), AT(FP_BASED + 1), AT(FP_BASED + 1));
	world_destroy(world);
}

TEST(stack_switch)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(FP_BASED);
	world->regs[CODECTL_AMD64_RBP] = SP - 0x1000;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_STACK_SWITCH, AT(FP_BASED));
	world->regs[CODECTL_AMD64_RBP] = SP + (UINT64_C(1) << 30);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_STACK_SWITCH, AT(FP_BASED));
	world->regs[CODECTL_AMD64_RBP] = SP + (UINT64_C(1) << 20);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(FP_BASED));
	world_destroy(world);
}

TEST(depth)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(LEAF + 1));
	world_put(world, 1, AT(START + 1));
	for (world->frame_max = 0; world->frame_max < 3; world->frame_max++) {
		world_unwind(world);
		CHECK_END(world, CODECTL_STACK_END_DEPTH);
		CHECK_INT(world->frame_count, world->frame_max);
	}
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(LEAF + 1), AT(START + 1));
	/* The slow walk too. */
	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI);
	world->regs[CODECTL_AMD64_RDI] = AT(LEAF + 1);
	world_unwind(world);
	CHECK_END(world, CODECTL_STACK_END_DEPTH);
	CHECK_INT(world->frame_count, 3);
	world_destroy(world);
}

TEST(bad_rule)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(MALFORMED);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_BAD_RULE, AT(MALFORMED));
	world_destroy(world);
}

TEST(malformed_samples)
{
	struct world *world = world_create();
	const uint64_t map[1] = {~UINT64_C(0)};
	const uint64_t stack[1] = {AT(LEAF + 1)};
	struct codectl_event_sample sample = {
		.stack_start = SP,
		.stack_len = 64 * 8,
		.regs = world->regs,
		.stack_map = map,
		.stack_map_count = 1,
		.stack = stack,
		.stack_count = 1,
	};
	size_t count = 99;

	/* No registers. */
	CHECK_INT(codectl_unwind(world->unwinder, &world->ops, &sample, world->frames, 32, &count),
		CODECTL_STACK_END_BAD_RULE);
	CHECK_INT(count, 0);
	/* Fewer words than the map says. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	sample.reg_count = CODECTL_AMD64_REG_COUNT;
	CHECK_INT(codectl_unwind(world->unwinder, &world->ops, &sample, world->frames, 32, &count),
		CODECTL_STACK_END_BAD_RULE);
	CHECK_INT(count, 2);
	/* A map that is too short. */
	sample.stack_map_count = 0;
	CHECK_INT(codectl_unwind(world->unwinder, &world->ops, &sample, world->frames, 32, &count),
		CODECTL_STACK_END_BAD_RULE);
	CHECK_INT(count, 1);
	/* A stack around the end of the address space. */
	sample.stack_map_count = 1;
	sample.stack_start = world->regs[CODECTL_AMD64_RSP] = UINT64_MAX - 15;
	CHECK_INT(codectl_unwind(world->unwinder, &world->ops, &sample, world->frames, 32, &count),
		CODECTL_STACK_END_BAD_RULE);
	CHECK_INT(count, 1);
	world_destroy(world);
}

/* What find_code() answered is remembered as long as the generation is the same. */
TEST(generations)
{
	struct world *world = world_create();

	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(START + 1));
	world_unwind(world);
	world_unwind(world);
	CHECK_INT(world->asked, 2);
	CHECK_INT(codectl_unwinder_borrow_stats(world->unwinder)->cache_hits, 2);
	world->is_gone = true;
	world->ops.generation = 2;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF));
	/* And back, many generations later. */
	for (world->ops.generation = 3; world->ops.generation < 70000; world->ops.generation++)
		world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_NO_MAP, AT(LEAF));
	world->ops.generation = 1;
	world->is_gone = false;
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(START + 1));
	CHECK_INT(codectl_unwinder_borrow_stats(world->unwinder)->samples, 3 + 69997 + 1);
	world_destroy(world);
}

TEST(names)
{
	static const char *const ends[] = {"outermost", "truncated", "no-map", "no-rule",
		"stack-switch", "no-progress", "depth", "bad-rule"};
	static const char *const vias[] = {
		"regs", "jit", "eh_frame", "debug_frame", "sframe", "fp", "scan", "inline"};

	for (int end = 0; end < CODECTL_STACK_END_COUNT; end++)
		CHECK_STR(codectl_stack_end_name((enum codectl_stack_end)end), ends[end]);
	for (int via = 0; via < CODECTL_FRAME_VIA_COUNT; via++)
		CHECK_STR(codectl_frame_via_name((enum codectl_frame_via)via), vias[via]);
	CHECK_STR(codectl_stack_end_name(CODECTL_STACK_END_COUNT), "");
	CHECK_STR(codectl_frame_via_name(CODECTL_FRAME_VIA_COUNT), "");
}

/* Random words of plausible and other values in stack and registers: it ends, within bounds. */
TEST(random_stacks)
{
	struct world *world = world_create();
	uint64_t random = 1;

	for (unsigned int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < WORDS + CODECTL_AMD64_REG_COUNT; i++) {
			uint64_t *place = i < WORDS ? &world->words[i] : &world->regs[i - WORDS];

			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			switch (random >> 60) {
			case 0 ... 6:
				*place = AT(LEAF) + (random >> 20) % 0xd00;
				break;
			case 7 ... 13:
				*place = world_slot((random >> 20) % (WORDS + 8));
				break;
			case 14:
				*place = JIT_START + (random >> 20) % 0x1010;
				break;
			default:
				*place = random;
				break;
			}
			if (i < WORDS)
				world->kept[i] = random >> 10 & 7;
		}
		world->regs[CODECTL_AMD64_RIP] = AT(LEAF) + (random >> 20) % 0xd00;
		world->regs[CODECTL_AMD64_RSP] = world_slot(0);
		world->word_count = (random >> 40) % (WORDS + 1);
		world_unwind(world);
		CHECK(world->frame_count >= 1 && world->frame_count <= world->frame_max);
		CHECK(world->end < CODECTL_STACK_END_COUNT);
	}
	world_destroy(world);
}
