/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/unrecorded.h"

#include "cli/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs that are named. */
#define SAID_MAX 5

void codectl_unrecorded_add(
	struct codectl_unrecorded *unrecorded, const char *path, uint64_t kind, uint64_t count)
{
	size_t at = 0;

	/* No such kind: of a later version. */
	if (!*path || kind > INT32_MAX || !codectl_program_kind_text((int)kind)) {
		unrecorded->others += count;
		return;
	}
	while (at < unrecorded->program_count &&
		(unrecorded->programs[at].kind != kind ||
			strncmp(unrecorded->programs[at].path, path,
				CODECTL_PROGRAM_PATH_MAX - 1) != 0))
		at++;
	if (at == CODECTL_UNRECORDED_MAX) {
		unrecorded->others += count;
		return;
	}

	struct codectl_unrecorded_program *program = &unrecorded->programs[at];

	if (at == unrecorded->program_count) {
		unrecorded->program_count++;
		snprintf(program->path, sizeof(program->path), "%s", path);
		program->kind = (uint32_t)kind;
	}
	program->count += count;
}

/* Most first, then by name. */
static int compare_programs(const void *a, const void *b)
{
	const struct codectl_unrecorded_program *left = a, *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return strcmp(left->path, right->path);
}

void codectl_unrecorded_say(struct codectl_unrecorded *unrecorded)
{
	uint64_t all = unrecorded->others, said = 0;

	qsort(unrecorded->programs, unrecorded->program_count, sizeof(unrecorded->programs[0]),
		compare_programs);
	for (size_t i = 0; i < unrecorded->program_count; i++)
		all += unrecorded->programs[i].count;
	if (all == 0)
		return;
	codectl_cli_say("%" PRIu64 " time%s a program was started that cannot be recorded:", all,
		all == 1 ? "" : "s");
	for (size_t i = 0; i < unrecorded->program_count && i < SAID_MAX; i++) {
		const struct codectl_unrecorded_program *program = &unrecorded->programs[i];

		codectl_cli_say("  %" PRIu64 " x %s (%s)", program->count, program->path,
			codectl_program_kind_text((int)program->kind));
		said += program->count;
	}
	if (said < all)
		codectl_cli_say("  %" PRIu64 " x others", all - said);
}
