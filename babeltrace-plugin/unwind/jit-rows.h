/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/jit-rows.h: the rows of generated code: intervals which never overlap,
 * and grow in number while samples are resolved. They usually come in ascending
 * order, but need not; so they are kept in sorted chunks. Private to unwind/;
 * one thread.
 */
#ifndef CODECTL_UNWIND_JIT_ROWS_H
#define CODECTL_UNWIND_JIT_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* As in struct code_jit_unwind_fre (codectl/codectl.h), offsets counted from text_start. */
struct codectl_jit_row {
	uint32_t start;
	uint32_t size; /* Not 0; start + size is at most 2^32. */
	int32_t cfa_off;
	int32_t ra_off;
	int32_t fp_off;
	uint8_t info;
	uint8_t flags;
};

struct codectl_jit_chunk;

struct codectl_jit_rows {
	struct codectl_jit_chunk **chunks; /* Owned, as the elements; none is empty. */
	size_t chunk_count;
	size_t chunk_capacity;
	size_t count;	   /* Rows. */
	uint64_t overlaps; /* Rows that were cut or replaced by a later one. */
};

/*
 * Adds a row. Where it overlaps others it replaces them. Returns 0 or -ENOMEM
 * (what it would have replaced may be gone then).
 */
int codectl_jit_rows_add(struct codectl_jit_rows *rows, const struct codectl_jit_row *row);

/* The row at @offset, weak until the next one is added; or NULL. */
const struct codectl_jit_row *codectl_jit_rows_find(
	const struct codectl_jit_rows *rows, uint32_t offset);

void codectl_jit_rows_fini(struct codectl_jit_rows *rows);

#endif /* CODECTL_UNWIND_JIT_ROWS_H */
