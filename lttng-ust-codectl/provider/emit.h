/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/emit.h: from a struct codectl_event to the tracepoints, for all
 * sessions or for one. Sessions are known by address only: weak, compared but
 * never read after the call that got them, and used again for other sessions.
 *
 * Any thread, LTTng's listener included; not from a signal handler. vpid and
 * start_time are filled in here. Nothing is emitted while the image is closed
 * (see provider/image.h).
 */
#ifndef CODECTL_PROVIDER_EMIT_H
#define CODECTL_PROVIDER_EMIT_H

#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>

struct lttng_ust_session;

#define CODECTL_EMIT_SESSION_MAX 64

/* A set of active sessions; what does not fit is left out, and `is_full` set. */
struct codectl_emit_sessions {
	const struct lttng_ust_session *sessions[CODECTL_EMIT_SESSION_MAX]; /* Weak. */
	/* They get no samples from before, CLOCK_MONOTONIC ns: the map of then is not theirs. */
	uint64_t since[CODECTL_EMIT_SESSION_MAX];
	size_t count;
	bool is_full;
};

/*
 * These two are for what the map is made of, and called with the registry's lock.
 * To every session that enabled the event; and to @session only.
 */
void codectl_emit_live(const struct codectl_event *event);

void codectl_emit_to_session(
	const struct lttng_ust_session *session, const struct codectl_event *event);

/*
 * Whether an event of those two has found no room in @session's buffers since the
 * last call. If the session has a filter that is known only once an event got in.
 * With the registry's lock, as the next.
 */
bool codectl_emit_take_loss(const struct lttng_ust_session *session);

/* Forgets what is known of sessions but for those of @present (NULL: of all). */
void codectl_emit_forget_others(const struct codectl_emit_sessions *present);

/*
 * To the sessions of @set only (if it is full: to all), and to event notifiers; a
 * sample not to those that have the map of a later time only.
 */
void codectl_emit_to_sessions(
	const struct codectl_emit_sessions *set, const struct codectl_event *event);

/* Whether anybody may record events of @type. Cheap. */
bool codectl_emit_is_wanted(enum codectl_event_type type);

/* Adds to @set the active sessions which record events of @type. Returns whether there is any. */
bool codectl_emit_collect_sessions(enum codectl_event_type type, struct codectl_emit_sessions *set);

/* Adds @session if it is not in @set, with its `since`. */
void codectl_emit_add_session(
	struct codectl_emit_sessions *set, const struct lttng_ust_session *session, uint64_t since);

/* Its index in the set, or `count` if it is not there. */
size_t codectl_emit_find_session(
	const struct codectl_emit_sessions *set, const struct lttng_ust_session *session);

/* Returns whether it was there. */
bool codectl_emit_remove_session(
	struct codectl_emit_sessions *set, const struct lttng_ust_session *session);

bool codectl_emit_has_session(
	const struct codectl_emit_sessions *set, const struct lttng_ust_session *session);

/*
 * From now on the tracepoints are not taken down when the process exits: a
 * thread that could not be stopped may be inside one.
 */
void codectl_emit_keep_tracepoints(void);

#endif /* CODECTL_PROVIDER_EMIT_H */
