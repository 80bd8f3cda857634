/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/procfs.h"

#include "format/quiet-open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads the beginning of a file and terminates it. Returns its length or a negative errno. */
static ssize_t read_file(const char *path, char *text, size_t size)
{
	int fd = codectl_quiet_open(path, 0);

	if (fd < 0)
		return fd;

	ssize_t len = read(fd, text, size - 1);
	int saved_errno = errno;

	codectl_quiet_close(fd);
	if (len < 0)
		return -saved_errno;
	text[len] = '\0';
	return len;
}

int64_t codectl_procfs_last_pid(void)
{
	char text[128];

	/* `0.20 0.18 0.12 1/80 11206` (proc_loadavg(5)). */
	if (read_file("/proc/loadavg", text, sizeof(text)) <= 0)
		return -1;

	const char *last = strrchr(text, ' ');

	return last ? strtoll(last + 1, NULL, 10) : -1;
}

int64_t codectl_procfs_count_threads(void)
{
	struct stat status;

	/* A directory for each, which all link to theirs, besides the two links of any. */
	if (stat("/proc/self/task", &status) != 0 || status.st_nlink < 3)
		return -1;
	return (int64_t)status.st_nlink - 2;
}

static int compare_tids(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

static int add_tid(struct codectl_tid_list *list, int32_t tid)
{
	if (list->count == list->capacity) {
		size_t wanted = list->capacity ? list->capacity * 2 : 64;
		int32_t *bigger = reallocarray(list->tids, wanted, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		list->tids = bigger;
		list->capacity = wanted;
	}
	list->tids[list->count++] = tid;
	return 0;
}

int codectl_procfs_list_threads(struct codectl_tid_list *list)
{
	int fd = codectl_quiet_open("/proc/self/task", O_DIRECTORY);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	int ret = 0;

	if (fd < 0)
		return fd;
	if (!dir) {
		codectl_quiet_close(fd);
		return -ENOMEM;
	}
	list->count = 0;
	while (ret == 0 && (entry = readdir(dir))) {
		int32_t tid = (int32_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0)
			ret = add_tid(list, tid);
	}
	closedir(dir);
	qsort(list->tids, list->count, sizeof(*list->tids), compare_tids);
	return ret;
}

bool codectl_procfs_has_tid(const struct codectl_tid_list *list, int32_t tid)
{
	return list->count > 0 &&
	       bsearch(&tid, list->tids, list->count, sizeof(tid), compare_tids) != NULL;
}

int codectl_procfs_read_comm(int32_t tid, char *comm, size_t size)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);

	ssize_t len = read_file(path, text, sizeof(text));

	if (len < 0)
		return (int)len;
	text[strcspn(text, "\n")] = '\0';
	snprintf(comm, size, "%.*s", (int)size - 1, text);
	return 0;
}

/* The value behind `NAME:` at the beginning of a line, or NULL. */
static const char *find_field(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found ? found + strlen(name) : NULL;
}

int codectl_procfs_read_wait(int32_t tid, struct codectl_wait *wait)
{
	char path[64], text[256];
	long number;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);

	ssize_t len = read_file(path, text, sizeof(text));

	if (len < 0)
		return (int)len;
	/* `7 0x… (six arguments) sp pc`, or `running`, or `-1 sp pc` (proc_pid_syscall(5)). */
	if (sscanf(text, "%ld %*x %*x %*x %*x %*x %*x %" SCNx64 " %" SCNx64, &number, &wait->sp,
		    &wait->pc) != 3)
		return -EAGAIN;
	return 0;
}

int codectl_procfs_read_status(int32_t tid, struct codectl_thread_status *status)
{
	char path[64], text[8192];

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);

	ssize_t len = read_file(path, text, sizeof(text));

	if (len < 0)
		return (int)len;

	const char *blocked = find_field(text, "\nSigBlk:\t");
	const char *seccomp = find_field(text, "\nSeccomp:\t");
	const char *state = find_field(text, "\nState:\t");

	status->blocked_signals = blocked ? strtoull(blocked, NULL, 16) : 0;
	/* A kernel without seccomp has no such line; one line too long hides it. */
	status->has_seccomp = seccomp ? *seccomp != '0' : (size_t)len == sizeof(text) - 1;
	status->is_strict = seccomp && *seccomp == '1';

	status->is_dead = state && *state == 'Z';

	const char *filters = find_field(text, "\nSeccomp_filters:\t");

	status->filter_count = filters ? (uint32_t)strtoul(filters, NULL, 10) : 0;
	return 0;
}

/* They block all signals, ours perhaps not, and their names end in "-ust". */
bool codectl_procfs_is_listener(const char *comm, uint64_t blocked_signals)
{
	static const char suffix[] = "-ust";
	static const uint64_t usual_signals = UINT64_C(1) << (SIGINT - 1) |
					      UINT64_C(1) << (SIGTERM - 1) |
					      UINT64_C(1) << (SIGUSR1 - 1);
	size_t len = strlen(comm), suffix_len = sizeof(suffix) - 1;

	return (blocked_signals & usual_signals) == usual_signals && len >= suffix_len &&
	       !strcmp(comm + len - suffix_len, suffix);
}
