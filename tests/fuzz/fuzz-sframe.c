/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * .sframe: its functions and rows, and the rules that are made of them. Input:
 * u32 vaddr of the section, then the section.
 */
#include "fuzz/image.h"

#include "format/elf.h"
#include "format/sframe-amd64.h"
#include "unwind/module.h"

#include <errno.h>

/* Functions per input; more only repeat. */
#define FDE_MAX 128
/* Addresses of a function at which two ways to its rules are compared. */
#define EDGE_MAX 32

struct walk {
	const struct codectl_sframe *sframe;
	const struct codectl_sframe_fde *fde;
	size_t count;
	uint64_t end; /* Of the row before. */
};

static void check_place(const struct codectl_sframe_place *place)
{
	FUZZ_CHECK(place->kind <= CODECTL_SFRAME_MEMORY);
}

/* As rules of CFI: expressions lie within what was written. */
static void check_cfi(const struct codectl_sframe_fre *fre)
{
	uint8_t expressions[CODECTL_SFRAME_EXPRESSIONS_MAX];
	struct codectl_cfi_section section;
	struct codectl_cfi_rules rules;
	size_t len;

	codectl_sframe_to_cfi(fre, &rules, expressions, &section);
	FUZZ_CHECK(section.len <= sizeof(expressions));
	if (rules.cfa_kind == CODECTL_CFA_EXPRESSION)
		FUZZ_CHECK(codectl_cfi_expression(&section, rules.cfa_expression, &len));
	else if (rules.cfa_kind == CODECTL_CFA_REGISTER)
		FUZZ_CHECK(rules.cfa_reg < CODECTL_AMD64_REG_COUNT);
	else
		FUZZ_CHECK(fre->is_outermost);
	for (size_t reg = 0; reg < CODECTL_AMD64_REG_COUNT; reg++) {
		if (rules.kinds[reg] >= CODECTL_CFI_EXPRESSION)
			FUZZ_CHECK(codectl_cfi_expression(&section, rules.values[reg], &len));
	}
}

static int check_row(void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	struct walk *walk = user;
	const struct codectl_sframe_fde *fde = walk->fde;
	struct codectl_rule rule = codectl_rule_from_sframe(fde, fre);

	FUZZ_CHECK(start < end && start >= walk->end && end <= fde->size);
	FUZZ_CHECK(!walk->count || start == walk->end);
	FUZZ_CHECK(!fde->block || end <= fde->block);
	walk->end = end;
	walk->count++;
	FUZZ_CHECK(codectl_rule_is_fast(rule) || codectl_rule_is_slow(rule) ||
		   codectl_rule_kind(rule) == CODECTL_RULE_OUTERMOST);
	if (!fre->is_outermost) {
		FUZZ_CHECK(fre->cfa.kind != CODECTL_SFRAME_SAME &&
			   fre->cfa.base != CODECTL_SFRAME_BASE_CFA);
		check_place(&fre->cfa);
		check_place(&fre->ra);
		check_place(&fre->fp);
	}
	check_cfi(fre);
	return 0;
}

/* The rule for all blocks of a PLT, as it is within one. */
static struct codectl_rule without_plt(struct codectl_rule rule, uint64_t vaddr)
{
	int32_t cfa = codectl_rule_cfa(rule);

	if (codectl_rule_kind(rule) != CODECTL_RULE_PLT)
		return rule;
	if ((int16_t)(vaddr % 16) >= codectl_rule_fp(rule))
		cfa = (int32_t)((uint32_t)cfa + 8);
	return codectl_rule_make(CODECTL_RULE_SP, cfa, CODECTL_RULE_FP_SAME, 0);
}

static void check_rule_at(const struct walk *walk, uint64_t vaddr, struct codectl_rule rule)
{
	struct codectl_sframe_fre fre;
	int ret = codectl_sframe_find(walk->sframe, walk->fde, vaddr, &fre);

	FUZZ_CHECK(ret == 0 || ret == -ENOENT);
	if (ret)
		FUZZ_CHECK(codectl_rule_kind(rule) == CODECTL_RULE_NONE);
	else
		FUZZ_CHECK(without_plt(rule, vaddr).bits ==
			   codectl_rule_from_sframe(walk->fde, &fre).bits);
}

