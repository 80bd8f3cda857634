/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/procfs.h: what /proc says about this process's threads. Files are
 * opened anew each time: a descriptor kept open would be closed, or taken for
 * its own, by many a program. Helper thread.
 */
#ifndef CODECTL_SAMPLER_PROCFS_H
#define CODECTL_SAMPLER_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_tid_list {
	int32_t *tids; /* Owned; ascending after codectl_procfs_list_threads(). */
	size_t count;
	size_t capacity;
};

struct codectl_thread_status {
	uint64_t blocked_signals; /* Bit n - 1 stands for signal n. */
	bool has_seccomp;	  /* System calls of the thread may be forbidden. */
	bool is_strict;		  /* All but reading, writing and returning are. */
	bool is_dead;		  /* It has ended, but others of its process have not. */
	uint32_t filter_count;	  /* seccomp filters; 0 if the kernel does not tell. */
};

/*
 * The pid given out last in this pid namespace: as long as it stays the same
 * no thread has appeared. -1 if it cannot be had.
 */
int64_t codectl_procfs_last_pid(void);

/* How many threads this process has, in one system call. -1 if it cannot be had. */
int64_t codectl_procfs_count_threads(void);

/* Fills @list with the tids of this process. Returns 0 or a negative errno. */
int codectl_procfs_list_threads(struct codectl_tid_list *list);

/* Whether @tid is in the ascending list. */
bool codectl_procfs_has_tid(const struct codectl_tid_list *list, int32_t tid);

/* Reads the thread's name into @comm, of @size bytes. Returns 0 or a negative errno. */
int codectl_procfs_read_comm(int32_t tid, char *comm, size_t size);

/* Where a thread is that waits in a system call. */
struct codectl_wait {
	uint64_t sp;
	uint64_t pc;
};

/*
 * Returns 0, -EAGAIN if the thread runs, or waits outside of a system call, or
 * another negative errno.
 */
int codectl_procfs_read_wait(int32_t tid, struct codectl_wait *wait);

/* Returns 0 or a negative errno; -ENOENT when the thread has ended. */
int codectl_procfs_read_status(int32_t tid, struct codectl_thread_status *status);

/* Whether a thread of that name, which blocks those signals, is one of LTTng-UST's listeners. */
bool codectl_procfs_is_listener(const char *comm, uint64_t blocked_signals);

#endif /* CODECTL_SAMPLER_PROCFS_H */
