/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/health.h"

#include <lttng/health.h>
#include <lttng/lttng.h>
#include <stddef.h>

enum codectl_health codectl_health_read(void)
{
	struct lttng_health *health = NULL;
	enum codectl_health result = CODECTL_HEALTH_NO_DAEMON;

	if (lttng_session_daemon_alive() != 1)
		goto end;
	health = lttng_health_create_sessiond();
	if (!health || lttng_health_query(health) != 0)
		goto end;
	/* The daemon's thread that manages the consumer ends with it, and no other does. */
	result = lttng_health_state(health) ? CODECTL_HEALTH_NO_CONSUMER : CODECTL_HEALTH_GOOD;
end:
	lttng_health_destroy(health);
	return result;
}
