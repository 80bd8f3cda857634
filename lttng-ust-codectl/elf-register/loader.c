/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The lock is held by threads in dl_iterate_phdr(), which are counted, and by
 * those that put objects into the list or take them out, which is when the state
 * in the debugger's structure is not RT_CONSISTENT. The child has all three as
 * they were at the moment of the fork.
 */
#include "elf-register/loader.h"

#include "provider/export.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>

typedef int iterate_function(int (*)(struct dl_phdr_info *, size_t, void *), void *);

static iterate_function *_Atomic real_iterate;
static atomic_uint iterating_threads;
static atomic_bool is_stuck;

bool codectl_loader_is_stuck(void)
{
	return atomic_load(&is_stuck);
}

static bool is_changing(void)
{
	if (_r_debug.r_state != RT_CONSISTENT)
		return true;
#if __GLIBC_PREREQ(2, 35)
	if (_r_debug.r_version < 2)
		return false;

	const struct r_debug_extended *space = (const struct r_debug_extended *)&_r_debug;

	while ((space = space->r_next)) {
		if (space->base.r_state != RT_CONSISTENT)
			return true;
	}
#endif
	return false;
}

void codectl_loader_after_fork_child(void)
{
	if (atomic_exchange(&iterating_threads, 0) > 0 || is_changing())
		atomic_store(&is_stuck, true);
}

CODECTL_EXPORT int dl_iterate_phdr(
	int (*callback)(struct dl_phdr_info *, size_t, void *), void *user)
{
	iterate_function *real = atomic_load(&real_iterate);
	int ret;

	if (!real) {
		real = (iterate_function *)dlsym(RTLD_NEXT, "dl_iterate_phdr");
		atomic_store(&real_iterate, real);
	}
	if (!real || atomic_load(&is_stuck))
		return 0;
	atomic_fetch_add(&iterating_threads, 1);
	ret = real(callback, user);
	atomic_fetch_sub(&iterating_threads, 1);
	return ret;
}
