/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/dump.h: one state dump to one session, which goes on where it stopped
 * when the session's buffers were full. All under the registry's lock.
 */
#ifndef CODECTL_PROVIDER_DUMP_H
#define CODECTL_PROVIDER_DUMP_H

#include "provider/registry.h"

#include <stdbool.h>
#include <stdint.h>

struct lttng_ust_session;

/* Where a dump is. With all else 0, a @session is due for one from the start. */
struct codectl_dump {
	const struct lttng_ust_session *session; /* Weak. */
	bool has_begun;
	uint64_t serial;	     /* As of which it is. */
	uint64_t count;		     /* Registrations there were then, */
	uint64_t told;		     /* and those that it has told. */
	enum codectl_code_kind kind; /* The next one is the first of that kind, */
	uint64_t address;	     /* which ends above that address. */
};

/*
 * Emits as much as there is room for. Returns whether the session has the whole
 * dump now; else it is to be called again, when there may be room. What was
 * unregistered meanwhile makes it begin anew.
 */
bool codectl_dump_continue(struct codectl_dump *dump);

/* How many dumps were begun so far. */
uint64_t codectl_dump_count(void);

#endif /* CODECTL_PROVIDER_DUMP_H */
