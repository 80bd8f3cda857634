/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/frame-names.h: the texts of a frame, in the form of
 * filter.lttng-utils.debug-info: `libc.so.6+0x29d90`, `main+0x12`, `app.c:42`.
 * A function that was inlined has no offset: no place is its beginning. They are
 * kept, up to a bound, since a profile asks for the same ones again
 * and again. One thread.
 */
#ifndef CODECTL_COMP_FRAME_NAMES_H
#define CODECTL_COMP_FRAME_NAMES_H

#include "comp/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Never NULL; "" is unknown. Weak, until codectl_frame_names_trim() or destroy(). */
struct codectl_frame_name {
	const char *bin;
	const char *func;
	const char *src;
};

struct codectl_frame_names_stats {
	uint64_t hits;
	uint64_t misses;
};

struct codectl_frame_names;

struct codectl_frame_names_options {
	bool has_full_paths;
	bool has_inlines;
	bool has_plain_names;	   /* Names of functions without namespaces and parameters. */
	const char *target_prefix; /* Weak; outlives the users. */
};

/* Returns NULL without memory. The caller owns it. */
struct codectl_frame_names *codectl_frame_names_create(
	const struct codectl_frame_names_options *options);

void codectl_frame_names_destroy(struct codectl_frame_names *names);

/*
 * Names @pc, which is in @mapping of @object. If it is not @is_exact it is a
 * return address: the call is one byte before. Returns 0 with *@chain of *@count
 * names, 1 at least: from the innermost function that was inlined there to the
 * one that has the code (that one alone, without inlines); or -ENOMEM.
 */
int codectl_frame_names_get(struct codectl_frame_names *names, const struct codectl_object *object,
	const struct codectl_mapping *mapping, uint64_t pc, bool is_exact,
	const struct codectl_frame_name **chain, size_t *count);

/* Forgets all names. */
void codectl_frame_names_forget(struct codectl_frame_names *names);

/* Forgets all names if there are more than is good. */
void codectl_frame_names_trim(struct codectl_frame_names *names);

const struct codectl_frame_names_stats *codectl_frame_names_borrow_stats(
	const struct codectl_frame_names *names);

#endif /* CODECTL_COMP_FRAME_NAMES_H */
