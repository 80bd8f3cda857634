/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/statedump.h"

#include "provider/helper.h"
#include "provider/image.h"
#include "provider/helper-thread.h"
#include "provider/lifecycle.h"
#include "provider/log.h"
#include "provider/registry.h"

#include <lttng/tracepoint.h>

#include <stdatomic.h>
#include <string.h>

/* Sessions which have had a dump and have been active since. Under the registry's lock. */
static struct codectl_emit_sessions served;
static atomic_bool wants_samples;

bool codectl_statedump_wants_samples(void)
{
	return atomic_load_explicit(&wants_samples, memory_order_relaxed);
}

void codectl_statedump_after_fork(void)
{
	memset(&served, 0, sizeof(served));
	atomic_store(&wants_samples, false);
}

/* Under the registry's lock. */
static void dump(const struct lttng_ust_session *session)
{
	size_t count = codectl_registry_count();
	struct codectl_event bracket = {
		.type = CODECTL_EVENT_STATEDUMP_BEGIN,
		.timestamp = codectl_provider_now(),
		.statedump =
			{
				.serial = codectl_registry_last_serial(),
				.count = count,
			},
	};

	codectl_emit_to_session(session, &bracket);
	for (size_t i = 0; i < count; i++)
		codectl_emit_to_session(session, codectl_registry_borrow(i));
	bracket.type = CODECTL_EVENT_STATEDUMP_END;
	codectl_emit_to_session(session, &bracket);
}

static void forget(const struct lttng_ust_session *session)
{
	for (size_t i = 0; i < served.count; i++) {
		if (served.sessions[i] == session) {
			served.sessions[i] = served.sessions[--served.count];
			break;
		}
	}
}

/* LTTng's probe for lttng_ust_statedump:start. */
static void on_statedump_start(void *unused, struct lttng_ust_session *session)
{
	struct codectl_emit_sessions recording = {.count = 0};
	sigset_t saved_mask;

	(void)unused;
	/* clone() runs no fork handlers, but liblttng-ust-fork brings tracing to its child. */
	if (!codectl_image_is_own())
		codectl_lifecycle_enter_child();
	codectl_image_open();

	codectl_registry_lock(&saved_mask);
	codectl_emit_collect_sessions(CODECTL_EVENT_REGISTER_ELF, &recording);
	/* This may be another session at the address of one that is gone. */
	forget(session);
	if (codectl_emit_has_session(&recording, session)) {
		dump(session);
		if (served.count < CODECTL_EMIT_SESSION_MAX)
			served.sessions[served.count++] = session;
	}
	if (codectl_emit_collect_sessions(CODECTL_EVENT_SAMPLE, &recording))
		atomic_store(&wants_samples, true);
	codectl_registry_unlock(&saved_mask);
	codectl_helper_wake();
}

int codectl_statedump_start(void)
{
	/* A signature which is not LTTng's to the letter would never be called. */
	return lttng_ust_tracepoint_provider_register("lttng_ust_statedump", "start",
		(void (*)(void))on_statedump_start, NULL, "struct lttng_ust_session *, session");
}

bool codectl_statedump_service(struct codectl_emit_sessions *known)
{
	struct codectl_emit_sessions recording = {.count = 0};
	sigset_t saved_mask;

	known->count = 0;
	known->is_full = false;
	codectl_registry_lock(&saved_mask);
	codectl_emit_collect_sessions(CODECTL_EVENT_REGISTER_ELF, &recording);
	for (size_t i = 0; i < recording.count; i++) {
		if (!codectl_emit_has_session(&served, recording.sessions[i])) {
			codectl_log_debug("State dump to a session found active", "registrations",
				(int64_t)codectl_registry_count());
			dump(recording.sessions[i]);
		}
	}
	/* Those which are gone, or stopped, get another dump when they come back. */
	memcpy(&served, &recording, sizeof(served));
	memcpy(known, &recording, sizeof(*known));
	atomic_store(&wants_samples, codectl_emit_collect_sessions(CODECTL_EVENT_SAMPLE, known));
	codectl_registry_unlock(&saved_mask);
	return known->count > 0 || codectl_statedump_wants_samples();
}
