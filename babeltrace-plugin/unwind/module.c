/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/module.h"

#include "unwind/row-table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sections up to this size are compiled as a whole: it takes less than two milliseconds. */
#define EAGER_MAX (1024 * 1024)
/* Code per entry of the page index; more if there are few rows in much code. */
#define PAGE_SHIFT_MIN 8
/* Code at an ELF file's entry, up to the next FDE; the longest is the dynamic loader's 64 bytes. */
#define ENTRY_MAX 128

struct fde_entry {
	uint32_t start;	 /* From the module's base. */
	uint32_t offset; /* Of the FDE in the section. */
};

/* Rows of one FDE, in a module compiled on demand. */
struct fde_rows {
	uint32_t first;
	uint32_t count; /* 0: not compiled yet. */
};

/* What look-ups may change. */
struct compiled {
	struct codectl_row_table rows;
	struct codectl_cfi_cie cie; /* The CIE of the FDE read last. */
	struct fde_rows *fde_rows;  /* Owned; NULL if all is compiled. */
	struct codectl_unwind_module_stats stats;
};

struct codectl_unwind_module {
	struct codectl_cfi_section section;
	enum codectl_frame_via via;
	uint64_t base;		/* vaddr that offsets of code are counted from. */
	struct fde_entry *fdes; /* Owned; ascending by start. */
	size_t fde_count;
	/*
	 * If all is compiled: entry i is the last row whose pc is not above
	 * i << page_shift; one more entry for the end.
	 */
	uint32_t *pages; /* Owned. */
	size_t page_count;
	unsigned int page_shift;
	/*
	 * Where a process begins, if no FDE covers it: nobody called that code.
	 * Stacks of constructors end in the dynamic loader's, for one.
	 */
	uint64_t entry_start;
	uint64_t entry_end;
	struct compiled *compiled; /* Owned. */
};

/* What compile_fde() hands to the CFA interpreter. */
struct compilation {
	const struct codectl_unwind_module *module;
	uint32_t limit; /* Start of the next FDE: rows end there. */
	struct codectl_rule last_rule;
};

static int add_row(void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	struct compilation *compilation = user;
	const struct codectl_unwind_module *module = compilation->module;
	struct compiled *compiled = module->compiled;
	struct codectl_rule rule;

	(void)end;
	if (start - module->base >= compilation->limit)
		return 0;
	rule = codectl_rule_from_cfi(&module->section, &compiled->cie, rules);
	/* Many operations save registers of which rules do not speak. */
	if (rule.bits == compilation->last_rule.bits)
		return 0;
	compilation->last_rule = rule;
	return codectl_row_table_append(&compiled->rows, (uint32_t)(start - module->base),
		codectl_row_table_intern(&compiled->rows, rule));
}

/*
 * Appends the rows of FDE @index, and one that ends them unless the next FDE
 * does. A malformed one leaves only that.
 */
static int compile_fde(const struct codectl_unwind_module *module, size_t index)
{
	struct compiled *compiled = module->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	struct compilation compilation = {.module = module, .limit = UINT32_MAX};
	struct codectl_cfi_fde fde;
	size_t row_count = rows->count;
	size_t slow_count = rows->slow_count;
	uint64_t end = module->fdes[index].start;
	int ret;

	if (index + 1 < module->fde_count)
		compilation.limit = module->fdes[index + 1].start;
	ret = codectl_cfi_read_fde(
		&module->section, module->fdes[index].offset, &compiled->cie, &fde);
	if (ret == 0 && fde.start - module->base != end)
		ret = -EINVAL;
	if (ret == 0) {
		compilation.last_rule = codectl_rule_make_bare(CODECTL_RULE_NONE, false);
		ret = codectl_cfa_program_run(
			&module->section, &compiled->cie, &fde, add_row, &compilation);
		end += fde.size;
	}
	if (ret) {
		compiled->stats.bad_fdes++;
		rows->count = row_count;
		rows->slow_count = slow_count;
		end = module->fdes[index].start;
	}
	if (end < compilation.limit)
		ret = codectl_row_table_append(rows, (uint32_t)end, CODECTL_RULE_ID_NONE);
	return ret == -ENOMEM ? ret : 0;
}

