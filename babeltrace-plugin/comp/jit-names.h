/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/jit-names.h: the texts of frames in generated code: `[jit]`, `compute+0x12`,
 * `app.js:42`, and those of the functions that are inlined there. One thread.
 */
#ifndef CODECTL_COMP_JIT_NAMES_H
#define CODECTL_COMP_JIT_NAMES_H

#include "comp/frame-names.h"
#include "space/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_jit_names;

struct codectl_jit_names_options {
	bool has_full_paths;
	bool has_inlines; /* A name for each function that was inlined. */
};

/* Returns NULL without memory. The caller owns it. */
struct codectl_jit_names *codectl_jit_names_create(const struct codectl_jit_names_options *options);

void codectl_jit_names_destroy(struct codectl_jit_names *names);

/*
 * Names @pc, which is in @symbol; NULL: in generated code that nobody has named.
 * Returns 0 with *@chain of *@count names as codectl_frame_names_get(), valid
 * until codectl_jit_names_reset(); or -ENOMEM.
 */
int codectl_jit_names_get(struct codectl_jit_names *names, const struct codectl_jit_symbol *symbol,
	uint64_t pc, bool is_exact, const struct codectl_frame_name **chain, size_t *count);

/* Forgets all texts. */
void codectl_jit_names_reset(struct codectl_jit_names *names);

#endif /* CODECTL_COMP_JIT_NAMES_H */
