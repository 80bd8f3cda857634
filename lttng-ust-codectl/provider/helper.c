/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/helper.h"

#include "provider/emit.h"
#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/image.h"
#include "provider/jit.h"
#include "provider/log.h"
#include "provider/pause.h"
#include "provider/registry.h"
#include "provider/statedump.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000
/* While samples are taken, often or seldom; while a session is active; else. */
#define SAMPLE_PERIOD_MIN (10 * NS_PER_MS)
#define SAMPLE_PERIOD_MAX (20 * NS_PER_MS)
#define ACTIVE_PERIOD	  (20 * NS_PER_MS)
#define IDLE_PERIOD	  (100 * NS_PER_MS)
#define REGISTER_WAIT	  ((uint64_t)200 * NS_PER_MS)
#define FINISH_WAIT	  ((uint64_t)1000 * NS_PER_MS)
#define PARKED_WAIT	  ((uint64_t)200 * NS_PER_MS)
#define HELPER_STACK_SIZE (256 * 1024)
/* Of a thread in a round, about. */
#define ROUND_SAMPLES 4

enum thread_state { THREAD_NONE, THREAD_STARTED };

static const struct codectl_helper_task *_Atomic tasks[CODECTL_HELPER_STAGE_COUNT];

/*
 * Held while a round, or a stage of it, runs; its holder may read the registry.
 * Waiting for it is bounded on every thread but the helper's own: the
 * application may hold any lock.
 */
static pthread_mutex_t round_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t round_owner; /* 0: none. */
/* Sessions that get the samples of this round, and when it began. Under round_lock. */
static struct codectl_emit_sessions known;
static uint64_t known_dumps; /* State dumps that preceded the samples of this round. */
static uint64_t round_start;

static atomic_bool wants_own_root;
static _Atomic long wanted_period; /* ns; 0: as often as there are samples. */
static _Atomic int thread_state;
static _Atomic int32_t thread_tid;
static atomic_bool is_ready;
static atomic_bool is_finished;
static bool is_last_thread; /* The helper's own. */

/* Returns 0 or -ETIMEDOUT; @timeout_ns 0 waits for ever. */
static int lock_round(uint64_t timeout_ns)
{
	uint64_t deadline = codectl_provider_now() + timeout_ns;
	struct timespec until = {
		.tv_sec = (time_t)(deadline / 1000000000),
		.tv_nsec = (long)(deadline % 1000000000),
	};

	if (timeout_ns == 0)
		pthread_mutex_lock(&round_lock);
	else if (pthread_mutex_clocklock(&round_lock, CLOCK_MONOTONIC, &until))
		return -ETIMEDOUT;
	atomic_store(&round_owner, pthread_self());
	codectl_registry_begin_read();
	return 0;
}

static void unlock_round(void)
{
	codectl_registry_end_read();
	atomic_store(&round_owner, 0);
	pthread_mutex_unlock(&round_lock);
}

static void run_stage(enum codectl_helper_stage stage)
{
	const struct codectl_helper_task *task = atomic_load(&tasks[stage]);

	if (task)
		task->run(task->user);
}

/* Returns whether a session is active. */
static bool run_round(void)
{
	round_start = codectl_provider_now();
	run_stage(CODECTL_HELPER_STAGE_REGISTER);

	bool is_active = codectl_statedump_service(&known, &known_dumps, false);

	run_stage(CODECTL_HELPER_STAGE_JIT);
	codectl_jit_poll_seldom();
	run_stage(CODECTL_HELPER_STAGE_SAMPLE);
	return is_active;
}

/*
 * As often as there are some samples, within bounds; a ring that fills up earlier
 * wakes us.
 */
static long sample_period(void)
{
	long wanted = atomic_load(&wanted_period);
	long interval = ROUND_SAMPLES * NS_PER_MS * 1000L /
			codectl_provider_borrow_env()->frequency;

	if (wanted)
		return wanted;
	if (interval < SAMPLE_PERIOD_MIN)
		return SAMPLE_PERIOD_MIN;
	return interval < SAMPLE_PERIOD_MAX ? interval : SAMPLE_PERIOD_MAX;
}

static long period(bool is_active)
{
	if (codectl_statedump_wants_samples())
		return sample_period();
	return is_active ? ACTIVE_PERIOD : IDLE_PERIOD;
}

static void flush_tasks(void)
{
	for (size_t i = 0; i < CODECTL_HELPER_STAGE_COUNT; i++) {
		const struct codectl_helper_task *task = atomic_load(&tasks[i]);

		if (task && task->flush)
			task->flush(task->user);
	}
}

