/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/kernel-symbols.h: names of a kernel's functions, from a copy of its
 * /proc/kallsyms or from a System.map:
 *
 *     ffffffffc0401230 t ext4_fill_super	[ext4]
 *
 * an address, a type, a name, and the module if it is of one. The file is read
 * whole, once, and may be anything; what is no such line is counted. Immutable
 * then, any thread.
 */
#ifndef CODECTL_SYMBOLIZE_KERNEL_SYMBOLS_H
#define CODECTL_SYMBOLIZE_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* A function. All weak, as long as the symbols. */
struct codectl_kernel_symbol {
	const char *name;
	const char *module; /* With its brackets: "[ext4]"; "" is the kernel itself. */
	uint64_t offset;    /* Of the address, from where the function begins. */
};

struct codectl_kernel_symbols_stats {
	size_t functions;
	size_t others;	  /* Symbols: they end functions. */
	size_t bad_lines; /* Left out. */
};

struct codectl_kernel_symbols;

/*
 * Reads the file at @path. Returns 0 with *@symbols, owned by the caller; -ENOMEM; or
 * -EINVAL with *@reason, a static text: why it cannot be used.
 */
int codectl_kernel_symbols_open(
	const char *path, struct codectl_kernel_symbols **symbols, const char **reason);

/* NULL is ignored. */
void codectl_kernel_symbols_close(struct codectl_kernel_symbols *symbols);

/* Returns 0 with *@symbol, the function that has @address, or -ENOENT. */
int codectl_kernel_symbols_find(const struct codectl_kernel_symbols *symbols, uint64_t address,
	struct codectl_kernel_symbol *symbol);

const struct codectl_kernel_symbols_stats *codectl_kernel_symbols_borrow_stats(
	const struct codectl_kernel_symbols *symbols);

#endif /* CODECTL_SYMBOLIZE_KERNEL_SYMBOLS_H */
