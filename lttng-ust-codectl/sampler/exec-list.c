/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/exec-list.c: execl(), execlp() and execle(), of which the C library's
 * call its own execve() where nobody can stand before. Ours do the same with
 * those of image-end.c. Async-signal-safe, like those behind them.
 */
#include "provider/export.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define FEW 256

/* The arguments of a variadic function as an array. */
struct argument_list {
	char **all; /* `few`, or mapped. */
	size_t mapped_size;
	char *few[FEW];
};

static size_t count_arguments(const char *first, va_list *rest)
{
	va_list counted;
	size_t count = 0;

	if (!first)
		return 0;
	va_copy(counted, *rest);
	do
		count++;
	while (va_arg(counted, char *));
	va_end(counted);
	return count;
}

/* Returns 0, or -1 with errno. @rest is behind the NULL then. */
static int collect(struct argument_list *list, const char *first, va_list *rest)
{
	size_t count = count_arguments(first, rest);

	list->all = list->few;
	list->mapped_size = 0;
	if (count >= FEW) {
		void *memory = mmap(NULL, (count + 1) * sizeof(char *), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			return -1;
		list->all = memory;
		list->mapped_size = (count + 1) * sizeof(char *);
	}
	/* Nobody writes to arguments; execv() takes char *const[] for historical reasons. */
	list->all[0] = (char *)(uintptr_t)first;
	for (size_t i = 1; i <= count; i++)
		list->all[i] = va_arg(*rest, char *);
	return 0;
}

/* Only if the program goes on. */
static int release(struct argument_list *list, int ret)
{
	int saved_errno = errno;

	if (list->mapped_size)
		munmap(list->all, list->mapped_size);
	errno = saved_errno;
	return ret;
}

CODECTL_EXPORT int execl(const char *path, const char *first, ...)
{
	struct argument_list list;
	va_list rest;

	va_start(rest, first);

	int ret = collect(&list, first, &rest);

	va_end(rest);
	return ret ? ret : release(&list, execv(path, list.all));
}

CODECTL_EXPORT int execlp(const char *file, const char *first, ...)
{
	struct argument_list list;
	va_list rest;

	va_start(rest, first);

	int ret = collect(&list, first, &rest);

	va_end(rest);
	return ret ? ret : release(&list, execvp(file, list.all));
}

CODECTL_EXPORT int execle(const char *path, const char *first, ...)
{
	struct argument_list list;
	char *const *environment = NULL;
	va_list rest;

	va_start(rest, first);

	int ret = collect(&list, first, &rest);

	if (ret == 0)
		environment = va_arg(rest, char *const *);
	va_end(rest);
	return ret ? ret : release(&list, execve(path, list.all, environment));
}
