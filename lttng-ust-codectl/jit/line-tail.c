/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/line-tail.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void codectl_line_tail_init(struct codectl_line_tail *tail, int fd)
{
	tail->fd = fd;
	tail->offset = 0;
	tail->len = 0;
	tail->is_cutting = false;
}

/* Gives away the lines in the buffer and keeps the beginning of the next. */
static int take_lines(struct codectl_line_tail *tail,
	void (*line)(void *user, const char *text, size_t len), void *user)
{
	char *at = tail->buffer;
	char *end = tail->buffer + tail->len;
	char *newline;
	int count = 0;

	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		if (!tail->is_cutting) {
			line(user, at, (size_t)(newline - at));
			count++;
		}
		tail->is_cutting = false;
		at = newline + 1;
	}
	tail->len = (size_t)(end - at);
	memmove(tail->buffer, at, tail->len);
	if (tail->len == sizeof(tail->buffer)) {
		if (!tail->is_cutting) {
			line(user, tail->buffer, tail->len);
			count++;
		}
		tail->is_cutting = true;
		tail->len = 0;
	}
	return count;
}

int codectl_line_tail_read(struct codectl_line_tail *tail,
	void (*line)(void *user, const char *text, size_t len), void *user)
{
	struct stat status;
	int count = 0;

	if (fstat(tail->fd, &status) != 0)
		return -errno;
	if ((uint64_t)status.st_size < tail->offset)
		codectl_line_tail_init(tail, tail->fd);
	while ((uint64_t)status.st_size > tail->offset) {
		ssize_t got = pread(tail->fd, tail->buffer + tail->len,
			sizeof(tail->buffer) - tail->len, (off_t)tail->offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return count ? count : -errno;
		if (!got)
			break;
		tail->offset += (uint64_t)got;
		tail->len += (size_t)got;
		count += take_lines(tail, line, user);
	}
	return count;
}
