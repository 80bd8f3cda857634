/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What codectl() takes and refuses of generated code.
 */
#include "lib/tap.h"

#include "codectl/ext.h"
#include "provider/helper.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define START UINT64_C(0x10000000)
#define SIZE  UINT64_C(0x10000)
/* Nothing is ever mapped there. */
#define NOWHERE UINT64_C(4096)

static int call(unsigned int option, const void *info, size_t size)
{
	return codectl(option, info, size, 0) == 0 ? 0 : -errno;
}

static struct code_jit_info make_info(const void *head)
{
	return (struct code_jit_info){
		.text_start = START,
		.text_end = START + SIZE,
		.unwind_head = (uint64_t)(uintptr_t)head,
	};
}

static int register_jit(unsigned int option, const struct code_jit_info *info)
{
	return call(option, info, sizeof(*info));
}

static int unregister_jit(const struct code_jit_info *info)
{
	return call(CODE_UNREGISTER, info, sizeof(*info));
}

TEST(the_form_of_the_rfc)
{
	struct code_jit_unwind_table table = {.reserved_len = 0};
	struct code_jit_info info = make_info(&table);

	for (size_t size = 0; size < 16; size++)
		CHECK_INT(call(CODE_REGISTER_JIT, &info, size), -EINVAL);
	CHECK_INT(call(CODE_REGISTER_JIT, &info, CODE_JIT_INFO_SIZE_VER0), 0);
	CHECK_INT(call(CODE_REGISTER_JIT, &info, CODE_JIT_INFO_SIZE_VER0), -EEXIST);
	CHECK_INT(call(CODE_UNREGISTER, &info, CODE_JIT_INFO_SIZE_VER0), 0);
	CHECK_INT(call(CODE_UNREGISTER, &info, CODE_JIT_INFO_SIZE_VER0), -ENOENT);
	/* Without a table, as without a half of the structure. */
	CHECK_INT(call(CODE_REGISTER_JIT, &info, 16), 0);
	CHECK_INT(call(CODE_UNREGISTER, &info, 16), 0);
}

TEST(generated_code_is_not_an_object)
{
	struct code_elf_info elf = {.text_start = START, .text_end = START + SIZE};
	struct code_jit_info info = make_info(NULL);

	CHECK_INT(call(CODE_REGISTER_ELF, &elf, sizeof(elf)), 0);
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), 0);
	CHECK_INT(unregister_jit(&info), 0);
	CHECK_INT(unregister_jit(&info), -ENOENT);
	CHECK_INT(call(CODE_UNREGISTER, &elf, sizeof(elf)), 0);
}

TEST(text_ranges)
{
	struct code_jit_info info = make_info(NULL);

	info.text_end = START;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	info.text_end = START - 1;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	info.text_end = START + (UINT64_C(1) << 32) + 1;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	/* Only offsets in rows have 32 bits. */
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_FP, &info), 0);
	CHECK_INT(unregister_jit(&info), 0);
	info.text_end = START + (UINT64_C(1) << 32);
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), 0);
	CHECK_INT(unregister_jit(&info), 0);
}

TEST(unsound_tables)
{
	struct code_jit_unwind_table table = {.reserved_len = 24, .used_len = 25};
	struct code_jit_info info = make_info(&table);

	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	table.used_len = 0;
	info.reserved_len = 48;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	info.reserved_len = 24;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), 0);
	CHECK_INT(unregister_jit(&info), 0);
	info.unwind_head++;
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	info = make_info((void *)(uintptr_t)NOWHERE);
	CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EFAULT);
	/* A ring of tables does no harm to who copies them. */
	table = (struct code_jit_unwind_table){.next = (uint64_t)(uintptr_t)&table};
	info = make_info(&table);
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_CODE, &info), -EINVAL);
	/* Nor rows that are not there. */
	table = (struct code_jit_unwind_table){
		.reserved_len = UINT64_C(1) << 40, .used_len = UINT64_C(1) << 40};
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_CODE, &info), -EFAULT);
	table = (struct code_jit_unwind_table){.next = NOWHERE};
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_CODE, &info), -EFAULT);
	CHECK_INT(call(CODE_REGISTER_JIT, (void *)(uintptr_t)NOWHERE, sizeof(info)), -EFAULT);
	CHECK_INT(unregister_jit(&info), -ENOENT);
}

