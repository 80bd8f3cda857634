/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/symbol-table.h: finds and reads the symbol tables of an ELF image,
 * and the ranges where code may be. Bounded like format/elf.h, on which it
 * stands. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_SYMBOL_TABLE_H
#define CODECTL_SYMBOLIZE_SYMBOL_TABLE_H

#include "symbolize/elf-file.h"
#include "symbolize/ranges.h"

#include <elf.h>

/* A table of Elf64_Sym and its names, in the image. */
struct codectl_symbol_table {
	const uint8_t *symbols; /* Weak; unaligned. */
	size_t count;
	const char *names; /* Weak. */
	size_t names_len;  /* Up to and with the last NUL. */
	/* Weak; to be read in parts from there; NULL: all is in memory. */
	struct codectl_elf_file *file;
};

/* The section .symtab. Returns 0 or -ENOENT. */
int codectl_symbol_table_find_static(
	const struct codectl_elf *elf, struct codectl_symbol_table *table);

/* The section .dynsym, or without section headers what PT_DYNAMIC says. Returns 0 or -ENOENT. */
int codectl_symbol_table_find_dynamic(
	const struct codectl_elf *elf, struct codectl_symbol_table *table);

/* Has a table out of @file, which must outlive it, read in parts, if the file is. */
void codectl_symbol_table_attach(struct codectl_symbol_table *table, struct codectl_elf_file *file);

/* Reads symbol @index, which must be below count, and its name ("" if it has none). */
void codectl_symbol_table_get(const struct codectl_symbol_table *table, size_t index,
	Elf64_Sym *symbol, const char **name);

/* The name of a symbol; "" if it has none. */
const char *codectl_symbol_table_name(
	const struct codectl_symbol_table *table, const Elf64_Sym *symbol);

/* So many symbols are looked at together. */
#define CODECTL_SYMBOL_BLOCK ((size_t)8192)

/*
 * Where the symbols from @index on are, @count of them (a block at most), all in the
 * table: in memory already, or read to @buffer, a block. NULL: the file has changed.
 */
const uint8_t *codectl_symbol_table_peek(
	const struct codectl_symbol_table *table, size_t index, size_t count, Elf64_Sym *buffer);

/*
 * Fills @code, which must be empty, with the executable sections, or without
 * section headers with the executable segments. Returns 0 or -ENOMEM.
 */
int codectl_symbol_table_find_code(const struct codectl_elf *elf, struct codectl_ranges *code);

#endif /* CODECTL_SYMBOLIZE_SYMBOL_TABLE_H */
