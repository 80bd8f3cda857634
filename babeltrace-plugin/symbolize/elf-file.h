/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/elf-file.h: the bytes of one ELF file, opened with care: paths come
 * from traces and from other ELF files. One thread.
 *
 * Nothing is mapped, since truncating a mapped file ends the process with
 * SIGBUS. Files up to 8 MiB are copied into memory. Of larger ones, parts are
 * read when they are needed, into anonymous memory as large as the file, so that
 * all offsets hold; what was not read costs nothing and reads as zeros. A file
 * that changed since it was opened (size, time or inode) is not read any further.
 */
#ifndef CODECTL_SYMBOLIZE_ELF_FILE_H
#define CODECTL_SYMBOLIZE_ELF_FILE_H

#include "symbolize/object-file.h"

#include <stdbool.h>
#include <sys/stat.h>

enum codectl_elf_file_storage {
	CODECTL_ELF_FILE_CLOSED,
	CODECTL_ELF_FILE_COPIED,
	CODECTL_ELF_FILE_SPARSE,  /* Anonymous memory; some of the file is in it. */
	CODECTL_ELF_FILE_FOREIGN, /* Somebody else's memory: the vDSO. */
};

/* All zero: closed. */
struct codectl_elf_file {
	void *bytes; /* Owned, according to storage. */
	size_t len;
	enum codectl_elf_file_storage storage;
	bool is_image;		/* It came out of a trace. */
	struct codectl_elf elf; /* Over bytes. */
	char *path;		/* Owned; where it was opened. NULL: an image. */
	struct stat opened;	/* What it was then. */
	uint8_t *chunks;	/* Owned; of sparse ones: a bit for each chunk that was read. */
	size_t read_len;	/* How much that is. */
	bool has_changed;	/* It could not be read any further. */
};

static inline bool codectl_elf_file_is_open(const struct codectl_elf_file *file)
{
	return file->storage != CODECTL_ELF_FILE_CLOSED;
}

/*
 * Opens @path if it is a regular file and ELF64 little-endian. FIFOs and
 * devices are not even opened. A file that changes while it is read is tried
 * again a few times. Returns 0, -ENOENT (*@status says why) or
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

/* Whether it has DWARF of its own, compressed or not. */
bool codectl_elf_file_has_debug_info(const struct codectl_elf_file *file);

/* Whether it has a .symtab with contents. */
bool codectl_elf_file_has_symtab(const struct codectl_elf_file *file);

/* Whether the file's build-id is exactly the @len bytes at @build_id. */
bool codectl_elf_file_has_build_id(
	const struct codectl_elf_file *file, const uint8_t *build_id, size_t len);

/* Why a file that codectl_elf_init() refuses is none for us. */
enum codectl_object_status codectl_elf_file_refusal(const void *bytes, size_t len);

#endif /* CODECTL_SYMBOLIZE_ELF_FILE_H */
