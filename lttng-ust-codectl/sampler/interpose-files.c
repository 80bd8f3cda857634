/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/interpose-files.c: our own closefrom() and close_range() stand before
 * the C library's. Daemons close all files that they have inherited; those of
 * LTTng-UST have to stay, or it would write to whatever file gets the number
 * next, and abort at exit. liblttng-ust-fd keeps close() from them, but knows
 * nothing of these two: here they become a close() for each open file. Without
 * that library it comes to the same as ever.
 *
 * And chroot(): before it, the helper thread gets a root directory of its own.
 * All are async-signal-safe.
 */
#include "provider/export.h"
#include "provider/helper.h"
#include "sampler/interpose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int (*close_range_function)(unsigned int, unsigned int, int);
typedef void (*closefrom_function)(int);

typedef int (*chroot_function)(const char *);

static void *real_chroot;
static void *real_close_range;
static void *real_closefrom;

__attribute__((constructor)) static void find_real_functions(void)
{
	int saved_errno = errno;

	codectl_interpose_find(&real_chroot, "chroot");
	codectl_interpose_find(&real_close_range, "close_range");
	codectl_interpose_find(&real_closefrom, "closefrom");
	errno = saved_errno;
}

/* A decimal number, or -1. */
static int read_number(const char *text)
{
	long number = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > INT_MAX / 10)
			return -1;
		number = number * 10 + (*text - '0');
	}
	return number <= INT_MAX ? (int)number : -1;
}

/* Closes what is in one part of a directory. */
static void close_listed(
	const char *entries, long len, int directory_fd, unsigned int first, unsigned int last)
{
	for (long at = 0; at < len;) {
		/* linux/dirent.h: inode, offset, length and type are before the name. */
		const struct dirent64 *entry =
			(const struct dirent64 *)(const void *)(entries + at);
		int fd = read_number(entry->d_name);

		if (fd >= 0 && (unsigned int)fd >= first && (unsigned int)fd <= last &&
			fd != directory_fd)
			close(fd);
		at += entry->d_reclen;
	}
}

/* Returns whether it could be done. */
static bool close_each(unsigned int first, unsigned int last)
{
	_Alignas(uint64_t) char entries[2048];
	int directory_fd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long len;

	if (directory_fd < 0)
		return false;
	/* The kernel goes on behind the number of the last entry, whatever was closed. */
	while ((len = syscall(SYS_getdents64, directory_fd, entries, sizeof(entries))) > 0)
		close_listed(entries, len, directory_fd, first, last);
	close(directory_fd);
	return len == 0;
}

/*
 * Where there is anything to protect: the child of a vfork() is about to become
 * another program, and has the parent's memory.
 */
static bool try_to_close(unsigned int first, unsigned int last)
{
	int saved_errno = errno;
	bool is_done = codectl_provider_is_own_image() && close_each(first, last);

	errno = saved_errno;
	return is_done;
}

CODECTL_EXPORT int close_range(unsigned int first, unsigned int last, int flags)
{
	close_range_function function = (close_range_function)codectl_interpose_find(
		&real_close_range, "close_range");

	if (!function)
		return -1;
	if (flags == 0 && first <= last && try_to_close(first, last))
		return 0;
	return function(first, last, flags);
}

CODECTL_EXPORT void closefrom(int first)
{
	closefrom_function function = (closefrom_function)codectl_interpose_find(
		&real_closefrom, "closefrom");

	if (!try_to_close(first > 0 ? (unsigned int)first : 0, UINT_MAX) && function)
		function(first);
}

CODECTL_EXPORT int chroot(const char *path)
{
	chroot_function function = (chroot_function)codectl_interpose_find(&real_chroot, "chroot");

	if (!function)
		return -1;
	codectl_helper_keep_root();
	return function(path);
}
