/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/fake-provider.h: the few functions of the provider that the sampler
 * calls, for its unit tests: it has no sessions, and counts what is emitted. And
 * what each of those tests begins with.
 */
#ifndef CODECTL_TESTS_FAKE_PROVIDER_H
#define CODECTL_TESTS_FAKE_PROVIDER_H

#include "provider/helper.h"
#include "sampler/slot.h"

#include <stddef.h>
#include <stdint.h>

/* What codectl_provider_last_serial() returns. */
#define FAKE_SERIAL 77

/* What was emitted so far: the events, and the weights of the samples. */
struct fake_emitted {
	size_t count;
	uint64_t weight;
	struct codectl_event last; /* Its pointers are those that were passed. */
};

extern struct fake_emitted fake_emitted;

#define FAKE_SIGNAL 40

/* Starts sampling with @clock: handler, slots and clocks; all of it or the test fails. */
void fake_start(enum codectl_clock clock, uint32_t frequency);

/* What the helper thread does in a round, but for emitting. */
void fake_run_round(void);

/* The used slot of that thread, or NULL. */
struct codectl_slot *fake_find_slot(int32_t tid);

int32_t fake_own_tid(void);

#endif /* CODECTL_TESTS_FAKE_PROVIDER_H */
