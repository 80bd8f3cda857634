/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/jit.h: what traces say of generated code beyond where it is: how to
 * unwind it, and how a frame in it is called. One thread.
 */
#ifndef CODECTL_COMP_JIT_H
#define CODECTL_COMP_JIT_H

#include "comp/log.h"
#include "space/space.h"
#include "unwind/jit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_jit_codes;

struct codectl_jit_codes_stats {
	struct codectl_unwind_jit_stats unwind;
	uint64_t blobs;	    /* Sections that are complete. */
	uint64_t bad_parts; /* Parts of sections that were dropped. */
	uint64_t unknown;   /* Rows and parts of something that is not registered. */
};

/* Returns NULL without memory. The caller owns it. */
struct codectl_jit_codes *codectl_jit_codes_create(void);

void codectl_jit_codes_destroy(struct codectl_jit_codes *codes);

/*
 * Takes in that the generated code @mapping is registered (REGISTER_JIT), rows of
 * it (JIT_ROWS) or a part of its section (JIT_BLOB). NULL: it is unknown. Returns 0
 * or -ENOMEM.
 */
int codectl_jit_codes_add(struct codectl_jit_codes *codes, const struct codectl_mapping *mapping,
	const struct codectl_event *event);

/* Frees what belongs to the registration @id. Returns whether there was something. */
bool codectl_jit_codes_forget(struct codectl_jit_codes *codes, uint64_t id);

/*
 * The unwind information of @mapping: weak, until destroy(), its addresses being
 * the pc less *@bias; NULL if there is none.
 */
const struct codectl_unwind_module *codectl_jit_codes_find(const struct codectl_jit_codes *codes,
	const struct codectl_mapping *mapping, uint64_t *bias);

const struct codectl_jit_codes_stats *codectl_jit_codes_borrow_stats(
	const struct codectl_jit_codes *codes);

/* Writes the statistics; what was lost or dropped at WARNING level. */
void codectl_jit_codes_log_stats(
	const struct codectl_jit_codes *codes, const struct codectl_log *log);

#endif /* CODECTL_COMP_JIT_H */