static int check_rule(void *user, uint64_t start, uint64_t end, struct codectl_rule rule)
{
	struct walk *walk = user;

	FUZZ_CHECK(start == walk->end && end > start);
	walk->end = end;
	if (walk->count++ < EDGE_MAX) {
		check_rule_at(walk, start, rule);
		check_rule_at(walk, start + (end - start) / 2, rule);
		check_rule_at(walk, end - 1, rule);
	}
	return 0;
}

static void check_fde(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde)
{
	struct walk walk = {.sframe = sframe, .fde = fde};
	struct walk rules = {.sframe = sframe, .fde = fde, .end = fde->start};
	struct codectl_sframe_fre fre;
	int ret;

	FUZZ_CHECK(fde->start + fde->size >= fde->start);
	FUZZ_CHECK(fde->fre_offset <= sframe->len && fde->fre_type <= 2);
	ret = codectl_sframe_run(sframe, fde, check_row, &walk);
	FUZZ_CHECK(ret == 0 || ret == -EINVAL);
	FUZZ_CHECK(walk.count <= fde->fre_count);
	FUZZ_CHECK(codectl_sframe_find(sframe, fde, fde->start + fde->size, &fre) == -ENOENT);
	/* Rows of what is malformed are not to be trusted, so nothing is compared. */
	if (ret)
		return;
	ret = codectl_sframe_run_rules(sframe, fde, check_rule, &rules);
	FUZZ_CHECK(ret == 0 || (ret == -EINVAL && fde->block));
	FUZZ_CHECK(ret || rules.end == fde->start + fde->size);
}

/* Whether both ways into a module know @vaddr, or none. */
static void check_known(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	struct codectl_rule rule = codectl_unwind_module_find_rule(module, vaddr);
	struct codectl_unwind_module_cfi cfi;
	int ret = codectl_unwind_module_find_cfi(module, vaddr, &cfi);

	FUZZ_CHECK((ret == -ENOENT) == (codectl_rule_kind(rule) == CODECTL_RULE_NONE));
	if (ret == 0)
		FUZZ_CHECK(cfi.via == CODECTL_FRAME_VIA_SFRAME &&
			   codectl_rule_origin(rule) == CODECTL_FRAME_VIA_SFRAME);
}

static void check_module(const struct codectl_sframe *sframe, const struct fuzz_image *image)
{
	struct codectl_unwind_module *module = NULL;
	struct codectl_sframe_fde fde;
	struct codectl_elf elf;
	int ret;

	FUZZ_CHECK(codectl_elf_init(&elf, image->bytes, image->len) == 0);
	ret = codectl_unwind_module_create(&elf, &module);
	FUZZ_CHECK(ret == 0 || ret == -ENOENT);
	for (size_t i = 0; module && i < sframe->fde_count && i < FDE_MAX; i++) {
		if (codectl_sframe_read_fde(sframe, i, &fde))
			continue;
		check_known(module, fde.start - 1);
		check_known(module, fde.start);
		check_known(module, fde.start + fde.size / 2);
		check_known(module, fde.start + fde.size);
	}
	codectl_unwind_module_destroy(module);
}

/* The section in an ELF file. */
static void make_image(
	struct fuzz_image *image, uint32_t vaddr, const uint8_t *section, size_t section_len)
{
	struct __attribute__((packed)) {
		uint8_t flags;
		uint32_t vaddr;
		uint16_t hdr_len;
	} head = {.flags = FUZZ_IMAGE_SFRAME, .vaddr = vaddr};
	uint8_t *bytes = fuzz_alloc(sizeof(head) + section_len);
	struct codectl_reader input;

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), section, section_len);
	codectl_reader_init(&input, bytes, sizeof(head) + section_len);
	fuzz_image_make(image, &input);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct codectl_sframe sframe;
	struct codectl_sframe_fde fde;
	struct codectl_reader input;
	struct fuzz_image image;
	uint32_t vaddr;
	uint8_t *section;
	size_t section_len;

	codectl_reader_init(&input, bytes, len);
	vaddr = codectl_reader_u32(&input);
	section = fuzz_copy(&input, SIZE_MAX, &section_len);
	if (codectl_sframe_init(&sframe, section, section_len, vaddr) == 0) {
		FUZZ_CHECK(sframe.len <= section_len);
		for (size_t i = 0; i < sframe.fde_count && i < FDE_MAX; i++) {
			if (codectl_sframe_read_fde(&sframe, i, &fde) == 0)
				check_fde(&sframe, &fde);
		}
		make_image(&image, vaddr, section, section_len);
		check_module(&sframe, &image);
		fuzz_image_free(&image);
	}
	free(section);
	return 0;
}