static int compile_all(struct codectl_unwind_module *module)
{
	struct codectl_row_table *rows = &module->compiled->rows;
	uint64_t span;

	/* A row at the lowest address: then each address has one at or below it. */
	codectl_row_table_append(rows, 0, CODECTL_RULE_ID_NONE);
	for (size_t i = 0; i < module->fde_count; i++) {
		int ret = compile_fde(module, i);

		if (ret)
			return ret;
	}
	span = (uint64_t)rows->pcs[rows->count - 1] + 1;
	module->page_shift = PAGE_SHIFT_MIN;
	while (span >> module->page_shift > 4 * (uint64_t)rows->count)
		module->page_shift++;
	module->page_count = (span >> module->page_shift) + 1;
	module->pages = malloc((module->page_count + 1) * sizeof(*module->pages));
	if (!module->pages)
		return -ENOMEM;
	for (size_t page = 0, row = 0; page <= module->page_count; page++) {
		while (row + 1 < rows->count && rows->pcs[row + 1] <= (uint64_t)page
									      << module->page_shift)
			row++;
		module->pages[page] = (uint32_t)row;
	}
	return 0;
}

/* Adds an FDE to the index unless it is out of the module's reach. */
static void add_fde(struct codectl_unwind_module *module, uint64_t start, uint64_t offset)
{
	if (start - module->base >= UINT32_MAX || offset >= module->section.len) {
		module->compiled->stats.bad_fdes++;
		return;
	}
	module->fdes[module->fde_count++] = (struct fde_entry){
		(uint32_t)(start - module->base), (uint32_t)offset};
}

/* Takes the index that the linker made. Returns whether it is one. */
static bool index_from_hdr(
	struct codectl_unwind_module *module, const struct codectl_eh_frame_hdr *hdr)
{
	uint64_t before = 0;

	if (!hdr->table || hdr->count > module->section.len / 8)
		return false;
	for (size_t i = 0; i < hdr->count; i++) {
		uint64_t start, fde_vaddr;

		codectl_eh_frame_hdr_entry(hdr, i, &start, &fde_vaddr);
		if (start < before || fde_vaddr < module->section.vaddr) {
			module->fde_count = 0;
			module->compiled->stats.bad_fdes = 0;
			return false;
		}
		add_fde(module, start, fde_vaddr - module->section.vaddr);
		before = start;
	}
	return module->fde_count > 0;
}

