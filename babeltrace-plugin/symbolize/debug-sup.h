/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/debug-sup.h: which supplementary file (dwz) belongs to a file. By
 * DWARF 5, 7.3.6 both have a section .debug_sup with the same checksum, and the
 * other file needs no build-id; before, .gnu_debugaltlink has its build-id. One
 * thread.
 */
#ifndef CODECTL_SYMBOLIZE_DEBUG_SUP_H
#define CODECTL_SYMBOLIZE_DEBUG_SUP_H

#include "symbolize/elf-file.h"

/* All weak, as long as the file. */
struct codectl_debug_sup {
	const char *name; /* Of the other file. */
	const uint8_t *id;
	size_t id_len;
};

/* What @file says of the other file it needs. Returns 0 or -ENOENT. */
int codectl_debug_sup_link(const struct codectl_elf_file *file, struct codectl_debug_sup *sup);

/*
 * What identifies @file: its build-id, or without one, if it is a supplementary
 * file, its checksum. Returns 0 or -ENOENT.
 */
int codectl_debug_sup_identity(
	const struct codectl_elf_file *file, const uint8_t **id, size_t *len);

#endif /* CODECTL_SYMBOLIZE_DEBUG_SUP_H */
