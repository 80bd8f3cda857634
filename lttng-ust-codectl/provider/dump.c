/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/dump.h"

#include "provider/emit.h"
#include "provider/helper.h"

static uint64_t dump_count;

uint64_t codectl_dump_count(void)
{
	return dump_count;
}

/* Rows of generated code that a dump has. */
static uint64_t count_rows(void)
{
	const struct codectl_registration *at = codectl_registry_find(CODECTL_CODE_JIT, 0);
	uint64_t count = 0;

	for (; at; at = codectl_registry_next(at))
		count += at->ops->count_rows ? at->ops->count_rows(at) : 0;
	return count;
}

static bool emit_bracket(const struct codectl_dump *dump, enum codectl_event_type type)
{
	struct codectl_event bracket = {
		.type = type,
		.timestamp = codectl_provider_now(),
		.statedump =
			{
				.serial = dump->serial,
				.count = dump->count,
				.rows = count_rows(),
			},
	};

	codectl_emit_to_session(dump->session, &bracket);
	return !codectl_emit_take_loss(dump->session);
}

static bool begin(struct codectl_dump *dump)
{
	*dump = (struct codectl_dump){
		.session = dump->session,
		.serial = codectl_registry_last_serial(),
		.count = codectl_registry_count(),
	};
	dump_count++;
	dump->has_begun = emit_bracket(dump, CODECTL_EVENT_STATEDUMP_BEGIN);
	return dump->has_begun;
}

/* Tells of the registrations of the current kind. Returns whether all found room. */
static bool tell_kind(struct codectl_dump *dump)
{
	const struct codectl_registration *at = codectl_registry_find(dump->kind, dump->address);

	for (; at; at = codectl_registry_next(at)) {
		dump->address = at->text_start;
		/* What is younger than the dump has been told to all. */
		if (at->serial > dump->serial)
			continue;
		at->ops->emit(at, dump->session);
		if (codectl_emit_take_loss(dump->session))
			return false;
		dump->told++;
		dump->address = at->text_end;
	}
	return true;
}

bool codectl_dump_continue(struct codectl_dump *dump)
{
	/* A live event is lost, so what the dump told is not all any more. */
	if (codectl_emit_take_loss(dump->session))
		dump->has_begun = false;
	if (!dump->has_begun && !begin(dump))
		return false;
	for (; dump->kind < CODECTL_CODE_KIND_COUNT; dump->kind++, dump->address = 0) {
		if (!tell_kind(dump))
			return false;
	}
	if (dump->told != dump->count) {
		dump->has_begun = false;
		return false;
	}
	return emit_bracket(dump, CODECTL_EVENT_STATEDUMP_END);
}
