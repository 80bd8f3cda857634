/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Slots, timers and the signal handler, in this process and without the
 * provider.
 */
#include "lib/tap.h"

#include "lib/fake-provider.h"
#include "lib/sampler-fixture.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/procfs.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"
#include "sampler/threads.h"
#include "sampler/timers.h"
#include "sampler/view.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FREQUENCY 1000
#define MARKER	  UINT64_C(0x5ca1ab1e0ddba11)

static volatile uint64_t work;

/* Spends CPU time until the calling thread has been sampled. */
static const struct codectl_capture *wait_for_capture(struct codectl_slot *slot, size_t *len)
{
	const struct codectl_capture *capture;

	while (!(capture = codectl_ring_peek(&slot->ring, len)))
		work++;
	return capture;
}

static bool has_word(const struct codectl_capture *capture, size_t len, uint64_t word)
{
	for (size_t i = 0; i < (len - sizeof(*capture)) / 8; i++) {
		if (capture->stack[i] == word)
			return true;
	}
	return false;
}

TEST(slots)
{
	CHECK_INT(codectl_slot_take(1), -ENOSPC);
	CHECK_INT(codectl_slot_init_table(4096), 0);
	CHECK_INT(codectl_slot_take(30), 0);
	CHECK_INT(codectl_slot_take(10), 1);
	CHECK_INT(codectl_slot_take(20), 2);
	CHECK_INT(codectl_slot_used_count(), 3);
	CHECK_INT(codectl_slot_used(0)->tid, 10);
	CHECK_INT(codectl_slot_used(1)->tid, 20);
	CHECK_INT(codectl_slot_used(2)->tid, 30);
	/* A tid that is used again comes behind the thread that had it. */
	CHECK_INT(codectl_slot_take(20), 3);
	CHECK_INT(codectl_slot_find_used(20), 2);
	CHECK(codectl_slot_used(1) == codectl_slot_at(2));
	codectl_slot_free_used(1);
	CHECK_INT(codectl_slot_find_used(20), 1);
	CHECK(codectl_slot_find_used(15) == SIZE_MAX);
	CHECK_INT(codectl_slot_take(5), 2);
	CHECK(!codectl_slot_at(CODECTL_SLOT_MAX));
	codectl_slot_free_all();
	CHECK_INT(codectl_slot_used_count(), 0);
	CHECK_INT(codectl_slot_take(8), 0);
	CHECK(codectl_slot_used(0)->ring.bytes);
}

TEST(all_slots)
{
	CHECK_INT(codectl_slot_init_table(4096), 0);
	for (int i = 0; i < 1000; i++)
		CHECK_INT(codectl_slot_take(1000 - i), i);
	for (int i = 0; i < 1000; i++)
		codectl_slot_free_used(0);
	for (int i = 0; i < 1000; i++)
		CHECK(codectl_slot_take(i + 1) < 1000);
	CHECK_INT(codectl_slot_take(2000), 1000);
}

static void *do_nothing(void *argument)
{
	return argument;
}

