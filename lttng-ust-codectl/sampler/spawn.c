/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/spawn.c: our own posix_spawn() and posix_spawnp() stand before the C
 * library's, only to see what is started: the C library's own exec is nowhere to
 * be seen. A path is taken as the caller's, whatever the child does before.
 */
#include "provider/export.h"
#include "sampler/interpose.h"
#include "sampler/unrecorded.h"

#include <errno.h>
#include <spawn.h>
#include <unistd.h>

typedef int (*spawn_function)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	const posix_spawnattr_t *, char *const *, char *const *);

static void *real_spawn;
static void *real_spawnp;

CODECTL_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
	const posix_spawn_file_actions_t *restrict actions,
	const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
	char *const envp[restrict])
{
	spawn_function function = (spawn_function)codectl_interpose_find(
		&real_spawn, "posix_spawn");

	if (!function)
		return ENOSYS;
	codectl_unrecorded_note(path, envp);
	return function(pid, path, actions, attributes, argv, envp);
}

CODECTL_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
	const posix_spawn_file_actions_t *restrict actions,
	const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
	char *const envp[restrict])
{
	spawn_function function = (spawn_function)codectl_interpose_find(
		&real_spawnp, "posix_spawnp");

	if (!function)
		return ENOSYS;
	codectl_unrecorded_note_search(file, envp);
	return function(pid, file, actions, attributes, argv, envp);
}
