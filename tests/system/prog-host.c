/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-host: what programs do that a sampler might trip over. Usage:
 * prog-host MODE [COUNT]. Exits with 0 if it noticed nothing.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static volatile uint64_t sink;
static int count = 10;
static char *own_path;

/* Milliseconds of CPU time of this thread. */
static void spin(int ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (int i = 0; i < 1000; i++)
			sink = sink * 31 + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

static void *spin_thread(void *argument)
{
	spin(200);
	return argument;
}

static int run_spinning(void)
{
	spin(300);
	return 0;
}

static void on_signal(int number)
{
	(void)number;
	spin(100);
}

/* As daemons and shells do before an exec: all signals back to their defaults. */
static int reset_signals(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL}, old;

	spin(100);
	for (int number = 1; number <= SIGRTMAX; number++) {
		signal(number, SIG_DFL);
		sigaction(number, &action, NULL);
	}
	spin(200);
	if (signal(SIGUSR1, on_signal) != SIG_DFL || sigaction(SIGUSR1, NULL, &old) != 0)
		return 1;
	return old.sa_handler == on_signal ? 0 : 2;
}

static int block_signals(void)
{
	sigset_t all;
	pthread_t thread;
	int got;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	if (pthread_create(&thread, NULL, spin_thread, NULL))
		return 1;
	spin(100);
	pthread_join(thread, NULL);
	/* Nothing but what the program sends itself may be pending. */
	kill(getpid(), SIGUSR1);
	return sigwait(&all, &got) == 0 && got == SIGUSR1 ? 0 : 2;
}

/* By the system call itself, which nobody can stand before. */
static int block_directly(void)
{
	uint64_t all = UINT64_MAX;

	if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof(all)))
		return 1;
	spin(200);
	return 0;
}

static int use_alternate_stack(void)
{
	stack_t stack = {.ss_size = 65536};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	stack.ss_sp = malloc(stack.ss_size);
	if (!stack.ss_sp || sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		return 1;
	return raise(SIGUSR1);
}

static ucontext_t main_context, coroutine_context;

static void run_coroutine(void)
{
	for (int i = 0; i < 10; i++) {
		spin(20);
		swapcontext(&coroutine_context, &main_context);
	}
}

/* Small stacks, which end where memory ends and are gone afterwards. */
static int use_coroutines(void)
{
	const size_t size = 16384;
	void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		return 1;
	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = stack;
	coroutine_context.uc_stack.ss_size = size;
	coroutine_context.uc_link = &main_context;
	makecontext(&coroutine_context, run_coroutine, 0);
	for (int i = 0; i < 10; i++)
		swapcontext(&main_context, &coroutine_context);
	return munmap(stack, size);
}

/* A sandbox that kills whoever looks at the memory of processes. */
static int use_seccomp(void)
{
	struct sock_filter instructions[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {COUNT_OF(instructions), instructions};
	pthread_t thread;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 1;
	spin(200);
	if (pthread_create(&thread, NULL, spin_thread, NULL))
		return 2;
	return pthread_join(thread, NULL);
}

static int recurse(int depth)
{
	volatile char room[200];

	room[0] = (char)depth;
	if (depth == 0) {
		spin(100);
		return 0;
	}
	return recurse(depth - 1) + (room[0] != (char)depth);
}

/* Far deeper than what a sample examines, and than the stack has been so far. */
static int go_deep(void)
{
	return recurse(20000);
}

/* Threads on stacks of the program's own, unmapped as soon as they end. */
static int use_own_stacks(void)
{
	const size_t size = 1 << 20;

	for (int i = 0; i < count; i++) {
		pthread_attr_t attributes;
		pthread_t thread;
		void *stack = mmap(
			NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (stack == MAP_FAILED)
			return 1;
		pthread_attr_init(&attributes);
		pthread_attr_setstack(&attributes, stack, size);
		if (pthread_create(&thread, &attributes, spin_thread, NULL))
			return 2;
		pthread_attr_destroy(&attributes);
		pthread_join(thread, NULL);
		munmap(stack, size);
	}
	return 0;
}

static void *spin_shortly(void *argument)
{
	spin(1);
	return argument;
}

static int start_threads(void)
{
	for (int i = 0; i < count; i++) {
		pthread_t threads[8];

		for (size_t k = 0; k < COUNT_OF(threads); k++) {
			if (pthread_create(&threads[k], NULL, spin_shortly, NULL))
				return 1;
		}
		for (size_t k = 0; k < COUNT_OF(threads); k++)
			pthread_join(threads[k], NULL);
	}
	return 0;
}

static int execute_again(void)
{
	char left[16];

	spin(30);
	if (count <= 0)
		_exit(0);
	snprintf(left, sizeof(left), "%d", count - 1);

	char *const arguments[] = {own_path, (char *)"exec", left, NULL};
	char *const nothing[] = {(char *)"nothing", NULL};

	/* One that fails: sampling goes on. */
	if (execv("/nonexistent/program", nothing) != -1 || errno != ENOENT)
		return 1;
	spin(20);
	execv(own_path, arguments);
	return 2;
}

/* Child number @number of fork() or vfork(), which ends with status 5. */
static pid_t start_child(int number)
{
	pid_t child = number % 2 ? fork() : vfork();

	if (child == 0) {
		if (number % 2)
			spin(50);
		else
			execl("/nonexistent/program", "program", (char *)NULL);
		_exit(5);
	}
	return child;
}

static int fork_children(void)
{
	for (int i = 0; i < count; i++) {
		int status;
		pid_t child = start_child(i);

		spin(20);
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 1;
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 5)
			return 2;
	}
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} modes[] = {
	{"spin", run_spinning},
	{"reset-signals", reset_signals},
	{"block-signals", block_signals},
	{"block-directly", block_directly},
	{"alternate-stack", use_alternate_stack},
	{"coroutines", use_coroutines},
	{"seccomp", use_seccomp},
	{"deep", go_deep},
	{"own-stacks", use_own_stacks},
	{"threads", start_threads},
	{"exec", execute_again},
	{"fork", fork_children},
};

int main(int argc, char **argv)
{
	own_path = argv[0];
	if (argc > 2)
		count = atoi(argv[2]);
	for (size_t i = 0; i < COUNT_OF(modes) && argc > 1; i++) {
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run();
	}
	fprintf(stderr, "Usage: prog-host MODE [COUNT]\n");
	return 99;
}
