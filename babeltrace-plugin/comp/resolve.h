/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/resolve.h: from a sample and the map of its process to a chain of named
 * frames. Knows nothing of Babeltrace's messages. One thread.
 */
#ifndef CODECTL_COMP_RESOLVE_H
#define CODECTL_COMP_RESOLVE_H

#include "comp/frame-names.h"
#include "comp/objects.h"
#include "unwind/unwind.h"

#include <stddef.h>
#include <stdint.h>

/* All strings are weak and valid until the next sample. */
struct codectl_resolved_frame {
	uint64_t pc;
	struct codectl_frame_name name;
	const char *via;
};

struct codectl_resolved_stack {
	const struct codectl_resolved_frame *frames; /* Weak, innermost first. */
	size_t frame_count;
	const char *end; /* Weak; why it ended. */
};

struct codectl_resolver_stats {
	uint64_t ends[CODECTL_STACK_END_COUNT];
	uint64_t incomplete_maps;   /* Samples whose map may lack registrations. */
	uint64_t unknown_processes; /* Samples of processes without any registration. */
};

struct codectl_resolver;

struct codectl_resolver_options {
	const struct codectl_object_search *search; /* Weak; outlives the resolver. */
	bool has_full_paths;
	bool has_full_names; /* Of single addresses; frames always have them. */
	bool has_inlines;    /* A frame for each function that was inlined. */
	enum codectl_unwind_mode mode;
	const struct codectl_log *log;	 /* Weak; outlives the resolver. */
	struct codectl_archive *archive; /* The same; where used files are copied to, or NULL. */
};

/* Returns NULL without memory. The caller owns it. */
struct codectl_resolver *codectl_resolver_create(const struct codectl_resolver_options *options);

void codectl_resolver_destroy(struct codectl_resolver *resolver);

/*
 * Takes in a registration event; other types are ignored. Events that make no
 * sense are counted by the space. Returns 0 or -ENOMEM.
 */
int codectl_resolver_apply(struct codectl_resolver *resolver, const struct codectl_event *event);

/* Names the stack of the sample @event. Returns 0 or -ENOMEM. */
int codectl_resolver_resolve(struct codectl_resolver *resolver, const struct codectl_event *event,
	struct codectl_resolved_stack *stack);

/* The map of all processes. Weak, until codectl_resolver_rewind() or destroy(). */
struct codectl_space *codectl_resolver_borrow_space(struct codectl_resolver *resolver);

/*
 * Names an address of @process, of the resolver's space, at @time: @frame says
 * which, and whether it is that of a call. The names are as those of
 * codectl_frame_names_get(), always with inlined functions; weak, until the next
 * address is named. Returns 0, -ENOENT (nothing is known there) or -ENOMEM.
 */
int codectl_resolver_name(struct codectl_resolver *resolver, const struct codectl_process *process,
	uint64_t time, const struct codectl_unwind_frame *frame,
	const struct codectl_frame_name **chain, size_t *count);

/*
 * Why codectl_resolver_name() knows no function at @pc: a text for people, static;
 * "" if it has nothing to say. NULL without memory.
 */
const char *codectl_resolver_reason(struct codectl_resolver *resolver,
	const struct codectl_process *process, uint64_t time, uint64_t pc);

/* Forgets all registrations. Returns 0 or -ENOMEM. */
int codectl_resolver_rewind(struct codectl_resolver *resolver);

/* Writes the statistics of all that is below, at INFO level. */
void codectl_resolver_log_stats(const struct codectl_resolver *resolver);

#endif /* CODECTL_COMP_RESOLVE_H */
