/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/interpose-calls.c: our own prctl() and syscall() stand before the C
 * library's. They see a sandbox before it is there, after which it would be too
 * late, and a reset of our signal that goes around sigaction().
 *
 * Both take as many arguments as their number says, and syscall() some on the
 * stack. So the wrappers are jumps. Async-signal-safe, like what they stand before.
 */
#include "provider/helper.h"
#include "provider/jump.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/interpose.h"
#include "sampler/sandbox.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The kernel's, as rt_sigaction() takes it (asm/signal.h, amd64). */
struct kernel_sigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void *real_prctl;
static void *real_syscall;

/* Called by the jumps below; they return the function to jump to. */
void *codectl_calls_before_prctl(long option, uint64_t second);
void *codectl_calls_before_syscall(long number, uint64_t first, uint64_t second, uint64_t third);

static long return_error(void)
{
	errno = ENOSYS;
	return -1;
}

static long return_zero(void)
{
	return 0;
}

static void note_prctl(long option, uint64_t second)
{
	if (option == PR_SET_SECCOMP && second == SECCOMP_MODE_STRICT)
		codectl_sandbox_close_strictly();
	else if (option == PR_SET_SECCOMP)
		codectl_sandbox_close();
	else if (option == PR_SET_TSC && second == PR_TSC_SIGSEGV)
		codectl_sandbox_close_strictly();
}

static void note_seccomp(uint64_t operation, uint64_t flags)
{
	if (operation == SECCOMP_SET_MODE_STRICT)
		codectl_sandbox_close_strictly();
	else if (operation == SECCOMP_SET_MODE_FILTER && flags & SECCOMP_FILTER_FLAG_TSYNC)
		codectl_sandbox_close_for_all();
	else if (operation == SECCOMP_SET_MODE_FILTER)
		codectl_sandbox_close();
}

void *codectl_calls_before_prctl(long option, uint64_t second)
{
	void *function = codectl_interpose_find(&real_prctl, "prctl");

	note_prctl((int)option, second);
	return function ? function : (void *)return_error;
}

/*
 * Our signal, and not a handler of the program's own: see sigaction() in
 * interpose.c. The caller's pointers may be bad, which is the kernel's to tell.
 */
static bool is_reset(uint64_t signal_number, uint64_t action_address, uint64_t old_address)
{
	struct kernel_sigaction action, old;

	if (signal_number == 0 || signal_number != (uint64_t)codectl_handler_signal() ||
		codectl_provider_read_memory(action_address, &action, sizeof(action)) != 0 ||
		(old_address && codectl_provider_read_memory(old_address, &old, sizeof(old)) != 0))
		return false;
	return action.handler == SIG_DFL || action.handler == SIG_IGN;
}

void *codectl_calls_before_syscall(long number, uint64_t first, uint64_t second, uint64_t third)
{
	void *function = codectl_interpose_find(&real_syscall, "syscall");

	if (number == SYS_prctl)
		note_prctl((int)first, second);
	else if (number == SYS_seccomp)
		note_seccomp(first, second);
	else if (number == SYS_chroot)
		codectl_helper_keep_root();
	else if (number == SYS_execve || number == SYS_execveat)
		codectl_clock_hold();
	else if (number == SYS_rt_sigaction && is_reset(first, second, third)) {
		if (third)
			memset((void *)(uintptr_t)third, 0, sizeof(struct kernel_sigaction));
		return (void *)return_zero;
	}
	return function ? function : (void *)return_error;
}

CODECTL_DEFINE_JUMP("prctl", "codectl_calls_before_prctl");
CODECTL_DEFINE_JUMP("syscall", "codectl_calls_before_syscall");
