/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/symbol-table.h"

#include "format/reader.h"
#include "symbolize/elf-contents.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* So much of the names is fetched at once. */
#define NAME_CHUNK ((size_t)1024)

/* Takes @names as they are safe to use: all strings in it end. */
static void set_names(struct codectl_symbol_table *table, const uint8_t *names, size_t len)
{
	const char *last = memrchr(names, '\0', len);

	table->file = NULL;
	table->names = (const char *)names;
	table->names_len = last ? (size_t)(last - table->names) + 1 : 0;
}

static int find_by_section(
	const struct codectl_elf *elf, uint32_t type, struct codectl_symbol_table *table)
{
	struct codectl_elf_section section, names;
	struct codectl_elf_range range, names_range;

	for (size_t i = 0; i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, &section) || section.type != type ||
			section.entsize != sizeof(Elf64_Sym) ||
			codectl_elf_section_range(elf, &section, &range) ||
			codectl_elf_get_section(elf, section.link, &names) ||
			codectl_elf_section_range(elf, &names, &names_range))
			continue;
		table->symbols = range.bytes;
		table->count = range.len / sizeof(Elf64_Sym);
		set_names(table, names_range.bytes, names_range.len);
		return 0;
	}
	return -ENOENT;
}

int codectl_symbol_table_find_static(
	const struct codectl_elf *elf, struct codectl_symbol_table *table)
{
	return find_by_section(elf, SHT_SYMTAB, table);
}

/* The entries of PT_DYNAMIC that matter; 0 if absent. */
struct dynamic {
	uint64_t symtab, strtab, strsz, hash, gnu_hash;
};

static bool read_dynamic(const struct codectl_elf *elf, struct dynamic *dynamic)
{
	struct codectl_elf_segment segment;
	struct codectl_reader reader;

	memset(dynamic, 0, sizeof(*dynamic));
	if (codectl_elf_find_segment(elf, PT_DYNAMIC, &segment) || segment.offset > elf->len ||
		segment.filesz > elf->len - segment.offset)
		return false;
	codectl_reader_init(&reader, elf->image + segment.offset, segment.filesz);
	while (codectl_reader_left(&reader) >= sizeof(Elf64_Dyn)) {
		uint64_t tag = codectl_reader_u64(&reader);
		uint64_t value = codectl_reader_u64(&reader);

		if (tag == DT_NULL)
			break;
		if (tag == DT_SYMTAB)
			dynamic->symtab = value;
		else if (tag == DT_STRTAB)
			dynamic->strtab = value;
		else if (tag == DT_STRSZ)
			dynamic->strsz = value;
		else if (tag == DT_HASH)
			dynamic->hash = value;
		else if (tag == DT_GNU_HASH)
			dynamic->gnu_hash = value;
	}
	return dynamic->symtab && dynamic->strtab;
}

/*
 * PT_DYNAMIC gives no number of symbols. DT_HASH: u32 nbucket, nchain (one per
 * symbol). DT_GNU_HASH: u32 nbuckets, symoffset, bloom words (u64), shift; the
 * bloom words; a first symbol per bucket; from symoffset on one word per
 * symbol, whose bit 0 ends the chain of a bucket.
 */
static uint64_t count_dynamic(const struct codectl_elf *elf, const struct dynamic *dynamic)
{
	struct codectl_elf_range range;
	struct codectl_reader reader;

	if (dynamic->hash && codectl_elf_vaddr_range(elf, dynamic->hash, &range) == 0) {
		codectl_reader_init(&reader, range.bytes, range.len);
		codectl_reader_u32(&reader);
		return codectl_reader_u32(&reader);
	}
	if (!dynamic->gnu_hash || codectl_elf_vaddr_range(elf, dynamic->gnu_hash, &range))
		return 0;
	codectl_reader_init(&reader, range.bytes, range.len);

	uint32_t buckets = codectl_reader_u32(&reader);
	uint32_t first = codectl_reader_u32(&reader);
	uint32_t blooms = codectl_reader_u32(&reader);
	uint32_t last = 0;

	codectl_reader_u32(&reader);
	codectl_reader_bytes(&reader, (size_t)blooms * sizeof(uint64_t));
	for (uint32_t i = 0; i < buckets && !reader.is_failed; i++) {
		uint32_t symbol = codectl_reader_u32(&reader);

		if (symbol > last)
			last = symbol;
	}
	if (reader.is_failed || last < first)
		return reader.is_failed ? 0 : first;
	codectl_reader_bytes(&reader, (size_t)(last - first) * sizeof(uint32_t));
	while (!reader.is_failed && !(codectl_reader_u32(&reader) & 1))
		last++;
	return reader.is_failed ? 0 : (uint64_t)last + 1;
}

