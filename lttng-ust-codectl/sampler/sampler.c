/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The sampler preload: the task that the provider's helper thread runs as the
 * second of each round. It keeps the timers, and turns what signal handlers
 * have put into their rings into events.
 */
#include "format/event.h"
#include "provider/helper.h"
#include "provider/log.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/images.h"
#include "sampler/interpose.h"
#include "sampler/last-thread.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"
#include "sampler/thin.h"
#include "sampler/thread-start.h"
#include "sampler/threads.h"
#include "sampler/timers.h"
#include "sampler/unrecorded.h"
#include "sampler/vdso.h"
#include "sampler/view.h"
#include "sampler/wall.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Full captures that a ring holds: a helper thread that comes late by 30 ms at 250 Hz. */
#define RING_CAPTURES 8

/* ns; where a handler that finds its ring half full may wake nobody. */
#define SANDBOX_PERIOD 5000000

static enum { SAMPLER_NEW, SAMPLER_RUNNING, SAMPLER_OFF } state;
static bool is_wall;
static struct codectl_thin_scratch scratch;
static uint64_t stack_map[CODECTL_THIN_MAP_MAX];
static uint64_t kept_words[CODECTL_THIN_WORDS_MAX];

_Static_assert(CODECTL_CAPTURE_STACK_MAX / 8 <= CODECTL_THIN_WORDS_MAX, "a capture is thinned");

static size_t thin(
	const struct codectl_slot *slot, const struct codectl_capture *capture, size_t word_count)
{
	struct codectl_thin_rule rule = {
		.stack = {slot->home_start, slot->home_end},
		.is_full = codectl_provider_borrow_env()->has_full_stack,
		.segments = codectl_handler_segments(),
		.frame_pointer = capture->regs[CODECTL_AMD64_RBP],
	};

	codectl_view_get_executable(&rule.executable, &rule.executable_count);
	return codectl_thin(&rule, &scratch, capture->stack, word_count, capture->stack_start,
		stack_map, kept_words);
}

/* @is_asleep if it was not the handler that took it. */
static void emit_sample(struct codectl_slot *slot, const struct codectl_capture *capture,
	size_t len, bool is_asleep)
{
	size_t word_count = (len - sizeof(*capture)) / 8;
	uint64_t now = codectl_provider_now();

	if (!codectl_view_is_outdated_by_pc(now, capture->regs[CODECTL_AMD64_RIP]) &&
		!codectl_view_is_outdated_by_frames(now, capture->regs[CODECTL_AMD64_RBP],
			capture->stack_start, capture->stack, word_count))
		codectl_view_is_outdated_by(now, capture->stack, word_count);

	struct codectl_event event = {
		.type = CODECTL_EVENT_SAMPLE,
		.timestamp = capture->timestamp,
		.sample =
			{
				.vtid = slot->tid,
				.cpu = capture->cpu,
				.kind = is_wall ? CODECTL_SAMPLE_WALL : CODECTL_SAMPLE_CPU,
				.weight = capture->weight,
				.serial = capture->serial,
				.stack_start = capture->stack_start,
				.stack_len = (uint32_t)(word_count * 8),
				.regs = capture->regs,
				.reg_count = CODECTL_AMD64_REG_COUNT,
				.stack_map = stack_map,
				.stack_map_count = codectl_thin_map_count(word_count),
				.stack = kept_words,
				.stack_count = thin(slot, capture, word_count),
			},
	};
	codectl_vdso_precede(&event);
	codectl_images_precede(&event);
	if (is_wall)
		codectl_wall_emit(slot, &event, is_asleep);
	else
		codectl_provider_emit(&event);
}

static void emit_asleep(
	struct codectl_slot *slot, const struct codectl_capture *capture, size_t len)
{
	emit_sample(slot, capture, len, true);
}

/*
 * Emits the captures up to @until. One that is younger than the round's look
 * at the loader may be of an object that is not registered yet, and whose
 * addresses would not be known as code when its stack is thinned.
 */
