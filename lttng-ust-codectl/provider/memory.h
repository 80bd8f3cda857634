/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/memory.h: reads memory of this process that may not be there.
 * Async-signal-safe; errno is kept.
 */
#ifndef CODECTL_PROVIDER_MEMORY_H
#define CODECTL_PROVIDER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copies the NUL-terminated string at @address, @size bytes at most with its
 * NUL. Returns its length, -EFAULT or -ENAMETOOLONG.
 */
int codectl_memory_read_string(uint64_t address, char *to, size_t size);

/*
 * Copies @len bytes from each of @count addresses (CODECTL_MEMORY_MANY at most), one
 * after the other to @to. Returns 0, or -EFAULT if any of them cannot be read.
 */
#define CODECTL_MEMORY_MANY 64
int codectl_memory_read_many(const uint64_t *addresses, size_t count, size_t len, void *to);
/* Memory of the process, and where it is to be copied. */
struct codectl_memory_part {
	uint64_t address;
	void *to; /* Weak. */
	size_t len;
};

/* Copies @count parts, 8 at most, with one system call. Returns 0, or -EFAULT if any is not there. */
int codectl_memory_read_parts(const struct codectl_memory_part *parts, size_t count);

/* The bytes from @address to the end of its page, @len at most: there all or none. */
size_t codectl_memory_page_part(uint64_t address, size_t len);

/* Whether the @len bytes at @address are all 0. Returns 1, 0 or -EFAULT. */
int codectl_memory_is_zero(uint64_t address, size_t len);

/*
 * As copy_struct_from_user() in the kernel: copies the structure of @size bytes at
 * @from to the one of @known bytes at @to. What is missing becomes 0; what is too
 * much has to be. Returns 0, -E2BIG (it is not) or -EFAULT.
 */
int codectl_memory_copy_struct(void *to, size_t known, const void *from, size_t size);

#endif /* CODECTL_PROVIDER_MEMORY_H */
