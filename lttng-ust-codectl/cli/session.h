/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/session.h: the LTTng session of a recording. Registrations have a
 * channel of their own, so that a flood of samples cannot push them out. One
 * thread.
 */
#ifndef CODECTL_CLI_SESSION_H
#define CODECTL_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

struct codectl_session;

struct codectl_session_options {
	uint64_t recording;	     /* Of the programs; see struct codectl_event. */
	uint64_t buffer_size;	     /* Of samples, per CPU, bytes; 0: the default. */
	const char *const *patterns; /* NULL-terminated, lists with commas; NULL: none. */
};

/*
 * Makes a session that writes below the absolute path @directory, and starts
 * it. Of codectl's own events it takes those of programs with that recording
 * number alone: the daemon may serve other programs too. Events with names like
 * the patterns are taken of every program that the daemon serves, into a
 * channel of their own. Returns NULL after an error message. The caller owns it.
 */
struct codectl_session *codectl_session_start(
	const char *directory, const struct codectl_session_options *options);

/*
 * Stops the session, waits (with a time limit) until the trace is on disk, and
 * destroys it. *@lost becomes the number of events that found no room in the
 * buffers. If the daemon is broken that is done as far as it goes, and silently.
 * Returns 0, or a negative errno after an error message.
 */
int codectl_session_stop(struct codectl_session *session, bool is_broken, uint64_t *lost);

#endif /* CODECTL_CLI_SESSION_H */