static void drain(struct codectl_slot *slot, uint64_t until)
{
	size_t len;
	const struct codectl_capture *capture = codectl_ring_peek(&slot->ring, &len);

	/* It may be the last look at its clock before it ends. */
	if (capture)
		codectl_timers_update_cpu_time(slot);
	for (; capture && capture->timestamp <= until;
		capture = codectl_ring_peek(&slot->ring, &len)) {
		emit_sample(slot, capture, len, false);
		codectl_ring_release(&slot->ring);
	}
}

static uint64_t count_taken(const struct codectl_slot *slot)
{
	return __atomic_load_n(&slot->taken, __ATOMIC_RELAXED) + slot->wall_taken;
}

/* What the thread has left behind, if it has ended. */
static void take_last_words(struct codectl_slot *slot)
{
	if (__atomic_load_n(&slot->last_cpu_time, __ATOMIC_ACQUIRE))
		memcpy(slot->comm, slot->last_comm, sizeof(slot->comm));
	codectl_timers_update_cpu_time(slot);
}

static void emit_stats(struct codectl_slot *slot)
{
	uint64_t taken = count_taken(slot);
	uint64_t lost = __atomic_load_n(&slot->lost, __ATOMIC_RELAXED);
	struct codectl_event event = {
		.type = CODECTL_EVENT_THREAD_STATS,
		.timestamp = codectl_provider_now(),
		.thread_stats =
			{
				.vtid = slot->tid,
				.comm = slot->comm,
				.taken = taken,
				.lost = lost,
				.cpu_time = slot->cpu_time,
			},
	};

	codectl_provider_emit(&event);
	slot->has_news = false;
	slot->emitted_taken = taken;
	slot->emitted_lost = lost;
}

static bool has_new_counts(const struct codectl_slot *slot)
{
	return count_taken(slot) != slot->emitted_taken ||
	       __atomic_load_n(&slot->lost, __ATOMIC_RELAXED) != slot->emitted_lost;
}

/*
 * Statistics come when a thread is new, when it has ended, and every second
 * for one that was sampled: a session that begins late, or stops early, has
 * them too.
 */
static void drain_all(bool is_sweep, uint64_t until)
{
	for (size_t i = 0; i < codectl_slot_used_count();) {
		struct codectl_slot *slot = codectl_slot_used(i);
		bool has_ended = slot->state == CODECTL_SLOT_ENDED;

		drain(slot, has_ended ? UINT64_MAX : until);
		if (is_wall && (has_ended || is_sweep))
			codectl_wall_flush(slot);

		bool has_news = slot->has_news || (is_sweep && has_new_counts(slot));

		if (has_ended)
			take_last_words(slot);
		if (has_news && (!slot->is_listener || has_new_counts(slot)))
			emit_stats(slot);
		if (has_ended) {
			codectl_wall_release(slot);
			codectl_clock_close(slot);
			codectl_slot_free_used(i);
		} else {
			i++;
		}
	}
}

/* The first time that samples are wanted. */
static void start(void)
{
	const struct codectl_env *env = codectl_provider_borrow_env();
	size_t capture_size = sizeof(struct codectl_capture) + env->stack_size;
	int ret = codectl_slot_init_table(RING_CAPTURES * capture_size);

	state = SAMPLER_OFF;
	if (ret == 0)
		ret = codectl_handler_claim();
	if (ret) {
		codectl_log_debug(ret == -EBUSY ? "Not sampling: the program uses the signal itself"
						: "Not sampling: no memory",
			"errno", -ret);
		return;
	}
	codectl_clock_init(env->clock, env->frequency, env->signal_number);
	codectl_threads_init(env->signal_number);
	is_wall = env->clock == CODECTL_CLOCK_WALL;
	if (is_wall)
		codectl_wall_init(codectl_timers_interval(), env->signal_number, env->stack_size);
	state = SAMPLER_RUNNING;
}

static void enable_thread_start(bool is_wanted)
{
	codectl_thread_start_enable(
		is_wanted && !codectl_provider_borrow_env()->is_without_thread_start);
}

