/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/functions.h: the functions of one compile unit by address, out of
 * its DWARF. For addresses that no symbol names: symbol tables are cheaper and
 * usually say more. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_FUNCTIONS_H
#define CODECTL_SYMBOLIZE_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_functions;

/*
 * Walks the unit @unit once. Each range read is taken off *@budget; at 0 the
 * walk ends. Returns 0 with *@functions owned by the caller, or -ENOMEM.
 */
int codectl_functions_create(Dwarf_Die *unit, size_t *budget, struct codectl_functions **functions);

void codectl_functions_destroy(struct codectl_functions *functions);

/* Returns 0 with *@name weak as long as @functions, -ENOENT or -ENOMEM. */
int codectl_functions_find(
	struct codectl_functions *functions, uint64_t vaddr, const char **name, uint64_t *start);

#endif /* CODECTL_SYMBOLIZE_FUNCTIONS_H */