TEST(procfs)
{
	struct codectl_tid_list list = {0};
	struct codectl_thread_status status;
	char comm[CODECTL_COMM_SIZE], long_comm[4];
	sigset_t set;
	pthread_t thread;
	int64_t last_pid = codectl_procfs_last_pid();

	CHECK_INT(codectl_procfs_list_threads(&list), 0);
	CHECK_INT(list.count, 1);
	CHECK(codectl_procfs_has_tid(&list, fake_own_tid()));
	CHECK(!codectl_procfs_has_tid(&list, fake_own_tid() + 1));
	free(list.tids);
	prctl(PR_SET_NAME, "a name");
	CHECK_INT(codectl_procfs_read_comm(fake_own_tid(), comm, sizeof(comm)), 0);
	CHECK_STR(comm, "a name");
	CHECK_INT(codectl_procfs_read_comm(fake_own_tid(), long_comm, sizeof(long_comm)), 0);
	CHECK_STR(long_comm, "a n");
	CHECK_INT(codectl_procfs_read_comm(INT32_MAX, comm, sizeof(comm)), -ENOENT);
	sigemptyset(&set);
	sigaddset(&set, FAKE_SIGNAL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	CHECK_INT(codectl_procfs_read_status(fake_own_tid(), &status), 0);
	CHECK(status.blocked_signals >> (FAKE_SIGNAL - 1) & 1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	CHECK_INT(codectl_procfs_read_status(fake_own_tid(), &status), 0);
	CHECK(!(status.blocked_signals >> (FAKE_SIGNAL - 1) & 1));
	CHECK_INT(codectl_procfs_read_status(INT32_MAX, &status), -ENOENT);
	CHECK_INT(pthread_create(&thread, NULL, do_nothing, NULL), 0);
	pthread_join(thread, NULL);
	CHECK(last_pid > 0);
	CHECK(codectl_procfs_last_pid() != last_pid);
}

TEST(capture)
{
	volatile uint64_t marker = MARKER;
	size_t len;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());

	CHECK(slot);
	CHECK_INT(slot->state, CODECTL_SLOT_ARMED);
	CHECK(slot->home_end > slot->home_start);

	const struct codectl_capture *capture = wait_for_capture(slot, &len);
	uint64_t sp = capture->regs[CODECTL_AMD64_RSP];

	CHECK(sp >= slot->home_start && sp < slot->home_end);
	CHECK(capture->timestamp <= codectl_provider_now());
	CHECK_INT(capture->serial, FAKE_SERIAL);
	CHECK(capture->weight >= 1);
	CHECK(has_word(capture, len, marker));
	/* The red zone is in it: leaf functions save registers there. */
	CHECK_HEX(capture->stack_start, sp - 128);
	CHECK(capture->stack_start + len - sizeof(*capture) <= codectl_handler_main_stack_end());
	codectl_threads_disarm();
	CHECK_INT(slot->state, CODECTL_SLOT_IDLE);
}

/* Spins with known values in registers until the head of the ring has moved. */
static const struct codectl_capture *capture_known_registers(struct codectl_ring *ring)
{
	size_t len;

	while (codectl_ring_peek(ring, &len))
		codectl_ring_release(ring);
	__asm__ volatile("movq $0x1111, %%r12\n\t"
			 "movq $0x2222, %%r13\n\t"
			 "movq $0x3333, %%rbx\n\t"
			 "movq $0x4444, %%rcx\n\t"
			 "movq $0x5555, %%rdx\n"
			 "1:\tcmpq %[old], (%[head])\n\t"
			 "je 1b\n\t"
			 :
			 : [head] "S"(&ring->head), [old] "D"(ring->head)
			 : "r12", "r13", "rbx", "rcx", "rdx", "memory", "cc");
	return codectl_ring_peek(ring, &len);
}

/* Without the registers of the interrupted code being right, nothing can be unwound. */
TEST(registers)
{
	const struct codectl_capture *capture;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());

	CHECK(slot);
	/* The sample may have come just before the loop. */
	do {
		capture = capture_known_registers(&slot->ring);
		CHECK(capture);
	} while (capture->regs[CODECTL_AMD64_R12] != 0x1111);
	CHECK_HEX(capture->regs[CODECTL_AMD64_R13], 0x2222);
	CHECK_HEX(capture->regs[CODECTL_AMD64_RBX], 0x3333);
	CHECK_HEX(capture->regs[CODECTL_AMD64_RCX], 0x4444);
	CHECK_HEX(capture->regs[CODECTL_AMD64_RDX], 0x5555);
	CHECK_HEX(capture->regs[CODECTL_AMD64_RSI], (uint64_t)(uintptr_t)&slot->ring.head);
}

static ucontext_t main_context, other_context;
static struct codectl_slot *other_slot;

static void run_on_small_stack(void)
{
	volatile uint64_t marker = MARKER + 1;
	size_t len;

	while (codectl_ring_peek(&other_slot->ring, &len))
		codectl_ring_release(&other_slot->ring);
	wait_for_capture(other_slot, &len);
	(void)marker;
}

