/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/interpose.h"

#include "provider/export.h"
#include "sampler/handler.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>

typedef int (*sigaction_function)(int, const struct sigaction *, struct sigaction *);
typedef __sighandler_t (*signal_function)(int, __sighandler_t);
typedef int (*sigignore_function)(int);
typedef int (*sigmask_function)(int, const sigset_t *, sigset_t *);
typedef int (*sigwait_function)(const sigset_t *, int *);
typedef int (*sigwaitinfo_function)(const sigset_t *, siginfo_t *);
typedef int (*sigtimedwait_function)(const sigset_t *, siginfo_t *, const struct timespec *);
typedef int (*signalfd_function)(int, const sigset_t *, int);

/* Not in <signal.h> any more, but still in the C library. */
CODECTL_EXPORT __sighandler_t bsd_signal(int signal_number, __sighandler_t handler);

/* What stands behind us; looked up once. */
static struct {
	void *sigaction;
	void *signal;
	void *bsd_signal;
	void *sysv_signal;
	void *sysv_signal_internal;
	void *ssignal;
	void *sigset;
	void *sigignore;
	void *pthread_sigmask;
	void *sigprocmask;
	void *sigwait;
	void *sigwaitinfo;
	void *sigtimedwait;
	void *signalfd;
} real;

void *codectl_interpose_find(void **real_function, const char *name)
{
	void *function = __atomic_load_n(real_function, __ATOMIC_RELAXED);

	/* Before our constructor has run, another library's may already be calling. */
	if (!function) {
		int saved_errno = errno;

		function = dlsym(RTLD_NEXT, name);
		__atomic_store_n(real_function, function, __ATOMIC_RELAXED);
		errno = saved_errno;
	}
	if (!function)
		errno = ENOSYS;
	return function;
}

/* Whether a call that sets @handler for the signal is to be kept from the C library. */
static bool is_kept(int signal_number, __sighandler_t handler)
{
	if (signal_number <= 0 || signal_number != codectl_handler_signal())
		return false;
	if (handler == SIG_DFL || handler == SIG_IGN || handler == SIG_HOLD)
		return true;
	return !codectl_handler_give_up();
}

void codectl_interpose_init(void)
{
	codectl_interpose_find(&real.sigaction, "sigaction");
	codectl_interpose_find(&real.signal, "signal");
	codectl_interpose_find(&real.bsd_signal, "bsd_signal");
	codectl_interpose_find(&real.sysv_signal, "sysv_signal");
	codectl_interpose_find(&real.sysv_signal_internal, "__sysv_signal");
	codectl_interpose_find(&real.ssignal, "ssignal");
	codectl_interpose_find(&real.sigset, "sigset");
	codectl_interpose_find(&real.sigignore, "sigignore");
	codectl_interpose_find(&real.pthread_sigmask, "pthread_sigmask");
	codectl_interpose_find(&real.sigprocmask, "sigprocmask");
	codectl_interpose_find(&real.sigwait, "sigwait");
	codectl_interpose_find(&real.sigwaitinfo, "sigwaitinfo");
	codectl_interpose_find(&real.sigtimedwait, "sigtimedwait");
	codectl_interpose_find(&real.signalfd, "signalfd");
}

int codectl_interpose_real_sigaction(
	int signal_number, const struct sigaction *action, struct sigaction *old)
{
	sigaction_function function = (sigaction_function)codectl_interpose_find(
		&real.sigaction, "sigaction");

	return function ? function(signal_number, action, old) : -1;
}

CODECTL_EXPORT int sigaction(
	int signal_number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
	if (!is_kept(signal_number, action ? action->sa_handler : SIG_DFL))
		return codectl_interpose_real_sigaction(signal_number, action, old);
	if (old) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = SIG_DFL;
	}
	return 0;
}

static __sighandler_t set_handler(
	void **real_function, const char *name, int signal_number, __sighandler_t handler)
{
	if (is_kept(signal_number, handler))
		return SIG_DFL;

	signal_function function = (signal_function)codectl_interpose_find(real_function, name);

	return function ? function(signal_number, handler) : SIG_ERR;
}

