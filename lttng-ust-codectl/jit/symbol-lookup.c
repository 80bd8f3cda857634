/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/symbol-lookup.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What lookup needs of an object's dynamic section. */
struct tables {
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash;
};

static bool find_tables(const struct dl_phdr_info *info, struct tables *tables)
{
	const ElfW(Dyn) *dynamic = NULL;

	*tables = (struct tables){NULL, NULL, NULL};
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	}
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		/* The vDSO's are not relocated; it has nothing for us. */
		const void *address = (const void *)dynamic->d_un.d_ptr;

		if (dynamic->d_un.d_ptr < info->dlpi_addr)
			continue;
		if (dynamic->d_tag == DT_SYMTAB)
			tables->symbols = address;
		else if (dynamic->d_tag == DT_STRTAB)
			tables->names = address;
		else if (dynamic->d_tag == DT_GNU_HASH)
			tables->hash = address;
	}
	return tables->symbols && tables->names && tables->hash;
}

static uint32_t hash_name(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

void *codectl_symbol_lookup(const struct dl_phdr_info *info, const char *name)
{
	const uint32_t hash = hash_name(name);
	struct tables tables;

	if (!find_tables(info, &tables))
		return NULL;

	/* bucket count, first symbol, words of the Bloom filter, its shift */
	const uint32_t *head = tables.hash;
	const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = buckets + head[0];
	uint32_t index = head[0] ? buckets[hash % head[0]] : 0;

	if (index < head[1])
		return NULL;
	for (;; index++) {
		const ElfW(Sym) *symbol = &tables.symbols[index];
		uint32_t symbol_hash = chain[index - head[1]];

		if ((symbol_hash | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
			strcmp(tables.names + symbol->st_name, name) == 0)
			return (void *)(info->dlpi_addr + symbol->st_value);
		if (symbol_hash & 1)
			return NULL;
	}
}
