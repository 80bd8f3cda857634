/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/jit-tables.h: reads the chain of tables of a registration of generated
 * code, which the program goes on to fill. The tables need not be there, nor make
 * sense: then they are not read any further. Owns nothing; its user locks.
 */
#ifndef CODECTL_PROVIDER_JIT_TABLES_H
#define CODECTL_PROVIDER_JIT_TABLES_H

#include "codectl/ext.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a chain has been read. */
struct codectl_jit_cursor {
	uint64_t table; /* Address; 0: at the end for good. */
	uint32_t number;
	uint64_t rows; /* Of this table. */
	uint64_t reserved_len;
	bool has_reserved_len; /* Whether this table has been seen before. */
	/* A ring leads back to the table that is remembered now and then (R. Brent). */
	uint64_t mark;
	uint32_t mark_number;
};

struct codectl_jit_tables {
	uint64_t head;
	bool has_header_v2;
	uint32_t stride;
	uint32_t row_size; /* Bytes of a row that mean something to us. */
	struct codectl_jit_cursor cursor;
	uint64_t row_count; /* Rows up to the cursor. */
	const char *fault;  /* Weak, static: why it is not read any more; NULL: it is. */
	bool is_gone;	    /* Because it cannot be read. */
};

/* Takes @count rows, CODECTL_JIT_TABLES_BATCH at most, numbered from @first, of table @number. */
#define CODECTL_JIT_TABLES_BATCH 64
typedef void codectl_jit_rows_function(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count);

/*
 * Looks at the first table. @reserved_len is what its length shall be; 0: any.
 * Returns 0, -EFAULT (not readable) or -EINVAL (not aligned, or lengths that cannot be).
 */
int codectl_jit_tables_init(struct codectl_jit_tables *tables, uint64_t head, bool has_header_v2,
	uint64_t reserved_len);

/*
 * Hands on the rows that have appeared since, some @row_max at most. Returns whether
 * there are more.
 */
bool codectl_jit_tables_read(struct codectl_jit_tables *tables, size_t row_max,
	codectl_jit_rows_function *take, void *user);

/*
 * Tells for each of @count chains (CODECTL_JIT_TABLES_MANY at most) whether it may have
 * rows that were not read, by one system call for all of them.
 */
#define CODECTL_JIT_TABLES_MANY 64
void codectl_jit_tables_find_news(
	struct codectl_jit_tables *const *tables, size_t count, bool *has_news);

/* Hands on once more all rows up to the cursor, unless they are gone. */
void codectl_jit_tables_repeat(
	struct codectl_jit_tables *tables, codectl_jit_rows_function *take, void *user);

#endif /* CODECTL_PROVIDER_JIT_TABLES_H */
