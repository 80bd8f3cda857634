/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/emission.h: how an emitter learns that an event found no room in a
 * session's buffers, of which LTTng-UST tells a program nothing: the expressions
 * of an event's fields are evaluated to write them, after room was found. So the
 * first field counts its evaluations. Before that, all fields are evaluated once
 * if the session has a filter.
 */
#ifndef CODECTL_PROVIDER_EMISSION_H
#define CODECTL_PROVIDER_EMISSION_H

#include "format/event.h"

struct codectl_emission {
	struct codectl_event event; /* First: a tracepoint gets a pointer to it. */
	unsigned int evaluations;
};

/* The field vpid of @event, which is that of an emission. */
static inline int32_t codectl_emission_evaluate(const struct codectl_event *event)
{
	((struct codectl_emission *)(uintptr_t)event)->evaluations++;
	return event->vpid;
}

#endif /* CODECTL_PROVIDER_EMISSION_H */
