/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/child.h"

#include "cli/jit.h"
#include "cli/message.h"
#include "cli/paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const preloads[] = {
	"liblttng-ust-codectl.so",
	"liblttng-ust-codectl-elf.so",
	"liblttng-ust-codectl-jit.so",
	"liblttng-ust-codectl-sampler.so",
};

/* LTTng's own: without it a forked child records nothing. */
#define FORK_PRELOAD "liblttng-ust-fork.so.1"
/* And without this one, a daemon which closes all its files takes LTTng's from it. */
#define FD_PRELOAD "liblttng-ust-fd.so.1"

static const int forwarded_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * In front of an absolute path, leads to the same file, but for glibc's loader
 * only: it replaces $LIB by the name of a directory. musl's would load our
 * libraries, miss glibc's symbols, and not run the program. It looks for a
 * directory with that very name and goes on without.
 */
#define GLIBC_ONLY "/$LIB/../../../../.."

/* Whether this machine's loader finds files that way: not if it has no such directory. */
static bool is_glibc_only_usable(void)
{
	char path[PATH_MAX];
	Dl_info libc;
	void *handle;

	/* Of a library that is here already: its path has to lead to the same file. */
	if (!dladdr((void *)(uintptr_t)dlopen, &libc) || libc.dli_fname[0] != '/' ||
		snprintf(path, sizeof(path), GLIBC_ONLY "%s", libc.dli_fname) >= PATH_MAX)
		return false;
	handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (handle)
		dlclose(handle);
	return handle;
}

/*
 * By its path: of programs with raised rights the loader complains about names
 * that it may not preload, on their standard error, but says nothing of paths.
 */
static void add_lttng_library(FILE *stream, const char *prefix, const char *soname)
{
	char *path = codectl_paths_find_lttng_library(soname);

	if (path)
		fprintf(stream, ":%s%s", *path == '/' ? prefix : "", path);
	free(path);
}

/* Our libraries in front of what is preloaded anyway. The caller frees it. */
static char *make_preload(bool has_no_children)
{
	const char *others = getenv("LD_PRELOAD");
	const char *prefix = is_glibc_only_usable() ? GLIBC_ONLY : "";
	char *list = NULL;
	size_t len;
	FILE *stream = open_memstream(&list, &len);

	if (!stream)
		return NULL;
	for (size_t i = 0; i < COUNT(preloads); i++) {
		char *path = codectl_paths_find_library(preloads[i]);

		if (!path) {
			codectl_cli_error(
				"%s is missing; is lttng-ust-codectl installed?", preloads[i]);
			fclose(stream);
			free(list);
			return NULL;
		}
		fprintf(stream, "%s%s%s", i > 0 ? ":" : "", prefix, path);
		free(path);
	}
	add_lttng_library(stream, prefix, FD_PRELOAD);
	if (!has_no_children)
		add_lttng_library(stream, prefix, FORK_PRELOAD);
	if (others && *others)
		fprintf(stream, ":%s", others);
	fclose(stream);
	return list;
}

static void set_number(const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	setenv(name, text, 1);
}

static void set_environment(const struct codectl_child_options *options, const char *preload)
{
	setenv("LD_PRELOAD", preload, 1);
	set_number("LTTNG_UST_CODECTL_HZ", options->frequency);
	set_number("LTTNG_UST_CODECTL_RECORDING", options->recording);
	if (options->clock)
		setenv("LTTNG_UST_CODECTL_CLOCK", options->clock, 1);
	if (options->stack_mode)
		setenv("LTTNG_UST_CODECTL_STACK", options->stack_mode, 1);
	if (options->stack_size)
		set_number("LTTNG_UST_CODECTL_STACK_SIZE", options->stack_size);
	if (options->signal_number)
		set_number("LTTNG_UST_CODECTL_SIGNAL", (uint64_t)options->signal_number);
	if (options->jit)
		codectl_jit_set_environment(options->jit);
	/*
	 * LTTng-UST reads the files of all libraries when it starts, for state
	 * dumps of its own, and that takes twice as long as all else here (70 us
	 * for a library).
	 */
	if (!options->has_other_events)
		setenv("LTTNG_UST_WITHOUT_BADDR_STATEDUMP", "1", 0);
	/* The pid stays the same through exec, so a shell may exec the program. */
	if (options->has_no_children)
		set_number("LTTNG_UST_CODECTL_PID", (uint64_t)getpid());
	else
		unsetenv("LTTNG_UST_CODECTL_PID");
}