TEST(formats)
{
	static const struct {
		unsigned int option;
		uint32_t format;
	} options[] = {
		{CODE_EXT_REGISTER_JIT_UNSORTED, CODE_JIT_FORMAT_UNSORTED},
		{CODE_EXT_REGISTER_JIT_FP, CODE_JIT_FORMAT_FP},
		{CODE_EXT_REGISTER_JIT_NONE, CODE_JIT_FORMAT_NONE},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct code_jit_info info = make_info(NULL);

		CHECK_INT(register_jit(options[i].option, &info), 0);
		CHECK_INT(unregister_jit(&info), 0);
		info.format = options[i].format;
		CHECK_INT(register_jit(options[i].option, &info), 0);
		CHECK_INT(unregister_jit(&info), 0);
		CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), 0);
		CHECK_INT(unregister_jit(&info), 0);
		info.format = CODE_JIT_FORMAT_TABLE_V2;
		CHECK_INT(register_jit(options[i].option, &info), -EINVAL);
		info.format = CODE_JIT_FORMAT_NONE + 1;
		CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
		info.format = options[i].format;
		info.reserved = 1;
		CHECK_INT(register_jit(CODE_REGISTER_JIT, &info), -EINVAL);
	}
}

TEST(sections)
{
	static const uint64_t section[8];
	struct code_jit_info info = make_info(section);

	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_EH_FRAME, &info), -EINVAL);
	info.reserved_len = CODE_JIT_BLOB_MAX + 1;
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_EH_FRAME, &info), -EINVAL);
	info.reserved_len = sizeof(section) - 3;
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_EH_FRAME, &info), 0);
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_SFRAME, &info), -EEXIST);
	CHECK_INT(unregister_jit(&info), 0);
	info.unwind_head = NOWHERE;
	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_SFRAME, &info), -EFAULT);
}

TEST(sframe_register)
{
	static const uint64_t section[8];
	struct sframe_setup setup = {
		.sframe_start = (uint64_t)(uintptr_t)section,
		.sframe_size = sizeof(section),
		.text_start = START,
		.text_size = SIZE,
	};
	struct sframe_setup end = {.sframe_start = setup.sframe_start};

	CHECK_INT(sframe_register(&setup, sizeof(setup) - 1), -1);
	CHECK_INT(errno, EINVAL);
	CHECK_INT(sframe_register(&setup, sizeof(setup) + 1), -1);
	CHECK_INT(errno, EINVAL);
	CHECK_INT(sframe_register(&setup, sizeof(setup)), 0);
	CHECK_INT(sframe_unregister(&setup, sizeof(setup)), -1);
	CHECK_INT(errno, EINVAL);
	CHECK_INT(sframe_unregister(&end, sizeof(end)), 0);
	CHECK_INT(sframe_unregister(&end, sizeof(end)), -1);
	CHECK_INT(errno, ENOENT);
	setup.text_size = 0;
	CHECK_INT(sframe_register(&setup, sizeof(setup)), -1);
	CHECK_INT(errno, EINVAL);
}

TEST(ranges_of_an_object)
{
	struct code_elf_info elf = {.elf_start = START, .elf_end = START + SIZE};
	struct code_text_range ranges[] = {
		{.text_start = START, .text_end = START + 0x1000},
		{.text_start = START + 0x2000, .text_end = START + 0x3000},
		{.text_start = START + 0x4000, .text_end = START + 0x5000},
	};
	struct code_elf_ranges all = {
		.elf = (uint64_t)(uintptr_t)&elf,
		.elf_size = sizeof(elf),
		.ranges = (uint64_t)(uintptr_t)ranges,
		.range_count = 3,
	};
	struct code_elf_info third = {.text_start = START + 0x4000, .text_end = START + 0x5000};

	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), 0);
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EEXIST);
	CHECK_INT(call(CODE_EXT_UNREGISTER_ELF_RANGES, &all, sizeof(all)), 0);
	CHECK_INT(call(CODE_EXT_UNREGISTER_ELF_RANGES, &all, sizeof(all)), -ENOENT);
	/* None, if one of them cannot be. */
	CHECK_INT(call(CODE_REGISTER_ELF, &third, sizeof(third)), 0);
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EEXIST);
	CHECK_INT(call(CODE_UNREGISTER, &third, sizeof(third)), 0);
	ranges[2].text_end = START + SIZE + 1;
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EINVAL);
	ranges[2].text_end = START + 0x5000;
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), 0);
	CHECK_INT(call(CODE_UNREGISTER, &third, sizeof(third)), 0);
	CHECK_INT(call(CODE_EXT_UNREGISTER_ELF_RANGES, &all, sizeof(all)), 0);
	all.range_count = 0;
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EINVAL);
	all.range_count = CODE_TEXT_RANGE_MAX + 1;
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EINVAL);
	all.range_count = 3;
	all.ranges = NOWHERE;
	CHECK_INT(call(CODE_EXT_REGISTER_ELF_RANGES, &all, sizeof(all)), -EFAULT);
}

