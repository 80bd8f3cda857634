/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * How threads are found. Listing /proc/self/task costs 5 us for one thread and
 * 62 us for 200 (2-CPU virtual machine, Linux 6.18), in each round. How many
 * there are is known in 1 us, and when that has changed, the list is read. One
 * that came while another one went does not show that way. But it took a new
 * pid, and the pid that was given out last can be read in 4.5 us: when that has
 * changed, which is looked at every few rounds, and every second, the list is
 * read too. Other processes' forks cost us a list then.
 */
#include "sampler/threads.h"

#include "provider/helper.h"
#include "provider/log.h"
#include "sampler/budget.h"
#include "sampler/clock.h"
#include "sampler/procfs.h"
#include "sampler/sandbox.h"
#include "sampler/thread-start.h"
#include "sampler/timers.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RECHECK_DELAY_MAX 8
/* So many rounds go by from one look at the last pid to the next. */
#define PID_ROUNDS     4
#define SWEEP_INTERVAL 1000000000u /* ns. */
/* Rounds that a thread may take from pthread_create() to its first instruction. */
#define STARTING_ROUNDS_MAX 100

static int sample_signal;
static bool is_idle = true; /* No clock runs. */
static int64_t last_pid = -1;
static int64_t last_count = -1; /* Threads when the list was read. */
static unsigned int rounds_since_pid;
static uint64_t next_sweep;
static unsigned int starting_rounds; /* For so many, a thread was about to start. */
static struct codectl_budget scan_budget = {.rest = 50};
static bool has_warned;
static struct codectl_tid_list tids;

void codectl_threads_init(int signal_number)
{
	sample_signal = signal_number;
}

static void end_slot(struct codectl_slot *slot)
{
	slot->state = CODECTL_SLOT_ENDED;
	slot->has_news = true;
}

static void arm(struct codectl_slot *slot)
{
	if (codectl_clock_start(slot))
		slot->state = CODECTL_SLOT_ARMED;
	else
		end_slot(slot);
}

static void disarm(struct codectl_slot *slot, enum codectl_slot_state state)
{
	if (codectl_clock_stop(slot))
		slot->state = state;
	else
		end_slot(slot);
}

/*
 * Looks at what the thread allows, and arms its timer or stops it: a thread
 * that blocks the signal shall have none pending. But every new thread blocks
 * all signals until the C library has set it up, so that a second look decides.
 */
static void update_status(struct codectl_slot *slot)
{
	bool is_new = slot->is_new;
	struct codectl_thread_status status;
	uint64_t signal_bit = (uint64_t)1 << (sample_signal - 1);

	int ret = codectl_procfs_read_status(slot->tid, &status);

	if ((ret == -ENOENT || ret == -ESRCH) && !codectl_clock_is_alive(slot)) {
		end_slot(slot);
		return;
	}
	/* Out of file descriptors, or without /proc: assume the usual, but no system calls. */
	if (ret)
		status = (struct codectl_thread_status){.has_seccomp = true};
	else
		codectl_sandbox_look(&status);
	if (status.has_seccomp || slot->state == CODECTL_SLOT_IDLE)
		__atomic_store_n(&slot->may_call, !status.has_seccomp, __ATOMIC_RELAXED);
	codectl_procfs_read_comm(slot->tid, slot->comm, sizeof(slot->comm));
	slot->is_new = false;
	slot->is_unsure = is_new;
	slot->is_listener = !is_new &&
			    codectl_procfs_is_listener(slot->comm, status.blocked_signals);
	if (is_new || !(slot->is_listener || status.blocked_signals & signal_bit)) {
		if (slot->state != CODECTL_SLOT_ARMED)
			arm(slot);
		return;
	}
	if (slot->state != CODECTL_SLOT_BLOCKED) {
		disarm(slot, CODECTL_SLOT_BLOCKED);
		slot->recheck_delay = 1;
	} else if (slot->recheck_delay < RECHECK_DELAY_MAX) {
		slot->recheck_delay *= 2;
	}
	slot->recheck_in = slot->recheck_delay;
}

/* A thread that was found to block the signal; one that does not run needs no second look. */
static void recheck_blocked(struct codectl_slot *slot)
{
	uint64_t known_time = slot->cpu_time;

	if (--slot->recheck_in > 0)
		return;
	codectl_timers_update_cpu_time(slot);
	if (slot->cpu_time != known_time)
		update_status(slot);
	else
		slot->recheck_in = slot->recheck_delay;
}

static void warn_once(const char *message, int error)
{
	if (!has_warned)
		codectl_log_debug(message, "errno", -error);
	has_warned = true;
}

/* Gives a slot to a thread that has none. */
static void add_thread(int32_t tid)
{
	int index = codectl_slot_take(tid);

	if (index < 0) {
		warn_once("Cannot sample another thread: no slot", index);
		return;
	}

	struct codectl_slot *slot = codectl_slot_at((size_t)index);
	int ret = codectl_clock_open(slot, index);

	if (ret) {
		/* EINVAL: it has already ended. EAGAIN: RLIMIT_SIGPENDING. */
		if (ret != -EINVAL && ret != -ESRCH)
			warn_once("Cannot sample another thread: timer_create() failed", ret);
		codectl_slot_free_used(codectl_slot_find_used(tid));
		return;
	}
	slot->wants_home = true;
	slot->is_new = true;
	update_status(slot);
}

/*
 * A live thread may be missing from the list when others end while it is read;
 * to give its slot away would be fatal, so the list is never believed alone.
 */
static bool has_ended(const struct codectl_slot *slot)
{
	if (!codectl_clock_is_alive(slot))
		return true;
	return !codectl_procfs_has_tid(&tids, slot->tid) &&
	       syscall(SYS_tgkill, getpid(), slot->tid, 0) != 0 && errno == ESRCH;
}

