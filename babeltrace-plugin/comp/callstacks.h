/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/callstacks.h: sequences of addresses, as the kernel tracer adds them to the
 * contexts of events (`callstack_user`, `callstack_kernel`), get a parallel array
 * at the end of the structure that they are in: for each address a structure like
 * that of debug-info-field.h. The first is the address of an instruction, the others
 * are return addresses. Where and in which fields is found once per class. One
 * thread.
 *
 * It stands before debug-info-field.h, whose member comes last, and before what else is
 * done to payloads: those of the events that are changed there are left to it.
 */
#ifndef CODECTL_COMP_CALLSTACKS_H
#define CODECTL_COMP_CALLSTACKS_H

#include "comp/callstack-options.h"
#include "comp/debug-info-field.h"
#include "comp/learn.h"
#include "trace-ir/copier.h"

#include <stdint.h>

struct codectl_callstacks;

struct codectl_callstacks_parts {
	const struct codectl_callstack_options *options; /* Weak; outlives it. */
	const char *field_name;		 /* Weak; what is appended to the name of a sequence. */
	struct codectl_learner *learner; /* Weak; outlives it. */
	struct codectl_debug_info_field *names;	  /* The same. */
	struct codectl_payload_extension payload; /* What else is done to payloads. */
};

/* @parts is copied. Returns NULL without memory. The caller owns it. */
struct codectl_callstacks *codectl_callstacks_create(const struct codectl_callstacks_parts *parts);

void codectl_callstacks_destroy(struct codectl_callstacks *callstacks);

/* All that is done to events. It must stay where it is. */
struct codectl_copy_extension codectl_callstacks_extension(struct codectl_callstacks *callstacks);

/*
 * Asks whether @event, the one that codectl_debug_info_field_set_message() told of,
 * should wait for what is told of its process. Returns 0, -EAGAIN or -ENOMEM.
 */
int codectl_callstacks_ask(struct codectl_callstacks *callstacks, const bt_event *event);

/* Writes the statistics at INFO level, and what the user may want to know as warnings. */
void codectl_callstacks_log_stats(const struct codectl_callstacks *callstacks);

#endif /* CODECTL_COMP_CALLSTACKS_H */
