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

/*
 * How long a session may be active without the hook having been called for it,
 * until it is dumped to without. LTTng calls the hook right after it activates
 * a session; a look in between should not make it two dumps.
 */
#define HOOK_WAIT_NS 50000000

/* All under the registry's lock. Sessions which have had a dump and have been active since; */
static struct codectl_emit_sessions served;
/* and those which were seen active, since when, but had none. */
static struct codectl_emit_sessions pending;
static atomic_bool wants_samples;
static uint64_t dump_count;

bool codectl_statedump_wants_samples(void)
{
	return atomic_load_explicit(&wants_samples, memory_order_relaxed);
}

void codectl_statedump_after_fork(void)
{
	memset(&served, 0, sizeof(served));
	memset(&pending, 0, sizeof(pending));
	atomic_store(&wants_samples, false);
}

/* Rows of generated code that a dump has. Under the registry's lock. */
static uint64_t count_rows(void)
{
	const struct codectl_registration *at = codectl_registry_find(CODECTL_CODE_JIT, 0);
	uint64_t count = 0;

	for (; at; at = codectl_registry_next(at))
		count += at->ops->count_rows ? at->ops->count_rows(at) : 0;
	return count;
}

/* Under the registry's lock. */
static void dump(const struct lttng_ust_session *session)
{
	struct codectl_event bracket = {
		.type = CODECTL_EVENT_STATEDUMP_BEGIN,
		.timestamp = codectl_provider_now(),
		.statedump =
			{
				.serial = codectl_registry_last_serial(),
				.count = codectl_registry_count(),
				.rows = count_rows(),
			},
	};

	dump_count++;
	codectl_emit_to_session(session, &bracket);
	for (int kind = 0; kind < CODECTL_CODE_KIND_COUNT; kind++) {
		const struct codectl_registration *at = codectl_registry_find(
			(enum codectl_code_kind)kind, 0);

		for (; at; at = codectl_registry_next(at))
			at->ops->emit(at, session);
	}
	bracket.type = CODECTL_EVENT_STATEDUMP_END;
	codectl_emit_to_session(session, &bracket);
}

static void forget(const struct lttng_ust_session *session)
{
	for (size_t i = 0; i < served.count; i++) {
		if (served.sessions[i] == session) {
			served.count--;
			served.sessions[i] = served.sessions[served.count];
			served.since[i] = served.since[served.count];
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
			codectl_emit_add_session(&served, session, codectl_provider_now());
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

/* When @session was first seen active without a dump; @now if that is now. */
static uint64_t waits_since(const struct lttng_ust_session *session, uint64_t now)
{
	size_t at = codectl_emit_find_session(&pending, session);

	return at < pending.count ? pending.since[at] : now;
}

/*
 * Sorts the sessions that record registrations into served and pending, with a
 * dump in between. Those which are gone, or stopped, are in neither: they get
 * another dump when they come back.
 */
static void serve(const struct codectl_emit_sessions *recording, bool is_urgent)
{
	struct codectl_emit_sessions now_served = {.is_full = recording->is_full};
	struct codectl_emit_sessions now_pending = {.count = 0};
	uint64_t now = codectl_provider_now();

	for (size_t i = 0; i < recording->count; i++) {
		const struct lttng_ust_session *session = recording->sessions[i];
		size_t at = codectl_emit_find_session(&served, session);
		bool is_served = at < served.count;
		uint64_t begin = waits_since(session, now);

		if (!is_served && !is_urgent && now - begin < HOOK_WAIT_NS) {
			codectl_emit_add_session(&now_pending, session, begin);
			continue;
		}
		if (!is_served) {
			codectl_log_debug("State dump to a session found active", "registrations",
				(int64_t)codectl_registry_count());
			dump(session);
		}
		codectl_emit_add_session(&now_served, session,
			is_served ? served.since[at] : codectl_provider_now());
	}
	memcpy(&served, &now_served, sizeof(served));
	memcpy(&pending, &now_pending, sizeof(pending));
}

bool codectl_statedump_service(struct codectl_emit_sessions *known, uint64_t *dumps, bool is_urgent)
{
	struct codectl_emit_sessions recording = {.count = 0};
	struct codectl_emit_sessions sampling = {.count = 0};
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	codectl_emit_collect_sessions(CODECTL_EVENT_REGISTER_ELF, &recording);
	serve(&recording, is_urgent);
	atomic_store(
		&wants_samples, codectl_emit_collect_sessions(CODECTL_EVENT_SAMPLE, &sampling));
	memcpy(known, &served, sizeof(*known));
	*dumps = dump_count;
	for (size_t i = 0; i < sampling.count; i++) {
		if (!codectl_emit_has_session(&pending, sampling.sessions[i]))
			codectl_emit_add_session(known, sampling.sessions[i], 0);
	}
	known->is_full |= sampling.is_full;

	bool is_active = known->count > 0 || pending.count > 0 || codectl_statedump_wants_samples();

	codectl_registry_unlock(&saved_mask);
	return is_active;
}
