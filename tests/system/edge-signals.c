/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-signals: stacks with signal frames in them. Usage: edge-signals MS
 */
#define _GNU_SOURCE
#include "edge.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * Functions that fault at their very first instruction, right behind one with
 * other unwind information: one byte before is another function. All
 * instructions have two bytes, so handlers know how to go on.
 */
#define FAULTING(name)                                     \
	void name(void);                                   \
	__asm__(".text\n"                                  \
		"before_" #name ":\n"                      \
		".cfi_startproc\n"                         \
		".cfi_def_cfa_offset 4096\n"               \
		"ud2\n"                                    \
		".cfi_endproc\n"                           \
		".type " #name ", @function\n" #name ":\n" \
		".cfi_startproc\n"                         \
		"ud2\n"                                    \
		"ret\n"                                    \
		".cfi_endproc\n"                           \
		".size " #name ", . - " #name "\n")

FAULTING(fault_first);
FAULTING(fault_outer);
FAULTING(fault_inner);
FAULTING(fault_alternate);

static void (*action)(void);
static sigjmp_buf null_return;

static NOINLINE void second_level(void)
{
	action = spin;
	fault_inner();
	NO_TAIL_CALL();
}

static void skip_instruction(void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

static NOINLINE void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	action();
	skip_instruction(context);
}

static NOINLINE void on_alternate(int number, siginfo_t *info, void *context)
{
	on_fault(number, info, context);
	NO_TAIL_CALL();
}

static NOINLINE void on_null(int number)
{
	(void)number;
	spin();
	siglongjmp(null_return, 1);
}

/* A signal that another process could have sent, in the middle of a system call's stub. */
static NOINLINE void on_raise(int number)
{
	(void)number;
	spin();
	NO_TAIL_CALL();
}

static NOINLINE void first(void)
{
	action = spin;
	fault_first();
	NO_TAIL_CALL();
}

static NOINLINE void nested(void)
{
	action = second_level;
	fault_outer();
	NO_TAIL_CALL();
}

static NOINLINE void alternate(void)
{
	action = spin;
	fault_alternate();
	NO_TAIL_CALL();
}

static NOINLINE void call_null(void)
{
	void (*volatile nowhere)(void) = NULL;

	if (!sigsetjmp(null_return, 1))
		nowhere();
	NO_TAIL_CALL();
}

static NOINLINE void raised(void)
{
	raise(SIGUSR1);
	NO_TAIL_CALL();
}

/* The child runs on the parent's stack; the parent, stopped in vfork(), is billed for the copy. */
static NOINLINE void forked(void)
{
	pid_t child = vfork();

	if (child == 0) {
		spin();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

PHASE(first)
PHASE(nested)
PHASE(alternate)
PHASE(call_null)
PHASE(raised)
PHASE(forked)

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction sa = {
		.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | flags};

	sigaction(number, &sa, NULL);
}

int main(int argc, char **argv)
{
	stack_t stack = {.ss_size = 256 * 1024};

	edge_take_budget(argc, argv);
	handle(SIGILL, on_fault, 0);
	phase_first();
	phase_nested();
	signal(SIGUSR1, on_raise);
	phase_raised();
	signal(SIGSEGV, on_null);
	phase_call_null();
	phase_forked();
	/* Away from the other stack: there is no telling which is above. */
	stack.ss_sp = mmap(
		NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&stack, NULL);
	handle(SIGILL, on_alternate, SA_ONSTACK);
	phase_alternate();
	return 0;
}
