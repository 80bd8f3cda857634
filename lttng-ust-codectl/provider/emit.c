/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/emit.h"

#include "provider/emission.h"
#include "provider/helper.h"
#include "provider/image.h"

#define LTTNG_UST_TRACEPOINT_HIDDEN_DEFINITION
#define LTTNG_UST_TRACEPOINT_PROVIDER_HIDDEN_DEFINITION
#include "provider/tp.h"

#include <lttng/ust-events.h>

#include <string.h>

/* Whom an event goes to; recorders and notifiers are told apart by @session being NULL. */
struct audience {
	bool (*is_wanted)(const struct audience *audience, const struct lttng_ust_session *session);
	const struct lttng_ust_session *session;
	const struct codectl_emit_sessions *set;
	uint64_t sampled_at; /* UINT64_MAX for what is no sample. */
	bool is_of_map;	     /* The registry's lock is held, and losses count. */
};

/*
 * Under the registry's lock: sessions that an event of the map did not get into;
 * and those with a filter that let one in.
 */
static struct codectl_emit_sessions lossy;
static struct codectl_emit_sessions accepting;

static struct lttng_ust_tracepoint *const tracepoints[CODECTL_EVENT_TYPE_COUNT] = {
	[CODECTL_EVENT_REGISTER_ELF] = &lttng_ust_tracepoint_codectl___register_elf,
	[CODECTL_EVENT_UNREGISTER] = &lttng_ust_tracepoint_codectl___unregister,
	[CODECTL_EVENT_STATEDUMP_BEGIN] = &lttng_ust_tracepoint_codectl___statedump_begin,
	[CODECTL_EVENT_STATEDUMP_END] = &lttng_ust_tracepoint_codectl___statedump_end,
	[CODECTL_EVENT_SAMPLE] = &lttng_ust_tracepoint_codectl___sample,
	[CODECTL_EVENT_THREAD_STATS] = &lttng_ust_tracepoint_codectl___thread_stats,
	[CODECTL_EVENT_ELF_IMAGE] = &lttng_ust_tracepoint_codectl___elf_image,
	[CODECTL_EVENT_REGISTER_JIT] = &lttng_ust_tracepoint_codectl___register_jit,
	[CODECTL_EVENT_JIT_ROWS] = &lttng_ust_tracepoint_codectl___jit_rows,
	[CODECTL_EVENT_JIT_BLOB] = &lttng_ust_tracepoint_codectl___jit_blob,
	[CODECTL_EVENT_JIT_SYMBOL] = &lttng_ust_tracepoint_codectl___jit_symbol,
	[CODECTL_EVENT_JIT_INLINES] = &lttng_ust_tracepoint_codectl___jit_inlines,
	[CODECTL_EVENT_JIT_LINES] = &lttng_ust_tracepoint_codectl___jit_lines,
	[CODECTL_EVENT_JIT_SYMBOL_UNLOAD] = &lttng_ust_tracepoint_codectl___jit_symbol_unload,
	[CODECTL_EVENT_UNRECORDED_PROGRAM] = &lttng_ust_tracepoint_codectl___unrecorded_program,
};

/*
 * The session whose recorder @probe is: the probes of a tracepoint and their
 * data are part of LTTng-UST's ABI (lttng/ust-events.h). NULL for an event
 * notifier.
 */
static const struct lttng_ust_session *probe_session(const struct lttng_ust_tracepoint_probe *probe)
{
	const struct lttng_ust_event_common *event = probe->data;

	if (!event || event->type != LTTNG_UST_EVENT_TYPE_RECORDER)
		return NULL;

	const struct lttng_ust_event_recorder *recorder = event->child;

	return recorder->chan->parent->session;
}

static bool is_probe_active(const struct lttng_ust_tracepoint_probe *probe)
{
	const struct lttng_ust_event_common *event = probe->data;
	const struct lttng_ust_session *session = probe_session(probe);

	if (!event || !CMM_ACCESS_ONCE(event->enabled))
		return false;
	if (!session)
		return true;

	const struct lttng_ust_event_recorder *recorder = event->child;

	return CMM_ACCESS_ONCE(session->active) && CMM_ACCESS_ONCE(recorder->chan->parent->enabled);
}

/* Takes note of what became of an event of the map; see provider/emission.h. */
static void note_evaluations(
	const struct lttng_ust_tracepoint_probe *probe, unsigned int evaluations)
{
	const struct lttng_ust_session *session = probe_session(probe);
	const struct lttng_ust_event_common *event = probe->data;
	bool has_filter;

	if (!session || !is_probe_active(probe))
		return;
	has_filter = CMM_ACCESS_ONCE(event->eval_filter);
	if (has_filter && evaluations > 1)
		codectl_emit_add_session(&accepting, session, 0);
	else if (has_filter ? codectl_emit_has_session(&accepting, session) : evaluations == 0)
		codectl_emit_add_session(&lossy, session, 0);
}

