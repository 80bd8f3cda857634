/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * elf-register/loader.h: glibc's loader in the child of a fork. It makes its locks
 * anew there, all but the one of dl_iterate_phdr(): if another thread was
 * loading or unloading just then, that one stays locked for ever, and whoever
 * asks for it waits for ever. A program that only does in the child what it may
 * does not, but LTTng-UST does when it sets up tracing there. So dl_iterate_phdr()
 * is interposed: in such a child it finds nothing.
 */
#ifndef CODECTL_ELF_REGISTER_LOADER_H
#define CODECTL_ELF_REGISTER_LOADER_H

#include <stdbool.h>

/* Whether the list is locked for ever; never true but in the child of a fork. */
bool codectl_loader_is_stuck(void);

/* In the child of a fork, before anything there can ask the loader. */
void codectl_loader_after_fork_child(void);

#endif /* CODECTL_ELF_REGISTER_LOADER_H */
