/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * .eh_frame and .debug_frame: the entries, their programs, and the module that
 * makes rows of them. Input: as fuzz/image.h says.
 */
#include "fuzz/image.h"

#include "format/cfa-program.h"
#include "format/elf.h"
#include "unwind/module.h"

#include <errno.h>

/* FDEs per input; more only repeat. */
#define FDE_MAX 128
/* Rows of an FDE at whose edges the module is asked. */
#define ROW_MAX 32

struct rows {
	const struct codectl_cfi_section *section;
	const struct codectl_cfi_cie *cie;
	const struct codectl_cfi_fde *fde;
	uint64_t end; /* Of the row before. */
	size_t count;
	uint64_t edges[ROW_MAX];
};

static void check_expression(const struct codectl_cfi_section *section, int32_t offset)
{
	size_t len;
	const uint8_t *expr = codectl_cfi_expression(section, offset, &len);

	/* NULL: its length goes beyond the section, and the program will say so. */
	if (expr)
		FUZZ_CHECK(expr >= section->bytes &&
			   len <= section->len - (size_t)(expr - section->bytes));
}

static int check_row(
	void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *rules)
{
	struct rows *rows = user;
	struct codectl_rule rule;

	FUZZ_CHECK(start == rows->end && end > start);
	FUZZ_CHECK(end <= rows->fde->start + rows->fde->size);
	rows->end = end;
	if (rows->count < ROW_MAX)
		rows->edges[rows->count++] = start;
	FUZZ_CHECK(rules->cfa_kind == CODECTL_CFA_REGISTER ||
		   rules->cfa_kind == CODECTL_CFA_EXPRESSION);
	if (rules->cfa_kind == CODECTL_CFA_REGISTER)
		FUZZ_CHECK(rules->cfa_reg < CODECTL_AMD64_REG_COUNT);
	else
		check_expression(rows->section, rules->cfa_expression);
	for (size_t reg = 0; reg < CODECTL_AMD64_REG_COUNT; reg++) {
		FUZZ_CHECK(rules->kinds[reg] <= CODECTL_CFI_VAL_EXPRESSION);
		if (rules->kinds[reg] >= CODECTL_CFI_EXPRESSION)
			check_expression(rows->section, rules->values[reg]);
	}
	rule = codectl_rule_from_cfi(rows->section, rows->cie, rules);
	FUZZ_CHECK(codectl_rule_kind(rule) == CODECTL_RULE_OUTERMOST ||
		   codectl_rule_is_fast(rule) || codectl_rule_is_slow(rule));
	FUZZ_CHECK(codectl_rule_origin(rule) == 0);
	return 0;
}

/* Rules, as rows and as the interpreter makes them itself. */
struct rules {
	const struct codectl_cfi_section *section;
	const struct codectl_cfi_cie *cie;
	struct codectl_rule last;
	size_t count;
	uint64_t starts[ROW_MAX];
	struct codectl_rule rules[ROW_MAX];
};

static int take_rule(void *user, uint64_t start, struct codectl_rule rule)
{
	struct rules *rules = user;

	FUZZ_CHECK(!rules->count || rule.bits != rules->last.bits);
	rules->last = rule;
	if (rules->count < ROW_MAX) {
		rules->starts[rules->count] = start;
		rules->rules[rules->count] = rule;
	}
	rules->count++;
	return 0;
}

static int make_rule(
	void *user, uint64_t start, uint64_t end, const struct codectl_cfi_rules *cfi_rules)
{
	struct rules *rules = user;
	struct codectl_rule rule = codectl_rule_from_cfi(rules->section, rules->cie, cfi_rules);

	(void)end;
	return rules->count && rule.bits == rules->last.bits ? 0 : take_rule(rules, start, rule);
}

static void check_rule_program(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde)
{
	struct rules made = {.section = section, .cie = cie};
	struct rules taken = {.section = section, .cie = cie};
	int ret = codectl_cfa_program_run(section, cie, fde, make_rule, &made);

	FUZZ_CHECK(codectl_cfa_program_run_rules(section, cie, fde, take_rule, &taken) == ret);
	if (ret)
		return;
	FUZZ_CHECK(made.count == taken.count);
	for (size_t i = 0; i < made.count && i < ROW_MAX; i++)
		FUZZ_CHECK(made.starts[i] == taken.starts[i] &&
			   made.rules[i].bits == taken.rules[i].bits);
}

