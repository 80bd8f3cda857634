/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/statedump.h"

#include "provider/dump.h"
#include "provider/export.h"
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

/*
 * Dumps for which there was no room so far. Their sessions get no samples, which
 * are what fills the buffers, for that time at most; then the map is known to
 * have holes, and the dump is tried again now and then.
 */
#define DUMP_WAIT_NS   1000000000
#define DUMP_RETRY_NS  1000000000
#define UNFINISHED_MAX 16

static struct unfinished {
	struct codectl_dump dump;
	uint64_t deadline; /* Of waiting; or of the next try if it is hopeless. */
	bool is_hopeless;
} unfinished[UNFINISHED_MAX];
static size_t unfinished_count;

bool codectl_statedump_wants_samples(void)
{
	return atomic_load_explicit(&wants_samples, memory_order_relaxed);
}

void codectl_statedump_after_fork(void)
{
	memset(&served, 0, sizeof(served));
	memset(&pending, 0, sizeof(pending));
	unfinished_count = 0;
	codectl_emit_forget_others(NULL);
	atomic_store(&wants_samples, false);
}

static struct unfinished *find_unfinished(const struct lttng_ust_session *session)
{
	for (size_t i = 0; i < unfinished_count; i++) {
		if (unfinished[i].dump.session == session)
			return &unfinished[i];
	}
	return NULL;
}

static void remove_unfinished(struct unfinished *entry)
{
	if (entry)
		*entry = unfinished[--unfinished_count];
}

/*
 * Goes on with the dump to @session, or begins it. Returns whether the session may
 * have samples: it has the dump, or there is no hope that it soon will.
 */
static bool continue_dump(const struct lttng_ust_session *session, uint64_t now)
{
	struct unfinished *entry = find_unfinished(session);
	struct codectl_dump single = {.session = session};

	if (!entry) {
		if (codectl_dump_continue(&single) || unfinished_count == UNFINISHED_MAX)
			return true;
		entry = &unfinished[unfinished_count++];
		*entry = (struct unfinished){.dump = single, .deadline = now + DUMP_WAIT_NS};
		return false;
	}
	if (entry->is_hopeless && now < entry->deadline)
		return true;
	if (codectl_dump_continue(&entry->dump)) {
		remove_unfinished(entry);
		return true;
	}
	if (now >= entry->deadline) {
		codectl_log_debug("No room for a state dump in the buffers of a session",
			"registrations", (int64_t)codectl_registry_count());
		entry->is_hopeless = true;
		entry->deadline = now + DUMP_RETRY_NS;
	}
	return entry->is_hopeless;
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
	codectl_emit_remove_session(&served, session);
	remove_unfinished(find_unfinished(session));
	if (codectl_emit_has_session(&recording, session)) {
		uint64_t now = codectl_provider_now();

		if (continue_dump(session, now))
			codectl_emit_add_session(&served, session, now);
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

/* Whether LTTng is likely to call the hook for @session, which has had no dump, at once. */
static bool awaits_hook(const struct lttng_ust_session *session, uint64_t now)
{
	return !find_unfinished(session) && now - waits_since(session, now) < HOOK_WAIT_NS;
}

/* Forgets the dumps of sessions that are gone. */
static void trim_unfinished(const struct codectl_emit_sessions *recording)
{
	for (size_t i = unfinished_count; i-- > 0;) {
		if (!codectl_emit_has_session(recording, unfinished[i].dump.session))
			remove_unfinished(&unfinished[i]);
	}
}

/*
 * Sorts the sessions that record registrations into served and pending, with a
 * dump in between: also if an event did not get into one. Those which are gone, or
 * stopped, are in neither: they get another dump when they come back.
 */
static void serve(const struct codectl_emit_sessions *recording, bool is_urgent)
{
	struct codectl_emit_sessions now_served = {.is_full = recording->is_full};
	struct codectl_emit_sessions now_pending = {.count = 0};
	uint64_t now = codectl_provider_now();

	trim_unfinished(recording);
	codectl_emit_forget_others(recording);
	for (size_t i = 0; i < recording->count; i++) {
		const struct lttng_ust_session *session = recording->sessions[i];
		size_t at = codectl_emit_find_session(&served, session);
		bool is_served = at < served.count && !find_unfinished(session);

		if (is_served && !codectl_emit_take_loss(session)) {
			codectl_emit_add_session(&now_served, session, served.since[at]);
			continue;
		}
		if ((at == served.count && !is_urgent && awaits_hook(session, now)) ||
			!continue_dump(session, now)) {
			codectl_emit_add_session(&now_pending, session, waits_since(session, now));
			continue;
		}
		/* Without a new dump, the map is what it was. */
		codectl_emit_add_session(&now_served, session,
			at < served.count && find_unfinished(session) ? served.since[at]
								      : codectl_provider_now());
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
	*dumps = codectl_dump_count();
	for (size_t i = 0; i < sampling.count; i++) {
		if (!codectl_emit_has_session(&pending, sampling.sessions[i]))
			codectl_emit_add_session(known, sampling.sessions[i], 0);
	}
	known->is_full |= sampling.is_full;

	bool is_active = known->count > 0 || pending.count > 0 || codectl_statedump_wants_samples();

	codectl_registry_unlock(&saved_mask);
	return is_active;
}

CODECTL_EXPORT bool codectl_provider_wants_samples(void)
{
	return codectl_statedump_wants_samples();
}

CODECTL_EXPORT uint64_t codectl_provider_last_serial(void)
{
	return codectl_registry_last_serial();
}
