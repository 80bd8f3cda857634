/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The clocks that sample threads, in this process and without the provider.
 */
#include "lib/tap.h"

#include "lib/fake-provider.h"
#include "lib/sampler-fixture.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/procfs.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"
#include "sampler/threads.h"
#include "sampler/timers.h"
#include "sampler/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FREQUENCY 1000

static volatile uint64_t work;

static uint64_t count_taken(const struct codectl_slot *slot)
{
	return __atomic_load_n(&slot->taken, __ATOMIC_RELAXED);
}

static bool has_capture(struct codectl_slot *slot)
{
	size_t len;

	return codectl_ring_peek(&slot->ring, &len);
}

/* A first sample stands for a whole tick, whatever its timer says. */
TEST(first_weight)
{
	struct timespec tick;
	size_t len;

	CHECK_INT(clock_getres(CLOCK_MONOTONIC_COARSE, &tick), 0);
	fake_start(CODECTL_CLOCK_CPU, 10000);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());
	const struct codectl_capture *capture;

	while (!(capture = codectl_ring_peek(&slot->ring, &len)))
		work++;
	CHECK(capture->weight >= (uint32_t)tick.tv_nsec / 100000);
}

static bool is_perf_allowed(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void close_all(void)
{
	for (size_t i = 0; i < codectl_slot_used_count(); i++)
		codectl_clock_close(codectl_slot_used(i));
}

TEST(perf_clock)
{
	size_t len;

	if (!is_perf_allowed())
		tap_skip("perf_event_open() is not allowed here");
	fake_start(CODECTL_CLOCK_PERF, 5000);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());
	uint64_t began = slot ? slot->cpu_time : 0;

	CHECK(slot && slot->perf_fd > 100);
	/* Far more than there are ticks. */
	while (count_taken(slot) < 200)
		work++;
	codectl_timers_update_cpu_time(slot);
	CHECK(slot->cpu_time - began < 10 * UINT64_C(200) * 1000000);
	CHECK_INT(
		((const struct codectl_capture *)codectl_ring_peek(&slot->ring, &len))->weight, 1);
	codectl_threads_disarm();

	uint64_t taken = count_taken(slot);

	for (int i = 0; i < 1000000; i++)
		work++;
	CHECK_INT(count_taken(slot), taken);
	close_all();
	CHECK_INT(slot->perf_fd, -1);
}

/* The program closes all files, and opens one of its own at the same number. */
TEST(perf_event_is_closed)
{
	if (!is_perf_allowed())
		tap_skip("perf_event_open() is not allowed here");
	fake_start(CODECTL_CLOCK_PERF, FREQUENCY);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());

	CHECK(slot && slot->perf_fd >= 0);

	int old_fd = slot->perf_fd, null_fd = open("/dev/null", O_RDONLY);

	CHECK_INT(dup2(null_fd, old_fd), old_fd);
	codectl_clock_check(slot);
	CHECK(slot->perf_fd >= 0 && slot->perf_fd != old_fd);
	CHECK(fcntl(old_fd, F_GETFD) >= 0);

	uint64_t taken = count_taken(slot);

	while (count_taken(slot) == taken)
		work++;
	/* In a sandbox the handler cannot ask for the next one: the timer takes over. */
	codectl_sandbox_close();
	codectl_clock_check(slot);
	CHECK_INT(slot->perf_fd, -1);
	taken = count_taken(slot);
	while (count_taken(slot) == taken)
		work++;
	close(old_fd);
	close(null_fd);
	close_all();
}

/* A thread that sleeps, until it is told that it may end. */
struct sleeper {
	_Atomic int32_t tid;
	int fds[2];
	int interruptions;
};

static void *sleep_in_poll(void *argument)
{
	struct sleeper *sleeper = argument;
	struct pollfd poll_fd = {.fd = sleeper->fds[0], .events = POLLIN};

	sleeper->tid = fake_own_tid();
	while (poll(&poll_fd, 1, -1) < 0 && errno == EINTR)
		sleeper->interruptions++;
	return NULL;
}

static size_t taken_count;
static int32_t sleeper_tid;

static void take(struct codectl_slot *slot, const struct codectl_capture *capture, size_t len)
{
	uint64_t map = 3, words[2] = {capture->stack[0], capture->stack[1]};
	struct codectl_event event = {
		.type = CODECTL_EVENT_SAMPLE,
		.sample =
			{
				.vtid = slot->tid,
				.cpu = capture->cpu,
				.stack_start = capture->stack_start,
				.stack_len = 16,
				.regs = capture->regs,
				.reg_count = CODECTL_AMD64_REG_COUNT,
				.stack_map = &map,
				.stack_map_count = 1,
				.stack = words,
				.stack_count = 2,
			},
	};

	/* A sanitizer has threads too. */
	if (slot->tid != sleeper_tid)
		return;
	CHECK(len > sizeof(*capture));
	CHECK_HEX(capture->stack_start, capture->regs[CODECTL_AMD64_RSP]);
	taken_count++;
	codectl_wall_emit(slot, &event, true);
}

/* Never woken up, sampled once, and counted for all the time. */
TEST(wall_clock_lets_sleep)
{
	struct sleeper sleeper = {0};
	pthread_t thread;

	fake_start(CODECTL_CLOCK_WALL, FREQUENCY);
	codectl_wall_init(codectl_timers_interval(), FAKE_SIGNAL, 65536);
	CHECK_INT(pipe(sleeper.fds), 0);
	CHECK_INT(pthread_create(&thread, NULL, sleep_in_poll, &sleeper), 0);
	while (!sleeper.tid)
		sched_yield();
	fake_run_round();

	sleeper_tid = sleeper.tid;

	struct codectl_slot *slot = fake_find_slot(sleeper_tid);
	struct codectl_wait wait;

	CHECK(slot);
	while (codectl_procfs_read_wait(sleeper.tid, &wait) != 0)
		sched_yield();
	while (slot->home_end == 0 || slot->is_unsure)
		fake_run_round();
	uint64_t ticks, began = codectl_provider_now();

	do {
		uint64_t now = codectl_provider_now();

		codectl_wall_round(now, take);
		ticks = (now - began) / codectl_timers_interval();
	} while (ticks < 100);
	codectl_wall_flush(slot);
	CHECK(taken_count <= 3);
	/* The last ones may be left to a round that would come. */
	CHECK(fake_emitted.weight >= ticks / 2 && fake_emitted.weight <= ticks + 2);
	CHECK_INT(count_taken(slot), 0);
	CHECK_INT(write(sleeper.fds[1], "", 1), 1);
	pthread_join(thread, NULL);
	CHECK_INT(sleeper.interruptions, 0);
	codectl_wall_release(slot);
	close(sleeper.fds[0]);
	close(sleeper.fds[1]);
}

/* The main thread runs: it gets signals, one for each round, with a number that nobody can guess. */
TEST(wall_clock_samples_what_runs)
{
	fake_start(CODECTL_CLOCK_WALL, FREQUENCY);
	codectl_wall_init(codectl_timers_interval(), FAKE_SIGNAL, 65536);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());
	union sigval forged = {.sival_int = (int)codectl_slot_index(slot)};

	CHECK(slot && !has_capture(slot));
	while (slot->is_unsure)
		fake_run_round();
	CHECK_INT(sigqueue(getpid(), FAKE_SIGNAL, forged), 0);
	CHECK(!has_capture(slot));
	while (!has_capture(slot))
		codectl_wall_round(codectl_provider_now(), take);
	CHECK_INT(count_taken(slot), 1);
}
