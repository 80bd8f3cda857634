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
#include "symbolize/parts.h"
#include "symbolize/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Whether the object's own file is the image; then *@status told why. */
bool codectl_object_file_is_image(const struct codectl_object_file *file);

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
 * can be unpacked.
 */
int codectl_object_file_unpack(
	struct codectl_object_file *file, const char *name, struct codectl_elf_range *range);

/*
 * Copies the @len bytes of code at @vaddr, an address as in the object's own
 * file. Returns 0, or -ENOENT if they are not in its executable segments.
 */
int codectl_object_file_read_code(
	struct codectl_object_file *file, uint64_t vaddr, uint8_t *bytes, size_t len);

/* One function at an address; several if calls were inlined there. */
struct codectl_symbol {
	const char *function; /* Weak; "" if unknown. Names of C++ and Rust are demangled. */
	/* As the source has it, without namespace and parameters; or as the symbol table has it. */
	const char *plain_function;
	int64_t plain_offset;
	/* Of the address from the function's start; below 0 for a part in front of it. */
	int64_t offset;
	const char *source_path; /* Weak, as the DWARF has it; "" if unknown. */
	/* 0 if unknown; with a path if the compiler says that the code is of no line. */
	uint32_t source_line;
	bool is_inlined; /* Into the next one of the chain, where source is the call. */
};

/*
 * Names @vaddr (an address as in the ELF file's program headers). Returns 0 if
 * something is known, with *@chain of *@count symbols, from the innermost
 * function inlined there to the one that has the code; or -ENOENT if neither
 * function nor line is known, with none. The symbols and their strings are weak
 * until the next address is asked for. Never fails on damaged debug
 * information: what it cannot read is unknown.
 */
int codectl_object_file_find_chain(struct codectl_object_file *file, uint64_t vaddr,
	const struct codectl_symbol **chain, size_t *count);

/*
 * If more than @max bytes were read out of the debug information, frees them, to
 * be read again when an address needs them: find_chain() does so with 256 MiB.
 * Returns whether it did; then the last chain is not valid any more.
 */
bool codectl_object_file_trim(struct codectl_object_file *file, size_t max);

/*
 * The same without inlined functions: the one that has the code, and the line of
 * the code itself. Returns 0 or -ENOENT.
 */
int codectl_object_file_symbolize(
	struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *symbol);

/*
 * Tells of the files that were read, all that were needed so far: what @visit
 * returned, else 0 or -ENOMEM.
 */
int codectl_object_file_for_each_part(
	const struct codectl_object_file *file, codectl_object_part_visit *visit, void *user);

#endif /* CODECTL_SYMBOLIZE_OBJECT_FILE_H */