/* What both ways to the same FDE say. */
static void check_read_again(const struct codectl_cfi_section *section,
	const struct codectl_cfi_cie *cie, const struct codectl_cfi_fde *fde)
{
	struct codectl_cfi_cie other_cie;
	struct codectl_cfi_fde other;

	codectl_cfi_cie_init(&other_cie);
	FUZZ_CHECK(codectl_cfi_read_fde(section, fde->offset, &other_cie, &other) == 0);
	FUZZ_CHECK(other.start == fde->start && other.size == fde->size &&
		   other.program_offset == fde->program_offset &&
		   other.program_len == fde->program_len);
	FUZZ_CHECK(other_cie.offset == cie->offset && other_cie.ra_reg == cie->ra_reg &&
		   other_cie.is_signal_frame == cie->is_signal_frame &&
		   other_cie.fde_encoding == cie->fde_encoding);
}

/* The row table against the CFA program itself, at one address. */
static void check_rule(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	struct codectl_rule rule = codectl_unwind_module_find_rule(module, vaddr);
	struct codectl_unwind_module_cfi cfi;
	struct codectl_cfi_cie cie = {.offset = 0};
	struct codectl_rule expected;

	if (codectl_unwind_module_find_cfi(module, vaddr, &cfi)) {
		FUZZ_CHECK(codectl_rule_kind(rule) == CODECTL_RULE_NONE ||
			   codectl_rule_kind(rule) == CODECTL_RULE_OUTERMOST);
		return;
	}
	cie.ra_reg = cfi.ra_reg;
	cie.is_signal_frame = cfi.is_signal_frame;
	expected = codectl_rule_from_cfi(cfi.section, &cie, &cfi.rules);
	FUZZ_CHECK(codectl_rule_with_origin(rule, 0).bits == expected.bits);
	FUZZ_CHECK(codectl_rule_origin(rule) == cfi.via);
}

static void check_rules(const struct codectl_unwind_module *module,
	const struct codectl_cfi_fde *fde, const struct rows *rows)
{
	check_rule(module, fde->start - 1);
	for (size_t i = 0; i < rows->count; i++) {
		check_rule(module, rows->edges[i]);
		check_rule(module, rows->edges[i] + 1);
		check_rule(module, rows->edges[i] - 1);
	}
	check_rule(module, fde->start + fde->size / 2);
	check_rule(module, fde->start + fde->size - 1);
	check_rule(module, fde->start + fde->size);
}

static void check_entries(
	const struct codectl_cfi_section *section, const struct codectl_unwind_module *module)
{
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret = 0;

	codectl_cfi_cie_init(&cie);
	for (size_t i = 0; ret != -ENOENT && i < FDE_MAX; i++) {
		size_t before = offset;

		ret = codectl_cfi_next_fde(section, &offset, &cie, &fde);
		FUZZ_CHECK(ret == 0 || ret == -ENOENT || ret == -EINVAL);
		FUZZ_CHECK(offset <= section->len && (ret == -ENOENT || offset > before));
		if (ret)
			continue;
		FUZZ_CHECK(fde.offset >= before && fde.offset < offset);
		FUZZ_CHECK(fde.size > 0 && fde.start + fde.size > fde.start);
		FUZZ_CHECK(fde.program_len <= offset &&
			   fde.program_offset <= offset - fde.program_len);
		check_read_again(section, &cie, &fde);

		struct rows rows = {section, &cie, &fde, .end = fde.start};
		int run = codectl_cfa_program_run(section, &cie, &fde, check_row, &rows);

		check_rule_program(section, &cie, &fde);
		FUZZ_CHECK(run == -EINVAL || (run == 0 && rows.end == fde.start + fde.size));
		if (module)
			check_rules(module, &fde, &rows);
	}
}

/* What the module made of it can be no more than the file holds, for each kind of section. */
static void check_stats(const struct codectl_unwind_module *module, size_t image_len)
{
	const struct codectl_unwind_module_stats *stats = codectl_unwind_module_borrow_stats(
		module);

	FUZZ_CHECK(stats->fdes <= 2 * (image_len / 8 + 1));
	FUZZ_CHECK(stats->rows <= 2 * (image_len + 2));
	FUZZ_CHECK(stats->slow_rows <= stats->rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct codectl_unwind_module *module = NULL;
	struct codectl_reader input;
	struct fuzz_image image;
	struct codectl_elf elf;

	codectl_reader_init(&input, bytes, len);
	fuzz_image_make(&image, &input);

	struct codectl_cfi_section section = {
		.bytes = image.bytes + image.section_offset,
		.len = image.section_len,
		.vaddr = image.section_vaddr,
		.is_debug_frame = image.is_debug_frame,
	};

	FUZZ_CHECK(codectl_elf_init(&elf, image.bytes, image.len) == 0);

	int ret = codectl_unwind_module_create(&elf, &module);

	FUZZ_CHECK(ret == 0 || ret == -ENOENT);
	FUZZ_CHECK((ret == 0) == (module != NULL));
	check_entries(&section, module);
	if (module)
		check_stats(module, image.len);
	codectl_unwind_module_destroy(module);
	fuzz_image_free(&image);
	return 0;
}