/* Takes over what new threads hand over. */
static void take_newcomers(void)
{
	struct codectl_slot *slot;

	while ((slot = codectl_slot_take_newcomer())) {
		size_t position = codectl_slot_find_used(slot->tid);
		struct codectl_slot *other = position > 0 ? codectl_slot_used(position - 1) : NULL;

		if (!other || other->tid != slot->tid || other->state == CODECTL_SLOT_ENDED)
			continue;
		/* An earlier thread with that tid, or the same one if it was very long in coming. */
		if (codectl_clock_is_alive(other)) {
			codectl_clock_stop(slot);
			end_slot(slot);
		} else {
			end_slot(other);
		}
	}
}

/*
 * Whether threads without a slot may be on their way to hand one over. If so,
 * the next round looks again. One that is created but not run for so long is
 * not waited for.
 */
static bool is_any_starting(void)
{
	if (codectl_thread_start_count() == 0)
		starting_rounds = 0;
	else if (starting_rounds < STARTING_ROUNDS_MAX)
		starting_rounds++;
	return starting_rounds > 0 && starting_rounds < STARTING_ROUNDS_MAX;
}

/* Returns whether all threads have slots now. */
static bool scan_threads(void)
{
	int32_t helper_tid = codectl_helper_tid();

	codectl_budget_begin(&scan_budget);

	int ret = codectl_procfs_list_threads(&tids);

	if (ret) {
		warn_once("Cannot list the threads", ret);
		tids.count = 0;
	}
	/* In this order: whatever is in the list, is among the newcomers or counted as starting. */
	bool is_complete = !is_any_starting();

	take_newcomers();
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (slot->state != CODECTL_SLOT_ENDED && has_ended(slot))
			end_slot(slot);
	}
	codectl_budget_end(&scan_budget);
	for (size_t i = 0; i < tids.count; i++) {
		size_t position = codectl_slot_find_used(tids.tids[i]);

		if (is_complete && tids.tids[i] != helper_tid &&
			(position == SIZE_MAX ||
				codectl_slot_used(position)->state == CODECTL_SLOT_ENDED))
			add_thread(tids.tids[i]);
	}
	return is_complete;
}

/* A thread that did not run has changed nothing; of a thousand threads most have not. */
static void sweep(struct codectl_slot *slot)
{
	if (slot->state == CODECTL_SLOT_ENDED || slot->is_unsure)
		return;
	codectl_timers_update_cpu_time(slot);
	if (slot->cpu_time == slot->swept_cpu_time)
		return;
	slot->swept_cpu_time = slot->cpu_time;
	update_status(slot);
}

static void take_second_looks(void)
{
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (!slot->is_unsure || slot->state != CODECTL_SLOT_ARMED)
			continue;
		/* Of one that is ending there is no more to be known. */
		if (__atomic_load_n(&slot->last_cpu_time, __ATOMIC_ACQUIRE)) {
			if (!codectl_clock_is_alive(slot))
				end_slot(slot);
			continue;
		}
		slot->has_news = true;
		update_status(slot);
	}
}

/* One thread in each round, unless that tells that something has happened to all. */
static void check_clocks(void)
{
	static size_t next;
	size_t count = codectl_slot_used_count();

	if (next >= count)
		next = 0;
	if (next == count || !codectl_clock_check(codectl_slot_used(next++)))
		return;
	for (size_t i = 0; i < count; i++)
		codectl_clock_check(codectl_slot_used(i));
}

/* Reads the list of threads if there may be new ones. */
static void look_for_threads(uint64_t now, bool is_sweep)
{
	/* Both are read before the list: what appears meanwhile changes them again. */
	int64_t count = codectl_procfs_count_threads();
	bool is_due = is_idle || is_sweep || count < 0 || count != last_count;
	int64_t pid = last_pid;

	if (is_due || ++rounds_since_pid >= PID_ROUNDS) {
		pid = codectl_procfs_last_pid();
		rounds_since_pid = 0;
	}
	is_due = is_due || pid < 0 || pid != last_pid;
	if (is_idle || (is_due && codectl_budget_allows(&scan_budget, now))) {
		bool is_complete = scan_threads();

		last_pid = is_complete ? pid : -1;
		last_count = is_complete ? count : -1;
	}
}

bool codectl_threads_round(uint64_t now)
{
	bool is_sweep = now >= next_sweep;

	take_second_looks();
	take_newcomers();
	check_clocks();
	look_for_threads(now, is_sweep);
	if (is_sweep)
		next_sweep = now + SWEEP_INTERVAL;
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (slot->state == CODECTL_SLOT_IDLE) {
			slot->has_news = true;
			update_status(slot);
		} else if (is_sweep) {
			sweep(slot);
		} else if (slot->state == CODECTL_SLOT_BLOCKED) {
			recheck_blocked(slot);
		}
	}
	is_idle = false;
	return is_sweep;
}

void codectl_threads_disarm(void)
{
	if ((is_idle && !codectl_slot_has_newcomers()) || codectl_sandbox_is_for_all())
		return;
	is_idle = true;
	take_newcomers();
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (slot->state != CODECTL_SLOT_ENDED)
			disarm(slot, CODECTL_SLOT_IDLE);
	}
}

void codectl_threads_after_fork(void)
{
	is_idle = true;
	last_pid = last_count = -1;
	rounds_since_pid = 0;
	next_sweep = 0;
	scan_budget.not_before = 0;
	starting_rounds = 0;
	/* The parent's helper thread may have been in the middle of a list. */
	tids = (struct codectl_tid_list){.tids = NULL};
}
