/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/recent.h"

#include "provider/export.h"
#include "provider/helper.h"
#include "provider/registry.h"

/* The last ones, and how many there ever were. Under the registry's lock. */
static struct codectl_recent_range ring[CODECTL_RECENT_MAX];
static uint64_t count;

void codectl_recent_note(uint64_t text_start, uint64_t text_end)
{
	ring[count++ % CODECTL_RECENT_MAX] = (struct codectl_recent_range){text_start, text_end};
}

CODECTL_EXPORT size_t codectl_provider_recent_code(
	uint64_t *position, struct codectl_recent_range *ranges)
{
	size_t got = 0;
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	if (count - *position > CODECTL_RECENT_MAX)
		*position = count - CODECTL_RECENT_MAX;
	for (; *position < count; (*position)++)
		ranges[got++] = ring[*position % CODECTL_RECENT_MAX];
	codectl_registry_unlock(&saved_mask);
	return got;
}
