/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tp-events: a provider of LTTng-UST tracepoints, for events with an address of
 * their own: `traced:work`, with a number that says where it was fired.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER traced

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tp-events.h"

#if !defined(CODECTL_TESTS_TP_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define CODECTL_TESTS_TP_EVENTS_H

#include <lttng/tracepoint.h>

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(traced, work,
	LTTNG_UST_TP_ARGS(int, where),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, where, where)
	)
)
LTTNG_UST_TRACEPOINT_EVENT(traced, stack,
	LTTNG_UST_TP_ARGS(const uint64_t *, addresses, size_t, count),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_sequence_hex(uint64_t, stack, addresses, size_t, count)
	)
)
/* clang-format on */

#endif /* CODECTL_TESTS_TP_EVENTS_H */

#include <lttng/tracepoint-event.h>
