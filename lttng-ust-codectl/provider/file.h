/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/file.h: files and mappings of the host, looked at without its notice.
 * Exported for our own libraries only. Any thread, not in a signal handler; errno
 * may change.
 */
#ifndef CODECTL_PROVIDER_FILE_H
#define CODECTL_PROVIDER_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Opens a file for reading, without waiting for the writer of a FIFO. A number of
 * the standard streams is given back at once (-EMFILE): a program which closes one,
 * to have its next open() get that number, must not lose it to us. The descriptor
 * is to be closed soon: the host may close all, or count them. Returns it or -errno.
 */
int codectl_provider_open_file(const char *path);

/* A mapping of a file. */
struct codectl_file_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t inode;
};

/*
 * Finds the mapping of @address in /proc/self/maps. @path, of @size bytes, gets its
 * file as the kernel shows it, but for the mark of a deleted one; @mapping may be
 * NULL. Returns 0, -ENOENT (no file there) or another negative errno.
 */
int codectl_provider_find_mapping(
	uint64_t address, struct codectl_file_mapping *mapping, char *path, size_t size);

/* Cuts off what the kernel adds to the path of a file that was deleted since. */
void codectl_provider_cut_deleted(char *path);

#endif /* CODECTL_PROVIDER_FILE_H */
