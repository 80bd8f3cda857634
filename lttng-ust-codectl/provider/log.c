/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/log.h"

#include "provider/helper.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct line {
	char text[256];
	size_t len;
};

static void add_text(struct line *line, const char *text)
{
	size_t len = strlen(text);
	size_t room = sizeof(line->text) - 1 - line->len;

	if (len > room)
		len = room;
	memcpy(line->text + line->len, text, len);
	line->len += len;
}

static void add_number(struct line *line, int64_t value)
{
	char digits[24];
	size_t at = sizeof(digits) - 1;
	bool is_negative = value < 0;
	uint64_t rest = is_negative ? -(uint64_t)value : (uint64_t)value;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (is_negative)
		digits[--at] = '-';
	add_text(line, digits + at);
}

void codectl_log_debug(const char *message, const char *name, int64_t value)
{
	struct line line = {.len = 0};
	int saved_errno = errno;

	if (!codectl_provider_borrow_env()->has_debug)
		return;
	add_text(&line, "lttng-ust-codectl[");
	add_number(&line, getpid());
	add_text(&line, "/");
	add_number(&line, syscall(SYS_gettid));
	add_text(&line, "]: ");
	add_text(&line, message);
	if (name) {
		add_text(&line, ": ");
		add_text(&line, name);
		add_text(&line, "=");
		add_number(&line, value);
	}
	line.text[line.len++] = '\n';
	/* Not write(): that is a cancellation point, and this may run under a lock. */
	if (syscall(SYS_write, STDERR_FILENO, line.text, line.len) < 0)
		errno = saved_errno;
	errno = saved_errno;
}
