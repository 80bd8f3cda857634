/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/sframe-source.h"

#include "format/sframe-amd64.h"
#include "unwind/page-index.h"
#include "unwind/row-table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Functions of repeated blocks that have room for all their rows; files have two. */
#define REPEATED_MAX 4

struct function {
	uint32_t start; /* From the source's base. */
	uint32_t index; /* Of the FDE. */
};

/* What look-ups may change. */
struct compiled {
	struct codectl_row_table rows; /* None before the first look-up. */
	struct codectl_page_index row_pages;
	bool is_compiled;
	uint64_t bad_fdes;
	/* What was said to find_cfi() last. */
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX];
	struct codectl_cfi_section section;
};

struct sframe_source {
	struct codectl_unwind_source source;
	struct codectl_sframe sframe;
	uint64_t base;		    /* vaddr that offsets of code are counted from. */
	struct function *functions; /* Owned; ascending by start. */
	size_t function_count;
	struct codectl_page_index function_pages; /* Owned. */
	struct compiled *compiled;		  /* Owned. */
};

/* What compile_function() hands to the reader. */
struct compilation {
	const struct sframe_source *source;
	uint32_t limit; /* Start of the next function: rows end there. */
	size_t row_max; /* Rows of the table that there may be before the one that ends it. */
};

static const struct sframe_source *from_base(const struct codectl_unwind_source *source)
{
	return (const struct sframe_source *)source;
}

static struct codectl_column function_column(const struct sframe_source *source)
{
	return (struct codectl_column){&source->functions->start,
		sizeof(*source->functions) / sizeof(source->functions->start),
		source->function_count};
}

static int add_rule(void *user, uint64_t start, uint64_t end, struct codectl_rule rule)
{
	const struct compilation *compilation = user;
	struct codectl_row_table *rows = &compilation->source->compiled->rows;
	uint64_t offset = start - compilation->source->base;

	(void)end;
	if (offset >= compilation->limit)
		return 0;
	if (rows->count >= compilation->row_max)
		return -ENOMEM;
	return codectl_row_table_append_rule(rows, (uint32_t)offset, rule);
}

/*
 * Appends the rows of a function, and one that ends them unless the next
 * function does. A malformed one leaves only that.
 */
static int compile_function(const struct sframe_source *source, size_t i)
{
	struct compiled *compiled = source->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	struct compilation compilation = {.source = source, .limit = UINT32_MAX};
	struct codectl_sframe_fde fde;
	size_t row_count = rows->count;
	size_t slow_count = rows->slow_count;
	uint64_t end = source->functions[i].start;
	int ret;

	if (i + 1 < source->function_count)
		compilation.limit = source->functions[i + 1].start;
	/* This one and all behind it have room for the rows that end them. */
	compilation.row_max = rows->capacity - (source->function_count - i);
	ret = codectl_sframe_read_fde(&source->sframe, source->functions[i].index, &fde);
	if (ret == 0)
		ret = codectl_sframe_run_rules(&source->sframe, &fde, add_rule, &compilation);
	if (ret) {
		compiled->bad_fdes++;
		rows->count = row_count;
		rows->slow_count = slow_count;
	} else {
		end += fde.size;
	}
	if (end >= compilation.limit)
		return 0;
	return codectl_row_table_append(rows, (uint32_t)end, CODECTL_RULE_ID_NONE);
}

/* Makes all rows. Without memory for them, nothing is known. */
static void compile(const struct sframe_source *source)
{
	struct compiled *compiled = source->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	struct codectl_column column;

	compiled->is_compiled = true;
	/* A row at the lowest address: then each address has one at or below it. */
	codectl_row_table_append(rows, 0, CODECTL_RULE_ID_NONE);
	for (size_t i = 0; i < source->function_count; i++) {
		/* Each function has room for the row that ends it. */
		if (compile_function(source, i))
			break;
	}
	column = (struct codectl_column){rows->pcs, 1, rows->count};
	if (codectl_page_index_init(&compiled->row_pages, &column))
		rows->count = 0;
}

