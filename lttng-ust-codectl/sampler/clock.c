/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/clock.h"

#include "provider/log.h"
#include "sampler/perf.h"
#include "sampler/sandbox.h"
#include "sampler/timers.h"

#include <errno.h>

static enum codectl_clock kind;
static bool has_told;

void codectl_clock_init(enum codectl_clock clock, uint32_t frequency, int signal_number)
{
	kind = clock;
	codectl_timers_init(frequency, signal_number);
	codectl_perf_init(codectl_timers_interval(), signal_number);
}

/* Where there can be no perf event, the timer does it. */
static void open_perf(struct codectl_slot *slot, int index)
{
	int ret = codectl_sandbox_is_closed() ? -EPERM : codectl_perf_open(slot, index);

	if (ret && ret != -ESRCH && !__atomic_exchange_n(&has_told, true, __ATOMIC_RELAXED))
		codectl_log_debug(
			"No perf event for a thread, its CPU timer is used instead", "errno", -ret);
}

int codectl_clock_open(struct codectl_slot *slot, int index)
{
	int ret = codectl_timers_create(slot, index);

	if (ret == 0 && kind == CODECTL_CLOCK_PERF)
		open_perf(slot, index);
	return ret;
}

/* Whether the timer is what samples the thread, and not only what tells that it lives. */
static bool is_by_timer(const struct codectl_slot *slot)
{
	return kind != CODECTL_CLOCK_WALL && !codectl_perf_has(slot);
}

bool codectl_clock_start(struct codectl_slot *slot)
{
	if (is_by_timer(slot))
		return codectl_timers_start(slot);
	if (codectl_perf_has(slot))
		codectl_perf_start(slot);
	return codectl_timers_stop(slot);
}

bool codectl_clock_stop(struct codectl_slot *slot)
{
	if (codectl_perf_has(slot))
		codectl_perf_stop(slot);
	return codectl_timers_stop(slot);
}

bool codectl_clock_is_alive(const struct codectl_slot *slot)
{
	return codectl_timers_is_alive(
		slot, slot->state == CODECTL_SLOT_ARMED && is_by_timer(slot));
}

void codectl_clock_hold(void)
{
	struct codectl_slot *slot = kind == CODECTL_CLOCK_PERF && !codectl_sandbox_is_closed()
					    ? codectl_slot_find_own()
					    : NULL;

	if (!slot || !codectl_perf_has(slot))
		return;
	__atomic_store_n(&slot->is_held, true, __ATOMIC_RELEASE);
	/* A signal that it has already caused comes before this returns. */
	codectl_perf_stop(slot);
}

bool codectl_clock_check(struct codectl_slot *slot)
{
	bool is_closed = codectl_sandbox_is_closed();

	if (__atomic_exchange_n(&slot->is_held, false, __ATOMIC_ACQUIRE) &&
		slot->state == CODECTL_SLOT_ARMED)
		codectl_clock_start(slot);

	if (!codectl_perf_has(slot) || (!is_closed && codectl_perf_check(slot)))
		return false;
	codectl_perf_close(slot);
	if (!is_closed)
		open_perf(slot, (int)codectl_slot_index(slot));
	if (slot->state == CODECTL_SLOT_ARMED)
		codectl_clock_start(slot);
	return true;
}

void codectl_clock_close(struct codectl_slot *slot)
{
	codectl_perf_close(slot);
	codectl_timers_delete(slot);
}

void codectl_clock_after_fork(void)
{
	codectl_perf_after_fork();
}
