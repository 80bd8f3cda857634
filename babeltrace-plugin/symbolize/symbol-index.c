/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/symbol-index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* So many symbols are in a piece if they are spread evenly. */
#define PER_PIECE 32

/* Each symbol is in all pieces that it reaches into, and these may be that many for each. */
#define SPREAD_MAX 4

/* A part of the code, of the same length for all of them. */
struct codectl_symbol_piece {
	size_t first; /* Of the members. */
	size_t count;
	bool is_read;
	/* What is in there, when it was read: */
	struct codectl_ranges ranges;	      /* Values are indexes of symbols. */
	struct codectl_found_symbol *symbols; /* Owned. */
};

/* A symbol while it is looked at. */
struct candidate {
	Elf64_Sym symbol;
	uint64_t start;
	uint64_t end;
	const struct codectl_range
		*section; /* Weak; stays, for the next one is often in the same. */
};

static bool is_function(const struct codectl_symbol_table *table, const Elf64_Sym *symbol)
{
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);
	const char *name;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS ||
		symbol->st_shndx == SHN_COMMON || !symbol->st_name)
		return false;
	if (type != STT_NOTYPE)
		return type == STT_FUNC || type == STT_GNU_IFUNC;
	/* Local labels of compilers and mapping symbols name no function. */
	name = codectl_symbol_table_name(table, symbol);
	return *name && strncmp(name, ".L", 2) != 0 && *name != '$';
}

/* Looks at the symbol of @candidate. Returns whether it is that of a function. */
static bool look_at(const struct codectl_symbol_source *source, struct candidate *candidate)
{
	const struct codectl_range *section = candidate->section;
	const Elf64_Sym *symbol = &candidate->symbol;
	uint64_t room;

	if (!section || symbol->st_value < section->start || symbol->st_value >= section->end)
		section = codectl_ranges_find(&source->code, symbol->st_value);
	if (!section || !is_function(&source->table, symbol))
		return false;
	candidate->section = section;
	room = section->end - symbol->st_value;
	candidate->start = symbol->st_value - source->bias;
	/* A wrap can only come from a hostile bias. */
	candidate->end = candidate->start +
			 (symbol->st_size == 0 || symbol->st_size > room ? room : symbol->st_size);
	return candidate->start < candidate->end;
}

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

static size_t piece_of(const struct codectl_symbol_index *index, uint64_t vaddr)
{
	uint64_t number = (vaddr - index->base) >> index->shift;

	return number < index->piece_count ? (size_t)number : index->piece_count;
}

/* Where the code begins and ends. */
static void find_span(const struct codectl_symbol_index *index, uint64_t *start, uint64_t *end)
{
	*start = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < index->source_count; i++) {
		const struct codectl_symbol_source *source = &index->sources[i];

		for (size_t j = 0; j < source->code.count; j++) {
			const struct codectl_range *range = &source->code.ranges[j];

			if (range->start - source->bias < *start)
				*start = range->start - source->bias;
			if (range->end - source->bias > *end)
				*end = range->end - source->bias;
		}
	}
	for (size_t i = 0; i < index->stub_count; i++) {
		if (index->stubs[i].start < *start)
			*start = index->stubs[i].start;
		if (index->stubs[i].end > *end)
			*end = index->stubs[i].end;
	}
}

/* Is called with each function, and its number among all symbols. 0 goes on. */
typedef int visit_function(struct codectl_symbol_index *index, size_t source, size_t number,
	size_t id, const struct candidate *candidate, size_t *total);

/* Those of a block, @count of them from @first on. */
static int for_each_of_block(struct codectl_symbol_index *index, size_t source, size_t first,
	size_t count, size_t id, Elf64_Sym *buffer, visit_function *visit, size_t *total)
{
	const struct codectl_symbol_source *from = &index->sources[source];
	const uint8_t *bytes = codectl_symbol_table_peek(&from->table, first, count, buffer);
	struct candidate candidate = {.section = NULL};
	int ret = 0;

	for (size_t i = 0; bytes && !ret && i < count; i++) {
		memcpy(&candidate.symbol, bytes + i * sizeof(candidate.symbol),
			sizeof(candidate.symbol));
		if (look_at(from, &candidate))
			ret = visit(index, source, first + i, id + i, &candidate, total);
	}
	return ret;
}

