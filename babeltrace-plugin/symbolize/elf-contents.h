/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/elf-contents.h: the bytes of an elf-file.h: whole, or for large files
 * the parts that are needed, as they were when it was opened. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_ELF_CONTENTS_H
#define CODECTL_SYMBOLIZE_ELF_CONTENTS_H

#include "symbolize/elf-file.h"

/*
 * Opens a regular file for reading. Returns the descriptor, or -1 with *@status
 * the reason.
 */
int codectl_elf_contents_open(
	const char *path, struct stat *info, enum codectl_object_status *status);

/*
 * Brings what one always needs of @fd into memory: all of small files, else
 * headers, notes, unwind information and small sections. Returns 0, -ENOMEM or
 * another -errno.
 */
int codectl_elf_contents_load(struct codectl_elf_file *file, int fd);

/* Whether what was read from @fd until now is what the file was at opening. */
bool codectl_elf_contents_is_unchanged(const struct codectl_elf_file *file, int fd);

/*
 * Brings the bytes [offset, offset + len) into memory; those of them that are in
 * the file. Returns 0, or -ENOENT: it has changed, or cannot be read.
 */
int codectl_elf_contents_fetch(struct codectl_elf_file *file, uint64_t offset, uint64_t len);

/*
 * The bytes [offset, offset + len), which must be in the file: where they are in
 * memory, or else read to @buffer and not kept. NULL: it has changed, or cannot be
 * read.
 */
const uint8_t *codectl_elf_contents_peek(
	struct codectl_elf_file *file, uint64_t offset, size_t len, void *buffer);

/* The same as fetch() for what is needed besides symbol tables and DWARF: relocations, links. */
int codectl_elf_contents_fetch_links(struct codectl_elf_file *file);

/*
 * The CRC-32 of a .gnu_debuglink, over the whole file. Returns 0 or -ENOENT (it
 * has changed, or cannot be read).
 */
int codectl_elf_contents_crc(const struct codectl_elf_file *file, uint32_t *crc);

/*
 * Writes the whole file to @to. Returns 0, -ENOENT (it has changed, or cannot be
 * read) or the -errno of writing.
 */
int codectl_elf_contents_copy(const struct codectl_elf_file *file, int to);

#endif /* CODECTL_SYMBOLIZE_ELF_CONTENTS_H */