static int compare_fdes(const void *left, const void *right)
{
	const struct fde_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Makes an index from the FDEs themselves. */
static void index_from_section(struct codectl_unwind_module *module)
{
	struct compiled *compiled = module->compiled;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	while ((ret = codectl_cfi_next_fde(&module->section, &offset, &compiled->cie, &fde)) !=
		-ENOENT) {
		if (ret)
			compiled->stats.bad_fdes++;
		else
			add_fde(module, fde.start, fde.offset);
	}
	qsort(module->fdes, module->fde_count, sizeof(*module->fdes), compare_fdes);
}

/* Finds .eh_frame and its search table. Returns 0 or -ENOENT. */
static int find_eh_frame(const struct codectl_elf *elf, struct codectl_cfi_section *found,
	struct codectl_eh_frame_hdr *hdr)
{
	struct codectl_elf_segment segment;
	struct codectl_elf_section section;
	struct codectl_elf_range range;
	bool has_hdr = codectl_elf_find_segment(elf, PT_GNU_EH_FRAME, &segment) == 0 &&
		       codectl_elf_vaddr_range(elf, segment.vaddr, &range) == 0 &&
		       codectl_eh_frame_hdr_init(hdr, range.bytes, range.len, range.vaddr) == 0;

	if (!has_hdr)
		memset(hdr, 0, sizeof(*hdr));
	if (codectl_elf_find_section(elf, ".eh_frame", &section) == 0) {
		/* Debug files keep the section's header, but not what is in it. */
		if (codectl_elf_section_range(elf, &section, &range))
			return -ENOENT;
	} else if (!has_hdr || codectl_elf_vaddr_range(elf, hdr->eh_frame_vaddr, &range)) {
		return -ENOENT;
	}
	/* Without a section's size: up to the entry that ends it, or the segment's end. */
	if (range.len > CODECTL_CFI_SECTION_MAX)
		range.len = CODECTL_CFI_SECTION_MAX;
	*found = (struct codectl_cfi_section){
		.bytes = range.bytes, .len = range.len, .vaddr = range.vaddr};
	return range.len ? 0 : -ENOENT;
}

/* Reserves memory by what the section can hold at most, and fills it. */
static int fill(struct codectl_unwind_module *module, const struct codectl_eh_frame_hdr *hdr)
{
	struct compiled *compiled = module->compiled;
	/* An FDE has 13 bytes at least, and a row takes one of them at least. */
	size_t fde_max = module->section.len / 8 + 1;
	size_t row_max = module->section.len + 2;
	int ret;

	module->fdes = malloc(fde_max * sizeof(*module->fdes));
	ret = codectl_row_table_init(&compiled->rows, row_max);
	if (!module->fdes || ret)
		return -ENOMEM;
	codectl_cfi_cie_init(&compiled->cie);
	if (!index_from_hdr(module, hdr))
		index_from_section(module);
	if (module->fde_count == 0)
		return -ENOENT;
	compiled->stats.fdes = module->fde_count;
	if (module->section.len <= EAGER_MAX)
		return compile_all(module);
	compiled->fde_rows = calloc(module->fde_count, sizeof(*compiled->fde_rows));
	return compiled->fde_rows ? 0 : -ENOMEM;
}

/* The last FDE that does not start above @offset, fde_count if there is none. */
static size_t find_fde(const struct codectl_unwind_module *module, uint64_t offset)
{
	size_t first = 0, last = module->fde_count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (module->fdes[middle].start <= offset)
			first = middle + 1;
		else
			last = middle;
	}
	return first ? first - 1 : module->fde_count;
}

/* Whether e_entry is where a process begins: old linkers set it in libraries to their first code. */
static bool is_process_entry(const struct codectl_elf *elf)
{
	struct codectl_elf_segment segment;
	struct codectl_elf_section section;

	if (elf->entry == 0)
		return false;
	if (elf->type == ET_EXEC || codectl_elf_find_segment(elf, PT_INTERP, &segment) == 0)
		return true;
	return codectl_elf_find_section(elf, ".text", &section) || section.vaddr != elf->entry;
}

static void find_entry(struct codectl_unwind_module *module, const struct codectl_elf *elf)
{
	uint64_t offset = elf->entry - module->base;
	size_t next = find_fde(module, offset);

	if (!is_process_entry(elf) || offset >= UINT32_MAX - ENTRY_MAX ||
		codectl_rule_kind(codectl_unwind_module_find_rule(module, elf->entry)) !=
			CODECTL_RULE_NONE)
		return;
	next = next == module->fde_count ? 0 : next + 1;
	module->entry_start = elf->entry;
	module->entry_end = elf->entry + ENTRY_MAX;
	if (next < module->fde_count && module->fdes[next].start - offset < ENTRY_MAX)
		module->entry_end = module->base + module->fdes[next].start;
}

