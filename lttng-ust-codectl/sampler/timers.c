/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * How threads are found. Listing /proc/self/task costs 5 us for one thread and
 * 62 us for 200 (2-CPU virtual machine, Linux 6.18), in each round of a few
 * milliseconds. Every new thread takes a new pid, though, and the pid that was
 * given out last can be read in 4.5 us however many threads there are: only
 * when it has changed, and every second, the list is read. Other processes'
 * forks cost us a list then, but no more than a fiftieth of a CPU.
 *
 * System calls are made directly: nothing of it concerns the C library's timers.
 */
#include "sampler/timers.h"

#include "provider/helper.h"
#include "provider/log.h"
#include "sampler/budget.h"
#include "sampler/procfs.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS_PER_SECOND	  1000000000u
#define RECHECK_DELAY_MAX 16
#define SWEEP_INTERVAL	  NS_PER_SECOND
/* include/linux/posix-timers_types.h: the CPU clock of thread ~(clock >> 3), CPUCLOCK_SCHED. */
#define THREAD_CLOCK_FLAGS 6

static uint64_t interval; /* ns. */
static int sample_signal;
static uint64_t random_state;

static bool is_idle = true; /* No timer is armed. */
static int64_t last_pid = -1;
static uint64_t next_sweep;
static struct codectl_budget scan_budget = {.rest = 50};
static bool has_warned;
static struct codectl_tid_list tids;

void codectl_timers_init(uint32_t frequency, int signal_number)
{
	interval = NS_PER_SECOND / (frequency ? frequency : 1);
	sample_signal = signal_number;
	random_state = codectl_provider_now() | 1;
}

/* xorshift64 (G. Marsaglia, 2003); good enough to keep threads out of step. */
static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
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

static void end_slot(struct codectl_slot *slot)
{
	slot->state = CODECTL_SLOT_ENDED;
	slot->has_news = true;
}

/* A first expiry anywhere in the interval: threads started together shall not sample together. */
static void arm(struct codectl_slot *slot)
{
	if (set_timer(slot, 1 + next_random() % interval, interval))
		slot->state = CODECTL_SLOT_ARMED;
	else
		end_slot(slot);
}

static void disarm(struct codectl_slot *slot, enum codectl_slot_state state)
{
	if (set_timer(slot, 0, 0))
		slot->state = state;
	else
		end_slot(slot);
}

/*
 * The timer refers to the thread itself, not to its tid, so that it tells a
 * thread from a later one with the same tid: armed, the timer of a dead thread
 * has no time left (of a live one it is never 0); not armed, it cannot be set.
 */
static bool is_alive(const struct codectl_slot *slot)
{
	struct itimerspec left;

	if (slot->state != CODECTL_SLOT_ARMED)
		return set_timer(slot, 0, 0);
	return syscall(SYS_timer_gettime, slot->timer_id, &left) == 0 &&
	       (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0);
}

/* Creates the timer of the slot with that index. Returns 0 or a negative errno. */
static int create_timer(struct codectl_slot *slot, int index)
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

/* LTTng-UST's listeners block all signals, ours perhaps not, and their names end in "-ust". */
static bool is_listener(const struct codectl_slot *slot, uint64_t blocked_signals)
{
	static const char suffix[] = "-ust";
	static const uint64_t usual_signals = UINT64_C(1) << (SIGINT - 1) |
					      UINT64_C(1) << (SIGTERM - 1) |
					      UINT64_C(1) << (SIGUSR1 - 1);
	size_t len = strlen(slot->comm), suffix_len = sizeof(suffix) - 1;

	return (blocked_signals & usual_signals) == usual_signals && len >= suffix_len &&
	       !strcmp(slot->comm + len - suffix_len, suffix);
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

	if (ret == -ENOENT || ret == -ESRCH) {
		end_slot(slot);
		return;
	}
	/* Out of file descriptors, say: assume the usual, but no system calls. */
	if (ret)
		status = (struct codectl_thread_status){.has_seccomp = true};
	if (status.has_seccomp || slot->state == CODECTL_SLOT_IDLE)
		__atomic_store_n(&slot->may_call, !status.has_seccomp, __ATOMIC_RELAXED);
	slot->is_new = false;
	slot->is_unsure = is_new;
	slot->is_listener = !is_new && is_listener(slot, status.blocked_signals);
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

void codectl_timers_update_cpu_time(struct codectl_slot *slot)
{
	struct timespec time;

	/* The clock goes by the tid, which may be another thread's when this one has ended. */
	if (slot->state != CODECTL_SLOT_ENDED && clock_gettime(slot->clock, &time) == 0)
		slot->cpu_time = (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
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
	int ret = create_timer(slot, index);

	if (ret) {
		/* EINVAL: it has already ended. EAGAIN: RLIMIT_SIGPENDING. */
		if (ret != -EINVAL && ret != -ESRCH)
			warn_once("Cannot sample another thread: timer_create() failed", ret);
		codectl_slot_free_used(codectl_slot_find_used(tid));
		return;
	}
	codectl_procfs_read_comm(tid, slot->comm, sizeof(slot->comm));
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
	if (!is_alive(slot))
		return true;
	return !codectl_procfs_has_tid(&tids, slot->tid) &&
	       syscall(SYS_tgkill, getpid(), slot->tid, 0) != 0 && errno == ESRCH;
}

static void scan_threads(void)
{
	int32_t helper_tid = codectl_helper_tid();

	codectl_budget_begin(&scan_budget);

	int ret = codectl_procfs_list_threads(&tids);

	if (ret) {
		warn_once("Cannot list the threads", ret);
		return;
	}
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (has_ended(slot))
			end_slot(slot);
	}
	codectl_budget_end(&scan_budget);
	for (size_t i = 0; i < tids.count; i++) {
		size_t position = codectl_slot_find_used(tids.tids[i]);

		if (tids.tids[i] != helper_tid &&
			(position == SIZE_MAX ||
				codectl_slot_used(position)->state == CODECTL_SLOT_ENDED))
			add_thread(tids.tids[i]);
	}
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
	codectl_procfs_read_comm(slot->tid, slot->comm, sizeof(slot->comm));
	update_status(slot);
}

static void take_second_looks(void)
{
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (slot->is_unsure && slot->state == CODECTL_SLOT_ARMED) {
			slot->has_news = true;
			update_status(slot);
		}
	}
}

bool codectl_timers_round(uint64_t now)
{
	bool is_sweep = now >= next_sweep;

	take_second_looks();

	/* Read before the list: what appears meanwhile changes it again. */
	int64_t pid = codectl_procfs_last_pid();

	if (is_idle || (codectl_budget_allows(&scan_budget, now) &&
			       (is_sweep || pid < 0 || pid != last_pid))) {
		scan_threads();
		last_pid = pid;
	}
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

void codectl_timers_disarm(void)
{
	if (is_idle)
		return;
	is_idle = true;
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (slot->state != CODECTL_SLOT_ENDED)
			disarm(slot, CODECTL_SLOT_IDLE);
	}
}

void codectl_timers_release(struct codectl_slot *slot)
{
	if (slot->timer_id >= 0)
		syscall(SYS_timer_delete, slot->timer_id);
	__atomic_store_n(&slot->timer_id, -1, __ATOMIC_RELAXED);
}

void codectl_timers_after_fork(void)
{
	is_idle = true;
	last_pid = -1;
	next_sweep = 0;
	scan_budget.not_before = 0;
	/* The parent's helper thread may have been in the middle of a list. */
	tids = (struct codectl_tid_list){.tids = NULL};
}
