/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/plt.h: the stubs of the procedure linkage table have no symbols;
 * which function each jumps to follows from its code and the relocations.
 * amd64 only; other machines have no stubs here. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_PLT_H
#define CODECTL_SYMBOLIZE_PLT_H

#include "symbolize/elf-file.h"

/* Gets each stub with the (unversioned) name of its function, weak in the image. 0 goes on. */
typedef int (*codectl_plt_visit)(void *closure, uint64_t start, uint64_t end, const char *name);

/* Calls @visit for each stub. Returns 0, -ENOMEM, or what @visit returned. */
int codectl_plt_enumerate(struct codectl_elf_file *file, codectl_plt_visit visit, void *closure);

#endif /* CODECTL_SYMBOLIZE_PLT_H */
