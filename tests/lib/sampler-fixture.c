/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/sampler-fixture.h"

#include "lib/fake-provider.h"
#include "lib/tap.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/sandbox.h"
#include "sampler/threads.h"
#include "sampler/view.h"

#include <sys/syscall.h>
#include <unistd.h>

#define RING_SIZE (1 << 20)

void fake_start(enum codectl_clock clock, uint32_t frequency)
{
	CHECK_INT(codectl_slot_init_table(RING_SIZE), 0);
	CHECK_INT(codectl_handler_install(FAKE_SIGNAL, CODECTL_CAPTURE_STACK_MAX), 0);
	CHECK_INT(codectl_handler_claim(), 0);
	codectl_sandbox_init();
	codectl_clock_init(clock, frequency, FAKE_SIGNAL);
	codectl_threads_init(FAKE_SIGNAL);
}

void fake_run_round(void)
{
	uint64_t now = codectl_provider_now();

	codectl_threads_round(now);
	codectl_view_update_homes(now);
	codectl_view_update(now, FAKE_SERIAL);
}

struct codectl_slot *fake_find_slot(int32_t tid)
{
	size_t position = codectl_slot_find_used(tid);

	return position == SIZE_MAX ? NULL : codectl_slot_used(position);
}

int32_t fake_own_tid(void)
{
	return (int32_t)syscall(SYS_gettid);
}
