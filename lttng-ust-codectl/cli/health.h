/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/health.h: whether the session daemon still does its work. One thread.
 */
#ifndef CODECTL_CLI_HEALTH_H
#define CODECTL_CLI_HEALTH_H

enum codectl_health {
	CODECTL_HEALTH_GOOD,
	CODECTL_HEALTH_NO_DAEMON,   /* It does not answer. */
	CODECTL_HEALTH_NO_CONSUMER, /* It does, but the process that writes the traces is gone. */
};

enum codectl_health codectl_health_read(void);

#endif /* CODECTL_CLI_HEALTH_H */
