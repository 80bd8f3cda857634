/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/time-range.h: the part of a trace that is wanted, as parameters `begin`
 * and `end` say it: "YYYY-MM-DD hh:mm:ss.ns", "hh:mm:ss.ns" (of the day of the
 * first event) or seconds since the Epoch, with as many decimals. Times are
 * local. A trimmer before the filter would take the state dump away. One thread.
 */
#ifndef CODECTL_COMP_TIME_RANGE_H
#define CODECTL_COMP_TIME_RANGE_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

struct codectl_time_bound {
	bool is_set;
	bool has_date;	     /* Otherwise `nanoseconds` counts from midnight. */
	int64_t nanoseconds; /* Since the Epoch. */
};

/* All zero: everything. */
struct codectl_time_range {
	struct codectl_time_bound begin;
	struct codectl_time_bound end; /* Included. */
};

/* Reads @text. Returns 0 or -EINVAL. */
int codectl_time_bound_read(struct codectl_time_bound *bound, const char *text);

/*
 * Whether @message is to be passed on: not if it is an event out of @range, or tells
 * of discarded events or packets that are. Dates that are missing are set by the
 * first event.
 */
bool codectl_time_range_has(struct codectl_time_range *range, const bt_message *message);

#endif /* CODECTL_COMP_TIME_RANGE_H */