static void stop(void)
{
	enable_thread_start(false);
	codectl_threads_disarm();
	drain_all(true, UINT64_MAX);
}

/* All that may be on the stacks which are drained next: also what is gone again. */
static void learn_code(uint64_t now)
{
	static uint64_t position;
	static struct codectl_recent_range ranges[CODECTL_RECENT_MAX];
	/* Taken first: what is registered in between is noticed next time too. */
	const uint64_t serial = codectl_provider_last_serial();

	codectl_view_update(now, serial);
	codectl_view_add_code(ranges, codectl_provider_recent_code(&position, ranges));
}

/* In a sandbox, the helper thread can do no more than pass on what handlers still take. */
static void sample_all(uint64_t now)
{
	bool is_sweep = false;

	if (!is_wall && codectl_sandbox_is_closed())
		codectl_helper_set_period(SANDBOX_PERIOD);
	if (!codectl_sandbox_is_for_all()) {
		enable_thread_start(true);
		is_sweep = codectl_threads_round(now);
		codectl_view_update_homes(now);
		learn_code(now);
		if (is_wall)
			codectl_wall_round(now, emit_asleep);
	}
	drain_all(is_sweep, codectl_helper_round_start());
	codectl_unrecorded_emit();
	if (is_sweep)
		codectl_images_recheck();
}

static void run_round(void *user)
{
	bool is_wanted = codectl_provider_wants_samples();

	(void)user;
	if (!codectl_sandbox_is_for_all())
		codectl_last_thread_look(codectl_provider_now());
	if (is_wanted && state == SAMPLER_NEW)
		start();
	if (state != SAMPLER_RUNNING)
		return;
	if (!is_wanted) {
		stop();
		return;
	}

	if (!codectl_sandbox_is_for_all() && !codectl_handler_restore()) {
		codectl_log_debug("Not sampling any more: the program took the signal", NULL, 0);
		stop();
		state = SAMPLER_OFF;
		return;
	}
	sample_all(codectl_provider_now());
}

static void after_fork(void *user)
{
	(void)user;
	codectl_thread_start_after_fork();
	codectl_clock_after_fork();
	codectl_slot_free_all();
	codectl_threads_after_fork();
	codectl_view_after_fork();
	codectl_unrecorded_after_fork();
	codectl_vdso_after_fork();
	codectl_images_after_fork();
}

/* Everything that is known so far, with statistics. */
static void drain_finally(void)
{
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		take_last_words(slot);
		slot->has_news = true;
	}
	drain_all(true, UINT64_MAX);
	codectl_unrecorded_emit();
	codectl_images_recheck();
}

static void flush(void *user)
{
	(void)user;
	if (state == SAMPLER_RUNNING)
		drain_finally();
}

static void finish(void *user)
{
	(void)user;
	if (state != SAMPLER_RUNNING)
		return;
	enable_thread_start(false);
	codectl_threads_disarm();
	drain_finally();
	state = SAMPLER_OFF;
}

static const struct codectl_helper_task sampler_task = {
	.run = run_round,
	.after_fork = after_fork,
	.finish = finish,
	.flush = flush,
};

__attribute__((constructor)) static void sampler_init(void)
{
	int saved_errno = errno;

	codectl_interpose_init();
	codectl_sandbox_init();
	codectl_thread_start_init();
	codectl_vdso_init();

	const struct codectl_env *env = codectl_provider_borrow_env();
	int ret = codectl_handler_install(env->signal_number, env->stack_size);

	if (ret)
		codectl_log_debug("Cannot install the signal handler", "errno", -ret);
	/* A session is waiting: let it have main() from the beginning, the helper may be late. */
	if (codectl_provider_wants_samples()) {
		start();
		if (state == SAMPLER_RUNNING) {
			enable_thread_start(true);
			codectl_threads_round(codectl_provider_now());
		}
	}

	ret = codectl_helper_set_task(CODECTL_HELPER_STAGE_SAMPLE, &sampler_task);

	if (ret)
		codectl_log_debug("Cannot start the sampler", "errno", -ret);
	errno = saved_errno;
}
