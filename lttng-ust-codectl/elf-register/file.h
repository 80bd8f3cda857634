/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * elf-register/file.h: what the file system knows of a loaded object. Nothing
 * here blocks on a FIFO, maps a file that could be truncated meanwhile, or
 * prints. One thread at a time; errno may change.
 */
#ifndef CODECTL_ELF_REGISTER_FILE_H
#define CODECTL_ELF_REGISTER_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes the path of the program. @address is in its code: it tells the program
 * from a loader which was asked by name to run it. Returns 0 or a negative errno.
 */
int codectl_file_program_path(uint64_t address, char *path, size_t size);

/*
 * Reads .gnu_debuglink of the ELF file at @path. Returns 0, or a negative
 * errno if there is none, or no such regular file, or it is damaged.
 */
int codectl_file_debug_link(const char *path, char *debug_link, size_t size, uint32_t *crc);

#endif /* CODECTL_ELF_REGISTER_FILE_H */
