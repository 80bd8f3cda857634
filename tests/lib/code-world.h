/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/code-world.h: a world (stack-world.h) whose code can be read. One at
 * a time.
 */
#ifndef CODECTL_TESTS_CODE_WORLD_H
#define CODECTL_TESTS_CODE_WORLD_H

#include "lib/stack-world.h"

#include <string.h>

/* Two functions without unwind information. */
#define LONE  UINT64_C(0x3000)
#define OTHER UINT64_C(0x3200)
/* A return address in code without unwind information. */
#define CALLER UINT64_C(0x4010)

#define CODE_SIZE 0x7000

/* The code from AT(LEAF) on, as far as it can be read. */
extern uint8_t code_bytes[CODE_SIZE];
extern uint64_t code_limit;

/* A world with code of nops, and a sample in LONE. */
struct world *code_world_create(void);

/* What to give as ops.read_code. */
int code_world_read(void *user, uint64_t address, uint8_t *bytes, size_t len);

/* Writes an instruction that ends before @vaddr. */
#define CODE_BEFORE(vaddr, ...)                                                      \
	memcpy(code_bytes + ((vaddr)-LEAF) - sizeof((const uint8_t[]){__VA_ARGS__}), \
		((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__}))

/* A direct call of @target before @vaddr. */
void code_write_call(uint64_t vaddr, uint64_t target);

/* Unwinds, as if nothing were remembered. */
void code_world_unwind(struct world *world);

#endif /* CODECTL_TESTS_CODE_WORLD_H */
