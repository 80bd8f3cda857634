/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/image-end.c: exec and _exit end a process image without running
 * destructors. Ours stand before the C library's and have the samples that are
 * still in rings written first, and see to it that no signal of ours is pending
 * when all are back at their defaults, which would kill the new program. All are
 * async-signal-safe, like those behind them.
 */
#include "provider/export.h"
#include "provider/helper.h"
#include "sampler/clock.h"
#include "sampler/unrecorded.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int (*execve_function)(const char *, char *const *, char *const *);
typedef int (*execv_function)(const char *, char *const *);
typedef void (*exit_function)(int);
typedef int (*fexecve_function)(int, char *const *, char *const *);

/* What stands behind us; looked up by our constructor. */
static struct {
	void *execve;
	void *execv;
	void *execvp;
	void *execvpe;
	void *fexecve;
	void *exit;
} real;

__attribute__((constructor)) static void find_real_functions(void)
{
	int saved_errno = errno;

	real.execve = dlsym(RTLD_NEXT, "execve");
	real.execv = dlsym(RTLD_NEXT, "execv");
	real.execvp = dlsym(RTLD_NEXT, "execvp");
	real.execvpe = dlsym(RTLD_NEXT, "execvpe");
	real.fexecve = dlsym(RTLD_NEXT, "fexecve");
	real.exit = dlsym(RTLD_NEXT, "_exit");
	errno = saved_errno;
}

/* What it returns is to be handed to end_attempt() if the image lives on. */
static bool begin_attempt(void)
{
	bool has_begun = codectl_provider_wants_samples() && codectl_helper_pause();

	/* From here on, the helper thread sends no signals. */
	if (has_begun)
		codectl_clock_hold();
	return has_begun;
}

static int end_attempt(bool has_begun, int ret)
{
	if (has_begun)
		codectl_helper_resume();
	return ret;
}

static void *check(void *function)
{
	if (!function)
		errno = ENOSYS;
	return function;
}

CODECTL_EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	execve_function function = (execve_function)check(real.execve);

	if (!function)
		return -1;

	codectl_unrecorded_note(path, envp);

	bool has_begun = begin_attempt();

	return end_attempt(has_begun, function(path, argv, envp));
}

CODECTL_EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	execve_function function = (execve_function)check(real.execvpe);

	if (!function)
		return -1;

	codectl_unrecorded_note_search(file, envp);

	bool has_begun = begin_attempt();

	return end_attempt(has_begun, function(file, argv, envp));
}

CODECTL_EXPORT int execv(const char *path, char *const argv[])
{
	execv_function function = (execv_function)check(real.execv);

	if (!function)
		return -1;

	codectl_unrecorded_note(path, environ);

	bool has_begun = begin_attempt();

	return end_attempt(has_begun, function(path, argv));
}

CODECTL_EXPORT int execvp(const char *file, char *const argv[])
{
	execv_function function = (execv_function)check(real.execvp);

	if (!function)
		return -1;

	codectl_unrecorded_note_search(file, environ);

	bool has_begun = begin_attempt();

	return end_attempt(has_begun, function(file, argv));
}

CODECTL_EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	fexecve_function function = (fexecve_function)check(real.fexecve);

	if (!function)
		return -1;

	bool has_begun = begin_attempt();

	return end_attempt(has_begun, function(fd, argv, envp));
}

/* _exit() and _Exit() are the same. */
static void __attribute__((noreturn)) exit_image(int status)
{
	begin_attempt();
	if (real.exit)
		((exit_function)real.exit)(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

CODECTL_EXPORT void _exit(int status)
{
	exit_image(status);
}

CODECTL_EXPORT void _Exit(int status)
{
	exit_image(status);
}
