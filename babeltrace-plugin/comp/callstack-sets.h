/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/callstack-sets.h: which members of the structures of events are call stacks:
 * sequences of addresses, known by their names. Found once per class. One thread.
 */
#ifndef CODECTL_COMP_CALLSTACK_SETS_H
#define CODECTL_COMP_CALLSTACK_SETS_H

#include "comp/callstack-options.h"
#include "comp/contexts.h"
#include "comp/log.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A member that is a call stack. */
struct codectl_callstack_member {
	uint64_t index;
	uint64_t marker; /* The greatest number that an element can have: no address. */
	bool is_of_kernel;
};

/* Those of a structure. */
struct codectl_callstack_set {
	size_t count;
	bool has_user; /* One at least is not of the kernel. */
	struct codectl_callstack_member members[];
};

struct codectl_callstack_sets;

/*
 * All weak, outlive it. Call stacks are named after their fields, with @suffix.
 * Returns NULL without memory. The caller owns it.
 */
struct codectl_callstack_sets *codectl_callstack_sets_create(
	const struct codectl_callstack_options *options, struct codectl_contexts *contexts,
	const char *suffix);

void codectl_callstack_sets_destroy(struct codectl_callstack_sets *sets);

/*
 * The call stacks of the common context, the specific context and the payload; none, if
 * there is no such structure. Of programs only those whose events have a vpid, of the
 * kernel only if its symbols are known. Weak, as long as the class; NULL without memory.
 */
const struct codectl_callstack_set *codectl_callstack_sets_of_common_context(
	struct codectl_callstack_sets *sets, const bt_stream_class *stream_class);
const struct codectl_callstack_set *codectl_callstack_sets_of_specific_context(
	struct codectl_callstack_sets *sets, const bt_event_class *event_class);
const struct codectl_callstack_set *codectl_callstack_sets_of_payload(
	struct codectl_callstack_sets *sets, const bt_event_class *event_class);

/* The name of what is added for the sequence @name: the caller owns it. NULL without memory. */
char *codectl_callstack_sets_make_name(const struct codectl_callstack_sets *sets, const char *name);

/* Warns of names in the options that no event has. */
void codectl_callstack_sets_log_missing(
	const struct codectl_callstack_sets *sets, const struct codectl_log *log);

#endif /* CODECTL_COMP_CALLSTACK_SETS_H */
