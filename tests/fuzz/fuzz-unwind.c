/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The whole unwinder: a hostile module, hostile samples and hostile answers to
 * find_code(). Input: u8 mode, u8 frames asked for, u8 registers, u8 words of
 * stack, u8 words of map more or less than there should be, the registers, the
 * words (each as read_word() says, and whether it was kept), then the module:
 * an ELF file, or as fuzz/image.h says.
 */
#include "fuzz/image.h"

#include "format/elf.h"
#include "unwind/module.h"
#include "unwind/unwind.h"

#include <errno.h>

enum mode {
	MODE_RAW_ELF = 1,
	MODE_ODD_START = 2,  /* The stack is anywhere, not aligned. */
	MODE_ODD_COUNT = 4,  /* The number of kept words is not what the map says. */
	MODE_ODD_LEN = 8,    /* The length examined has nothing to do with the map. */
	MODE_SCATTERED = 16, /* Code is everywhere, under a bias of its own. */
	MODE_RED_ZONE = 32,  /* The stack begins below SP. */
	MODE_NO_MODULE = 64, /* No code has unwind information. */
	MODE_NO_BYTES = 128, /* The bytes of code are not at hand. */
};

#define BIAS	   UINT64_C(0x400000)
#define CODE_SIZE  UINT64_C(0x100000)
#define OTHER_BIAS UINT64_C(0x7f0000000000)
#define JIT	   UINT64_C(0x700000)
#define JIT_SIZE   UINT64_C(0x10000)
#define SP	   UINT64_C(0x7ffc00001000)
#define RED_ZONE   128

#define REG_MAX	  20
#define WORD_MAX  255
#define FRAME_MAX 255
#define MAP_MAX	  8
/* Questions per frame: where nothing is known of the code, words of the stack are tried. */
#define ASKED_MAX 400

struct world {
	uint8_t mode;
	struct codectl_unwind_module *module;
	size_t asked;
	uint64_t regs[REG_MAX];
	uint64_t map[MAP_MAX];
	uint64_t *words; /* Owned. */
	struct codectl_event_sample sample;
	size_t frame_max;
};

/* What a walk found. */
struct answer {
	struct codectl_unwind_frame *frames; /* Owned. */
	size_t count;
	enum codectl_stack_end end;
};

static int find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	struct world *world = user;

	world->asked++;
	*code = (struct codectl_unwind_code){.bias = BIAS};
	if (lookup_pc - BIAS < CODE_SIZE)
		code->module = world->module;
	else if (lookup_pc - OTHER_BIAS < CODE_SIZE)
		*code = (struct codectl_unwind_code){.module = world->module, .bias = OTHER_BIAS};
	else if (world->mode & MODE_SCATTERED && lookup_pc % 3)
		*code = (struct codectl_unwind_code){
			.module = world->module, .bias = lookup_pc & ~UINT64_C(0xffff)};
	else if (lookup_pc - JIT < JIT_SIZE)
		code->is_generated = true;
	else
		return -ENOENT;
	return 0;
}

/* Code is what callers are guessed by, all over; which of it is where, a register says. */
static int read_code(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	static const uint8_t code[][8] = {
		{0xe8, 0xfb, 0xef, 0xff, 0xff, 0x66, 0xff, 0xd0},
		{0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5},
		{0xe8, 0x00, 0x00, 0x00, 0x00, 0x5d, 0xf3, 0xc3},
		{0x55, 0x48, 0x89, 0xe5, 0x41, 0xff, 0x54, 0x24},
		{0xff, 0x15, 0x00, 0x10, 0x00, 0x00, 0xc2, 0x08},
		{0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc},
	};
	struct world *world = user;

	world->asked++;
	if (address % 16 == 7)
		return -ENOENT;
	for (uint64_t i = 0; i < len; i++) {
		uint64_t kind = ((address + i) / 8 + world->regs[0]) % (sizeof(code) / 8);

		bytes[i] = code[kind][(address + i) % 8];
	}
	return 0;
}

/* A word: u8 what it is, and a number; most numbers lead to code or to the stack. */
static uint64_t read_word(struct codectl_reader *input, bool *is_kept)
{
	uint8_t tag = codectl_reader_u8(input);

	*is_kept = !(tag & 0x80);
	switch (tag & 7) {
	case 0:
	case 1:
		return BIAS + codectl_reader_u16(input);
	case 2:
		return SP + codectl_reader_u16(input) % (8 * WORD_MAX + 64);
	case 3:
		return SP + 8 * (uint64_t)codectl_reader_u8(input);
	case 4:
		return OTHER_BIAS + codectl_reader_u16(input);
	case 5:
		return JIT + codectl_reader_u16(input);
	case 6:
		return codectl_reader_u64(input);
	default:
		return (uint64_t)(int16_t)codectl_reader_u16(input);
	}
}

