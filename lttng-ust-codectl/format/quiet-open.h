/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/quiet-open.h: opens files without the program's noticing. Any thread.
 */
#ifndef CODECTL_FORMAT_QUIET_OPEN_H
#define CODECTL_FORMAT_QUIET_OPEN_H

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Closes what codectl_quiet_open() has opened. */
static inline void codectl_quiet_close(int fd)
{
	/*
	 * Not by close(): liblttng-ust-fd stands before it, and takes a lock, with four
	 * changes of the signal mask, to see whether it is one of LTTng's files.
	 */
	syscall(SYS_close, fd);
}

/*
 * Opens for reading, with more @flags. A number of the standard streams is given
 * back at once: a program which closes one, to have its next open() get that
 * number, must not lose it to us. Returns the descriptor or a negative errno.
 */
static inline int codectl_quiet_open(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);

	if (fd < 0)
		return -errno;
	if (fd <= STDERR_FILENO) {
		codectl_quiet_close(fd);
		return -EMFILE;
	}
	return fd;
}

#endif /* CODECTL_FORMAT_QUIET_OPEN_H */
