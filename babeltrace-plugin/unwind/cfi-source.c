/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/cfi-source.h"

#include "format/cfa-program.h"
#include "unwind/page-index.h"
#include "unwind/row-table.h"

#include <errno.h>
#include <stdlib.h>

/* Sections up to this size are compiled as a whole: it takes less than two milliseconds. */
#define EAGER_MAX (1024 * 1024)

struct fde_entry {
	uint32_t start;	 /* From the source's base. */
	uint32_t offset; /* Of the FDE in the section. */
};

/* Rows of one FDE, in a source compiled on demand. */
struct fde_rows {
	uint32_t first;
	uint32_t count; /* 0: not compiled yet. */
};

/* What look-ups may change. */
struct compiled {
	struct codectl_row_table rows;
	struct codectl_cfi_cie cie; /* The CIE of the FDE read last. */
	struct fde_rows *fde_rows;  /* Owned; NULL if all is compiled. */
	uint64_t fdes;
	uint64_t bad_fdes;
	/*
	 * Bytes of programs that may still be run: all together are no longer
	 * than the section, unless a hostile table has FDEs overlap or come often.
	 */
	size_t program_left;
};

struct cfi_source {
	struct codectl_unwind_source source;
	struct codectl_cfi_section section;
	uint64_t base;		/* vaddr that offsets of code are counted from. */
	struct fde_entry *fdes; /* Owned; ascending by start. */
	size_t fde_count;
	struct codectl_page_index fde_pages; /* Owned; of their starts. */
	struct codectl_page_index row_pages; /* Owned; made if all is compiled. */
	struct compiled *compiled;	     /* Owned. */
};

static struct codectl_column fde_column(const struct cfi_source *source)
{
	return (struct codectl_column){&source->fdes->start,
		sizeof(*source->fdes) / sizeof(source->fdes->start), source->fde_count};
}

static struct codectl_column row_column(const struct codectl_row_table *rows)
{
	return (struct codectl_column){rows->pcs, 1, rows->count};
}

/* What compile_fde() hands to the CFA interpreter. */
struct compilation {
	const struct cfi_source *source;
	uint32_t limit; /* Start of the next FDE: rows end there. */
};

static int add_rule(void *user, uint64_t start, struct codectl_rule rule)
{
	const struct compilation *compilation = user;
	uint64_t offset = start - compilation->source->base;

	if (offset >= compilation->limit)
		return 0;
	return codectl_row_table_append_rule(
		&compilation->source->compiled->rows, (uint32_t)offset, rule);
}

/*
 * Appends the rows of FDE @index, and one that ends them unless the next FDE
 * does. A malformed one leaves only that.
 */
static int compile_fde(const struct cfi_source *source, size_t index)
{
	struct compiled *compiled = source->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	struct compilation compilation = {.source = source, .limit = UINT32_MAX};
	struct codectl_cfi_fde fde;
	size_t row_count = rows->count;
	size_t slow_count = rows->slow_count;
	uint64_t end = source->fdes[index].start;
	int ret;

	compiled->fdes++;
	if (index + 1 < source->fde_count)
		compilation.limit = source->fdes[index + 1].start;
	/* The next one replaces all of it. */
	if (compilation.limit == end)
		return 0;
	ret = codectl_cfi_read_fde(
		&source->section, source->fdes[index].offset, &compiled->cie, &fde);
	if (ret == 0 &&
		(fde.start - source->base != end || fde.program_len > compiled->program_left))
		ret = -EINVAL;
	if (ret == 0) {
		compiled->program_left -= fde.program_len;
		ret = codectl_cfa_program_run_rules(
			&source->section, &compiled->cie, &fde, add_rule, &compilation);
		end += fde.size;
	}
	if (ret) {
		compiled->bad_fdes++;
		rows->count = row_count;
		rows->slow_count = slow_count;
		end = source->fdes[index].start;
	}
	if (end < compilation.limit)
		ret = codectl_row_table_append(rows, (uint32_t)end, CODECTL_RULE_ID_NONE);
	return ret == -ENOMEM ? ret : 0;
}

static int compile_all(struct cfi_source *source)
{
	struct codectl_row_table *rows = &source->compiled->rows;
	struct codectl_column column;

	/* A row at the lowest address: then each address has one at or below it. */
	codectl_row_table_append(rows, 0, CODECTL_RULE_ID_NONE);
	for (size_t i = 0; i < source->fde_count; i++) {
		int ret = compile_fde(source, i);

		if (ret)
			return ret;
	}
	column = row_column(rows);
	return codectl_page_index_init(&source->row_pages, &column);
}

