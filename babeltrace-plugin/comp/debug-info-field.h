/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/debug-info-field.h: the structure {bin, func, src} that is appended to
 * the common context of events with `vpid` and `ip`, in the form of
 * filter.lttng-utils.debug-info. One thread.
 */
#ifndef CODECTL_COMP_DEBUG_INFO_FIELD_H
#define CODECTL_COMP_DEBUG_INFO_FIELD_H

#include "comp/learn.h"
#include "trace-ir/copier.h"

#include <stdint.h>

struct codectl_debug_info_field_stats {
	uint64_t events;     /* That were given the structure. */
	uint64_t cached;     /* Of those: named before. */
	uint64_t no_process; /* Of those: nothing is known of the process. */
	uint64_t no_mapping; /* Of those: nothing is known of what was at the address. */
};

struct codectl_debug_info_options {
	const char *field_name; /* Weak. */
};

struct codectl_debug_info_field;

/* @learner is weak and outlives it. Returns NULL without memory. The caller owns it. */
struct codectl_debug_info_field *codectl_debug_info_field_create(
	const struct codectl_debug_info_options *options, struct codectl_learner *learner);

void codectl_debug_info_field_destroy(struct codectl_debug_info_field *field);

/* The extension through which @field changes contexts. */
struct codectl_context_extension codectl_debug_info_field_extension(
	struct codectl_debug_info_field *field);

/* The event from now on is that of @message, weak, at @position in the sequence of messages. */
void codectl_debug_info_field_set_message(
	struct codectl_debug_info_field *field, const bt_message *message, uint64_t position);

/* Forgets what was named before: the learner forgets as well. */
void codectl_debug_info_field_rewind(struct codectl_debug_info_field *field);

const struct codectl_debug_info_field_stats *codectl_debug_info_field_borrow_stats(
	const struct codectl_debug_info_field *field);

#endif /* CODECTL_COMP_DEBUG_INFO_FIELD_H */
