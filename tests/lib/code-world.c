/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/code-world.h"

#include <errno.h>

uint8_t code_bytes[CODE_SIZE];
uint64_t code_limit;

int code_world_read(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	(void)user;
	if (address < AT(LEAF) || address + len > code_limit)
		return -ENOENT;
	memcpy(bytes, code_bytes + (address - AT(LEAF)), len);
	return 0;
}

struct world *code_world_create(void)
{
	struct world *world = world_create();

	memset(code_bytes, 0x90, sizeof(code_bytes));
	code_limit = AT(LEAF) + CODE_SIZE;
	world->ops.read_code = code_world_read;
	world->regs[CODECTL_AMD64_RIP] = AT(LONE + 0x10);
	return world;
}

void code_write_call(uint64_t vaddr, uint64_t target)
{
	uint32_t offset = (uint32_t)(target - vaddr);

	CODE_BEFORE(vaddr, 0xe8, (uint8_t)offset, (uint8_t)(offset >> 8), (uint8_t)(offset >> 16),
		(uint8_t)(offset >> 24));
}

void code_world_unwind(struct world *world)
{
	world->ops.generation++;
	world_unwind(world);
}