static struct codectl_rule find_rule(const struct codectl_unwind_source *base, uint64_t vaddr)
{
	const struct sframe_source *source = from_base(base);
	const struct codectl_row_table *rows = &source->compiled->rows;
	uint64_t offset = vaddr - source->base;
	uint16_t id = CODECTL_RULE_ID_NONE;

	if (!source->compiled->is_compiled)
		compile(source);
	if (offset < UINT32_MAX && rows->count) {
		const struct codectl_column column = {rows->pcs, 1, rows->count};

		id = rows->ids[codectl_page_index_search(
			&source->compiled->row_pages, &column, (uint32_t)offset)];
	}
	return codectl_rule_with_origin(codectl_row_table_rule(rows, id), base->via);
}

/* The last function that does not start above @offset, function_count if there is none. */
static size_t find_function(const struct sframe_source *source, uint64_t offset)
{
	const struct codectl_column column = function_column(source);
	size_t i = codectl_page_index_search(&source->function_pages, &column,
		offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX);

	return source->functions[i].start <= offset ? i : source->function_count;
}

static int find_cfi(const struct codectl_unwind_source *base, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi)
{
	const struct sframe_source *source = from_base(base);
	struct compiled *compiled = source->compiled;
	size_t i = find_function(source, vaddr - source->base);
	struct codectl_sframe_fde fde;
	struct codectl_sframe_fre fre;

	/* What compiling has found to be unsound has no rule. */
	if (codectl_rule_kind(find_rule(base, vaddr)) == CODECTL_RULE_NONE ||
		i == source->function_count ||
		codectl_sframe_read_fde(&source->sframe, source->functions[i].index, &fde) ||
		codectl_sframe_find(&source->sframe, &fde, vaddr, &fre))
		return -ENOENT;
	codectl_sframe_to_cfi(&fre, &cfi->rules, compiled->expressions, &compiled->section);
	cfi->section = &compiled->section;
	cfi->ra_reg = CODECTL_AMD64_RIP;
	cfi->is_signal_frame = fde.is_signal;
	return 0;
}

static uint64_t next_start(const struct codectl_unwind_source *base, uint64_t vaddr)
{
	const struct sframe_source *source = from_base(base);
	size_t i = find_function(source, vaddr - source->base);

	i = i == source->function_count || vaddr < source->base ? 0 : i + 1;
	return i < source->function_count ? source->base + source->functions[i].start : UINT64_MAX;
}

static void add_stats(
	const struct codectl_unwind_source *base, struct codectl_unwind_module_stats *stats)
{
	const struct sframe_source *source = from_base(base);
	const struct compiled *compiled = source->compiled;

	stats->fdes += source->function_count;
	stats->compiled_fdes += compiled->is_compiled ? source->function_count : 0;
	stats->bad_fdes += compiled->bad_fdes;
	stats->rows += compiled->rows.count;
	stats->slow_rows += compiled->rows.slow_count;
	stats->rules += compiled->rows.rule_count;
}

static void destroy(struct codectl_unwind_source *base)
{
	struct sframe_source *source = (struct sframe_source *)base;

	if (source->compiled) {
		codectl_row_table_fini(&source->compiled->rows);
		codectl_page_index_fini(&source->compiled->row_pages);
		free(source->compiled);
	}
	codectl_page_index_fini(&source->function_pages);
	free(source->functions);
	free(source);
}

