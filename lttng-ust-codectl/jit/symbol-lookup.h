/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/symbol-lookup.h: a symbol that one loaded object defines itself. dlsym()
 * would also find that of another one, and needs a handle, which keeps the
 * object loaded.
 */
#ifndef CODECTL_JIT_SYMBOL_LOOKUP_H
#define CODECTL_JIT_SYMBOL_LOOKUP_H

struct dl_phdr_info;

/*
 * The address of @name in the object, or NULL. Within a callback of
 * dl_iterate_phdr(), which keeps the object loaded. Only objects with a hash
 * table (GNU style) are searched, as all linkers make them.
 */
void *codectl_symbol_lookup(const struct dl_phdr_info *info, const char *name);

#endif /* CODECTL_JIT_SYMBOL_LOOKUP_H */
