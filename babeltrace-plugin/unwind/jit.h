/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * unwind/jit.h: the unwind information of one registration of generated code:
 * rows that appear while samples are resolved, frame pointers, or a section of
 * .eh_frame or SFrame which the program has handed over. It is used as a module
 * (unwind/module.h), whose frames are found via CODECTL_FRAME_VIA_JIT. Nothing in
 * it is trusted. One thread.
 */
#ifndef CODECTL_UNWIND_JIT_H
#define CODECTL_UNWIND_JIT_H

#include "unwind/module.h"

/* info of a row: SFrame's FRE info byte (codectl/codectl.h). */
#define CODECTL_JIT_INFO_SP(info)    ((info)&1)
#define CODECTL_JIT_INFO_COUNT(info) ((info) >> 1 & 0xf)
#define CODECTL_JIT_INFO_SIZE(info)  ((info) >> 5 & 3)
#define CODECTL_JIT_INFO_MANGLED     0x80
#define CODECTL_JIT_INFO_SIZE_4B     2

/* flags of a row (codectl/ext.h). */
#define CODECTL_JIT_FLAG_SIGNAL 1

struct codectl_unwind_jit;

struct codectl_unwind_jit_stats {
	uint64_t rows;	     /* Taken in. */
	uint64_t bad_rows;   /* Dropped: outside of the text, or they make no sense. */
	uint64_t unsorted;   /* Out of order in a table that should be sorted; they are used. */
	uint64_t overlaps;   /* Rows that were cut or replaced by a later one. */
	uint64_t lost_rows;  /* Numbers that are missing. */
	uint64_t bad_blobs;  /* Sections that cannot be used. */
	uint64_t bad_tables; /* Events dropped: too many tables. */
};

/*
 * Makes the unwind information of code in [text_start, text_end) in @format, an
 * enum codectl_jit_format. Returns NULL without memory.
 */
struct codectl_unwind_jit *codectl_unwind_jit_create(
	uint32_t format, uint64_t text_start, uint64_t text_end);

void codectl_unwind_jit_destroy(struct codectl_unwind_jit *jit);

/*
 * Takes in rows. Those that are known already (by table and number) are left
 * out; what makes no sense is dropped, and counted in @stats. Returns 0 or
 * -ENOMEM.
 */
int codectl_unwind_jit_add_rows(struct codectl_unwind_jit *jit,
	const struct codectl_event_jit_rows *event, struct codectl_unwind_jit_stats *stats);

/*
 * Gives it its whole section, @len bytes that were at @vaddr in the process and
 * must outlive it. Returns 0 or -ENOMEM.
 */
int codectl_unwind_jit_set_blob(struct codectl_unwind_jit *jit, const uint8_t *bytes, size_t len,
	uint64_t vaddr, struct codectl_unwind_jit_stats *stats);

/* The module, weak, whose addresses are the pc less the bias. NULL: nothing is known yet. */
const struct codectl_unwind_module *codectl_unwind_jit_borrow_module(
	const struct codectl_unwind_jit *jit, uint64_t *bias);

#endif /* CODECTL_UNWIND_JIT_H */
