/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/module.h"

#include "unwind/cfi-source.h"
#include "unwind/find-sections.h"
#include "unwind/sframe-source.h"
#include "unwind/source.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

/* Code at an ELF file's entry, up to the next FDE; the longest is the dynamic loader's 64 bytes. */
#define ENTRY_MAX 128

struct codectl_unwind_module {
	struct codectl_unwind_source *sources; /* Owned; the one to ask first is first. */
	/*
	 * Where a process begins, if no CFI covers it: nobody called that
	 * code. Stacks of constructors end in the dynamic loader's, for one.
	 */
	uint64_t entry_start;
	uint64_t entry_end;
	struct codectl_unwind_module_stats *stats; /* Owned; as last asked for. */
};

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

/* Where the next function that any source knows begins, above @vaddr. */
static uint64_t next_start(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	uint64_t next = UINT64_MAX;

	for (const struct codectl_unwind_source *source = module->sources; source;
		source = source->next) {
		uint64_t start = source->ops->next_start(source, vaddr + source->shift);

		if (start != UINT64_MAX && start - source->shift < next)
			next = start - source->shift;
	}
	return next;
}

static enum codectl_rule_kind kind_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_kind(codectl_unwind_module_find_rule(module, vaddr));
}

static void find_entry(struct codectl_unwind_module *module, const struct codectl_elf *elf)
{
	struct codectl_rule rule;
	uint64_t end, next;

	/* Nothing is looked up for the others, so nothing is compiled for that. */
	if (!is_process_entry(elf) || elf->entry > UINT64_MAX - ENTRY_MAX)
		return;
	rule = codectl_unwind_module_find_rule(module, elf->entry);
	end = elf->entry + ENTRY_MAX;
	if (codectl_rule_kind(rule) != CODECTL_RULE_NONE) {
		/* Early SFrame has no way to say that there is no caller. */
		if (codectl_rule_origin(rule) != CODECTL_FRAME_VIA_SFRAME ||
			codectl_rule_kind(rule) == CODECTL_RULE_OUTERMOST)
			return;
		/* But it says where that code ends. */
		for (end = elf->entry + 1; end < elf->entry + ENTRY_MAX; end++) {
			if (kind_at(module, end) == CODECTL_RULE_NONE)
				break;
		}
	}
	next = next_start(module, elf->entry);
	module->entry_start = elf->entry;
	module->entry_end = next < end ? next : end;
}

/* Makes the sources, in the order in which they are asked. Returns 0 or -ENOMEM. */
static int create_sources(
	const struct codectl_unwind_files *files, struct codectl_unwind_source **next)
{
	struct codectl_found_section found[CODECTL_FOUND_SECTION_MAX];
	size_t count = 0;

	if (files->mode == CODECTL_UNWIND_AUTO || files->mode == CODECTL_UNWIND_EH_FRAME)
		count = codectl_find_cfi_sections(files, found);
	for (size_t i = 0; i < count; i++) {
		int ret = codectl_cfi_source_create(&found[i].section,
			found[i].has_hdr ? &found[i].hdr : NULL, found[i].base, next);

		if (ret == -ENOMEM)
			return ret;
		if (ret == 0) {
			(*next)->shift = found[i].shift;
			next = &(*next)->next;
		}
	}
	if (files->mode == CODECTL_UNWIND_AUTO || files->mode == CODECTL_UNWIND_SFRAME) {
		int ret = codectl_sframe_source_create(
			files->own ? files->own : files->debug, next);

		return ret == -ENOMEM ? ret : 0;
	}
	return 0;
}

int codectl_unwind_module_create_from(
	const struct codectl_unwind_files *files, struct codectl_unwind_module **module)
{
	const struct codectl_elf *elf = files->own ? files->own : files->debug;
	struct codectl_unwind_module *made;
	int ret;

	*module = NULL;
	if (!elf || elf->machine != EM_X86_64)
		return -EINVAL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	made->stats = calloc(1, sizeof(*made->stats));
	ret = made->stats ? create_sources(files, &made->sources) : -ENOMEM;
	if (ret == 0)
		find_entry(made, elf);
	if (ret == 0 && !made->sources && !made->entry_end)
		ret = -ENOENT;
	if (ret) {
		codectl_unwind_module_destroy(made);
		return ret;
	}
	*module = made;
	return 0;
}

int codectl_unwind_module_create_of(
	struct codectl_unwind_source *source, struct codectl_unwind_module **module)
{
	struct codectl_unwind_module *made = calloc(1, sizeof(*made));

	*module = NULL;
	if (made)
		made->stats = calloc(1, sizeof(*made->stats));
	if (!made || !made->stats) {
		free(made);
		source->ops->destroy(source);
		return -ENOMEM;
	}
	made->sources = source;
	*module = made;
	return 0;
}

int codectl_unwind_module_create(
	const struct codectl_elf *elf, struct codectl_unwind_module **module)
{
	const struct codectl_unwind_files files = {.own = elf};

	return codectl_unwind_module_create_from(&files, module);
}

void codectl_unwind_module_destroy(struct codectl_unwind_module *module)
{
	struct codectl_unwind_source *source = module ? module->sources : NULL;

	while (source) {
		struct codectl_unwind_source *next = source->next;

		source->ops->destroy(source);
		source = next;
	}
	if (module)
		free(module->stats);
	free(module);
}

bool codectl_unwind_module_is_empty(const struct codectl_unwind_module *module)
{
	return !module->sources;
}

const struct codectl_unwind_module_stats *codectl_unwind_module_borrow_stats(
	const struct codectl_unwind_module *module)
{
	*module->stats = (struct codectl_unwind_module_stats){0};
	for (const struct codectl_unwind_source *source = module->sources; source;
		source = source->next)
		source->ops->add_stats(source, module->stats);
	return module->stats;
}

bool codectl_unwind_module_has_start(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return vaddr > 0 && next_start(module, vaddr - 1) == vaddr;
}

static bool is_entry(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return vaddr >= module->entry_start && vaddr < module->entry_end;
}

struct codectl_rule codectl_unwind_module_find_rule(
	const struct codectl_unwind_module *module, uint64_t vaddr)
{
	const struct codectl_unwind_source *source = module->sources;

	if (is_entry(module, vaddr))
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	for (; source; source = source->next) {
		struct codectl_rule rule = source->ops->find_rule(source, vaddr + source->shift);

		if (codectl_rule_kind(rule) != CODECTL_RULE_NONE)
			return rule;
	}
	return codectl_rule_make_bare(CODECTL_RULE_NONE, false);
}

int codectl_unwind_module_find_cfi(const struct codectl_unwind_module *module, uint64_t vaddr,
	struct codectl_unwind_module_cfi *cfi)
{
	if (is_entry(module, vaddr))
		return -ENOENT;
	for (const struct codectl_unwind_source *source = module->sources; source;
		source = source->next) {
		if (source->ops->find_cfi(source, vaddr + source->shift, cfi) == 0) {
			cfi->via = source->via;
			return 0;
		}
	}
	return -ENOENT;
}
