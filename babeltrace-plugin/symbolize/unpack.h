/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/unpack.h: what compressed sections unpack to: by zlib, by zstd where
 * this was built with libzstd, also of the old kind that is named .zdebug_. And
 * the symbols within .gnu_debugdata, where this was built with liblzma. What
 * libelf can unpack depends on its version, and it changes headers in memory as
 * it does; so none of that is left to it. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_UNPACK_H
#define CODECTL_SYMBOLIZE_UNPACK_H

#include "symbolize/elf-file.h"

#include <stdbool.h>

/* So much more memory than its length has every unpacked section behind it. */
#define CODECTL_UNPACK_SLACK 32

/* Whether @section is compressed. */
bool codectl_unpack_is_packed(const struct codectl_elf_section *section);

/*
 * Unpacks a section that is. Returns 0 with *@bytes (owned by the caller, to be
 * freed) and *@len, or -ENOENT with *@reason, static.
 */
int codectl_unpack_section(const struct codectl_elf_file *file,
	const struct codectl_elf_section *section, void **bytes, size_t *len, const char **reason);

/* Finds the first compressed section of that name. Returns whether there is one. */
bool codectl_unpack_find(
	const struct codectl_elf_file *file, const char *name, struct codectl_elf_section *section);

/*
 * Opens the ELF file that is in the section .gnu_debugdata of @file, with symbols
 * that the file itself lacks. Returns 0, -ENOENT with *@reason (static; NULL:
 * there is no such section), or -ENOMEM.
 */
int codectl_unpack_debugdata(
	const struct codectl_elf_file *file, struct codectl_elf_file *inner, const char **reason);

#endif /* CODECTL_SYMBOLIZE_UNPACK_H */