/* A stack that ends where memory ends, and that nobody has heard of. */
static void sample_on_small_stack(bool may_call)
{
	const size_t size = 32 * 1024;
	char *memory = mmap(
		NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t len;

	CHECK(memory != MAP_FAILED);
	CHECK_INT(mprotect(memory + size, 4096, PROT_NONE), 0);
	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	fake_run_round();
	other_slot = fake_find_slot(fake_own_tid());
	CHECK(other_slot);
	other_slot->may_call = may_call;
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = memory;
	other_context.uc_stack.ss_size = size;
	other_context.uc_link = &main_context;
	makecontext(&other_context, run_on_small_stack, 0);
	swapcontext(&main_context, &other_context);
	codectl_threads_disarm();

	const struct codectl_capture *capture = codectl_ring_peek(&other_slot->ring, &len);
	uint64_t sp = capture->regs[CODECTL_AMD64_RSP];

	CHECK(sp >= (uint64_t)(uintptr_t)memory && sp < (uint64_t)(uintptr_t)memory + size);
	/* All of the red zone that is in the same page: below it, nothing need be mapped. */
	CHECK(capture->stack_start <= sp && sp - capture->stack_start <= 128);
	CHECK(capture->stack_start >> 12 == sp >> 12);
	CHECK_INT(len - sizeof(*capture),
		may_call
			? ((uint64_t)(uintptr_t)memory + size - capture->stack_start) & ~UINT64_C(7)
			: 0);
	CHECK_INT(has_word(capture, len, MARKER + 1), may_call);
	munmap(memory, size + 4096);
}

TEST(unknown_stack)
{
	sample_on_small_stack(true);
}

TEST(unknown_stack_without_system_calls)
{
	sample_on_small_stack(false);
}

/* What a thread that is sampled does, and when it has to end. */
struct spinner {
	_Atomic int32_t tid;
	_Atomic bool is_over;
};

static void *spin(void *argument)
{
	struct spinner *spinner = argument;

	spinner->tid = fake_own_tid();
	while (!spinner->is_over)
		work++;
	return NULL;
}

TEST(thread_begins_and_ends)
{
	struct spinner spinner = {0};
	struct codectl_slot *slot = NULL;
	pthread_t thread;
	size_t len;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	fake_run_round();
	CHECK_INT(codectl_slot_used_count(), 1);
	CHECK_INT(pthread_create(&thread, NULL, spin, &spinner), 0);
	while (!slot || !codectl_ring_peek(&slot->ring, &len)) {
		fake_run_round();
		slot = spinner.tid ? fake_find_slot(spinner.tid) : NULL;
	}
	CHECK_INT(slot->state, CODECTL_SLOT_ARMED);
	CHECK(slot->taken >= 1);
	fake_run_round();
	CHECK(slot->has_news);
	/* Its stack is one of the C library's, so it is read without system calls. */
	while (slot->home_end == 0)
		fake_run_round();
	codectl_timers_update_cpu_time(slot);
	CHECK(slot->cpu_time > 0);
	spinner.is_over = true;
	CHECK_INT(pthread_join(thread, NULL), 0);
	while (slot->state != CODECTL_SLOT_ENDED)
		fake_run_round();
	codectl_clock_close(slot);
	codectl_slot_free_used(codectl_slot_find_used(spinner.tid));
	CHECK_INT(codectl_slot_used_count(), 1);
}

TEST(blocked_thread_is_left_alone)
{
	sigset_t set;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	sigemptyset(&set);
	sigaddset(&set, FAKE_SIGNAL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fake_run_round();

	struct codectl_slot *slot = fake_find_slot(fake_own_tid());

	CHECK(slot);
	/* At first it could be a thread that is just being set up. */
	CHECK_INT(slot->state, CODECTL_SLOT_ARMED);
	fake_run_round();
	CHECK_INT(slot->state, CODECTL_SLOT_BLOCKED);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	while (slot->state != CODECTL_SLOT_ARMED)
		fake_run_round();
}

/* Signals that are not from our timers, whatever they carry. */
TEST(foreign_signals)
{
	size_t len;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);

	int index = codectl_slot_take(fake_own_tid());
	struct codectl_slot *slot = codectl_slot_at((size_t)index);
	union sigval value = {.sival_int = index};

	errno = 1234;
	CHECK_INT(raise(FAKE_SIGNAL), 0);
	CHECK_INT(sigqueue(getpid(), FAKE_SIGNAL, value), 0);
	value.sival_int = -1;
	CHECK_INT(sigqueue(getpid(), FAKE_SIGNAL, value), 0);
	CHECK_INT(errno, 1234);
	CHECK(!codectl_ring_peek(&slot->ring, &len));

	/* A timer of the program's own, with the number of a slot. */
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = FAKE_SIGNAL};
	struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
	timer_t timer;

	event.sigev_value.sival_int = index;
	CHECK_INT(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	CHECK_INT(timer_settime(timer, 0, &soon, NULL), 0);
	do {
		CHECK_INT(timer_gettime(timer, &soon), 0);
	} while (soon.it_value.tv_nsec != 0);
	CHECK(!codectl_ring_peek(&slot->ring, &len));
	timer_delete(timer);
}

static void on_signal(int number)
{
	(void)number;
}

TEST(signal_of_the_program)
{
	CHECK(signal(FAKE_SIGNAL, on_signal) == SIG_DFL);
	CHECK_INT(codectl_handler_install(FAKE_SIGNAL, 4096), -EBUSY);
	CHECK_INT(codectl_handler_signal(), 0);
	CHECK(signal(FAKE_SIGNAL, SIG_DFL) == on_signal);
	CHECK_INT(codectl_handler_install(FAKE_SIGNAL, 4096), 0);
}

/* Before anybody wants samples, the program may still take it. */
TEST(signal_is_given_up)
{
	CHECK_INT(codectl_handler_install(FAKE_SIGNAL, 4096), 0);
	CHECK(signal(FAKE_SIGNAL, SIG_IGN) == SIG_DFL);
	CHECK_INT(codectl_handler_signal(), FAKE_SIGNAL);
	CHECK(signal(FAKE_SIGNAL, on_signal) != SIG_ERR);
	CHECK_INT(codectl_handler_signal(), 0);
	CHECK(signal(FAKE_SIGNAL, SIG_DFL) == on_signal);
	CHECK_INT(codectl_handler_claim(), -EBUSY);
}

TEST(blocking_everything)
{
	sigset_t set, now;
	siginfo_t info;
	const struct timespec no_time = {0};

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	sigfillset(&set);
	CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	CHECK_INT(sigprocmask(SIG_SETMASK, &set, &now), 0);
	CHECK_INT(sigismember(&now, FAKE_SIGNAL), 0);
	CHECK_INT(sigismember(&now, SIGUSR1), 1);
	CHECK_INT(sigprocmask(-1, &set, NULL), -1);
	CHECK_INT(errno, EINVAL);
	CHECK_INT(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	CHECK_INT(sigismember(&now, SIGUSR1), 0);
	/* Ours among few others is what the program means; but it does not wait for ours. */
	sigemptyset(&set);
	sigaddset(&set, FAKE_SIGNAL);
	sigaddset(&set, SIGUSR1);
	CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	CHECK_INT(sigismember(&now, FAKE_SIGNAL), 1);
	/* And stays so, whatever libraries block and unblock meanwhile. */
	sigset_t all, before;

	sigfillset(&all);
	CHECK_INT(pthread_sigmask(SIG_SETMASK, &all, &before), 0);
	CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, &now), 0);
	CHECK_INT(sigismember(&now, FAKE_SIGNAL), 1);
	CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	CHECK_INT(sigismember(&now, FAKE_SIGNAL), 1);
	CHECK_INT(raise(FAKE_SIGNAL), 0);
	CHECK_INT(sigtimedwait(&set, &info, &no_time), -1);
	CHECK_INT(errno, EAGAIN);
	CHECK_INT(raise(SIGUSR1), 0);
	CHECK_INT(sigwaitinfo(&set, &info), SIGUSR1);
}

