/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/fake-provider.h: the few functions of the provider that the sampler
 * calls, for its unit tests and benches: it has no sessions, and counts what is
 * emitted.
 */
#ifndef CODECTL_TESTS_FAKE_PROVIDER_H
#define CODECTL_TESTS_FAKE_PROVIDER_H

#include "provider/helper.h"

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

#endif /* CODECTL_TESTS_FAKE_PROVIDER_H */