/* In the child: becomes the program, or tells the reason through @error_fd. */
static void run_program(const struct codectl_child_options *options, const char *preload,
	const char *const *argv, const sigset_t *signals, int error_fd)
{
	set_environment(options, preload);
	sigprocmask(SIG_SETMASK, signals, NULL);
	/* execvp() takes char *const[] for historical reasons; it changes nothing. */
	execvp(argv[0], (char *const *)(uintptr_t)argv);

	int reason = errno;

	if (write(error_fd, &reason, sizeof(reason)) < 0)
		_exit(126);
	_exit(127);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void fill_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < COUNT(forwarded_signals); i++)
		sigaddset(set, forwarded_signals[i]);
}

void codectl_child_block_signals(sigset_t *before)
{
	sigset_t blocked;

	fill_signals(&blocked);
	sigaddset(&blocked, SIGCHLD);
	/* LTTng's library writes to a daemon that may die. */
	sigaddset(&blocked, SIGPIPE);
	sigprocmask(SIG_BLOCK, &blocked, before);
}

/* Whether one of the signals has come before there is a program to get it. */
static bool is_interrupted(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < COUNT(forwarded_signals); i++) {
		if (sigismember(&pending, forwarded_signals[i]))
			return true;
	}
	return false;
}

void codectl_child_prime_session(void)
{
	char *provider = codectl_paths_find_library(preloads[0]);
	pid_t pid = provider ? fork() : -1;

	if (pid == 0) {
		int null_fd = open("/dev/null", O_RDWR);

		dup2(null_fd, STDOUT_FILENO);
		dup2(null_fd, STDERR_FILENO);
		setenv("LD_PRELOAD", provider, 1);
		unsetenv("LTTNG_UST_CODECTL_RECORDING");
		execl("/proc/self/exe", "codectl", "--version", (char *)NULL);
		_exit(127);
	}
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(provider);
}

int codectl_child_wait(pid_t pid, uint64_t timeout_ms, int *wait_status)
{
	const uint64_t begin = now_ms();
	const uint64_t deadline = timeout_ms < UINT64_MAX - begin ? begin + timeout_ms : UINT64_MAX;
	sigset_t waited;

	fill_signals(&waited);
	sigaddset(&waited, SIGCHLD);
	while (waitpid(pid, wait_status, WNOHANG) != pid) {
		const uint64_t now = now_ms();
		const uint64_t left = now < deadline ? deadline - now : 0;
		const struct timespec timeout = {
			.tv_sec = (time_t)(left / 1000),
			.tv_nsec = (long)(left % 1000 * 1000000),
		};
		siginfo_t info;
		int signal_number = left ? sigtimedwait(&waited, &info, &timeout) : 0;

		if (!left)
			return -ETIMEDOUT;
		/* The terminal's signals (SI_KERNEL) have gone to the program too. */
		if (signal_number > 0 && signal_number != SIGCHLD && info.si_code != SI_KERNEL)
			kill(pid, signal_number);
	}
	return 0;
}

int codectl_child_start(const struct codectl_child_options *options, const char *const *argv,
	const sigset_t *signals, pid_t *pid)
{
	int error_fds[2];
	int reason = 0;

	if (is_interrupted())
		return -EINTR;

	char *preload = make_preload(options->has_no_children);

	if (!preload)
		return -ENOEXEC;
	if (pipe2(error_fds, O_CLOEXEC) != 0) {
		reason = errno;
		goto end;
	}
	fflush(NULL);
	*pid = fork();
	if (*pid == 0)
		run_program(options, preload, argv, signals, error_fds[1]);
	if (*pid < 0)
		reason = errno;
	close(error_fds[1]);
	if (*pid > 0) {
		/* The pipe closes without a word when the program begins. */
		if (read(error_fds[0], &reason, sizeof(reason)) != sizeof(reason))
			reason = 0;
		else
			waitpid(*pid, NULL, 0);
	}
	close(error_fds[0]);
end:
	if (reason)
		codectl_cli_error("Cannot run %s: %s", argv[0], strerror(reason));
	free(preload);
	return -reason;
}