static int for_each_function(
	struct codectl_symbol_index *index, visit_function *visit, size_t *total)
{
	Elf64_Sym *buffer = malloc(CODECTL_SYMBOL_BLOCK * sizeof(*buffer));
	int ret = buffer ? 0 : -ENOMEM;
	size_t id = 0;

	for (size_t i = 0; i < index->source_count; i++) {
		size_t count = index->sources[i].table.count;

		for (size_t at = 0; !ret && at < count; at += CODECTL_SYMBOL_BLOCK)
			ret = for_each_of_block(index, i, at,
				count - at < CODECTL_SYMBOL_BLOCK ? count - at
								  : CODECTL_SYMBOL_BLOCK,
				id + at, buffer, visit, total);
		id += count;
	}
	free(buffer);
	return ret;
}

/* Calls @visit with each stub, too, and with those functions only that have a size. */
static int for_each_sized(struct codectl_symbol_index *index, visit_function *visit, size_t *total)
{
	int ret = for_each_function(index, visit, total);
	size_t id = 0;

	for (size_t i = 0; i < index->source_count; i++)
		id += index->sources[i].table.count;
	for (size_t i = 0; !ret && i < index->stub_count; i++) {
		const struct candidate stub = {
			.symbol = {.st_size = index->stubs[i].end - index->stubs[i].start},
			.start = index->stubs[i].start,
			.end = index->stubs[i].end,
		};

		ret = visit(index, index->source_count, i, id + i, &stub, total);
	}
	return ret;
}

/* Counts a symbol in each piece; *@total is how many more there may be. */
static int count(struct codectl_symbol_index *index, size_t source, size_t number, size_t id,
	const struct candidate *candidate, size_t *total)
{
	size_t first = piece_of(index, candidate->start);
	size_t last = piece_of(index, candidate->end - 1);

	(void)source;
	(void)number;
	(void)id;
	if (!candidate->symbol.st_size || first > last || last >= index->piece_count)
		return 0;
	if (last - first >= *total)
		return -E2BIG;
	*total -= last - first + 1;
	for (size_t i = first; i <= last; i++)
		index->pieces[i].count++;
	return 0;
}

/* Writes the number of a symbol into each piece. */
static int fill(struct codectl_symbol_index *index, size_t source, size_t number, size_t id,
	const struct candidate *candidate, size_t *total)
{
	size_t first = piece_of(index, candidate->start);
	size_t last = piece_of(index, candidate->end - 1);

	(void)source;
	(void)number;
	(void)total;
	if (!candidate->symbol.st_size || first > last || last >= index->piece_count)
		return 0;
	for (size_t i = first; i <= last; i++) {
		struct codectl_symbol_piece *piece = &index->pieces[i];

		index->members[piece->first + piece->count++] = (uint32_t)id;
	}
	return 0;
}

/* Divides the code so that a piece has few symbols, all pieces together not too many. */
static int divide(struct codectl_symbol_index *index, size_t symbols)
{
	uint64_t end;
	size_t total;
	int ret = -E2BIG;

	find_span(index, &index->base, &end);
	if (index->base >= end)
		return 0;
	while (index->shift < 62 && (end - 1 - index->base) >> index->shift > symbols / PER_PIECE)
		index->shift++;
	for (; ret == -E2BIG; index->shift += 2) {
		total = SPREAD_MAX * symbols;
		index->piece_count = (size_t)((end - 1 - index->base) >> index->shift) + 1;
		index->pieces = calloc(index->piece_count, sizeof(*index->pieces));
		if (!index->pieces)
			return -ENOMEM;
		ret = for_each_sized(index, count, &total);
		if (!ret)
			break;
		free(index->pieces);
		index->pieces = NULL;
	}
	total = 0;
	for (size_t i = 0; i < index->piece_count; i++) {
		index->pieces[i].first = total;
		total += index->pieces[i].count;
		index->pieces[i].count = 0;
	}
	index->members = calloc(total + 1, sizeof(*index->members));
	return index->members ? for_each_sized(index, fill, &total) : -ENOMEM;
}

