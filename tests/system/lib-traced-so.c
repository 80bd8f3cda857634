/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * lib-traced-so: a library that prog-traced loads; compiled with FUNCTION, the
 * name of the function that fires, and NUMBER.
 */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#include "tp-events.h"

__attribute__((noinline)) void FUNCTION(void)
{
	lttng_ust_tracepoint(traced, work, NUMBER);
}

void fire(void)
{
	FUNCTION();
	lttng_ust_tracepoint(traced, work, NUMBER + 1);
}
