/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/statedump.h: tells a session what is registered already, so that it
 * can start late. Two ways lead to a dump, both to one session only:
 *
 *  - LTTng's own state dump (session start, `lttng regenerate statedump`, a
 *    forked child) calls the hook, in LTTng's listener thread, with ust_lock
 *    held and inside an RCU read side. It takes the registry's lock and
 *    nothing else.
 *  - What that misses (a process started within an active session, events
 *    enabled after the start) is found by codectl_statedump_service().
 *
 * A reader knows serials it has seen, so a dump too many does no harm.
 */
#ifndef CODECTL_PROVIDER_STATEDUMP_H
#define CODECTL_PROVIDER_STATEDUMP_H

#include "provider/emit.h"

#include <stdbool.h>

/* Sets the hook; provider constructor only. Returns 0 or a negative errno. */
int codectl_statedump_start(void);

/*
 * Dumps to the active sessions which had no dump, and for which the hook is not
 * about to be called (with @is_urgent it is not waited for). @known gets all
 * sessions that may have samples now: active and dumped to, or not interested
 * in registrations; @dumps how many dumps the process has emitted until then.
 * Returns whether any session is active. Any thread, not in a signal handler.
 */
bool codectl_statedump_service(
	struct codectl_emit_sessions *known, uint64_t *dumps, bool is_urgent);

/* Whether samples are recorded, as of the last service or hook. Async-signal-safe. */
bool codectl_statedump_wants_samples(void);

/* In the child of a fork: no session is known. */
void codectl_statedump_after_fork(void);

#endif /* CODECTL_PROVIDER_STATEDUMP_H */
