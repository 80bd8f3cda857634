/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/sampler-fixture.h: what each unit test of the sampler begins with.
 */
#ifndef CODECTL_TESTS_SAMPLER_FIXTURE_H
#define CODECTL_TESTS_SAMPLER_FIXTURE_H

#include "provider/helper.h"
#include "sampler/slot.h"

#include <stdint.h>

#define FAKE_SIGNAL 40

/* Starts sampling with @clock: handler, slots and clocks; all of it or the test fails. */
void fake_start(enum codectl_clock clock, uint32_t frequency);

/* What the helper thread does in a round, but for emitting. */
void fake_run_round(void);

/* The used slot of that thread, or NULL. */
struct codectl_slot *fake_find_slot(int32_t tid);

int32_t fake_own_tid(void);

#endif /* CODECTL_TESTS_SAMPLER_FIXTURE_H */
