/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/plt.h"

#include "format/reader.h"
#include "symbolize/symbol-table.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STUB_ALIGN    8
#define STUB_SIZE_MAX 16

/* Which symbol a slot of the global offset table gets. */
struct slot {
	uint64_t vaddr;
	uint32_t symbol;
};

struct plt {
	const struct codectl_elf *elf;
	struct codectl_symbol_table table;
	struct slot *slots; /* Owned; sorted by address. */
	size_t slot_count;
	codectl_plt_visit visit;
	void *closure;
};

static int compare_slots(const void *left, const void *right)
{
	const struct slot *a = left, *b = right;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static int read_slots(struct plt *plt, const struct codectl_elf_range *relocations)
{
	size_t count = relocations->len / sizeof(Elf64_Rela);
	struct slot *slots = reallocarray(plt->slots, plt->slot_count + count + 1, sizeof(*slots));
	struct codectl_reader reader;

	if (!slots)
		return -ENOMEM;
	plt->slots = slots;
	codectl_reader_init(&reader, relocations->bytes, relocations->len);
	for (size_t i = 0; i < count; i++) {
		uint64_t vaddr = codectl_reader_u64(&reader);
		uint64_t info = codectl_reader_u64(&reader);
		uint32_t type = (uint32_t)ELF64_R_TYPE(info);

		codectl_reader_u64(&reader);
		if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
			continue;
		slots[plt->slot_count++] = (struct slot){
			.vaddr = vaddr,
			.symbol = (uint32_t)ELF64_R_SYM(info),
		};
	}
	return 0;
}

/* The relocations against .dynsym, whatever their sections are named. */
static int read_relocations(struct plt *plt)
{
	struct codectl_elf_section section;
	struct codectl_elf_range range;

	for (size_t i = 0; i < plt->elf->section_count; i++) {
		int ret;

		if (codectl_elf_get_section(plt->elf, i, &section) || section.type != SHT_RELA ||
			!(section.flags & SHF_ALLOC) ||
			codectl_elf_section_range(plt->elf, &section, &range))
			continue;
		/* Hostile headers may name the same bytes again and again. */
		if (plt->slot_count + range.len / sizeof(Elf64_Rela) >
			plt->elf->len / sizeof(Elf64_Rela))
			break;
		ret = read_slots(plt, &range);
		if (ret)
			return ret;
	}
	if (plt->slot_count)
		qsort(plt->slots, plt->slot_count, sizeof(*plt->slots), compare_slots);
	return 0;
}

/*
 * A stub is [endbr64] [bnd] jmp *slot(%rip), padded to 8 or 16 bytes. If there is
 * one at @code, returns whether, and the address of the slot in @slot.
 */
static bool decode_stub(const uint8_t *code, size_t len, uint64_t vaddr, uint64_t *slot)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t at = 0;
	uint32_t displacement;

	if (len >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (at < len && code[at] == 0xf2)
		at++;
	if (len - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&displacement, code + at + 2, sizeof(displacement));
	*slot = vaddr + at + 6 + (uint64_t)(int64_t)(int32_t)displacement;
	return true;
}

static const char *name_of_slot(const struct plt *plt, uint64_t vaddr)
{
	const struct slot key = {.vaddr = vaddr};
	const struct slot *slot = plt->slot_count ? bsearch(&key, plt->slots, plt->slot_count,
							    sizeof(key), compare_slots)
						  : NULL;
	Elf64_Sym symbol;
	const char *name;

	if (!slot || slot->symbol >= plt->table.count)
		return "";
	codectl_symbol_table_get(&plt->table, slot->symbol, &symbol, &name);
	return name;
}

static int visit_stubs(struct plt *plt, const struct codectl_elf_range *section)
{
	uint64_t slot;

	for (size_t at = 0; at < section->len; at += STUB_ALIGN) {
		size_t left = section->len - at;
		size_t size = left < STUB_SIZE_MAX ? left : STUB_SIZE_MAX;
		const char *name;
		int ret;

		if (!decode_stub(section->bytes + at, left, section->vaddr + at, &slot))
			continue;
		/* .plt.got may hold stubs of 8 bytes. */
		if (size > STUB_ALIGN &&
			decode_stub(section->bytes + at + STUB_ALIGN, left - STUB_ALIGN,
				section->vaddr + at + STUB_ALIGN, &(uint64_t){0}))
			size = STUB_ALIGN;
		name = name_of_slot(plt, slot);
		if (!*name)
			continue;
		ret = plt->visit(
			plt->closure, section->vaddr + at, section->vaddr + at + size, name);
		if (ret)
			return ret;
	}
	return 0;
}

int codectl_plt_enumerate(struct codectl_elf_file *file, codectl_plt_visit visit, void *closure)
{
	static const char *const names[] = {".plt", ".plt.sec", ".plt.got"};
	const struct codectl_elf *elf = &file->elf;
	struct plt plt = {.elf = elf, .visit = visit, .closure = closure};
	struct codectl_elf_section section;
	struct codectl_elf_range range;
	int ret;

	if (elf->machine != EM_X86_64 || codectl_symbol_table_find_dynamic(elf, &plt.table))
		return 0;
	codectl_symbol_table_attach(&plt.table, file);
	ret = read_relocations(&plt);
	for (size_t i = 0; !ret && i < sizeof(names) / sizeof(names[0]); i++) {
		if (codectl_elf_find_section(elf, names[i], &section) == 0 &&
			codectl_elf_section_range(elf, &section, &range) == 0)
			ret = visit_stubs(&plt, &range);
	}
	free(plt.slots);
	return ret;
}
