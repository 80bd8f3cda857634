/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/symbols.h"

#include "symbolize/name.h"
#include "symbolize/plt.h"
#include "symbolize/ranges.h"
#include "symbolize/symbol-table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What gcc appends to the name of a function for its part that is seldom run. */
static const char cold_suffix[] = ".cold";

struct symbol {
	uint64_t start;
	const char *text; /* Weak; as the table has it. */
	struct codectl_name name;
	uint64_t own_start; /* start may become that of what it is a part of. */
	bool is_owned;	    /* It was looked for what it is a part of. */
};

struct codectl_symbols {
	struct symbol *symbols; /* Owned. */
	size_t count;
	size_t capacity;
	struct codectl_ranges sized;	/* Values are indexes of symbols. */
	struct codectl_ranges sizeless; /* Only where no sized one is. */
};

/*
 * Of several names of one address: global before weak before local, functions
 * before labels, then those with fewer underscores in front: the names that
 * people write.
 */
static uint32_t rank_of(const Elf64_Sym *symbol, const char *name)
{
	unsigned int binding = ELF64_ST_BIND(symbol->st_info);
	uint32_t rank = binding == STB_LOCAL ? 2 : binding == STB_WEAK ? 1 : 0;
	uint32_t underscores = (uint32_t)strspn(name, "_");

	rank = rank << 1 | (ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE);
	return rank << 4 | (underscores < 15 ? underscores : 15);
}

static int append(struct codectl_symbols *symbols, uint64_t start, const char *name, bool is_plt)
{
	if (symbols->count == symbols->capacity) {
		size_t capacity = symbols->capacity ? 2 * symbols->capacity : 64;
		void *larger = reallocarray(symbols->symbols, capacity, sizeof(*symbols->symbols));

		if (!larger)
			return -ENOMEM;
		symbols->symbols = larger;
		symbols->capacity = capacity;
	}
	/* Ranges number them with 32 bits; files with more symbols are not real. */
	if (symbols->count == UINT32_MAX)
		return -ENOMEM;
	symbols->symbols[symbols->count++] = (struct symbol){
		.start = start,
		.own_start = start,
		.text = name,
		.name = {.text = name, .is_plt_stub = is_plt},
	};
	return 0;
}

static bool is_function(const Elf64_Sym *symbol, const char *name)
{
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS ||
		symbol->st_shndx == SHN_COMMON || !*name)
		return false;
	if (type == STT_NOTYPE)
		/* Local labels of compilers and mapping symbols name no function. */
		return strncmp(name, ".L", 2) != 0 && *name != '$';
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

static int add_symbol(struct codectl_symbols *symbols, const struct codectl_ranges *code,
	uint64_t bias, const Elf64_Sym *symbol, const char *name)
{
	const struct codectl_range *section = codectl_ranges_find(code, symbol->st_value);
	uint64_t start = symbol->st_value - bias;

	if (!section || !is_function(symbol, name))
		return 0;

	bool is_sizeless = symbol->st_size == 0;
	uint64_t room = section->end - symbol->st_value;
	uint64_t size = is_sizeless || symbol->st_size > room ? room : symbol->st_size;
	int ret = append(symbols, start, name, false);

	/* A wrap can only come from a hostile bias: then the range is empty. */
	return ret ? ret
		   : codectl_ranges_add(is_sizeless ? &symbols->sizeless : &symbols->sized, start,
			     start + size, (uint32_t)(symbols->count - 1), rank_of(symbol, name));
}

static int add_table(struct codectl_symbols *symbols, const struct codectl_elf *elf, uint64_t bias,
	const struct codectl_symbol_table *table)
{
	struct codectl_ranges code = {0};
	int ret = codectl_symbol_table_find_code(elf, &code);

	for (size_t i = 0; !ret && i < table->count; i++) {
		Elf64_Sym symbol;
		const char *name;

		codectl_symbol_table_get(table, i, &symbol, &name);
		ret = add_symbol(symbols, &code, bias, &symbol, name);
	}
	codectl_ranges_fini(&code);
	return ret;
}