int codectl_unwind_module_create(
	const struct codectl_elf *elf, struct codectl_unwind_module **module)
{
	struct codectl_cfi_section section;
	struct codectl_eh_frame_hdr hdr;
	struct codectl_unwind_module *made;
	uint64_t end;
	int ret;

	*module = NULL;
	if (elf->machine != EM_X86_64)
		return -EINVAL;
	ret = find_eh_frame(elf, &section, &hdr);
	if (ret)
		return ret;
	made = calloc(1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	made->section = section;
	made->via = CODECTL_FRAME_VIA_EH_FRAME;
	codectl_elf_load_span(elf, &made->base, &end);
	made->compiled = calloc(1, sizeof(*made->compiled));
	ret = made->compiled ? fill(made, &hdr) : -ENOMEM;
	if (ret) {
		codectl_unwind_module_destroy(made);
		return ret;
	}
	find_entry(made, elf);
	*module = made;
	return 0;
}

void codectl_unwind_module_destroy(struct codectl_unwind_module *module)
{
	if (!module)
		return;
	if (module->compiled) {
		codectl_row_table_fini(&module->compiled->rows);
		free(module->compiled->fde_rows);
		free(module->compiled);
	}
	free(module->pages);
	free(module->fdes);
	free(module);
}

const struct codectl_unwind_module_stats *codectl_unwind_module_borrow_stats(
	const struct codectl_unwind_module *module)
{
	struct codectl_unwind_module_stats *stats = &module->compiled->stats;

	stats->rows = module->compiled->rows.count;
	stats->slow_rows = module->compiled->rows.slow_count;
	stats->rules = module->compiled->rows.rule_count;
	return stats;
}

enum codectl_frame_via codectl_unwind_module_via(const struct codectl_unwind_module *module)
{
	return module->via;
}

/* The row of @offset in a module that is compiled on demand. Returns its rule's number. */
static uint16_t find_on_demand(const struct codectl_unwind_module *module, uint32_t offset)
{
	struct compiled *compiled = module->compiled;
	struct codectl_row_table *rows = &compiled->rows;
	size_t index = find_fde(module, offset);
	struct fde_rows *fde_rows;
	size_t row;

	if (index == module->fde_count)
		return CODECTL_RULE_ID_NONE;
	fde_rows = &compiled->fde_rows[index];
	if (!fde_rows->count) {
		size_t first = rows->count;

		compile_fde(module, index);
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

struct codectl_rule codectl_unwind_module_find_rule(
	const struct codectl_unwind_module *module, uint64_t vaddr)
{
	const struct codectl_row_table *rows = &module->compiled->rows;
	uint64_t offset = vaddr - module->base;
	uint64_t page = offset >> module->page_shift;
	uint16_t id = CODECTL_RULE_ID_NONE;

	if (offset < UINT32_MAX && module->compiled->fde_rows)
		id = find_on_demand(module, (uint32_t)offset);
	else if (offset < UINT32_MAX && page < module->page_count)
		id = rows->ids[codectl_row_table_search(
			rows, module->pages[page], module->pages[page + 1], (uint32_t)offset)];
	if (id == CODECTL_RULE_ID_NONE && vaddr >= module->entry_start && vaddr < module->entry_end)
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	return codectl_rule_with_origin(codectl_row_table_rule(rows, id), module->via);
}

/* What codectl_unwind_module_find_cfi() looks for. */
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

int codectl_unwind_module_find_cfi(const struct codectl_unwind_module *module, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi)
{
	struct wanted_row wanted = {.vaddr = vaddr, .rules = &cfi->rules};
	struct codectl_cfi_cie *cie = &module->compiled->cie;
	struct codectl_cfi_fde fde;
	size_t index = find_fde(module, vaddr - module->base);

	if (index == module->fde_count ||
		codectl_cfi_read_fde(&module->section, module->fdes[index].offset, cie, &fde) ||
		codectl_cfa_program_run(&module->section, cie, &fde, take_row, &wanted) != 1)
		return -ENOENT;
	cfi->section = &module->section;
	cfi->ra_reg = cie->ra_reg;
	cfi->is_signal_frame = cie->is_signal_frame;
	return 0;
}