static void read_sample(struct world *world, struct codectl_reader *input)
{
	struct codectl_event_sample *sample = &world->sample;
	bool is_kept;

	world->mode = codectl_reader_u8(input);
	world->frame_max = codectl_reader_u8(input);

	size_t reg_count = codectl_reader_u8(input) % REG_MAX;
	size_t word_count = codectl_reader_u8(input);
	int8_t map_more = (int8_t)codectl_reader_u8(input);
	size_t kept_count = 0;

	for (size_t i = 0; i < reg_count; i++)
		world->regs[i] = read_word(input, &is_kept);
	*sample = (struct codectl_event_sample){
		.stack_start = SP,
		.stack_len = (uint32_t)word_count * 8,
		.regs = world->regs,
		.reg_count = reg_count,
		.stack_map = world->map,
		.stack_map_count = (word_count + 63) / 64,
	};
	world->words = fuzz_alloc(word_count * sizeof(*world->words));
	for (size_t i = 0; i < word_count; i++) {
		uint64_t word = read_word(input, &is_kept);

		if (!is_kept)
			continue;
		world->map[i / 64] |= UINT64_C(1) << i % 64;
		world->words[kept_count++] = word;
	}
	sample->stack = world->words;
	sample->stack_count = kept_count;
	if (world->mode & MODE_RED_ZONE)
		sample->stack_start -= RED_ZONE;
	if (world->mode & MODE_ODD_START)
		sample->stack_start = codectl_reader_u64(input);
	if (world->mode & MODE_ODD_COUNT)
		sample->stack_count = codectl_reader_u8(input) % (kept_count + 1);
	if (world->mode & MODE_ODD_LEN)
		sample->stack_len = codectl_reader_u32(input);
	if (map_more > 0 && sample->stack_map_count + (size_t)map_more <= MAP_MAX)
		sample->stack_map_count += (size_t)map_more;
	else if (map_more < 0 && sample->stack_map_count)
		sample->stack_map_count--;
}

static void unwind(struct world *world, struct codectl_unwinder *unwinder, uint64_t generation,
	struct answer *answer)
{
	const struct codectl_unwind_ops ops = {
		.find_code = find_code,
		.user = world,
		.generation = generation,
		.read_code = world->mode & MODE_NO_BYTES ? NULL : read_code,
	};

	world->asked = 0;
	answer->frames = fuzz_alloc(world->frame_max * sizeof(*answer->frames));
	answer->end = codectl_unwind(
		unwinder, &ops, &world->sample, answer->frames, world->frame_max, &answer->count);
	FUZZ_CHECK(answer->end < CODECTL_STACK_END_COUNT);
	FUZZ_CHECK(answer->count <= world->frame_max);
	FUZZ_CHECK(world->asked <= ASKED_MAX * (world->frame_max + 1));
}

static void check_answer(const struct world *world, const struct answer *answer)
{
	bool has_regs = world->sample.reg_count >= CODECTL_AMD64_REG_COUNT;

	FUZZ_CHECK(has_regs || (answer->count == 0 && answer->end == CODECTL_STACK_END_BAD_RULE));
	FUZZ_CHECK(!has_regs || (answer->count > 0) == (world->frame_max > 0));
	FUZZ_CHECK(answer->end != CODECTL_STACK_END_DEPTH || answer->count == world->frame_max);
	for (size_t i = 0; i < answer->count; i++) {
		const struct codectl_unwind_frame *frame = &answer->frames[i];

		FUZZ_CHECK(frame->via < CODECTL_FRAME_VIA_COUNT);
		FUZZ_CHECK((frame->via == CODECTL_FRAME_VIA_REGS) == (i == 0));
		if (i == 0)
			FUZZ_CHECK(frame->is_exact && frame->pc == world->regs[CODECTL_AMD64_RIP]);
	}
}

static void check_same(const struct answer *answer, const struct answer *other)
{
	FUZZ_CHECK(answer->end == other->end && answer->count == other->count);
	for (size_t i = 0; i < answer->count; i++)
		FUZZ_CHECK(answer->frames[i].pc == other->frames[i].pc &&
			   answer->frames[i].is_exact == other->frames[i].is_exact &&
			   answer->frames[i].via == other->frames[i].via);
}

static void check_unwind(struct world *world)
{
	/* Kept, as it is in use; what it remembers must not show. */
	static struct codectl_unwinder *unwinder;
	static uint64_t generation;
	struct answer cold, warm;

	if (!unwinder)
		unwinder = codectl_unwinder_create();
	FUZZ_CHECK(unwinder);
	unwind(world, unwinder, ++generation, &cold);
	unwind(world, unwinder, generation, &warm);
	check_answer(world, &cold);
	check_same(&cold, &warm);
	free(cold.frames);
	free(warm.frames);
}

static void make_module(struct world *world, const uint8_t *image, size_t len)
{
	struct codectl_elf elf;
	int ret = codectl_elf_init(&elf, image, len);

	if (ret == 0 && !(world->mode & MODE_NO_MODULE))
		ret = codectl_unwind_module_create(&elf, &world->module);
	FUZZ_CHECK(ret == 0 || !world->module);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct world world = {.module = NULL};
	struct codectl_reader input;
	struct fuzz_image image = {.bytes = NULL};

	codectl_reader_init(&input, bytes, len);
	read_sample(&world, &input);
	if (world.mode & MODE_RAW_ELF)
		image.bytes = fuzz_copy(&input, SIZE_MAX, &image.len);
	else
		fuzz_image_make(&image, &input);
	make_module(&world, image.bytes, image.len);
	check_unwind(&world);
	codectl_unwind_module_destroy(world.module);
	fuzz_image_free(&image);
	free(world.words);
	return 0;
}