/* Adds an FDE to the index unless it is out of the source's reach. */
static void add_fde(struct cfi_source *source, uint64_t start, uint64_t offset)
{
	if (start - source->base >= UINT32_MAX || offset >= source->section.len) {
		source->compiled->bad_fdes++;
		return;
	}
	source->fdes[source->fde_count++] = (struct fde_entry){
		(uint32_t)(start - source->base), (uint32_t)offset};
}

/* Takes the index that the linker made. Returns whether it is one. */
static bool index_from_hdr(struct cfi_source *source, const struct codectl_eh_frame_hdr *hdr)
{
	uint64_t before = 0;

	if (!hdr || !hdr->table || hdr->count > source->section.len / 8)
		return false;
	for (size_t i = 0; i < hdr->count; i++) {
		uint64_t start, fde_vaddr;

		codectl_eh_frame_hdr_entry(hdr, i, &start, &fde_vaddr);
		if (start < before || fde_vaddr < source->section.vaddr) {
			source->fde_count = 0;
			source->compiled->bad_fdes = 0;
			return false;
		}
		add_fde(source, start, fde_vaddr - source->section.vaddr);
		before = start;
	}
	return source->fde_count > 0;
}

static int compare_fdes(const void *left, const void *right)
{
	const struct fde_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Makes an index from the FDEs themselves. */
static void index_from_section(struct cfi_source *source)
{
	struct compiled *compiled = source->compiled;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	while ((ret = codectl_cfi_next_fde(&source->section, &offset, &compiled->cie, &fde)) !=
		-ENOENT) {
		if (ret)
			compiled->bad_fdes++;
		else
			add_fde(source, fde.start, fde.offset);
	}
	qsort(source->fdes, source->fde_count, sizeof(*source->fdes), compare_fdes);
}

/* Reserves memory by what the section can hold at most, and fills it. */
static int fill(struct cfi_source *source, const struct codectl_eh_frame_hdr *hdr)
{
	struct compiled *compiled = source->compiled;
	/* An FDE has 13 bytes at least, and a row takes one of them at least. */
	size_t fde_max = source->section.len / 8 + 1;
	size_t row_max = source->section.len + 2;
	struct codectl_column column;
	int ret;

	source->fdes = malloc(fde_max * sizeof(*source->fdes));
	ret = codectl_row_table_init(&compiled->rows, row_max);
	if (!source->fdes || ret)
		return -ENOMEM;
	codectl_cfi_cie_init(&compiled->cie);
	compiled->program_left = source->section.len;
	if (!index_from_hdr(source, hdr))
		index_from_section(source);
	if (source->fde_count == 0)
		return -ENOENT;
	column = fde_column(source);
	ret = codectl_page_index_init(&source->fde_pages, &column);
	if (ret)
		return ret;
	if (source->section.len <= EAGER_MAX)
		return compile_all(source);
	compiled->fde_rows = calloc(source->fde_count, sizeof(*compiled->fde_rows));
	return compiled->fde_rows ? 0 : -ENOMEM;
}

/* The last FDE that does not start above @offset, fde_count if there is none. */
static size_t find_fde(const struct cfi_source *source, uint64_t offset)
{
	const struct codectl_column column = fde_column(source);
	size_t index = codectl_page_index_search(
		&source->fde_pages, &column, offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX);

	return source->fdes[index].start <= offset ? index : source->fde_count;
}

static const struct cfi_source *from_base(const struct codectl_unwind_source *source)
{
	return (const struct cfi_source *)source;
}

/* The row of @offset in a source that is compiled on demand. Returns its rule's number. */
static uint16_t find_on_demand(const struct cfi_source *source, uint32_t offset)
{
	struct compiled *compiled = source->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	size_t index = find_fde(source, offset);
	struct fde_rows *fde_rows;
	size_t row;

	if (index == source->fde_count)
		return CODECTL_RULE_ID_NONE;
	fde_rows = &compiled->fde_rows[index];
	if (!fde_rows->count) {
		size_t first = rows->count;

		compile_fde(source, index);
		fde_rows->first = (uint32_t)first;
		fde_rows->count = (uint32_t)(rows->count - first);
		/* No rows: they had no room, which takes an FDE listed many times. */
		if (!fde_rows->count)
			return CODECTL_RULE_ID_NONE;
	}
	row = codectl_row_table_search(
		rows, fde_rows->first, fde_rows->first + fde_rows->count - 1, offset);
	return rows->ids[row];
}

static struct codectl_rule find_rule(const struct codectl_unwind_source *base, uint64_t vaddr)
{
	const struct cfi_source *source = from_base(base);
	const struct codectl_row_table *rows = &source->compiled->rows;
	const struct codectl_column column = row_column(rows);
	uint64_t offset = vaddr - source->base;
	uint16_t id = CODECTL_RULE_ID_NONE;

	if (offset < UINT32_MAX && source->compiled->fde_rows)
		id = find_on_demand(source, (uint32_t)offset);
	else if (offset < UINT32_MAX)
		id = rows->ids[codectl_page_index_search(
			&source->row_pages, &column, (uint32_t)offset)];
	return codectl_rule_with_origin(codectl_row_table_rule(rows, id), source->source.via);
}

/* What find_cfi() looks for. */
struct wanted_row {
	uint64_t vaddr;
	struct codectl_cfi_rules *rules;
};

static int take_row(void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	const struct wanted_row *wanted = user;

	if (wanted->vaddr < start || wanted->vaddr >= end)
		return 0;
	*wanted->rules = *rules;
	return 1;
}

static int find_cfi(const struct codectl_unwind_source *base, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi)
{
	const struct cfi_source *source = from_base(base);
	struct wanted_row wanted = {.vaddr = vaddr, .rules = &cfi->rules};
	struct codectl_cfi_cie *cie = &source->compiled->cie;
	struct codectl_cfi_fde fde;
	size_t index = find_fde(source, vaddr - source->base);

	/* What compiling has found to be unsound has no rule. */
	if (codectl_rule_kind(find_rule(base, vaddr)) == CODECTL_RULE_NONE ||
		codectl_cfi_read_fde(&source->section, source->fdes[index].offset, cie, &fde) ||
		codectl_cfa_program_run(&source->section, cie, &fde, take_row, &wanted) != 1)
		return -ENOENT;
	cfi->section = &source->section;
	cfi->ra_reg = cie->ra_reg;
	cfi->is_signal_frame = cie->is_signal_frame;
	return 0;
}

static uint64_t next_start(const struct codectl_unwind_source *base, uint64_t vaddr)
{
	const struct cfi_source *source = from_base(base);
	size_t index = find_fde(source, vaddr - source->base);

	index = index == source->fde_count || vaddr < source->base ? 0 : index + 1;
	return index < source->fde_count ? source->base + source->fdes[index].start : UINT64_MAX;
}

static void add_stats(
	const struct codectl_unwind_source *base, struct codectl_unwind_module_stats *stats)
{
	const struct compiled *compiled = from_base(base)->compiled;

	stats->fdes += from_base(base)->fde_count;
	stats->compiled_fdes += compiled->fdes;
	stats->bad_fdes += compiled->bad_fdes;
	stats->rows += compiled->rows.count;
	stats->slow_rows += compiled->rows.slow_count;
	stats->rules += compiled->rows.rule_count;
}

static void destroy(struct codectl_unwind_source *base)
{
	struct cfi_source *source = (struct cfi_source *)base;

	if (source->compiled) {
		codectl_row_table_fini(&source->compiled->rows);
		free(source->compiled->fde_rows);
		free(source->compiled);
	}
	codectl_page_index_fini(&source->fde_pages);
	codectl_page_index_fini(&source->row_pages);
	free(source->fdes);
	free(source);
}

static const struct codectl_unwind_source_ops cfi_source_ops = {
	.find_rule = find_rule,
	.find_cfi = find_cfi,
	.next_start = next_start,
	.add_stats = add_stats,
	.destroy = destroy,
};

int codectl_cfi_source_create(const struct codectl_cfi_section *section,
	const struct codectl_eh_frame_hdr *hdr, uint64_t base,
	struct codectl_unwind_source **source)
{
	struct cfi_source *made = calloc(1, sizeof(*made));
	int ret;

	*source = NULL;
	if (!made)
		return -ENOMEM;
	made->source.ops = &cfi_source_ops;
	made->source.via = section->is_debug_frame ? CODECTL_FRAME_VIA_DEBUG_FRAME
						   : CODECTL_FRAME_VIA_EH_FRAME;
	made->section = *section;
	made->base = base;
	made->compiled = calloc(1, sizeof(*made->compiled));
	ret = made->compiled ? fill(made, hdr) : -ENOMEM;
	if (ret) {
		destroy(&made->source);
		return ret;
	}
	*source = &made->source;
	return 0;
}