static void emit(const struct codectl_event *event, const struct audience *audience)
{
	struct lttng_ust_tracepoint *tracepoint = tracepoints[event->type];
	struct codectl_emission emission;

	if (!CMM_LOAD_SHARED(tracepoint->state) || !codectl_image_is_open() ||
		!LTTNG_UST_TP_RCU_LINK_TEST())
		return;
	memcpy(&emission.event, event, sizeof(emission.event));
	emission.event.vpid = codectl_image_vpid();
	emission.event.start_time = codectl_image_start_time();
	emission.event.recording = codectl_provider_borrow_env()->recording;

	lttng_ust_tp_rcu_read_lock();

	struct lttng_ust_tracepoint_probe *probe = lttng_ust_tp_rcu_dereference(tracepoint->probes);

	for (; probe && probe->func; probe++) {
		if (!audience->is_wanted(audience, probe_session(probe)))
			continue;
		emission.evaluations = 0;
		((void (*)(void *, const struct codectl_event *))probe->func)(
			probe->data, &emission.event);
		if (audience->is_of_map)
			note_evaluations(probe, emission.evaluations);
	}
	lttng_ust_tp_rcu_read_unlock();
}

static bool is_any(const struct audience *audience, const struct lttng_ust_session *session)
{
	(void)audience;
	(void)session;
	return true;
}

static bool is_the_one(const struct audience *audience, const struct lttng_ust_session *session)
{
	return session == audience->session;
}

static bool is_in_set(const struct audience *audience, const struct lttng_ust_session *session)
{
	const struct codectl_emit_sessions *set = audience->set;
	size_t at = codectl_emit_find_session(set, session);

	if (at < set->count)
		return audience->sampled_at >= set->since[at];
	return !session || set->is_full;
}

void codectl_emit_live(const struct codectl_event *event)
{
	emit(event, &(struct audience){.is_wanted = is_any, .is_of_map = true});
}

void codectl_emit_to_session(
	const struct lttng_ust_session *session, const struct codectl_event *event)
{
	emit(event,
		&(struct audience){.is_wanted = is_the_one, .session = session, .is_of_map = true});
}

void codectl_emit_to_sessions(
	const struct codectl_emit_sessions *set, const struct codectl_event *event)
{
	emit(event, &(struct audience){
			    .is_wanted = is_in_set,
			    .set = set,
			    .sampled_at = event->type == CODECTL_EVENT_SAMPLE ? event->timestamp
									      : UINT64_MAX,
		    });
}

size_t codectl_emit_find_session(
	const struct codectl_emit_sessions *set, const struct lttng_ust_session *session)
{
	size_t at = 0;

	while (at < set->count && set->sessions[at] != session)
		at++;
	return at;
}

bool codectl_emit_has_session(
	const struct codectl_emit_sessions *set, const struct lttng_ust_session *session)
{
	return codectl_emit_find_session(set, session) < set->count;
}

void codectl_emit_add_session(
	struct codectl_emit_sessions *set, const struct lttng_ust_session *session, uint64_t since)
{
	if (codectl_emit_has_session(set, session))
		return;
	if (set->count == CODECTL_EMIT_SESSION_MAX) {
		set->is_full = true;
		return;
	}
	set->since[set->count] = since;
	set->sessions[set->count++] = session;
}

bool codectl_emit_is_wanted(enum codectl_event_type type)
{
	return CMM_LOAD_SHARED(tracepoints[type]->state) && codectl_image_is_open();
}

bool codectl_emit_collect_sessions(enum codectl_event_type type, struct codectl_emit_sessions *set)
{
	struct lttng_ust_tracepoint *tracepoint = tracepoints[type];
	bool is_wanted = false;

	if (!CMM_LOAD_SHARED(tracepoint->state) || !codectl_image_is_open() ||
		!LTTNG_UST_TP_RCU_LINK_TEST())
		return false;
	lttng_ust_tp_rcu_read_lock();

	struct lttng_ust_tracepoint_probe *probe = lttng_ust_tp_rcu_dereference(tracepoint->probes);

	for (; probe && probe->func; probe++) {
		const struct lttng_ust_session *session = probe_session(probe);

		if (!is_probe_active(probe))
			continue;
		is_wanted = true;
		if (session)
			codectl_emit_add_session(set, session, 0);
	}
	lttng_ust_tp_rcu_read_unlock();
	return is_wanted;
}

bool codectl_emit_remove_session(
	struct codectl_emit_sessions *set, const struct lttng_ust_session *session)
{
	size_t at = codectl_emit_find_session(set, session);

	if (at == set->count)
		return false;
	set->count--;
	set->sessions[at] = set->sessions[set->count];
	set->since[at] = set->since[set->count];
	return true;
}

bool codectl_emit_take_loss(const struct lttng_ust_session *session)
{
	return codectl_emit_remove_session(&lossy, session);
}

static void keep_only(
	struct codectl_emit_sessions *set, const struct codectl_emit_sessions *present)
{
	for (size_t i = set->count; i-- > 0;) {
		if (!present || !codectl_emit_has_session(present, set->sessions[i]))
			codectl_emit_remove_session(set, set->sessions[i]);
	}
}

void codectl_emit_forget_others(const struct codectl_emit_sessions *present)
{
	keep_only(&lossy, present);
	keep_only(&accepting, present);
}

void codectl_emit_keep_tracepoints(void)
{
	tracepoint_disable_destructors();
}
