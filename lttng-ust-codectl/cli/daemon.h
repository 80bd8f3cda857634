/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/daemon.h: the session daemon for a recording. If none is usable, one is
 * started, and stopped when the last recording that uses it is done. One thread.
 *
 * A user's private daemon has a directory of its own as LTTNG_HOME. Root's is
 * where LTTng-UST looks for root's, so recordings of root share one: a lock
 * tells who is the last.
 */
#ifndef CODECTL_CLI_DAEMON_H
#define CODECTL_CLI_DAEMON_H

struct codectl_daemon;

/*
 * Finds or starts a daemon and sets LTTNG_HOME in our environment if it is a
 * private one: the recorded program has to inherit it. Returns NULL after an
 * error message. The caller owns it.
 */
struct codectl_daemon *codectl_daemon_acquire(void);

/*
 * Tells what a daemon that a recording started has complained of: that a trace
 * could not be written.
 */
void codectl_daemon_explain(const struct codectl_daemon *daemon);

/*
 * Gives the daemon back; it is stopped, and its directory removed, if a recording started it
 * and none needs it any more.
 */
void codectl_daemon_release(struct codectl_daemon *daemon);

#endif /* CODECTL_CLI_DAEMON_H */
