/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * elf-register/elf-register.h: keeps the registrations equal to what the
 * dynamic loader has mapped.
 */
#ifndef CODECTL_ELF_REGISTER_ELF_REGISTER_H
#define CODECTL_ELF_REGISTER_ELF_REGISTER_H

/*
 * The task of the helper's REGISTER stage: looks whether anything was loaded or
 * unloaded since the last time, and if so registers and unregisters.
 */
void codectl_elf_register_update(void *unused);

/* In the child of a fork. */
void codectl_elf_register_after_fork(void *unused);

#endif /* CODECTL_ELF_REGISTER_ELF_REGISTER_H */
