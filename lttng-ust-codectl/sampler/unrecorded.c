/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/unrecorded.h"

#include "format/event.h"
#include "format/program.h"
#include "format/settings.h"
#include "provider/helper.h"
#include "sampler/sandbox.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Programs that are told by name; all others are one. */
#define NOTE_MAX 32

enum note_state { NOTE_EMPTY, NOTE_CLAIMED, NOTE_READY };

/* A program, for as long as the process lives. */
struct note {
	uint32_t state;
	uint32_t kind;	/* enum codectl_program_kind. */
	uint32_t count; /* How often it was run. */
	uint32_t emitted;
	char path[CODECTL_PROGRAM_PATH_MAX];
};

static struct note notes[NOTE_MAX];
static struct note others = {.state = NOTE_READY}; /* Its path is empty, and its kind is none. */

/*
 * Whoever claims a note fills it. One that is being filled is passed over: the
 * same program may be there twice, for whoever reads to add up.
 */
static struct note *get_note(const char *path, uint32_t kind)
{
	for (size_t i = 0; i < NOTE_MAX; i++) {
		struct note *note = &notes[i];
		uint32_t state = __atomic_load_n(&note->state, __ATOMIC_ACQUIRE);

		if (state == NOTE_READY && note->kind == kind && !strcmp(note->path, path))
			return note;
		if (state == NOTE_EMPTY &&
			__atomic_compare_exchange_n(&note->state, &state, NOTE_CLAIMED, false,
				__ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			note->kind = kind;
			strcpy(note->path, path);
			__atomic_store_n(&note->state, NOTE_READY, __ATOMIC_RELEASE);
			return note;
		}
	}
	return &others;
}

/* What exec answers with EFAULT shall not end us. */
static bool is_readable(const void *pointer, size_t len)
{
	char bytes[sizeof(char *)];

	return pointer &&
	       codectl_provider_read_memory((uint64_t)(uintptr_t)pointer, bytes, len) == 0;
}

/* Whether our libraries, with which this process was started, are missing in @environment. */
static bool lacks_preload(char *const *environment)
{
	static const char name[] = "LD_PRELOAD=";

	if (!codectl_provider_borrow_env()->is_preloaded)
		return false;
	if (environment && !is_readable(environment, sizeof(*environment)))
		return false;
	for (; environment && *environment; environment++) {
		if (!strncmp(*environment, name, strlen(name)))
			return !strstr(*environment, CODECTL_SETTINGS_PRELOAD_NAME);
	}
	return true;
}

static bool is_noting(void)
{
	/* If only one process is recorded, it is no matter what others become. */
	return codectl_provider_wants_samples() && !codectl_sandbox_is_closed() &&
	       (!codectl_provider_borrow_env()->only_pid || codectl_provider_is_own_image());
}

static void look(char path[CODECTL_PROGRAM_PATH_MAX], char *const *environment)
{
	int kind = codectl_program_look(path);

	if (kind == CODECTL_PROGRAM_FINE && lacks_preload(environment))
		kind = CODECTL_PROGRAM_NO_PRELOAD;
	if (kind > CODECTL_PROGRAM_FINE)
		__atomic_fetch_add(&get_note(path, (uint32_t)kind)->count, 1, __ATOMIC_RELAXED);
}

void codectl_unrecorded_note(const char *path, char *const *environment)
{
	char copy[CODECTL_PROGRAM_PATH_MAX];
	size_t len = is_noting() && is_readable(path, 1) ? strlen(path) : sizeof(copy);

	if (len >= sizeof(copy))
		return;
	memcpy(copy, path, len + 1);
	look(copy, environment);
}

void codectl_unrecorded_note_search(const char *file, char *const *environment)
{
	char path[CODECTL_PROGRAM_PATH_MAX];

	if (is_noting() && is_readable(file, 1) && codectl_program_find(file, getenv("PATH"), path))
		look(path, environment);
}

static void emit_note(struct note *note)
{
	uint32_t count = __atomic_load_n(&note->count, __ATOMIC_RELAXED);
	struct codectl_event event = {
		.type = CODECTL_EVENT_UNRECORDED_PROGRAM,
		.timestamp = codectl_provider_now(),
		.unrecorded_program =
			{
				.pathname = note->path,
				.reason = note->kind,
				.count = count - note->emitted,
			},
	};

	if (count == note->emitted)
		return;
	codectl_provider_emit(&event);
	note->emitted = count;
}

void codectl_unrecorded_emit(void)
{
	for (size_t i = 0; i < NOTE_MAX; i++) {
		if (__atomic_load_n(&notes[i].state, __ATOMIC_ACQUIRE) == NOTE_READY)
			emit_note(&notes[i]);
	}
	emit_note(&others);
}

void codectl_unrecorded_after_fork(void)
{
	memset(notes, 0, sizeof(notes));
	others.count = 0;
	others.emitted = 0;
}