TEST(program_resets_signals)
{
	struct sigaction action = {.sa_handler = SIG_DFL}, old;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	CHECK(codectl_handler_is_in_place());
	CHECK(signal(FAKE_SIGNAL, SIG_DFL) == SIG_DFL);
	CHECK(signal(FAKE_SIGNAL, on_signal) == SIG_DFL);
	memset(&old, 0xff, sizeof(old));
	CHECK_INT(sigaction(FAKE_SIGNAL, &action, &old), 0);
	CHECK(old.sa_handler == SIG_DFL);
	CHECK_INT(old.sa_flags, 0);
	CHECK(codectl_handler_is_in_place());
	CHECK_INT(raise(FAKE_SIGNAL), 0);
	/* Other signals are the program's. */
	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	CHECK_INT(sigaction(SIGUSR1, NULL, &old), 0);
	CHECK(old.sa_handler == on_signal);
	CHECK_INT(sigaction(0, NULL, &old), -1);
	CHECK_INT(errno, EINVAL);
}

TEST(fork_drops_everything)
{
	int status;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	fake_run_round();
	CHECK_INT(codectl_slot_used_count(), 1);

	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		size_t len;

		codectl_slot_free_all();
		codectl_threads_after_fork();
		codectl_view_after_fork();
		CHECK_INT(codectl_slot_used_count(), 0);
		fake_run_round();

		struct codectl_slot *slot = fake_find_slot(fake_own_tid());

		CHECK(slot);
		CHECK_INT(slot->state, CODECTL_SLOT_ARMED);
		wait_for_capture(slot, &len);
		_exit(0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
}
