/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/jit-rows.h"

#include "provider/emit.h"
#include "provider/helper.h"

/* The columns of the event that is being emitted. Under the registry's lock. */
static struct {
	uint32_t ip_off[CODECTL_JIT_EVENT_ROWS];
	uint32_t size[CODECTL_JIT_EVENT_ROWS];
	int32_t cfa_off[CODECTL_JIT_EVENT_ROWS];
	int32_t ra_off[CODECTL_JIT_EVENT_ROWS];
	int32_t fp_off[CODECTL_JIT_EVENT_ROWS];
	uint8_t info[CODECTL_JIT_EVENT_ROWS];
	uint8_t flags[CODECTL_JIT_EVENT_ROWS];
} columns;

void codectl_jit_emit_rows(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	struct codectl_jit_row_audience *audience = user;
	bool has_flags = false;

	for (size_t i = 0; i < count; i++) {
		columns.ip_off[i] = rows[i].ip_off;
		columns.size[i] = rows[i].size;
		columns.cfa_off[i] = rows[i].cfa_off;
		columns.ra_off[i] = rows[i].ra_off;
		columns.fp_off[i] = rows[i].fp_off;
		columns.info[i] = rows[i].info;
		columns.flags[i] = rows[i].flags;
		has_flags |= rows[i].flags != 0;
	}

	const struct codectl_event event = {
		.type = CODECTL_EVENT_JIT_ROWS,
		.timestamp = codectl_provider_now(),
		.jit_rows =
			{
				/* A dump repeats what has been told. */
				.serial = audience->session ? 0 : codectl_registry_take_serial(),
				.registered_serial = audience->registration->serial,
				.table = number,
				.first = first,
				.ip_off = columns.ip_off,
				.ip_off_count = count,
				.size = columns.size,
				.size_count = count,
				.cfa_off = columns.cfa_off,
				.cfa_off_count = count,
				.ra_off = columns.ra_off,
				.ra_off_count = count,
				.fp_off = columns.fp_off,
				.fp_off_count = count,
				.info = columns.info,
				.info_count = count,
				.flags = has_flags ? columns.flags : NULL,
				.flags_count = has_flags ? count : 0,
			},
	};

	if (audience->session)
		codectl_emit_to_session(audience->session, &event);
	else
		codectl_emit_live(&event);
	audience->count += count;
}