static int compare_functions(const void *left, const void *right)
{
	const struct function *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Lists the functions within the source's reach, sorted: the header may lie about that. */
static void list_functions(struct sframe_source *source)
{
	bool is_sorted = true;

	for (size_t i = 0; i < source->sframe.fde_count; i++) {
		struct function *function = &source->functions[source->function_count];
		struct codectl_sframe_fde fde;

		if (codectl_sframe_read_fde(&source->sframe, i, &fde) ||
			fde.start - source->base >= UINT32_MAX) {
			source->compiled->bad_fdes++;
			continue;
		}
		*function = (struct function){(uint32_t)(fde.start - source->base), (uint32_t)i};
		if (source->function_count && function[-1].start > function->start)
			is_sorted = false;
		source->function_count++;
	}
	if (!is_sorted)
		qsort(source->functions, source->function_count, sizeof(*source->functions),
			compare_functions);
}

/* Reserves memory by what the section can hold at most, and lists the functions. */
static int fill(struct sframe_source *source)
{
	const struct codectl_sframe *sframe = &source->sframe;
	/* Rows, those before and behind the ones of each function, and repeated ones. */
	size_t row_max = sframe->fres_len / 2 + 2 * (size_t)sframe->fde_count + 1 +
			 REPEATED_MAX * CODECTL_SFRAME_REPEAT_MAX;
	struct codectl_column column;

	source->functions = malloc(sframe->fde_count * sizeof(*source->functions));
	if (!source->functions || codectl_row_table_init(&source->compiled->rows, row_max))
		return -ENOMEM;
	list_functions(source);
	if (source->function_count == 0)
		return -ENOENT;
	column = function_column(source);
	return codectl_page_index_init(&source->function_pages, &column);
}

/* Whether @range begins with SFrame that we can use. */
static bool open_sframe(const struct codectl_elf_range *range, struct codectl_sframe *sframe)
{
	size_t len = range->len < CODECTL_SFRAME_SECTION_MAX ? range->len
							     : CODECTL_SFRAME_SECTION_MAX;

	return codectl_sframe_init(sframe, range->bytes, len, range->vaddr) == 0 &&
	       sframe->abi == CODECTL_SFRAME_AMD64 && sframe->fde_count;
}

static bool find_sframe(const struct codectl_elf *elf, struct codectl_sframe *sframe)
{
	struct codectl_elf_segment segment;
	struct codectl_elf_section section;
	struct codectl_elf_range range;

	for (size_t i = 0; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, &section) == 0 &&
			(section.type == CODECTL_SHT_GNU_SFRAME ||
				strcmp(section.name, ".sframe") == 0) &&
			codectl_elf_section_range(elf, &section, &range) == 0 &&
			open_sframe(&range, sframe))
			return true;
	}
	/* The segment may be longer than what is in it. */
	return codectl_elf_find_segment(elf, CODECTL_PT_GNU_SFRAME, &segment) == 0 &&
	       codectl_elf_vaddr_range(elf, segment.vaddr, &range) == 0 &&
	       open_sframe(&range, sframe);
}

static const struct codectl_unwind_source_ops sframe_source_ops = {
	.find_rule = find_rule,
	.find_cfi = find_cfi,
	.next_start = next_start,
	.add_stats = add_stats,
	.destroy = destroy,
};

static int create(
	const struct codectl_sframe *sframe, uint64_t base, struct codectl_unwind_source **source)
{
	struct sframe_source *made = calloc(1, sizeof(*made));
	int ret;

	if (!made)
		return -ENOMEM;
	made->source.ops = &sframe_source_ops;
	made->source.via = CODECTL_FRAME_VIA_SFRAME;
	made->sframe = *sframe;
	made->base = base;
	made->compiled = calloc(1, sizeof(*made->compiled));
	ret = made->compiled ? fill(made) : -ENOMEM;
	if (ret) {
		destroy(&made->source);
		return ret;
	}
	*source = &made->source;
	return 0;
}

int codectl_sframe_source_create(
	const struct codectl_elf *elf, struct codectl_unwind_source **source)
{
	struct codectl_sframe sframe;
	uint64_t base, end;

	*source = NULL;
	if (!find_sframe(elf, &sframe))
		return -ENOENT;
	if (codectl_elf_load_span(elf, &base, &end))
		base = 0;
	return create(&sframe, base, source);
}

int codectl_sframe_source_create_of(
	const struct codectl_elf_range *range, uint64_t base, struct codectl_unwind_source **source)
{
	struct codectl_sframe sframe;

	*source = NULL;
	return open_sframe(range, &sframe) ? create(&sframe, base, source) : -ENOENT;
}
