/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/elf-file.h: the bytes of one ELF file, opened with care: paths come
 * from traces and from other ELF files. One thread.
 *
 * Files up to 8 MiB are copied into memory, so that whoever truncates or
 * rewrites them later cannot disturb us. Larger ones are mapped privately: the
 * memory of a copy would cost more than it is worth, but truncating such a file
 * while it is open ends the process with SIGBUS, as with every tool that maps
 * files. (Linkers and package managers replace files rather than truncate them.)
 */
#ifndef CODECTL_SYMBOLIZE_ELF_FILE_H
#define CODECTL_SYMBOLIZE_ELF_FILE_H

#include "symbolize/object-file.h"

enum codectl_elf_file_storage {
	CODECTL_ELF_FILE_CLOSED,
	CODECTL_ELF_FILE_COPIED,
	CODECTL_ELF_FILE_MAPPED,
	CODECTL_ELF_FILE_FOREIGN, /* Somebody else's memory: the vDSO. */
};

/* All zero: closed. */
struct codectl_elf_file {
	/* Owned, according to storage. Written to by libelf alone: headers of unpacked sections. */
	void *bytes;
	size_t len;
	enum codectl_elf_file_storage storage;
	struct codectl_elf elf; /* Over bytes. */
};

static inline bool codectl_elf_file_is_open(const struct codectl_elf_file *file)
{
	return file->storage != CODECTL_ELF_FILE_CLOSED;
}

/*
 * Opens @path if it is a regular file and ELF64 little-endian. FIFOs and
 * devices are not even opened. Returns 0, -ENOENT (*@status says why) or
 * -ENOMEM. After a failure *@file is closed.
 */
int codectl_elf_file_open(
	struct codectl_elf_file *file, const char *path, enum codectl_object_status *status);

/* Opens the vDSO of this process. Returns 0 or -ENOENT. */
int codectl_elf_file_open_vdso(struct codectl_elf_file *file);

/*
 * Opens a copy of the @len bytes at @image. Returns 0, -ENOENT (*@status says
 * why) or -ENOMEM. After a failure *@file is closed.
 */
int codectl_elf_file_open_image(struct codectl_elf_file *file, const void *image, size_t len,
	enum codectl_object_status *status);

/* May be called on a closed file. */
void codectl_elf_file_close(struct codectl_elf_file *file);

/*
 * Has the kernel start to read the @len bytes at @bytes from the disk, if they lie
 * in the mapping of @file. Nobody waits for it.
 */
void codectl_elf_file_read_ahead(
	const struct codectl_elf_file *file, const void *bytes, size_t len);

/* Whether it has DWARF of its own, compressed or not. */
bool codectl_elf_file_has_debug_info(const struct codectl_elf_file *file);

/* Whether it has a .symtab with contents. */
bool codectl_elf_file_has_symtab(const struct codectl_elf_file *file);

/* Whether the file's build-id is exactly the @len bytes at @build_id. */
bool codectl_elf_file_has_build_id(
	const struct codectl_elf_file *file, const uint8_t *build_id, size_t len);

/* The CRC-32 of a .gnu_debuglink, over the whole file. */
uint32_t codectl_elf_file_crc(const struct codectl_elf_file *file);

#endif /* CODECTL_SYMBOLIZE_ELF_FILE_H */
