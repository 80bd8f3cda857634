/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * lib-full-disk: preloaded into LTTng's consumer daemon, is a disk that gets
 * full while samples are written, in the middle of a write, and has room again
 * a few writes later.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIRST_FAILURE 3
#define LAST_FAILURE  5

static atomic_int writes;

static int is_of_samples(int fd)
{
	char link[64];
	char path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len <= 0)
		return 0;
	path[len] = '\0';
	return strstr(path, "/codectl-samples_") != NULL;
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *from, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(
		RTLD_NEXT, "write");
	int number = len >= 4096 && is_of_samples(fd) ? atomic_fetch_add(&writes, 1) : 0;

	if (number == FIRST_FAILURE)
		return next(fd, from, len / 2 + 5);
	if (number > FIRST_FAILURE && number <= LAST_FAILURE) {
		errno = ENOSPC;
		return -1;
	}
	return next(fd, from, len);
}
