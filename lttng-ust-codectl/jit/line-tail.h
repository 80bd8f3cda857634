/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/line-tail.h: the complete lines of a file that somebody else is writing,
 * each once. One thread at a time.
 */
#ifndef CODECTL_JIT_LINE_TAIL_H
#define CODECTL_JIT_LINE_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer lines are cut to this. */
#define CODECTL_LINE_TAIL_MAX 8192

struct codectl_line_tail {
	int fd; /* Weak. */
	uint64_t offset;
	size_t len;
	bool is_cutting; /* The rest of a line that was too long is being skipped. */
	char buffer[CODECTL_LINE_TAIL_MAX];
};

void codectl_line_tail_init(struct codectl_line_tail *tail, int fd);

/*
 * Calls @line with each line that has ended since, without its newline; it is
 * valid within the call. A file that has become shorter is read again from its
 * beginning. Returns the number of lines or a negative errno.
 */
int codectl_line_tail_read(struct codectl_line_tail *tail,
	void (*line)(void *user, const char *text, size_t len), void *user);

#endif /* CODECTL_JIT_LINE_TAIL_H */