static int add_sizeless(struct codectl_symbol_index *index, size_t source, size_t number, size_t id,
	const struct candidate *candidate, size_t *total)
{
	const char *text;

	(void)id;
	(void)total;
	if (candidate->symbol.st_size)
		return 0;
	text = codectl_symbol_table_name(&index->sources[source].table, &candidate->symbol);
	if (!*text)
		return 0;
	if (index->end_count == index->end_capacity) {
		size_t capacity = index->end_capacity ? 2 * index->end_capacity : 64;
		void *larger = reallocarray(index->ends, capacity, sizeof(*index->ends));

		if (!larger)
			return -ENOMEM;
		index->ends = larger;
		index->end_capacity = capacity;
	}
	index->ends[index->end_count] = (struct codectl_found_symbol){
		.start = candidate->start,
		.own_start = candidate->start,
		.text = text,
		.name = {.text = text},
		.source = (uint32_t)source,
		.number = (uint32_t)number,
	};
	return codectl_ranges_add(&index->sizeless, candidate->start, candidate->end,
		(uint32_t)index->end_count++, rank_of(&candidate->symbol, text));
}

int codectl_symbol_index_build(struct codectl_symbol_index *index)
{
	size_t symbols = index->stub_count;
	int ret;

	for (size_t i = 0; i < index->source_count; i++)
		symbols += index->sources[i].table.count;
	/* Members are numbers of 32 bits; files with more symbols are not real. */
	if (symbols > UINT32_MAX)
		return -ENOMEM;
	ret = divide(index, symbols);
	if (!ret)
		ret = for_each_function(index, add_sizeless, NULL);
	return ret ? ret : codectl_ranges_flatten(&index->sizeless);
}

static void fini_names(struct codectl_found_symbol *symbols, size_t symbol_count)
{
	for (size_t i = 0; i < symbol_count; i++)
		codectl_name_fini(&symbols[i].name);
	free(symbols);
}

void codectl_symbol_index_fini(struct codectl_symbol_index *index)
{
	for (size_t i = 0; index->pieces && i < index->piece_count; i++) {
		struct codectl_symbol_piece *piece = &index->pieces[i];

		if (!piece->is_read)
			continue;
		fini_names(piece->symbols, piece->count);
		codectl_ranges_fini(&piece->ranges);
	}
	for (size_t i = 0; i < index->source_count; i++)
		codectl_ranges_fini(&index->sources[i].code);
	fini_names(index->ends, index->end_count);
	codectl_ranges_fini(&index->sizeless);
	free(index->stubs);
	free(index->pieces);
	free(index->members);
	*index = (struct codectl_symbol_index){0};
}

/* Adds what the tables have as number @id of all to @piece, as its symbol @at. */
static int read_member(struct codectl_symbol_index *index, struct codectl_symbol_piece *piece,
	size_t at, size_t id)
{
	struct codectl_found_symbol *symbol = &piece->symbols[at];
	struct candidate candidate = {.section = NULL};
	const char *text;
	size_t source = 0;
	uint32_t rank = 0;

	while (source < index->source_count && id >= index->sources[source].table.count)
		id -= index->sources[source++].table.count;
	if (source < index->source_count) {
		codectl_symbol_table_get(
			&index->sources[source].table, id, &candidate.symbol, &text);
		/* It was one when the pieces were filled; the file may have changed since. */
		if (!look_at(&index->sources[source], &candidate))
			text = "";
		rank = rank_of(&candidate.symbol, text);
	} else {
		candidate.start = index->stubs[id].start;
		candidate.end = index->stubs[id].end;
		text = index->stubs[id].name;
		symbol->name.is_plt_stub = true;
	}
	symbol->start = symbol->own_start = candidate.start;
	symbol->text = symbol->name.text = text;
	symbol->source = (uint32_t)source;
	symbol->number = (uint32_t)id;
	if (!*text)
		return 0;
	return codectl_ranges_add(
		&piece->ranges, candidate.start, candidate.end, (uint32_t)at, rank);
}