CODECTL_EXPORT __sighandler_t signal(int signal_number, __sighandler_t handler)
{
	return set_handler(&real.signal, "signal", signal_number, handler);
}

__sighandler_t bsd_signal(int signal_number, __sighandler_t handler)
{
	return set_handler(&real.bsd_signal, "bsd_signal", signal_number, handler);
}

CODECTL_EXPORT __sighandler_t sysv_signal(int signal_number, __sighandler_t handler)
{
	return set_handler(&real.sysv_signal, "sysv_signal", signal_number, handler);
}

CODECTL_EXPORT __sighandler_t __sysv_signal(int signal_number, __sighandler_t handler)
{
	return set_handler(&real.sysv_signal_internal, "__sysv_signal", signal_number, handler);
}

CODECTL_EXPORT __sighandler_t ssignal(int signal_number, __sighandler_t handler)
{
	return set_handler(&real.ssignal, "ssignal", signal_number, handler);
}

CODECTL_EXPORT __sighandler_t sigset(int signal_number, __sighandler_t disposition)
{
	return set_handler(&real.sigset, "sigset", signal_number, disposition);
}

CODECTL_EXPORT int sigignore(int signal_number)
{
	if (is_kept(signal_number, SIG_IGN))
		return 0;

	sigignore_function function = (sigignore_function)codectl_interpose_find(
		&real.sigignore, "sigignore");

	return function ? function(signal_number) : -1;
}

static sigset_t without_ours(const sigset_t *set)
{
	sigset_t reduced = *set;

	if (codectl_handler_signal() > 0)
		sigdelset(&reduced, codectl_handler_signal());
	return reduced;
}

static bool is_everything(const sigset_t *set)
{
	return sigismember(set, SIGUSR1) == 1 && sigismember(set, SIGALRM) == 1 &&
	       sigismember(set, SIGRTMIN) == 1 && sigismember(set, SIGRTMAX) == 1;
}

static bool is_ours_blocked(sigmask_function function)
{
	sigset_t now;

	return codectl_handler_signal() > 0 && function(SIG_BLOCK, NULL, &now) == 0 &&
	       sigismember(&now, codectl_handler_signal()) == 1;
}

static int set_mask(
	sigmask_function function, int how, const sigset_t *set, sigset_t *old, int failure)
{
	sigset_t reduced;

	if (!function)
		return failure;
	/* A thread that has blocked ours in another way has meant it. */
	if (set && how != SIG_UNBLOCK && is_everything(set) && !is_ours_blocked(function)) {
		reduced = without_ours(set);
		set = &reduced;
	}
	return function(how, set, old);
}

CODECTL_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return set_mask(
		(sigmask_function)codectl_interpose_find(&real.pthread_sigmask, "pthread_sigmask"),
		how, set, old, ENOSYS);
}

CODECTL_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return set_mask((sigmask_function)codectl_interpose_find(&real.sigprocmask, "sigprocmask"),
		how, set, old, -1);
}

CODECTL_EXPORT int sigwait(const sigset_t *restrict set, int *restrict signal_number)
{
	sigwait_function function = (sigwait_function)codectl_interpose_find(
		&real.sigwait, "sigwait");
	sigset_t reduced = without_ours(set);

	return function ? function(&reduced, signal_number) : ENOSYS;
}

CODECTL_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	sigwaitinfo_function function = (sigwaitinfo_function)codectl_interpose_find(
		&real.sigwaitinfo, "sigwaitinfo");
	sigset_t reduced = without_ours(set);

	return function ? function(&reduced, info) : -1;
}

CODECTL_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	sigtimedwait_function function = (sigtimedwait_function)codectl_interpose_find(
		&real.sigtimedwait, "sigtimedwait");
	sigset_t reduced = without_ours(set);

	return function ? function(&reduced, info, timeout) : -1;
}

CODECTL_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	signalfd_function function = (signalfd_function)codectl_interpose_find(
		&real.signalfd, "signalfd");
	sigset_t reduced = without_ours(set);

	return function ? function(fd, &reduced, flags) : -1;
}
