/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/symbols.h: names of functions by address, out of the symbol tables
 * of an object: an index of its own, size-checked. Between functions
 * nothing has a name; a part that was moved away has the name of its function.
 * One thread.
 */
#ifndef CODECTL_SYMBOLIZE_SYMBOLS_H
#define CODECTL_SYMBOLIZE_SYMBOLS_H

#include "symbolize/elf-file.h"

#include <stdbool.h>
#include <stdint.h>

struct codectl_symbols;

struct codectl_symbols_answer {
	const char *name;	/* Weak, as long as the index. */
	uint64_t start;		/* Of the function; a part of it may lie in front of that. */
	const char *plain_name; /* Of the symbol itself, as the table has it. Weak as well. */
	uint64_t plain_start;
	bool is_sizeless; /* How far it reaches is a guess. */
};

/*
 * Reads the symbols of @own and @debug (each may be NULL; both must outlive the
 * index). An address of @debug is @debug_bias more than in @own. Returns 0 with
 * *@symbols owned by the caller, or -ENOMEM. Without any symbols it is empty.
 */
int codectl_symbols_create(struct codectl_elf_file *own, struct codectl_elf_file *debug,
	uint64_t debug_bias, struct codectl_symbols **symbols);

void codectl_symbols_destroy(struct codectl_symbols *symbols);

/* Returns 0, -ENOENT (nothing known there) or -ENOMEM. */
int codectl_symbols_find(
	struct codectl_symbols *symbols, uint64_t vaddr, struct codectl_symbols_answer *answer);

#endif /* CODECTL_SYMBOLIZE_SYMBOLS_H */