static int find_by_dynamic(const struct codectl_elf *elf, struct codectl_symbol_table *table)
{
	struct dynamic dynamic;
	struct codectl_elf_range symbols, names;

	if (!read_dynamic(elf, &dynamic) ||
		codectl_elf_vaddr_range(elf, dynamic.symtab, &symbols) ||
		codectl_elf_vaddr_range(elf, dynamic.strtab, &names))
		return -ENOENT;

	uint64_t count = count_dynamic(elf, &dynamic);

	table->symbols = symbols.bytes;
	table->count = symbols.len / sizeof(Elf64_Sym);
	if (count < table->count)
		table->count = count;
	set_names(table, names.bytes, dynamic.strsz < names.len ? dynamic.strsz : names.len);
	return 0;
}

int codectl_symbol_table_find_dynamic(
	const struct codectl_elf *elf, struct codectl_symbol_table *table)
{
	int ret = find_by_section(elf, SHT_DYNSYM, table);

	return ret ? find_by_dynamic(elf, table) : 0;
}

static int fetch(const struct codectl_symbol_table *table, const void *bytes, size_t len)
{
	if (!table->file)
		return 0;
	return codectl_elf_contents_fetch(
		table->file, (uint64_t)((const uint8_t *)bytes - table->file->elf.image), len);
}

void codectl_symbol_table_attach(struct codectl_symbol_table *table, struct codectl_elf_file *file)
{
	size_t tail = table->names_len < NAME_CHUNK ? table->names_len : NAME_CHUNK;
	const char *end = table->names + table->names_len;
	const char *last;

	if (file->storage != CODECTL_ELF_FILE_SPARSE)
		return;
	table->file = file;
	/* The NUL that seemed to be the last one may have stood for what was not read yet. */
	last = fetch(table, end - tail, tail) ? NULL : memrchr(end - tail, '\0', tail);
	table->names_len = last ? (size_t)(last - table->names) + 1 : 0;
}

void codectl_symbol_table_get(const struct codectl_symbol_table *table, size_t index,
	Elf64_Sym *symbol, const char **name)
{
	const uint8_t *bytes = table->symbols + index * sizeof(*symbol);

	fetch(table, bytes, sizeof(*symbol));
	memcpy(symbol, bytes, sizeof(*symbol));
	*name = codectl_symbol_table_name(table, symbol);
}

const char *codectl_symbol_table_name(
	const struct codectl_symbol_table *table, const Elf64_Sym *symbol)
{
	size_t left = symbol->st_name < table->names_len ? table->names_len - symbol->st_name : 0;
	const char *name = left ? table->names + symbol->st_name : "";
	const char *at = name;

	/* Zeros may stand for what was not read yet. */
	while (table->file && left > 0) {
		size_t len = left < NAME_CHUNK ? left : NAME_CHUNK;

		if (fetch(table, at, len))
			return "";
		if (memchr(at, '\0', len))
			break;
		at += len;
		left -= len;
	}
	return name;
}

const uint8_t *codectl_symbol_table_peek(
	const struct codectl_symbol_table *table, size_t index, size_t count, Elf64_Sym *buffer)
{
	const uint8_t *bytes = table->symbols + index * sizeof(*buffer);

	if (!table->file)
		return bytes;
	return codectl_elf_contents_peek(table->file, (uint64_t)(bytes - table->file->elf.image),
		count * sizeof(*buffer), buffer);
}

int codectl_symbol_table_find_code(const struct codectl_elf *elf, struct codectl_ranges *code)
{
	struct codectl_elf_section section;
	struct codectl_elf_segment segment;
	int ret = 0;

	for (size_t i = 0; !ret && i < elf->section_count; i++) {
		if (codectl_elf_get_section(elf, i, &section) || !(section.flags & SHF_ALLOC) ||
			!(section.flags & SHF_EXECINSTR) ||
			section.size > UINT64_MAX - section.vaddr)
			continue;
		ret = codectl_ranges_add(
			code, section.vaddr, section.vaddr + section.size, (uint32_t)i, 0);
	}
	for (size_t i = 0; !ret && !elf->section_count && i < elf->segment_count; i++) {
		if (codectl_elf_get_segment(elf, i, &segment) || segment.type != PT_LOAD ||
			!(segment.flags & PF_X) || segment.memsz > UINT64_MAX - segment.vaddr)
			continue;
		ret = codectl_ranges_add(
			code, segment.vaddr, segment.vaddr + segment.memsz, (uint32_t)i, 0);
	}
	return ret ? ret : codectl_ranges_flatten(code);
}
