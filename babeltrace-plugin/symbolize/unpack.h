/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/unpack.h: the contents of a section compressed by zlib
 * (SHF_COMPRESSED), for who reads ELF files without libelf. libelf itself would
 * change the section's header in memory, as if it were unpacked there. Any
 * thread.
 */
#ifndef CODECTL_SYMBOLIZE_UNPACK_H
#define CODECTL_SYMBOLIZE_UNPACK_H

#include "symbolize/elf-file.h"

#include <stdbool.h>

/* Whether @file has a compressed section of that name. */
bool codectl_unpack_has_section(const struct codectl_elf_file *file, const char *name);

/*
 * Unpacks the first one. Returns 0 with *@bytes (owned by the caller, to be
 * freed) and *@len, or -ENOENT: there is none, or it is damaged, too large, or
 * compressed in another way (zstd, or the old .zdebug sections).
 */
int codectl_unpack_section(
	const struct codectl_elf_file *file, const char *name, void **bytes, size_t *len);

#endif /* CODECTL_SYMBOLIZE_UNPACK_H */
