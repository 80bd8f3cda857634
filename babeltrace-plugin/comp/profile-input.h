/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/profile-input.h: from messages to a profile. It knows the events that
 * filter.codectl.debug-info emits, and nothing of what becomes of the profile.
 * One thread.
 */
#ifndef CODECTL_COMP_PROFILE_INPUT_H
#define CODECTL_COMP_PROFILE_INPUT_H

#include "profile/profile.h"

#include <babeltrace2/babeltrace.h>

struct codectl_profile_input_stats {
	uint64_t raw_samples; /* Sample events without frames: the filter was not there. */
	uint64_t bad_events;  /* Events of ours that lack a member, or have it of another type. */
};

struct codectl_profile_input;

/* Fills @profile, which the caller owns and keeps. NULL without memory. */
struct codectl_profile_input *codectl_profile_input_create(struct codectl_profile *profile);
void codectl_profile_input_destroy(struct codectl_profile_input *input);

/* Takes in one message, borrowed; what it cannot use it counts. 0, -ENOMEM or -EOVERFLOW. */
int codectl_profile_input_add(struct codectl_profile_input *input, const bt_message *message);

const struct codectl_profile_input_stats *codectl_profile_input_borrow_stats(
	const struct codectl_profile_input *input);

#endif /* CODECTL_COMP_PROFILE_INPUT_H */
