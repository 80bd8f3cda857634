/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/event.h"

#include <string.h>

static const char *const event_names[CODECTL_EVENT_TYPE_COUNT] = {
	[CODECTL_EVENT_REGISTER_ELF] = CODECTL_PROVIDER_NAME ":register_elf",
	[CODECTL_EVENT_UNREGISTER] = CODECTL_PROVIDER_NAME ":unregister",
	[CODECTL_EVENT_STATEDUMP_BEGIN] = CODECTL_PROVIDER_NAME ":statedump_begin",
	[CODECTL_EVENT_STATEDUMP_END] = CODECTL_PROVIDER_NAME ":statedump_end",
	[CODECTL_EVENT_SAMPLE] = CODECTL_PROVIDER_NAME ":sample",
	[CODECTL_EVENT_THREAD_STATS] = CODECTL_PROVIDER_NAME ":thread_stats",
	[CODECTL_EVENT_ELF_IMAGE] = CODECTL_PROVIDER_NAME ":elf_image",
	[CODECTL_EVENT_REGISTER_JIT] = CODECTL_PROVIDER_NAME ":register_jit",
	[CODECTL_EVENT_JIT_ROWS] = CODECTL_PROVIDER_NAME ":jit_rows",
	[CODECTL_EVENT_JIT_BLOB] = CODECTL_PROVIDER_NAME ":jit_blob",
	[CODECTL_EVENT_JIT_SYMBOL] = CODECTL_PROVIDER_NAME ":jit_symbol",
	[CODECTL_EVENT_JIT_INLINES] = CODECTL_PROVIDER_NAME ":jit_inlines",
	[CODECTL_EVENT_JIT_LINES] = CODECTL_PROVIDER_NAME ":jit_lines",
	[CODECTL_EVENT_JIT_SYMBOL_UNLOAD] = CODECTL_PROVIDER_NAME ":jit_symbol_unload",
	[CODECTL_EVENT_UNRECORDED_PROGRAM] = CODECTL_PROVIDER_NAME ":unrecorded_program",
};

const char *codectl_event_name(enum codectl_event_type type)
{
	if ((unsigned int)type >= CODECTL_EVENT_TYPE_COUNT)
		return NULL;
	return event_names[type];
}

int codectl_event_type_from_name(const char *name)
{
	for (int type = 0; type < CODECTL_EVENT_TYPE_COUNT; type++) {
		if (!strcmp(name, event_names[type]))
			return type;
	}
	return -1;
}
