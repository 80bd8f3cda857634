/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * A JIT compiler of three instructions that tells codectl(3) of its code: one region,
 * one table that grows, one name per function. Build and try it with
 *
 *	cc -o jit jit.c $(pkg-config --cflags --libs lttng-ust-codectl)
 *	codectl record -o trace -- ./jit
 *	codectl report trace
 */
#include <codectl/ext.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define REGION_SIZE 4096
#define ROW_COUNT   64

static struct code_jit_unwind_table *table;
static uint8_t *region;
static size_t region_used;

/* Publishes a row: first the row, then its length, and only then does the code run. */
static void add_row(const struct code_jit_unwind_fre *row)
{
	__u64 used = table->used_len;

	table->fre[used / sizeof(*row)] = *row;
	__atomic_store_n(&table->used_len, used + sizeof(*row), __ATOMIC_RELEASE);
}

/* A function that counts @loops down: mov $loops,%ecx; 1: dec %ecx; jne 1b; ret. */
static void (*compile(const char *name, uint32_t loops))(void)
{
	uint8_t code[] = {0xb9, 0, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
	uint8_t *start = region + region_used;
	const struct code_jit_unwind_fre row = {
		.ip_off = (uint32_t)region_used,
		.size = sizeof(code),
		.cfa_off = 8, /* Only the return address is on the stack. */
		.ra_off = -8,
		.info = CODE_JIT_INFO_SP,
	};

	memcpy(code + 1, &loops, sizeof(loops));
	memcpy(start, code, sizeof(code));
	region_used += 16;
	add_row(&row);
	if (codectl_jit_symbol(start, sizeof(code), name))
		perror("codectl_jit_symbol");
	return (void (*)(void))(uintptr_t)start;
}

int main(void)
{
	const size_t rows_size = ROW_COUNT * sizeof(struct code_jit_unwind_fre);
	struct code_jit_info info = {.text_start = 0};

	table = calloc(1, sizeof(*table) + rows_size);
	region = mmap(NULL, REGION_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!table || region == MAP_FAILED)
		return 1;
	table->reserved_len = rows_size;
	info.text_start = (uintptr_t)region;
	info.text_end = info.text_start + REGION_SIZE;
	info.unwind_head = (uintptr_t)table;
	if (codectl(CODE_REGISTER_JIT, &info, sizeof(info), 0))
		perror("CODE_REGISTER_JIT");

	void (*often)(void) = compile("often", 1000000);
	void (*seldom)(void) = compile("seldom", 250000);

	for (int i = 0; i < 1000; i++) {
		often();
		seldom();
	}
	/* Before the memory is used for anything else. */
	codectl(CODE_UNREGISTER, &info, sizeof(info), 0);
	munmap(region, REGION_SIZE);
	free(table);
	return 0;
}
