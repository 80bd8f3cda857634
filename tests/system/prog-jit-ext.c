/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-jit-ext: a chain of functions ext_0 to ext_5, made by a JIT compiler, each of
 * which tells how to unwind it by another extension of codectl/ext.h. Each burns its
 * time in a loop that is, so it says, the function inner_N, inlined.
 */
#include "lib/jit-emitter.h"

#include "codectl/ext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE	   4096
#define LOOP_COUNT 30000
#define RUNS	   5000

static void check(int ret, const char *what)
{
	if (ret) {
		perror(what);
		exit(1);
	}
}

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	check(!memory, "calloc");
	return memory;
}

/* The page of a function: its code, and behind it the section that unwinds it, if one does. */
struct page {
	uint8_t *code;
	size_t size;
	struct jit_rows rows;
	uint8_t *section;
	size_t section_len;
};

static void put(struct page *page, const void *bytes, size_t len)
{
	memcpy(page->section + page->section_len, bytes, len);
	page->section_len += len;
}

static void put_u32(struct page *page, uint32_t value)
{
	put(page, &value, sizeof(value));
}

static void put_u64(struct page *page, uint64_t value)
{
	put(page, &value, sizeof(value));
}

static struct code_jit_info make_info(const struct page *page, const void *head)
{
	return (struct code_jit_info){
		.text_start = (uint64_t)(uintptr_t)page->code,
		.text_end = (uint64_t)(uintptr_t)page->code + page->size,
		.unwind_head = (uint64_t)(uintptr_t)head,
	};
}

/* A finished object; its table is gone afterwards. */
static void register_code(struct page *page)
{
	const size_t size = page->rows.count * sizeof(page->rows.rows[0]);
	struct code_jit_unwind_table *table = allocate(sizeof(*table) + size);
	struct code_jit_info info = make_info(page, table);

	table->reserved_len = table->used_len = size;
	memcpy(table->fre, page->rows.rows, size);
	check(codectl(CODE_EXT_REGISTER_JIT_CODE, &info, sizeof(info), 0), "JIT_CODE");
	memset(table, 0xff, sizeof(*table) + size);
	free(table);
}

/* Rows of 32 bytes, which appear after the registration. */
static void register_v2(struct page *page)
{
	struct code_jit_unwind_table_v2 *table = allocate(sizeof(*table) + 32 * JIT_ROW_MAX);
	struct code_jit_info info = make_info(page, table);

	table->reserved_len = 32 * JIT_ROW_MAX;
	table->fre_stride = 32;
	table->fre_size = 24;
	check(codectl(CODE_EXT_REGISTER_JIT_V2, &info, sizeof(info), 0), "JIT_V2");
	for (size_t i = 0; i < page->rows.count; i++) {
		/* Its padding is what `flags` will be. */
		struct code_jit_unwind_fre row;

		memset(&row, 0, sizeof(row));
		row.size = page->rows.rows[i].size;
		row.ip_off = page->rows.rows[i].ip_off;
		row.cfa_off = page->rows.rows[i].cfa_off;
		row.ra_off = page->rows.rows[i].ra_off;
		row.fp_off = page->rows.rows[i].fp_off;
		row.info = page->rows.rows[i].info;
		memset(table->fre + 32 * i, 0xff, 32);
		memcpy(table->fre + 32 * i, &row, sizeof(row));
		__atomic_store_n(&table->used_len, 32 * (i + 1), __ATOMIC_RELEASE);
	}
}

/* The last row first, each in a table of its own. */
static void register_unsorted(struct page *page)
{
	struct code_jit_unwind_table *table = allocate(sizeof(*table));
	struct code_jit_info info = make_info(page, table);

	check(codectl(CODE_EXT_REGISTER_JIT_UNSORTED, &info, sizeof(info), 0), "JIT_UNSORTED");
	for (size_t i = page->rows.count; i-- > 0;) {
		const size_t size = sizeof(page->rows.rows[0]);
		struct code_jit_unwind_table *next = allocate(sizeof(*next) + size);

		next->reserved_len = next->used_len = size;
		next->fre[0] = page->rows.rows[i];
		__atomic_store_n(&table->next, (uint64_t)(uintptr_t)next, __ATOMIC_RELEASE);
		table = next;
	}
}

/* A CIE of the oldest kind, whose pointers are absolute, and an FDE. */
static void register_eh_frame(struct page *page)
{
	static const uint8_t cie[] = {0, 0, 0, 0, 1, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1, 0, 0};
	struct code_jit_info info = make_info(page, page->section);
	size_t fde, len;

	put_u32(page, sizeof(cie));
	put(page, cie, sizeof(cie));
	fde = page->section_len;
	put_u32(page, 0);
	put_u32(page, (uint32_t)page->section_len);
	put_u64(page, info.text_start);
	put_u64(page, page->size);
	for (size_t i = 0; i < page->rows.count; i++) {
		const struct code_jit_unwind_fre *row = &page->rows.rows[i];
		const uint8_t offset[] = {
			0x0e, (uint8_t)(row->cfa_off & 0x7f) | 0x80, (uint8_t)(row->cfa_off >> 7)};

		put(page, offset, sizeof(offset)); /* DW_CFA_def_cfa_offset */
		put(page, "\x04", 1);		   /* DW_CFA_advance_loc4 */
		put_u32(page, row->size);
	}
	while (page->section_len % 8)
		put(page, "", 1);
	len = page->section_len - fde - 4;
	memcpy(page->section + fde, &(uint32_t){(uint32_t)len}, 4);
	put_u32(page, 0);
	info.reserved_len = page->section_len;
	check(codectl(CODE_EXT_REGISTER_JIT_EH_FRAME, &info, sizeof(info), 0), "JIT_EH_FRAME");
}

