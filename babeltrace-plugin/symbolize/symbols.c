/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/symbols.h"

#include "symbolize/plt.h"
#include "symbolize/symbol-index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What gcc appends to the name of a function for its part that is seldom run. */
static const char cold_suffix[] = ".cold";

struct codectl_symbols {
	struct codectl_symbol_index index;
};

static int add_table(struct codectl_symbols *symbols, struct codectl_elf_file *file, uint64_t bias,
	const struct codectl_symbol_table *table)
{
	struct codectl_symbol_source *source =
		&symbols->index.sources[symbols->index.source_count++];

	source->table = *table;
	source->bias = bias;
	codectl_symbol_table_attach(&source->table, file);
	return codectl_symbol_table_find_code(&file->elf, &source->code);
}

/* The full symbol table of either file, and what the own file exports. */
static int add_tables(struct codectl_symbols *symbols, struct codectl_elf_file *own,
	struct codectl_elf_file *debug, uint64_t bias)
{
	struct codectl_symbol_table table = {0};
	int ret = 0;

	if (debug && codectl_symbol_table_find_static(&debug->elf, &table) == 0)
		ret = add_table(symbols, debug, bias, &table);
	else if (own && codectl_symbol_table_find_static(&own->elf, &table) == 0)
		ret = add_table(symbols, own, 0, &table);
	/* A partly stripped .symtab may lack what .dynsym has. */
	if (!ret && own && codectl_symbol_table_find_dynamic(&own->elf, &table) == 0)
		ret = add_table(symbols, own, 0, &table);
	return ret;
}

static int add_stub(void *closure, uint64_t start, uint64_t end, const char *name)
{
	struct codectl_symbol_index *index = closure;

	if (index->stub_count == index->stub_capacity) {
		size_t capacity = index->stub_capacity ? 2 * index->stub_capacity : 64;
		void *larger = reallocarray(index->stubs, capacity, sizeof(*index->stubs));

		if (!larger)
			return -ENOMEM;
		index->stubs = larger;
		index->stub_capacity = capacity;
	}
	if (start < end)
		index->stubs[index->stub_count++] = (struct codectl_symbol_stub){
			.start = start, .end = end, .name = name};
	return 0;
}

int codectl_symbols_create(struct codectl_elf_file *own, struct codectl_elf_file *debug,
	uint64_t debug_bias, struct codectl_symbols **symbols)
{
	int ret;

	*symbols = calloc(1, sizeof(**symbols));
	if (!*symbols)
		return -ENOMEM;
	ret = add_tables(*symbols, own, debug, debug_bias);
	if (!ret && own)
		ret = codectl_plt_enumerate(own, add_stub, &(*symbols)->index);
	if (!ret)
		ret = codectl_symbol_index_build(&(*symbols)->index);
	if (ret) {
		codectl_symbols_destroy(*symbols);
		*symbols = NULL;
	}
	return ret;
}

void codectl_symbols_destroy(struct codectl_symbols *symbols)
{
	if (!symbols)
		return;
	codectl_symbol_index_fini(&symbols->index);
	free(symbols);
}

/* A part that was moved away belongs to its function, if that has a symbol as well. */
static void find_owner(struct codectl_symbols *symbols, struct codectl_found_symbol *symbol)
{
	size_t len = strlen(symbol->text);
	size_t suffix_len = sizeof(cold_suffix) - 1;
	struct codectl_found_symbol owner;

	if (symbol->is_owned)
		return;
	symbol->is_owned = true;
	if (len <= suffix_len || strcmp(symbol->text + len - suffix_len, cold_suffix) != 0)
		return;
	if (codectl_symbol_index_find_near(
		    &symbols->index, symbol, symbol->text, len - suffix_len, &owner)) {
		symbol->start = owner.start;
		symbol->name.text = owner.text;
	}
}

int codectl_symbols_find(
	struct codectl_symbols *symbols, uint64_t vaddr, struct codectl_symbols_answer *answer)
{
	struct codectl_found_symbol *symbol;
	bool is_sizeless;
	int ret = codectl_symbol_index_find(&symbols->index, vaddr, &symbol, &is_sizeless);

	if (ret)
		return ret;
	find_owner(symbols, symbol);
	*answer = (struct codectl_symbols_answer){
		.name = codectl_name_show(&symbol->name),
		.start = symbol->start,
		.is_sizeless = is_sizeless,
		.plain_start = symbol->own_start,
	};
	/* Stubs have no symbol of their own. */
	answer->plain_name = symbol->name.is_plt_stub ? answer->name : symbol->text;
	return answer->name ? 0 : -ENOMEM;
}
