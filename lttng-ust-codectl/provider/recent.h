/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/recent.h: what was registered lately, as code ranges, for a reader
 * that comes late: what it asks about may be unregistered again by then; see
 * codectl_provider_recent_code().
 */
#ifndef CODECTL_PROVIDER_RECENT_H
#define CODECTL_PROVIDER_RECENT_H

#include <stdint.h>

/* Under the registry's lock. */
void codectl_recent_note(uint64_t text_start, uint64_t text_end);

#endif /* CODECTL_PROVIDER_RECENT_H */