/* SFrame, version 2, through the calls that a kernel may get. */
static void register_sframe(struct page *page)
{
	static const uint8_t header[] = {0xe2, 0xde, 2, 1, 3, 0, 0xf8, 0};
	const uint32_t row_len = 2 + 1 + 4, row_count = (uint32_t)page->rows.count;
	struct sframe_setup setup = {
		.sframe_start = (uint64_t)(uintptr_t)page->section,
		.text_start = (uint64_t)(uintptr_t)page->code,
		.text_size = page->size,
	};

	put(page, header, sizeof(header));
	put_u32(page, 1);	  /* FDEs, */
	put_u32(page, row_count); /* rows, */
	put_u32(page, row_count * row_len);
	put_u32(page, 0); /* and where they are. */
	put_u32(page, 20);
	put_u32(page, (uint32_t)(page->code - page->section));
	put_u32(page, (uint32_t)page->size);
	put_u32(page, 0);
	put_u32(page, row_count);
	put_u32(page, 1); /* Their starts have two bytes. */
	for (size_t i = 0; i < page->rows.count; i++) {
		const struct code_jit_unwind_fre *row = &page->rows.rows[i];

		put(page, &(uint16_t){(uint16_t)row->ip_off}, 2);
		put(page, &row->info, 1);
		put_u32(page, (uint32_t)row->cfa_off);
	}
	setup.sframe_size = page->section_len;
	check(sframe_register(&setup, sizeof(setup)), "sframe_register");
}

static void register_fp(struct page *page)
{
	check(codectl_jit_fp_region(page->code, page->size), "codectl_jit_fp_region");
}

/* A name, three lines, and that the loop is inner_N. */
static void name(const struct page *page, unsigned int number)
{
	char function[16], inner[16], file[16];
	const uint8_t *loop = memmem(page->code, page->size, "\xff\xc9\x75\xfc", 4);
	const uint32_t start = (uint32_t)(loop - page->code);
	const struct code_jit_inline inlined = {
		.name = (uint64_t)(uintptr_t)inner,
		.call_file = (uint64_t)(uintptr_t)file,
		.call_line = 10 + number,
	};
	const struct code_jit_line lines[] = {
		{.file = (uint64_t)(uintptr_t)file, .line = 1},
		{.file = (uint64_t)(uintptr_t) "/lib/inner.js",
			.offset = start,
			.line = 7,
			.scope = 1},
		{.file = (uint64_t)(uintptr_t)file, .offset = start + 4, .line = 20},
	};
	const struct code_jit_symbol symbol = {
		.start = (uint64_t)(uintptr_t)page->code,
		.size = page->size,
		.name = (uint64_t)(uintptr_t)function,
		.lines = (uint64_t)(uintptr_t)lines,
		.line_count = 3,
		.inlines = (uint64_t)(uintptr_t)&inlined,
		.inline_count = 1,
	};

	snprintf(function, sizeof(function), "ext_%u", number);
	snprintf(inner, sizeof(inner), "inner_%u", number);
	snprintf(file, sizeof(file), "/src/%u.js", number);
	check(codectl(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol), 0), "JIT_SYMBOL");
}

__attribute__((noinline)) static void run_ext(void (*function)(void))
{
	for (int i = 0; i < RUNS; i++)
		function();
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	static const struct {
		void (*tell)(struct page *page);
		enum jit_shape shape;
	} ways[] = {
		{register_code, JIT_SHAPE_PUSH},
		{register_v2, JIT_SHAPE_SP},
		{register_unsorted, JIT_SHAPE_RBP},
		{register_eh_frame, JIT_SHAPE_PUSH},
		{register_sframe, JIT_SHAPE_SP},
		{register_fp, JIT_SHAPE_FP},
	};
	const unsigned int count = sizeof(ways) / sizeof(ways[0]);
	uint8_t *region = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t callee = 0;

	check(region == MAP_FAILED, "mmap");
	for (unsigned int i = count; i-- > 0;) {
		struct page page = {.code = region + i * PAGE, .section = region + i * PAGE + 2048};
		const struct jit_function function = {
			.shape = ways[i].shape,
			.callee = callee,
			.loop_count = LOOP_COUNT,
			.room = 2 + i,
		};

		page.size = jit_emit(page.code, 0, &function, &page.rows);
		ways[i].tell(&page);
		name(&page, i);
		callee = (uint64_t)(uintptr_t)page.code;
	}
	run_ext((void (*)(void))(uintptr_t)callee);
	return 0;
}