/* The full symbol table of either file, and what the own file exports. */
static int add_tables(struct codectl_symbols *symbols, const struct codectl_elf *own,
	const struct codectl_elf *debug, uint64_t bias)
{
	struct codectl_symbol_table table;
	int ret = 0;

	if (debug && codectl_symbol_table_find_static(debug, &table) == 0)
		ret = add_table(symbols, debug, bias, &table);
	else if (own && codectl_symbol_table_find_static(own, &table) == 0)
		ret = add_table(symbols, own, 0, &table);
	/* A partly stripped .symtab may lack what .dynsym has. */
	if (!ret && own && codectl_symbol_table_find_dynamic(own, &table) == 0)
		ret = add_table(symbols, own, 0, &table);
	return ret;
}

static int add_stub(void *closure, uint64_t start, uint64_t end, const char *name)
{
	struct codectl_symbols *symbols = closure;
	int ret = append(symbols, start, name, true);

	return ret ? ret
		   : codectl_ranges_add(
			     &symbols->sized, start, end, (uint32_t)(symbols->count - 1), 0);
}

/* A sizeless symbol reaches to the next symbol at most, and gives way to sized ones. */
static int trim_sizeless(struct codectl_symbols *symbols)
{
	for (size_t i = 0; i < symbols->sizeless.count; i++) {
		struct codectl_range *range = &symbols->sizeless.ranges[i];
		uint64_t next = codectl_ranges_next_start(&symbols->sized, range->start);

		if (next < range->end)
			range->end = next;
	}
	return codectl_ranges_flatten(&symbols->sizeless);
}

int codectl_symbols_create(const struct codectl_elf *own, const struct codectl_elf *debug,
	uint64_t debug_bias, struct codectl_symbols **symbols)
{
	int ret;

	*symbols = calloc(1, sizeof(**symbols));
	if (!*symbols)
		return -ENOMEM;
	ret = add_tables(*symbols, own, debug, debug_bias);
	if (!ret && own)
		ret = codectl_plt_enumerate(own, add_stub, *symbols);
	if (!ret)
		ret = codectl_ranges_flatten(&(*symbols)->sized);
	if (!ret)
		ret = trim_sizeless(*symbols);
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
	for (size_t i = 0; i < symbols->count; i++)
		codectl_name_fini(&symbols->symbols[i].name);
	free(symbols->symbols);
	codectl_ranges_fini(&symbols->sized);
	codectl_ranges_fini(&symbols->sizeless);
	free(symbols);
}

static bool has_name(const struct symbol *symbol, const char *name, size_t len)
{
	return !symbol->name.is_plt_stub && !strncmp(symbol->text, name, len) &&
	       (symbol->text[len] == '\0' || symbol->text[len] == '@');
}

/* The symbol of that name next to @index in the table: local ones of one file are together. */
static const struct symbol *find_near(
	const struct codectl_symbols *symbols, size_t index, const char *name, size_t len)
{
	const struct symbol *all = symbols->symbols;

	for (size_t away = 1; away <= index || away < symbols->count - index; away++) {
		if (away <= index && has_name(&all[index - away], name, len))
			return &all[index - away];
		if (away < symbols->count - index && has_name(&all[index + away], name, len))
			return &all[index + away];
	}
	return NULL;
}

/* A part that was moved away belongs to its function, if that has a symbol as well. */
static void find_owner(struct codectl_symbols *symbols, struct symbol *symbol)
{
	size_t len = strlen(symbol->text);
	size_t suffix_len = sizeof(cold_suffix) - 1;
	const struct symbol *owner;

	if (symbol->is_owned)
		return;
	symbol->is_owned = true;
	if (len <= suffix_len || strcmp(symbol->text + len - suffix_len, cold_suffix) != 0)
		return;
	owner = find_near(
		symbols, (size_t)(symbol - symbols->symbols), symbol->text, len - suffix_len);
	if (owner) {
		symbol->start = owner->start;
		symbol->name.text = owner->text;
	}
}

int codectl_symbols_find(
	struct codectl_symbols *symbols, uint64_t vaddr, struct codectl_symbols_answer *answer)
{
	const struct codectl_range *range = codectl_ranges_find(&symbols->sized, vaddr);
	bool is_sizeless = !range;

	if (!range)
		range = codectl_ranges_find(&symbols->sizeless, vaddr);
	if (!range)
		return -ENOENT;

	struct symbol *symbol = &symbols->symbols[range->value];

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
