/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/register-elf.h: CODE_REGISTER_ELF: checks what a caller passes, copies
 * it, and hands it to the registry. The rules are in include/codectl/codectl.h.
 */
#ifndef CODECTL_PROVIDER_REGISTER_ELF_H
#define CODECTL_PROVIDER_REGISTER_ELF_H

#include <stddef.h>

/*
 * @user_info: the caller's struct code_elf_info of @size bytes, which need not be
 * readable. Returns 0 or the negative errno of codectl(). Any thread.
 */
int codectl_register_elf(const void *user_info, size_t size);

/* The same for struct code_elf_ranges of codectl/ext.h. */
int codectl_register_elf_ranges(const void *user_info, size_t size);
int codectl_unregister_elf_ranges(const void *user_info, size_t size);

#endif /* CODECTL_PROVIDER_REGISTER_ELF_H */