/* What it runs now is the program's, which may be killed meanwhile, and its children too. */
static void end_process(void)
{
	sigset_t none;

	codectl_registry_set_quiet_thread((pthread_t)0);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	exit(EXIT_SUCCESS);
}

static void *run_thread(void *unused)
{
	(void)unused;
	atomic_store(&thread_tid, (int32_t)syscall(SYS_gettid));
	prctl(PR_SET_NAME, "codectl", 0, 0, 0);
	codectl_registry_set_quiet_thread(pthread_self());
	codectl_log_debug("Helper thread started", NULL, 0);
	for (;;) {
		uint32_t seen = codectl_pause_wake_count();
		bool is_active = false;
		/* Before the round: all that happened before the request is in it. */
		bool is_ending;
		bool is_pausing = codectl_pause_is_wanted(&is_ending);

		if (atomic_exchange(&wants_own_root, false))
			unshare(CLONE_FS);

		lock_round(0);
		if (!atomic_load(&is_finished))
			is_active = run_round();
		if (is_pausing && !atomic_load(&is_finished))
			flush_tasks();
		unlock_round();
		if (is_last_thread)
			end_process();
		if (is_pausing) {
			codectl_pause_park(is_ending);
			continue;
		}
		if (atomic_load(&is_finished))
			codectl_pause_sleep(seen, 0);
		else
			codectl_pause_sleep(seen, period(is_active));
	}
	return NULL;
}

static int create_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, saved_mask;
	int ret = pthread_attr_init(&attributes);

	if (ret)
		return -ret;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, HELPER_STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved_mask);
	ret = pthread_create(&thread, &attributes, run_thread, NULL);
	if (ret == EINVAL) {
		/* Static TLS of the program does not fit into so small a stack. */
		pthread_attr_destroy(&attributes);
		pthread_attr_init(&attributes);
		pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
		ret = pthread_create(&thread, &attributes, run_thread, NULL);
	}
	pthread_sigmask(SIG_SETMASK, &saved_mask, NULL);
	pthread_attr_destroy(&attributes);
	return -ret;
}

/* Nothing happens before the constructor, in an untraced child of a fork, and at exit. */
int codectl_helper_start(void)
{
	int none = THREAD_NONE;
	int saved_errno = errno;

	if (!atomic_load(&is_ready) || atomic_load(&is_finished) || !codectl_image_is_open() ||
		!atomic_compare_exchange_strong(&thread_state, &none, THREAD_STARTED))
		return 0;

	int ret = create_thread();

	if (ret) {
		codectl_log_debug("Cannot create the helper thread", "error", -ret);
		atomic_store(&thread_state, THREAD_NONE);
	}
	errno = saved_errno;
	return ret;
}

CODECTL_EXPORT void codectl_helper_hurry(void)
{
	int saved_errno = errno;

	codectl_pause_wake();
	errno = saved_errno;
}

void codectl_helper_wake(void)
{
	codectl_helper_start();
	codectl_helper_hurry();
}

void codectl_helper_begin(void)
{
	bool has_work = codectl_registry_count() > 0;

	atomic_store(&is_ready, true);
	for (size_t i = 0; i < CODECTL_HELPER_STAGE_COUNT; i++)
		has_work |= atomic_load(&tasks[i]) != NULL;
	/* A session which is active already gets its dump before anything is registered. */
	lock_round(0);
	codectl_statedump_service(&known, &known_dumps, true);
	unlock_round();
	if (has_work)
		codectl_helper_wake();
}

CODECTL_EXPORT int codectl_helper_set_task(
	enum codectl_helper_stage stage, const struct codectl_helper_task *task)
{
	if ((unsigned int)stage >= CODECTL_HELPER_STAGE_COUNT || !task || !task->run)
		return -EINVAL;
	atomic_store(&tasks[stage], task);
	return codectl_helper_start();
}

