/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/object-file.h: finds the ELF file that a trace speaks of and names
 * addresses in it. The file is trusted only if its build-id is the trace's
 * (where the trace has none: if a debug file's CRC-32 agrees). One thread.
 * The only users of libelf and libdw are in this folder.
 */
#ifndef CODECTL_SYMBOLIZE_OBJECT_FILE_H
#define CODECTL_SYMBOLIZE_OBJECT_FILE_H

#include "format/elf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where files are looked for. Strings are weak and must outlive the users. */
struct codectl_object_search {
	const char *target_prefix;     /* Put before paths of the trace; NULL or "": none. */
	const char *const *debug_dirs; /* Weak; like /usr/lib/debug. */
	size_t debug_dir_count;
};

/* What a trace says of an object. All weak. */
struct codectl_object_identity {
	const char *pathname; /* "" if unknown. */
	const uint8_t *build_id;
	size_t build_id_len;		 /* 0 if unknown. */
	const char *debug_link_pathname; /* "" if none. */
	uint32_t debug_link_crc;
	const uint8_t *image; /* For the vDSO of another kernel; NULL if unknown. It is copied. */
	size_t image_len;
};

/* How looking for a file went. */
enum codectl_object_status {
	CODECTL_OBJECT_OK,
	CODECTL_OBJECT_NO_PATH,	     /* The trace has no path (or a pseudo path like [vdso]). */
	CODECTL_OBJECT_NOT_FOUND,    /* No such file. */
	CODECTL_OBJECT_NOT_READABLE, /* It exists, but opening or mapping it failed. */
	CODECTL_OBJECT_NOT_REGULAR,  /* A directory, FIFO, device … */
	CODECTL_OBJECT_NOT_ELF,	     /* Not an ELF64 little-endian file. */
	CODECTL_OBJECT_BUILD_ID_MISMATCH, /* Another build than the one that ran. */
	CODECTL_OBJECT_STATUS_COUNT
};

struct codectl_object_file;

/*
 * Opens and checks the object's file, and finds the file with its debug
 * information (the same file, the build-id tree of a debug directory, or its
 * debug link). Symbols and lines are read on the first look-up. If only a debug
 * file can be found by build-id, the object is opened with that alone (status
 * tells why the file itself is missing).
 *
 * Returns 0 with *@file (owned by the caller), -ENOENT if there is no file to
 * use, or -ENOMEM. *@status tells how looking for the object's own file went.
 */
int codectl_object_file_open(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, struct codectl_object_file **file,
	enum codectl_object_status *status);

void codectl_object_file_close(struct codectl_object_file *file);

/*
 * The mapped bytes of the object's own file, for its program headers and
 * unwind information; valid as long as @file. NULL if only a debug file was
 * found.
 */
const struct codectl_elf *codectl_object_file_borrow_elf(const struct codectl_object_file *file);

/* The same of the separate debug file; NULL if there is none. */
const struct codectl_elf *codectl_object_file_borrow_debug_elf(
	const struct codectl_object_file *file);

/*
 * What the compressed section @name unpacks to, of the object's own file or
 * else of its debug file; the last one asked for stays valid as long as @file,
 * or until asked again. Returns 0, or -ENOENT: no such section, or nothing that
 * libelf can unpack.
 */
int codectl_object_file_unpack(
	struct codectl_object_file *file, const char *name, struct codectl_elf_range *range);

/*
 * Says that the @len bytes at @bytes, within one of the two files, will be read
 * here and there: what is mapped starts to come from the disk.
 */
void codectl_object_file_read_ahead(
	const struct codectl_object_file *file, const void *bytes, size_t len);

/* One function at an address; several if calls were inlined there. */
struct codectl_symbol {
	/* Weak, as long as the file is open; "" if unknown. C++ names are demangled. */
	const char *function;
	uint64_t offset;	 /* Of the address from the function's start. */
	const char *source_path; /* Weak, as the DWARF has it; "" if unknown. */
	/* 0 if unknown; with a path if the compiler says that the code is of no line. */
	uint32_t source_line;
};

/*
 * Names @vaddr (an address as in the ELF file's program headers). Returns 0 if
 * something is known, -ENOENT if neither function nor line is known. Never
 * fails on damaged debug information: what it cannot read is unknown.
 */
int codectl_object_file_symbolize(
	struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *symbol);

/* A text for messages: "no such file", "its build-id differs" … */
const char *codectl_object_status_text(enum codectl_object_status status);

#endif /* CODECTL_SYMBOLIZE_OBJECT_FILE_H */
