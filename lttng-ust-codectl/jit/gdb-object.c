/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/gdb-object.h"

#include "format/elf.h"
#include "format/reader.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

static bool is_code(const struct codectl_elf_section *section)
{
	return (section->flags & SHF_EXECINSTR) && (section->flags & SHF_ALLOC) && section->vaddr &&
	       section->size && section->vaddr + section->size > section->vaddr;
}

/* Where a function is in the process. Returns whether it is in its section, and that is code. */
static bool locate(const struct codectl_elf *elf, const Elf64_Sym *symbol,
	struct codectl_gdb_function *function)
{
	struct codectl_elf_section section;

	if (codectl_elf_get_section(elf, symbol->st_shndx, &section) != 0 || !is_code(&section))
		return false;
	function->start = symbol->st_value + (elf->type == ET_REL ? section.vaddr : 0);
	function->size = symbol->st_size;
	return function->start - section.vaddr < section.size &&
	       function->size <= section.size - (function->start - section.vaddr);
}

static void tell_symbols(const struct codectl_elf *elf, const struct codectl_elf_section *table,
	const struct codectl_gdb_callbacks *callbacks)
{
	struct codectl_elf_section names;
	struct codectl_elf_range bytes;
	struct codectl_elf_range texts;

	if (codectl_elf_section_range(elf, table, &bytes) != 0 ||
		codectl_elf_get_section(elf, table->link, &names) != 0 ||
		codectl_elf_section_range(elf, &names, &texts) != 0)
		return;
	for (size_t at = 0; at + sizeof(Elf64_Sym) <= bytes.len; at += sizeof(Elf64_Sym)) {
		struct codectl_gdb_function function;
		Elf64_Sym symbol;

		memcpy(&symbol, bytes.bytes + at, sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= texts.len ||
			!memchr(texts.bytes + symbol.st_name, '\0', texts.len - symbol.st_name) ||
			!locate(elf, &symbol, &function))
			continue;
		function.name = (const char *)texts.bytes + symbol.st_name;
		if (*function.name)
			callbacks->function(callbacks->user, &function);
	}
}

int codectl_gdb_object_read(
	const void *image, size_t len, const struct codectl_gdb_callbacks *callbacks)
{
	struct codectl_elf elf;
	struct codectl_elf_section section;
	struct codectl_elf_range range;

	if (codectl_elf_init(&elf, image, len) != 0 || !elf.section_count)
		return -EINVAL;
	for (size_t i = 0; i < elf.section_count; i++) {
		if (codectl_elf_get_section(&elf, i, &section) == 0 && is_code(&section))
			callbacks->text(callbacks->user, section.vaddr, section.size);
	}
	for (size_t i = 0; i < elf.section_count; i++) {
		if (codectl_elf_get_section(&elf, i, &section) == 0 && section.type == SHT_SYMTAB)
			tell_symbols(&elf, &section, callbacks);
	}
	if (codectl_elf_find_section(&elf, ".eh_frame", &section) == 0 &&
		codectl_elf_section_range(&elf, &section, &range) == 0 && range.len)
		callbacks->eh_frame(callbacks->user, section.vaddr, range.bytes, range.len);
	return 0;
}