/* Returns 0 or -ENOMEM. */
static int read_piece(struct codectl_symbol_index *index, struct codectl_symbol_piece *piece)
{
	int ret = 0;

	if (piece->is_read)
		return 0;
	piece->symbols = calloc(piece->count + 1, sizeof(*piece->symbols));
	if (!piece->symbols)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < piece->count; i++)
		ret = read_member(index, piece, i, index->members[piece->first + i]);
	if (!ret)
		ret = codectl_ranges_flatten(&piece->ranges);
	if (ret) {
		codectl_ranges_fini(&piece->ranges);
		free(piece->symbols);
		piece->symbols = NULL;
	}
	piece->is_read = !ret;
	return ret;
}

/* Whether a symbol in @piece begins behind @after, and at @vaddr at most. */
static bool begins_in(const struct codectl_symbol_piece *piece, uint64_t after, uint64_t vaddr)
{
	for (size_t i = piece->ranges.count; i > 0; i--) {
		const struct codectl_range *range = &piece->ranges.ranges[i - 1];

		if (range->start <= after)
			return false;
		if (range->start <= vaddr && piece->symbols[range->value].own_start > after)
			return true;
	}
	return false;
}

/* A symbol without size reaches to the next one with a size at most. */
static bool reaches(struct codectl_symbol_index *index, uint64_t start, uint64_t vaddr)
{
	size_t first = piece_of(index, start), i = piece_of(index, vaddr);

	if (i >= index->piece_count)
		return true;
	for (;; i--) {
		if (read_piece(index, &index->pieces[i]) == 0 &&
			begins_in(&index->pieces[i], start, vaddr))
			return false;
		if (i <= first || i == 0)
			return true;
	}
}

int codectl_symbol_index_find(struct codectl_symbol_index *index, uint64_t vaddr,
	struct codectl_found_symbol **symbol, bool *is_sizeless)
{
	size_t number = piece_of(index, vaddr);
	struct codectl_symbol_piece *piece = number < index->piece_count ? &index->pieces[number]
									 : NULL;
	const struct codectl_range *range;
	int ret = piece ? read_piece(index, piece) : 0;

	if (ret)
		return ret;
	range = piece ? codectl_ranges_find(&piece->ranges, vaddr) : NULL;
	*is_sizeless = !range;
	if (range) {
		*symbol = &piece->symbols[range->value];
		return 0;
	}
	range = codectl_ranges_find(&index->sizeless, vaddr);
	if (!range || !reaches(index, range->start, vaddr))
		return -ENOENT;
	*symbol = &index->ends[range->value];
	return 0;
}

/* Whether symbol @number has that name, with a version perhaps. */
static bool has_name(const struct codectl_symbol_source *source, size_t number, const char *name,
	size_t len, struct codectl_found_symbol *found)
{
	struct candidate candidate = {.section = NULL};

	codectl_symbol_table_get(&source->table, number, &candidate.symbol, &found->text);
	if (*found->text != *name || strncmp(found->text, name, len) != 0 ||
		(found->text[len] != '\0' && found->text[len] != '@') ||
		!look_at(source, &candidate))
		return false;
	found->start = candidate.start;
	return true;
}

bool codectl_symbol_index_find_near(const struct codectl_symbol_index *index,
	const struct codectl_found_symbol *near, const char *name, size_t len,
	struct codectl_found_symbol *found)
{
	const struct codectl_symbol_source *source = &index->sources[near->source];
	size_t number = near->number, all;

	if (near->source >= index->source_count)
		return false;
	all = source->table.count;
	for (size_t away = 1; away <= number || away < all - number; away++) {
		if ((away <= number && has_name(source, number - away, name, len, found)) ||
			(away < all - number && has_name(source, number + away, name, len, found)))
			return true;
	}
	return false;
}
