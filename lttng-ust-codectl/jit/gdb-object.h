/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/gdb-object.h: what an in-memory object of GDB's JIT interface says of the
 * code that it describes ("Debugging with GDB", section JIT Interface): an ELF
 * file whose addresses are those of the code in this process. In a relocatable
 * one (LLVM's) the sections' addresses are real, and symbols relative to them.
 *
 * Pure; the image is untrusted, and must not change meanwhile.
 */
#ifndef CODECTL_JIT_GDB_OBJECT_H
#define CODECTL_JIT_GDB_OBJECT_H

#include <stddef.h>
#include <stdint.h>

struct codectl_gdb_function {
	uint64_t start;
	uint64_t size;
	const char *name; /* Weak, in the image; terminated. */
};

struct codectl_gdb_callbacks {
	/* A section of code, never empty. */
	void (*text)(void *user, uint64_t start, uint64_t size);
	/* A function with a name, in one of them. */
	void (*function)(void *user, const struct codectl_gdb_function *function);
	/*
	 * Its .eh_frame: @len bytes at @bytes in the image. @address is where they are in the
	 * process, relocated, or 0 if the image has not been told.
	 */
	void (*eh_frame)(void *user, uint64_t address, const uint8_t *bytes, size_t len);
	void *user;
};

/*
 * Tells all that is in the @len bytes at @image: text first, then functions, then
 * .eh_frame. Returns 0, or -EINVAL if they are no ELF file for us.
 */
int codectl_gdb_object_read(
	const void *image, size_t len, const struct codectl_gdb_callbacks *callbacks);

#endif /* CODECTL_JIT_GDB_OBJECT_H */
