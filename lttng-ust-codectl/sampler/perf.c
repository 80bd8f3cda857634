/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/perf.h"

#include "provider/helper.h"
#include "sampler/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FD_MAX 65536
/* The kernel takes no shorter periods for its clocks. */
#define PERIOD_MIN 10000u
/* A user's queued signals, all processes together; with fewer, SIGIO would come instead. */
#define PENDING_MIN 1024u

static uint64_t interval; /* ns. */
static int sample_signal;
static bool is_kernel_excluded; /* The kernel lets us count in user mode only. */
static uint32_t open_count;
static uint16_t slot_of_fd[FD_MAX]; /* Index + 1; touched where there are events. */

void codectl_perf_init(uint64_t wanted_interval, int signal_number)
{
	interval = wanted_interval < PERIOD_MIN ? PERIOD_MIN : wanted_interval;
	sample_signal = signal_number;
}

static long control(int fd, unsigned long request, uintptr_t argument)
{
	return syscall(SYS_ioctl, fd, request, argument);
}

/* Where the limits of the process put the descriptor. Returns 0 or a negative errno. */
static int find_room(int *lowest_fd)
{
	struct rlimit files, pending;

	if (getrlimit(RLIMIT_NOFILE, &files) || getrlimit(RLIMIT_SIGPENDING, &pending))
		return -errno;
	if (pending.rlim_cur < PENDING_MIN)
		return -EAGAIN;
	if (__atomic_load_n(&open_count, __ATOMIC_RELAXED) >= files.rlim_cur / 4)
		return -EMFILE;
	*lowest_fd = files.rlim_cur < FD_MAX ? (int)files.rlim_cur / 2 : FD_MAX / 2;
	return 0;
}

static int open_event(const struct codectl_slot *slot)
{
	/* Threads that live less than an interval are sampled as often as their share of it. */
	uint64_t first = (codectl_provider_now() ^ (uint64_t)slot->tid << 8) % interval;
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = first < PERIOD_MIN ? PERIOD_MIN : first,
		.wakeup_events = 1,
		.disabled = 1,
		.exclude_hv = 1,
		.exclude_kernel = __atomic_load_n(&is_kernel_excluded, __ATOMIC_RELAXED),
	};
	int fd = (int)syscall(
		SYS_perf_event_open, &attributes, slot->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && !attributes.exclude_kernel) {
		attributes.exclude_kernel = 1;
		fd = (int)syscall(
			SYS_perf_event_open, &attributes, slot->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			__atomic_store_n(&is_kernel_excluded, true, __ATOMIC_RELAXED);
	}
	return fd < 0 ? -errno : fd;
}

/* To the thread, whatever user it is by now: the kernel compares with who asked for it. */
static bool direct_signal(const struct codectl_slot *slot, int fd)
{
	const struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = slot->tid};

	return syscall(SYS_fcntl, fd, F_SETOWN_EX, &owner) == 0;
}

int codectl_perf_open(struct codectl_slot *slot, int index)
{
	int lowest_fd = 0;
	int ret = find_room(&lowest_fd);
	int low_fd = ret ? ret : open_event(slot);

	if (low_fd < 0)
		return low_fd;

	int fd = (int)syscall(SYS_fcntl, low_fd, F_DUPFD_CLOEXEC, lowest_fd);
	int saved_errno = errno;

	syscall(SYS_close, low_fd);
	if (fd < 0)
		return -saved_errno;
	if (fd >= FD_MAX || !direct_signal(slot, fd) ||
		syscall(SYS_fcntl, fd, F_SETSIG, sample_signal) != 0 ||
		syscall(SYS_fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 ||
		control(fd, PERF_EVENT_IOC_ID, (uintptr_t)&slot->perf_id) != 0) {
		syscall(SYS_close, fd);
		return -EMFILE;
	}
	__atomic_fetch_add(&open_count, 1, __ATOMIC_RELAXED);
	slot->is_perf_first = true;
	slot->perf_fd = fd;
	__atomic_store_n(&slot_of_fd[fd], (uint16_t)(index + 1), __ATOMIC_RELEASE);
	return 0;
}

bool codectl_perf_has(const struct codectl_slot *slot)
{
	return slot->perf_fd >= 0;
}

void codectl_perf_start(struct codectl_slot *slot)
{
	control(slot->perf_fd, PERF_EVENT_IOC_REFRESH, 1);
}

void codectl_perf_stop(struct codectl_slot *slot)
{
	control(slot->perf_fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* Whether the descriptor is still what we opened. */
static bool is_ours(int fd, uint64_t known_id)
{
	uint64_t id;

	return control(fd, PERF_EVENT_IOC_ID, (uintptr_t)&id) == 0 && id == known_id;
}

bool codectl_perf_check(struct codectl_slot *slot)
{
	return is_ours(slot->perf_fd, slot->perf_id) && direct_signal(slot, slot->perf_fd);
}

void codectl_perf_close(struct codectl_slot *slot)
{
	int fd = slot->perf_fd;
	uint16_t entry = (uint16_t)(codectl_slot_index(slot) + 1);

	if (fd < 0)
		return;
	/* If the program has closed it, the number may be that of another event by now. */
	__atomic_compare_exchange_n(
		&slot_of_fd[fd], &entry, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	slot->perf_fd = -1;
	__atomic_fetch_sub(&open_count, 1, __ATOMIC_RELAXED);
	/* The program may have closed it, and have a file of its own there. */
	if (is_ours(fd, slot->perf_id))
		syscall(SYS_close, fd);
}

void codectl_perf_after_fork(void)
{
	if (__atomic_exchange_n(&open_count, 0, __ATOMIC_RELAXED) == 0)
		return;
	for (int fd = 0; fd < FD_MAX; fd++) {
		const struct codectl_slot *slot = codectl_perf_find_slot(fd);

		if (slot && is_ours(fd, slot->perf_id))
			syscall(SYS_close, fd);
		if (slot_of_fd[fd])
			slot_of_fd[fd] = 0;
	}
}

struct codectl_slot *codectl_perf_find_slot(int fd)
{
	if (fd < 0 || fd >= FD_MAX)
		return NULL;

	uint16_t entry = __atomic_load_n(&slot_of_fd[fd], __ATOMIC_ACQUIRE);

	return entry ? codectl_slot_at((size_t)entry - 1) : NULL;
}

void codectl_perf_continue(struct codectl_slot *slot)
{
	if (codectl_sandbox_is_closed())
		return;
	if (slot->is_perf_first) {
		slot->is_perf_first = false;
		control(slot->perf_fd, PERF_EVENT_IOC_PERIOD, (uintptr_t)&interval);
	}
	control(slot->perf_fd, PERF_EVENT_IOC_REFRESH, 1);
}
