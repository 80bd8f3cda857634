/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/timers.h"

#include "provider/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000u
/* include/linux/posix-timers_types.h: the CPU clock of thread ~(clock >> 3), CPUCLOCK_SCHED. */
#define THREAD_CLOCK_FLAGS 6

static uint64_t interval; /* ns. */
static uint64_t tick;	  /* ns; the kernel's. */
static int sample_signal;

void codectl_timers_init(uint32_t frequency, int signal_number)
{
	interval = NS_PER_SECOND / (frequency ? frequency : 1);
	sample_signal = signal_number;

	struct timespec resolution = {0};

	clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
	tick = (uint64_t)resolution.tv_nsec;
}

uint64_t codectl_timers_interval(void)
{
	return interval;
}

/* Good enough to keep threads out of step: the finalizer of SplitMix64 (S. Vigna, 2015). */
static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / NS_PER_SECOND), .tv_nsec = (long)(ns % NS_PER_SECOND)};
}

/* Sets the timer of @slot; 0 stops it. Returns false if the thread has ended. */
static bool set_timer(const struct codectl_slot *slot, uint64_t first, uint64_t period)
{
	const struct itimerspec spec = {
		.it_value = to_timespec(first), .it_interval = to_timespec(period)};

	return syscall(SYS_timer_settime, slot->timer_id, 0, &spec, NULL) == 0;
}

int codectl_timers_create(struct codectl_slot *slot, int index)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = sample_signal,
		.sigev_value = {.sival_ptr = NULL},
	};
	int timer_id;

	event.sigev_value.sival_int = index;
	event._sigev_un._tid = slot->tid;
	slot->clock = (clockid_t)(~(unsigned int)slot->tid << 3 | THREAD_CLOCK_FLAGS);
	if (syscall(SYS_timer_create, slot->clock, &event, &timer_id) != 0)
		return -errno;
	/* Release: the handler that meets this id sees the slot of this thread. */
	__atomic_store_n(&slot->timer_id, timer_id, __ATOMIC_RELEASE);
	return 0;
}

/*
 * The kernel looks at CPU timers when its tick hits the thread, and never if the
 * thread ends before. Of threads shorter than a tick few are hit, and each hit
 * has to stand for a whole tick, whatever the thread has used by then, or such
 * threads would hardly be seen:
 *
 * - an interval longer than a tick is a number of hits, and begins at a random
 *   one of them; so threads started together are not sampled together either;
 * - of shorter intervals, the first sample is given all that fit into a tick.
 *
 * What a thread has used since its last hit, when it ends, is made up for by
 * this. Perf events need none of it.
 */
bool codectl_timers_start(struct codectl_slot *slot)
{
	uint64_t random = mix(codectl_provider_now() ^ (uint64_t)slot->tid << 32) % interval;
	uint64_t first = tick ? random / tick * tick : random;

	__atomic_store_n(&slot->first_weight,
		interval < tick ? (uint32_t)((tick + random) / interval) : 1, __ATOMIC_RELAXED);
	return set_timer(slot, first + 1, interval);
}

bool codectl_timers_stop(const struct codectl_slot *slot)
{
	return set_timer(slot, 0, 0);
}

/*
 * The timer refers to the thread itself, not to its tid: armed, the timer of a
 * dead thread has no time left (of a live one it is never 0); not armed, it
 * cannot be set.
 */
bool codectl_timers_is_alive(const struct codectl_slot *slot, bool is_running)
{
	struct itimerspec left;

	if (!is_running)
		return codectl_timers_stop(slot);
	return syscall(SYS_timer_gettime, slot->timer_id, &left) == 0 &&
	       (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0);
}

void codectl_timers_delete(struct codectl_slot *slot)
{
	if (slot->timer_id >= 0)
		syscall(SYS_timer_delete, slot->timer_id);
	__atomic_store_n(&slot->timer_id, -1, __ATOMIC_RELAXED);
}

void codectl_timers_update_cpu_time(struct codectl_slot *slot)
{
	uint64_t last = __atomic_load_n(&slot->last_cpu_time, __ATOMIC_ACQUIRE);
	struct timespec time;

	/* The clock goes by the tid, which may be another thread's when this one has ended. */
	if (last)
		slot->cpu_time = last;
	else if (slot->state != CODECTL_SLOT_ENDED && clock_gettime(slot->clock, &time) == 0)
		slot->cpu_time = (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}
