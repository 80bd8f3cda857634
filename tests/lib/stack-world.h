/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/stack-world.h: a module with one function for each kind of rule,
 * and a stack written word by word, to be unwound.
 */
#ifndef CODECTL_TESTS_STACK_WORLD_H
#define CODECTL_TESTS_STACK_WORLD_H

#include "lib/cfi-writer.h"
#include "lib/tap.h"

#include "unwind/module.h"
#include "unwind/unwind.h"

/* The functions, by vaddr; each has 0x100 bytes. */
enum {
	LEAF = 0x1000,	   /* CFA = rsp + 8; from +0x80 on rsp + 64. */
	FRAMED = 0x1100,   /* CFA = rsp + 8 at the first byte, then rsp + 16. */
	FP_BASED = 0x1200, /* CFA = rbp + 16. */
	PLT = 0x1300,
	REALIGNED =
		0x1400,	 /* CFA = *(rbp - 8), rbp saved at rbp; from +0x80 on r10, then rsp + 8. */
	START = 0x1500,	 /* No caller. */
	BY_RBX = 0x1600, /* CFA = rbx + 16, rbx saved at CFA - 16. */
	TRAMPOLINE = 0x1700, /* The frame of a signal. */
	RA_IN_RDI = 0x1800,  /* From +0x80 on in rcx. */
	SAVES_RBX = 0x1900,  /* CFA = rsp + 16, rbx saved at CFA - 16. */
	MALFORMED = 0x1a00,  /* Its CFA expression makes no sense. */
	GAP = 0x1b00,	     /* Nothing is known here. */
	POPPED = 0x1c00,     /* CFA = rsp + 8, rbp at CFA - 16: an epilogue that has restored it. */
	NO_GROWTH = 0x1d00,  /* CFA = rsp. */
};

#define BIAS	  UINT64_C(0x400000)
#define AT(vaddr) (BIAS + (vaddr))
/* Code without a module. */
#define JIT_START UINT64_C(0x700000)
#define JIT_END	  UINT64_C(0x701000)
#define SP	  UINT64_C(0x7ffc00001000)
#define WORDS	  96

struct world {
	struct cfi_writer writer;
	struct cfi_image image;
	struct codectl_elf elf;
	struct codectl_unwind_module *module;
	struct codectl_unwinder *unwinder;
	struct codectl_unwind_ops ops;
	bool is_gone;		 /* find_code() knows nothing any more. */
	bool is_filled_by_calls; /* For a test's read_code(). */
	unsigned int asked;
	/* The sample. */
	uint64_t regs[CODECTL_AMD64_REG_COUNT];
	uint64_t words[WORDS];
	bool kept[WORDS];
	size_t word_count; /* Words examined. */
	/* The answer. */
	struct codectl_unwind_frame frames[32];
	size_t frame_max;
	size_t frame_count;
	enum codectl_stack_end end;
};

/* The world with its functions and an empty stack; dies without memory. */
struct world *world_create(void);
void world_destroy(struct world *world);

/* The address of word @index of the stack. */
uint64_t world_slot(size_t index);

/* Sets word @index and keeps it. */
void world_put(struct world *world, size_t index, uint64_t value);

/* Keeps every word that is examined. */
void world_keep_all(struct world *world);

/* Unwinds it; the answer is in frames, frame_count and end. */
void world_unwind(struct world *world);

/* Samples that took the slow walk so far. */
uint64_t world_slow_samples(const struct world *world);

void world_check_chain(
	const struct world *world, enum codectl_stack_end end, const uint64_t *pcs, size_t count);

#define CHECK_END(world, expected) \
	CHECK_STR(codectl_stack_end_name((world)->end), codectl_stack_end_name(expected))

#define CHECK_CHAIN(world, end, ...)                                   \
	world_check_chain(world, end, (const uint64_t[]){__VA_ARGS__}, \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif /* CODECTL_TESTS_STACK_WORLD_H */
