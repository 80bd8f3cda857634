/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The preload: registers at start, and around dlopen(), dlmopen(), dlclose().
 *
 * dlopen() and dlmopen() look at their return address, which names the library
 * whose search path (DT_RUNPATH) counts. So the wrappers must be gone from the
 * stack when the real ones run: they are jumps. What they loaded is seen at the
 * helper's next round, milliseconds later.
 */
#include "elf-register/elf-register.h"

#include "elf-register/loaded-objects.h"
#include "elf-register/loader.h"
#include "provider/export.h"
#include "provider/helper.h"
#include "provider/jump.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static const struct codectl_helper_task task = {
	.run = codectl_elf_register_update,
	.after_fork = codectl_elf_register_after_fork,
};

static void *(*_Atomic real_dlopen)(const char *, int);
static void *(*_Atomic real_dlmopen)(Lmid_t, const char *, int);
static int (*_Atomic real_dlclose)(void *);

/*
 * In the child of a fork, liblttng-ust opens itself, only to stay loaded, which it
 * is already. glibc's loader ends a process that does so if the parent was just
 * in dlopen() on another thread. So the child gets the handle that is there.
 */
#define LTTNG_LIBRARY "liblttng-ust.so.1"

static void *lttng_handle;
static atomic_bool has_forked;

/* Called by the jumps below. */
void *codectl_elf_before_dlopen(const char *file, int flags);
void *codectl_elf_before_dlmopen(void);

/* Before the constructor the wrappers resolve for themselves; all come to the same. */
static void resolve(void)
{
	if (atomic_load(&real_dlclose))
		return;
	atomic_store(&real_dlopen, (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen"));
	atomic_store(
		&real_dlmopen, (void *(*)(Lmid_t, const char *, int))dlsym(RTLD_NEXT, "dlmopen"));
	atomic_store(&real_dlclose, (int (*)(void *))dlsym(RTLD_NEXT, "dlclose"));
}

/* Where there is no real one. */
static void *open_nothing(void)
{
	return NULL;
}

static void *open_lttng(void)
{
	return lttng_handle;
}

static void after_fork_child(void)
{
	codectl_loader_after_fork_child();
	codectl_loaded_objects_after_fork_child();
	atomic_store(&has_forked, true);
}

/*
 * What was unloaded so far is seen before its addresses are taken again.
 * Returns the function to jump to.
 */
void *codectl_elf_before_dlopen(const char *file, int flags)
{
	if (atomic_load(&has_forked) && lttng_handle && (flags & RTLD_NODELETE) && file &&
		!strcmp(file, LTTNG_LIBRARY))
		return (void *)open_lttng;
	resolve();
	codectl_helper_run_register_stage();

	void *real = (void *)atomic_load(&real_dlopen);

	return real ? real : (void *)open_nothing;
}

void *codectl_elf_before_dlmopen(void)
{
	resolve();
	codectl_helper_run_register_stage();

	void *real = (void *)atomic_load(&real_dlmopen);

	return real ? real : (void *)open_nothing;
}

CODECTL_DEFINE_JUMP("dlopen", "codectl_elf_before_dlopen");
CODECTL_DEFINE_JUMP("dlmopen", "codectl_elf_before_dlmopen");

/*
 * Objects that came and were not seen yet are registered before they can go,
 * and what went is unregistered before its addresses are taken again.
 */
CODECTL_EXPORT int dlclose(void *handle)
{
	resolve();
	codectl_helper_run_register_stage();

	int (*real)(void *) = atomic_load(&real_dlclose);
	int ret = real ? real(handle) : -1;

	codectl_helper_run_register_stage();
	return ret;
}

__attribute__((constructor)) static void construct(void)
{
	int saved_errno = errno;

	resolve();
	lttng_handle = dlopen(LTTNG_LIBRARY, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	pthread_atfork(codectl_loaded_objects_before_fork, codectl_loaded_objects_after_fork_parent,
		after_fork_child);
	/* Without a thread there is still what the wrappers do. */
	codectl_helper_set_task(CODECTL_HELPER_STAGE_REGISTER, &task);
	codectl_helper_run_register_stage();
	errno = saved_errno;
}
