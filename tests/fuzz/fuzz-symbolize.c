/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Symbols, DWARF and line tables of an ELF file, with libelf and libdw
 * underneath. Input: the file, which is opened as an image of the trace would be.
 */
#include "fuzz/fuzz.h"

#include "symbolize/object-file.h"
#include "symbolize/symbol-table.h"

#include <errno.h>

/* Of each range of code; a hostile file may have many of them. */
#define ADDRESSES_MAX 24
#define RANGES_MAX    24

static void check_symbol(const struct codectl_symbol *symbol)
{
	FUZZ_CHECK(symbol->function && symbol->source_path);
	/* Sanitizers look at every byte. */
	FUZZ_CHECK(strlen(symbol->function) + strlen(symbol->source_path) < SIZE_MAX);
	FUZZ_CHECK(!symbol->source_line || *symbol->source_path);
}

static void ask(struct codectl_object_file *file, uint64_t vaddr)
{
	const struct codectl_symbol *chain, *again;
	struct codectl_symbol symbol;
	size_t count, again_count;
	int ret = codectl_object_file_find_chain(file, vaddr, &chain, &count);

	FUZZ_CHECK(ret == 0 || ret == -ENOENT);
	FUZZ_CHECK((ret == 0) == (count > 0));
	for (size_t i = 0; i < count; i++) {
		check_symbol(&chain[i]);
		FUZZ_CHECK(chain[i].is_inlined == (i + 1 < count));
	}
	FUZZ_CHECK(codectl_object_file_find_chain(file, vaddr, &again, &again_count) == ret);
	FUZZ_CHECK(again_count == count);
	FUZZ_CHECK(codectl_object_file_symbolize(file, vaddr, &symbol) == ret);
	check_symbol(&symbol);
}

static void ask_range(struct codectl_object_file *file, uint64_t start, uint64_t end)
{
	uint64_t step = (end - start) / ADDRESSES_MAX + 1;

	ask(file, start - 1);
	for (uint64_t at = start; at<end; at = end - at> step ? at + step : end)
		ask(file, at);
	ask(file, end);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = "[vdso]",
		.debug_link_pathname = "",
		.image = bytes,
		.image_len = len,
	};
	struct codectl_object_file *file;
	enum codectl_object_status status;
	struct codectl_ranges code = {0};
	struct codectl_elf_range unpacked;

	if (codectl_object_file_open(&search, &identity, &file, &status) != 0)
		return 0;

	const struct codectl_elf *elf = codectl_object_file_borrow_elf(file);

	FUZZ_CHECK(elf);
	ask(file, 0);
	ask(file, UINT64_MAX);
	FUZZ_CHECK(codectl_symbol_table_find_code(elf, &code) == 0);
	for (size_t i = 0; i < code.count && i < RANGES_MAX; i++)
		ask_range(file, code.ranges[i].start, code.ranges[i].end);
	codectl_object_file_unpack(file, ".debug_frame", &unpacked);
	codectl_ranges_fini(&code);
	codectl_object_file_close(file);
	return 0;
}