TEST(symbols)
{
	struct code_jit_symbol symbol = {
		.start = START,
		.size = 0x100,
		.name = (uint64_t)(uintptr_t) "one",
		.id = 7,
	};
	const void *start = (const void *)(uintptr_t)START;

	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), 0);
	symbol.id = 8;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL_UNLOAD, &symbol, sizeof(symbol)), -ENOENT);
	/* It takes the place of the first, whose end may be told later. */
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), 0);
	symbol.id = 7;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL_UNLOAD, &symbol, sizeof(symbol)), -ENOENT);
	CHECK_INT(codectl_jit_symbol_unload(start), 0);
	CHECK_INT(codectl_jit_symbol_unload(start), -1);
	symbol.size = 0;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	symbol.size = UINT64_MAX;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	symbol.size = 1;
	symbol.name = 0;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	symbol.name = NOWHERE;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EFAULT);
}

TEST(symbols_end_with_their_code)
{
	struct code_jit_info info = make_info(NULL);
	const void *inside = (const void *)(uintptr_t)(START + 0x100);
	const void *outside = (const void *)(uintptr_t)(START + SIZE);

	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_FP, &info), 0);
	CHECK_INT(codectl_jit_symbol(inside, 0x100, "inside"), 0);
	CHECK_INT(codectl_jit_symbol(outside, 0x100, "outside"), 0);
	CHECK_INT(unregister_jit(&info), 0);
	CHECK_INT(codectl_jit_symbol_unload(inside), -1);
	CHECK_INT(errno, ENOENT);
	CHECK_INT(codectl_jit_symbol_unload(outside), 0);
}

TEST(lines_and_inlined_functions)
{
	const uint64_t file = (uint64_t)(uintptr_t) "a.js";
	struct code_jit_inline inlines[] = {
		{.name = file, .call_file = file, .call_line = 1, .parent = 0},
		{.name = file, .call_file = file, .call_line = 2, .parent = 1},
	};
	static struct code_jit_line lines[1000];
	struct code_jit_symbol symbol = {
		.start = START,
		.size = 0x1000,
		.name = file,
		.lines = (uint64_t)(uintptr_t)lines,
		.line_count = 1000,
		.inlines = (uint64_t)(uintptr_t)inlines,
		.inline_count = 2,
	};

	for (uint32_t i = 0; i < 1000; i++)
		lines[i] = (struct code_jit_line){
			.file = file, .offset = i, .line = i, .scope = i % 3};
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), 0);
	lines[500].scope = 3;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	lines[500].scope = 0;
	lines[500].offset = 498;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	lines[500].offset = 500;
	lines[500].file = NOWHERE;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EFAULT);
	lines[500].file = 0;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), 0);
	/* An inlined function in itself, or in one behind it. */
	inlines[0].parent = 1;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
	inlines[0].parent = 0;
	symbol.inlines = NOWHERE;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EFAULT);
	symbol.inlines = 0;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EFAULT);
	symbol.line_count = CODE_JIT_LINE_MAX + 1;
	CHECK_INT(call(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol)), -EINVAL);
}

/* Each serial tells of something that happened. */
TEST(serials)
{
	struct code_jit_info info = make_info(NULL);
	uint64_t serial = codectl_provider_last_serial();

	CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_FP, &info), 0);
	CHECK_INT(codectl_jit_symbol((void *)(uintptr_t)START, 16, "a"), 0);
	/* Ends the one before. */
	CHECK_INT(codectl_jit_symbol((void *)(uintptr_t)START, 16, "b"), 0);
	CHECK_INT(unregister_jit(&info), 0);
	CHECK_INT(codectl_provider_last_serial() - serial, 5);
}

#define THREADS 4
#define ROUNDS	2000

static void *churn(void *user)
{
	uint64_t start = START + (uint64_t)(uintptr_t)user * SIZE;
	char name[] = "churn";

	for (int i = 0; i < ROUNDS; i++) {
		struct code_jit_info info = {.text_start = start, .text_end = start + SIZE};

		if (i % 100 == 0)
			CHECK_INT(register_jit(CODE_EXT_REGISTER_JIT_FP, &info), 0);
		CHECK_INT(codectl_jit_symbol(
				  (void *)(uintptr_t)(start + (i * 96) % (SIZE - 256)), 200, name),
			0);
		if (i % 100 == 99)
			CHECK_INT(unregister_jit(&info), 0);
	}
	return NULL;
}

/* The child's lists are whole, wherever the parent's threads were. */
#ifndef TAP_HAS_ADDRESS_SANITIZER
static void fork_and_register(void)
{
	pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (child == 0) {
		struct code_jit_info info = {.text_start = 0x1000, .text_end = 0x2000};

		if (register_jit(CODE_EXT_REGISTER_JIT_FP, &info) ||
			codectl_jit_symbol((void *)0x1000, 16, "child") || unregister_jit(&info))
			_exit(1);
		_exit(0);
	}
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
}
#endif

TEST(threads_and_forks)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, churn, (void *)i), 0);
#ifndef TAP_HAS_ADDRESS_SANITIZER
	/* Its allocator stays locked in a child if another thread was in it. */
	for (int i = 0; i < 20; i++)
		fork_and_register();
#endif
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