CODECTL_EXPORT void codectl_helper_run_register_stage(void)
{
	int saved_errno = errno;
	sigset_t all, saved_mask;
	int cancel_state;

	if (!atomic_load(&tasks[CODECTL_HELPER_STAGE_REGISTER]) || atomic_load(&is_finished) ||
		!codectl_image_is_open() || atomic_load(&round_owner) == pthread_self() ||
		!codectl_image_is_own())
		return;
	/* Neither a handler's longjmp() nor a cancellation may leave with the lock held. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved_mask);
	if (lock_round(REGISTER_WAIT) == 0) {
		if (!atomic_load(&is_finished))
			run_stage(CODECTL_HELPER_STAGE_REGISTER);
		unlock_round();
	} else {
		codectl_log_debug("The helper is busy, objects are left to it", NULL, 0);
	}
	pthread_sigmask(SIG_SETMASK, &saved_mask, NULL);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
}

/* As codectl_helper_pause(); without @is_ending the caller will emit itself. */
static bool pause_helper(bool is_ending)
{
	int saved_errno = errno;

	/* One that was created may not have come to run yet: then there is all the more to do. */
	if (atomic_load(&thread_state) != THREAD_STARTED || !codectl_image_is_own())
		return false;
	codectl_pause_begin(is_ending);
	errno = saved_errno;
	return true;
}

CODECTL_EXPORT bool codectl_helper_pause(void)
{
	return pause_helper(true);
}

CODECTL_EXPORT void codectl_helper_resume(void)
{
	int saved_errno = errno;

	codectl_pause_end();
	errno = saved_errno;
}

CODECTL_EXPORT void codectl_helper_keep_root(void)
{
	atomic_store(&wants_own_root, true);
	if (codectl_helper_pause())
		codectl_helper_resume();
}

CODECTL_EXPORT void codectl_helper_end_process(void)
{
	is_last_thread = true;
}

CODECTL_EXPORT int32_t codectl_helper_tid(void)
{
	return atomic_load(&thread_tid);
}

CODECTL_EXPORT bool codectl_helper_is_entry(void *(*start)(void *))
{
	return start == run_thread;
}

CODECTL_EXPORT void codectl_helper_set_period(uint64_t wanted)
{
	if (wanted && wanted < NS_PER_MS)
		wanted = NS_PER_MS;
	atomic_store(&wanted_period, wanted < SAMPLE_PERIOD_MAX ? (long)wanted : SAMPLE_PERIOD_MAX);
}

CODECTL_EXPORT uint64_t codectl_helper_round_start(void)
{
	return round_start;
}

CODECTL_EXPORT uint64_t codectl_helper_dump_count(void)
{
	return known_dumps;
}

CODECTL_EXPORT void codectl_provider_emit(struct codectl_event *event)
{
	if (event->type == CODECTL_EVENT_SAMPLE)
		codectl_jit_prepare_sample(event);
	codectl_emit_to_sessions(&known, event);
}

static void finish_tasks(void)
{
	/* A child that nobody traces: nothing is left, and no lock to be risked. */
	if (!codectl_image_is_open())
		return;
	codectl_statedump_service(&known, &known_dumps, true);
	codectl_jit_poll();
	for (size_t i = CODECTL_HELPER_STAGE_COUNT; i-- > 0;) {
		const struct codectl_helper_task *task = atomic_load(&tasks[i]);

		if (task && task->finish)
			task->finish(task->user);
	}
}

void codectl_helper_finish(void)
{
	/*
	 * The last look at the loader's list is the helper's: on this thread it
	 * might wait for ever, for a thread that waits for this one. The helper
	 * stays parked; ending it would run destructors of thread-specific data
	 * while LTTng-UST takes itself down.
	 */
	bool is_own_round = atomic_load(&round_owner) == pthread_self();
	bool is_paused = !is_own_round && !is_last_thread && pause_helper(false);
	bool is_locked = !is_own_round && lock_round(is_paused ? PARKED_WAIT : FINISH_WAIT) == 0;

	if (!is_locked) {
		codectl_log_debug("The helper is stuck, samples may be lost", NULL, 0);
		atomic_store(&is_finished, true);
		codectl_emit_keep_tracepoints();
		return;
	}
	if (!atomic_exchange(&is_finished, true))
		finish_tasks();
	unlock_round();
}

void codectl_helper_after_fork(void)
{
	pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	memcpy(&round_lock, &fresh, sizeof(round_lock));
	atomic_store(&round_owner, 0);
	atomic_store(&thread_state, THREAD_NONE);
	atomic_store(&thread_tid, 0);
	codectl_pause_after_fork();
	is_last_thread = false;
	known.count = 0;
	known.is_full = false;
	for (size_t i = 0; i < CODECTL_HELPER_STAGE_COUNT; i++) {
		const struct codectl_helper_task *task = atomic_load(&tasks[i]);

		if (task && task->after_fork)
			task->after_fork(task->user);
	}
}
