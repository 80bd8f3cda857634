/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-tcc rows|fp: has libtcc compile functions, tells codectl() of them, with exact
 * rows or as code with frame pointers, and runs them.
 */
#include "codectl/ext.h"

#include <libtcc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In this order in memory. */
static const char *const names[] = {"tcc_inner", "tcc_middle", "tcc_outer", "tcc_end"};
#define FUNCTION_COUNT 3

static const char source[] =
	"extern void burn(void);\n"
	"int tcc_inner(int n)\n"
	"{ int s = 0; for (int i = 0; i < 20000; i++) s += i * n; burn(); return s; }\n"
	"int tcc_middle(int n)\n"
	"{ int s = 0; for (int i = 0; i < 20000; i++) s += i ^ n; return s + tcc_inner(s); }\n"
	"int tcc_outer(int n)\n"
	"{ int s = 0; for (int i = 0; i < 20000; i++) s += i | n; return s + tcc_middle(s); }\n"
	"int tcc_end(void) { return 0; }\n";

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void burn(void)
{
	for (volatile int i = 0; i < 20000; i++) {
	}
}

/* tcc's prologue is push %rbp; mov %rsp,%rbp; its epilogue leave; ret. */
static void register_rows(const uint8_t *code, uint32_t size)
{
	const size_t rows_size = 4 * sizeof(struct code_jit_unwind_fre);
	struct code_jit_unwind_table *table = calloc(1, sizeof(*table) + rows_size);
	const struct code_jit_info info = {
		.text_start = (uint64_t)(uintptr_t)code,
		.text_end = (uint64_t)(uintptr_t)code + size,
		.unwind_head = (uint64_t)(uintptr_t)table,
	};
	const uint32_t starts[] = {0, 1, 4, size - 1, size};

	if (memcmp(code, "\x55\x48\x89\xe5", 4) || memcmp(code + size - 2, "\xc9\xc3", 2)) {
		fprintf(stderr, "this is not the code that libtcc makes\n");
		exit(1);
	}
	if (!table)
		fail("calloc");
	table->reserved_len = table->used_len = rows_size;
	for (int i = 0; i < 4; i++)
		table->fre[i] = (struct code_jit_unwind_fre){
			.ip_off = starts[i],
			.size = starts[i + 1] - starts[i],
			.cfa_off = i == 0 || i == 3 ? 8 : 16,
			.ra_off = -8,
			.fp_off = -16,
			.info = CODE_JIT_INFO_SP,
		};
	table->fre[1].info = CODE_JIT_INFO_SP_FP;
	table->fre[2].info = CODE_JIT_INFO_FP_FP;
	if (codectl(CODE_EXT_REGISTER_JIT_CODE, &info, sizeof(info), 0))
		fail("CODE_EXT_REGISTER_JIT_CODE");
	/* It has been copied. */
	free(table);
}

__attribute__((noinline)) static int run_tcc(int (*outer)(int))
{
	int sum = 0;

	for (int i = 0; i < 4000; i++)
		sum += outer(i);
	return sum;
}

int main(int argc, char **argv)
{
	TCCState *tcc = tcc_new();
	uint8_t *code[FUNCTION_COUNT + 1];

	if (argc != 2 || !tcc)
		return 1;
	/* Nor its own run-time library, which is in another package. */
	tcc_set_options(tcc, "-nostdlib");
	if (tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY) || tcc_add_symbol(tcc, "burn", burn) ||
		tcc_compile_string(tcc, source) || tcc_relocate(tcc, TCC_RELOCATE_AUTO))
		return 1;
	for (int i = 0; i <= FUNCTION_COUNT; i++) {
		code[i] = tcc_get_symbol(tcc, names[i]);
		if (!code[i] || (i > 0 && code[i] <= code[i - 1]))
			return 1;
	}
	if (!strcmp(argv[1], "fp") &&
		codectl_jit_fp_region(code[0], (size_t)(code[FUNCTION_COUNT] - code[0])))
		fail("codectl_jit_fp_region");
	for (int i = 0; i < FUNCTION_COUNT; i++) {
		uint32_t size = (uint32_t)(code[i + 1] - code[i]);

		if (!strcmp(argv[1], "rows"))
			register_rows(code[i], size);
		if (codectl_jit_symbol(code[i], size, names[i]))
			fail("codectl_jit_symbol");
	}
	printf("%d\n", run_tcc((int (*)(int))(uintptr_t)code[2]));
	/* Before the memory is freed. */
	codectl_jit_unregister(code[0], (size_t)(code[FUNCTION_COUNT] - code[0]));
	tcc_delete(tcc);
	return 0;
}
