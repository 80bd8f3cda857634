/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/adapters.h"

#include "provider/helper.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Set once the environment has been read. */
#define IS_KNOWN   (1U << CODECTL_JIT_ADAPTER_COUNT)
#define HAS_UNLINK (IS_KNOWN << 1)

static _Atomic uint32_t adapters;

/* Whether the list has a word, @name of @len bytes. */
static bool has_word(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; *at; at += strcspn(at, ",")) {
		at += *at == ',';
		if (strcspn(at, ",") == len && strncmp(at, name, len) == 0)
			return true;
	}
	return false;
}

static uint32_t read_environment(void)
{
	static const char *const names[CODECTL_JIT_ADAPTER_COUNT] = {
		[CODECTL_JIT_ADAPTER_FRAMES] = "frames",
		[CODECTL_JIT_ADAPTER_GDB] = "gdb",
		[CODECTL_JIT_ADAPTER_FILES] = "files",
		[CODECTL_JIT_ADAPTER_V8] = "v8",
		[CODECTL_JIT_ADAPTER_UNKNOWN] = "unknown",
	};
	const char *list = codectl_provider_borrow_env()->jit_adapters;
	uint32_t set = IS_KNOWN;

	for (size_t i = 0; i < CODECTL_JIT_ADAPTER_COUNT; i++) {
		if (has_word(list, "all") || has_word(list, names[i]))
			set |= 1U << i;
	}
	if (has_word(list, "unlink"))
		set |= HAS_UNLINK;
	return set;
}

static uint32_t get_set(void)
{
	uint32_t set = atomic_load(&adapters);

	if (!set) {
		set = read_environment();
		atomic_store(&adapters, set);
	}
	return set;
}

bool codectl_jit_adapter_is_on(enum codectl_jit_adapter adapter)
{
	return get_set() & (1U << adapter);
}

bool codectl_jit_files_are_ours(void)
{
	return get_set() & HAS_UNLINK;
}

static void run(void *user)
{
	(void)user;
	codectl_jit_gdb_round();
	codectl_jit_files_round();
	codectl_jit_regions_round();
}

static void before_fork(void)
{
	codectl_jit_frames_before_fork();
	codectl_jit_gdb_before_fork();
}

static void after_fork_parent(void)
{
	codectl_jit_gdb_after_fork();
	codectl_jit_frames_after_fork();
}

static void after_fork(void *user)
{
	(void)user;
	codectl_jit_files_after_fork();
}

static const struct codectl_helper_task task = {
	.run = run,
	.after_fork = after_fork,
};

__attribute__((constructor)) static void construct(void)
{
	int saved_errno = errno;

	codectl_jit_files_begin();
	pthread_atfork(before_fork, after_fork_parent, after_fork_parent);
	codectl_helper_set_task(CODECTL_HELPER_STAGE_JIT, &task);
	errno = saved_errno;
}
