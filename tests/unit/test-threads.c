/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Threads that come with a slot, and what the program does by system calls to
 * signals and sandboxes, in this process and without the provider.
 */
#include "lib/tap.h"

#include "lib/fake-provider.h"
#include "lib/sampler-fixture.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"
#include "sampler/thread-start.h"
#include "sampler/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#define FREQUENCY 1000

static volatile uint64_t work;

/* Many threads claim, give back and hand over; each slot has one owner at a time. */
static _Atomic int owners[64];
static _Atomic int handed_over;
static _Atomic bool is_over;

static void *churn(void *argument)
{
	for (int i = 0; i < 20000; i++) {
		int index = codectl_slot_claim();

		CHECK(index >= 0 && index < 64);
		CHECK_INT(owners[index]++, 0);
		owners[index]--;
		if (i % 4 == 0) {
			codectl_slot_at((size_t)index)->tid = i;
			handed_over++;
			codectl_slot_hand_over((size_t)index);
			/* So many as the helper can take, or there would be more than 64. */
			while (handed_over > 32)
				sched_yield();
		} else {
			codectl_slot_unclaim((size_t)index);
		}
	}
	return argument;
}

static void *take_all(void *argument)
{
	while (!is_over || codectl_slot_has_newcomers()) {
		const struct codectl_slot *slot = codectl_slot_take_newcomer();

		if (slot) {
			CHECK_INT(owners[codectl_slot_index(slot)], 0);
			codectl_slot_free_used(codectl_slot_find_used(slot->tid));
			handed_over--;
		}
	}
	CHECK_INT(codectl_slot_used_count(), 0);
	return argument;
}

TEST(slots_are_claimed_by_many)
{
	pthread_t threads[4], taker;

	CHECK_INT(codectl_slot_init_table(4096), 0);
	CHECK_INT(pthread_create(&taker, NULL, take_all, NULL), 0);
	for (int i = 0; i < 4; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, churn, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	is_over = true;
	pthread_join(taker, NULL);
}

/* What a thread sees of itself when it begins. */
struct first_look {
	int32_t tid;
	int error;
};

static void *look_first(void *argument)
{
	struct first_look *look = argument;

	look->error = errno;
	look->tid = fake_own_tid();
	prctl(PR_SET_NAME, "short one");
	/* As long as it lives, the helper has not looked. */
	while (!codectl_slot_has_newcomers())
		work++;
	return argument;
}

static int look_first_c11(void *argument)
{
	look_first(argument);
	return 5;
}

/* Its slot came with it, and it has left its name and CPU time. */
static void check_short_thread(const struct first_look *look)
{
	CHECK_INT(look->error, 0);
	CHECK_INT(codectl_thread_start_count(), 0);
	CHECK(codectl_slot_has_newcomers());

	const struct codectl_slot *slot = codectl_slot_take_newcomer();

	CHECK(slot);
	CHECK_INT(slot->tid, look->tid);
	CHECK_INT(slot->state, CODECTL_SLOT_ARMED);
	CHECK(slot->home_end > slot->home_start);
	CHECK(slot->last_cpu_time > 0);
	CHECK_STR(slot->last_comm, "short one");
	while (slot->state != CODECTL_SLOT_ENDED)
		fake_run_round();
}

TEST(short_thread)
{
	struct first_look look = {.error = -1};
	pthread_t thread;
	void *result;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	codectl_thread_start_init();
	codectl_thread_start_enable(true);
	CHECK_INT(pthread_create(&thread, NULL, look_first, &look), 0);
	CHECK_INT(pthread_join(thread, &result), 0);
	CHECK(result == &look);
	check_short_thread(&look);
}

TEST(short_c11_thread)
{
	struct first_look look = {.error = -1};
	thrd_t thread;
	int result;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	codectl_thread_start_init();
	codectl_thread_start_enable(true);
	CHECK_INT(thrd_create(&thread, look_first_c11, &look), thrd_success);
	CHECK_INT(thrd_join(thread, &result), thrd_success);
	CHECK_INT(result, 5);
	check_short_thread(&look);
}

static void *do_nothing(void *argument)
{
	return argument;
}

TEST(threads_are_left_alone)
{
	pthread_attr_t attributes;
	pthread_t thread;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	codectl_thread_start_init();
	codectl_thread_start_enable(true);
	/* One that cannot be created gives its slot back. */
	pthread_attr_init(&attributes);
	CHECK_INT(pthread_attr_setstacksize(&attributes, (size_t)1 << 50), 0);
	CHECK_INT(pthread_create(&thread, &attributes, do_nothing, NULL), EAGAIN);
	CHECK_INT(codectl_thread_start_count(), 0);
	CHECK_INT(codectl_slot_claim(), 0);
	codectl_slot_unclaim(0);
	/* When no samples are wanted, and in a sandbox. */
	codectl_thread_start_enable(false);
	CHECK_INT(pthread_create(&thread, NULL, do_nothing, NULL), 0);
	pthread_join(thread, NULL);
	codectl_thread_start_enable(true);
	codectl_sandbox_close();
	CHECK_INT(pthread_create(&thread, NULL, do_nothing, NULL), 0);
	pthread_join(thread, NULL);
	CHECK(!codectl_slot_has_newcomers());
}

/* A thread that was found in /proc before it handed its slot over is sampled once. */
TEST(newcomer_that_is_known)
{
	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	codectl_thread_start_init();
	codectl_thread_start_enable(true);
	fake_run_round();

	struct codectl_slot *known = fake_find_slot(fake_own_tid());
	int index = codectl_slot_claim();
	struct codectl_slot *late = codectl_slot_at((size_t)index);

	CHECK(known && index >= 0);
	late->tid = fake_own_tid();
	CHECK_INT(codectl_clock_open(late, index), 0);
	CHECK(codectl_clock_start(late));
	late->state = CODECTL_SLOT_ARMED;
	codectl_slot_hand_over((size_t)index);
	fake_run_round();
	CHECK_INT(known->state, CODECTL_SLOT_ARMED);
	CHECK_INT(late->state, CODECTL_SLOT_ENDED);
}

/* rt_sigaction() without the C library's sigaction(). */
TEST(signal_is_reset_by_a_system_call)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {.handler = SIG_DFL}, old;

	fake_start(CODECTL_CLOCK_CPU, FREQUENCY);
	codectl_thread_start_init();
	codectl_thread_start_enable(true);
	CHECK_INT(syscall(SYS_rt_sigaction, FAKE_SIGNAL, &action, &old, sizeof(action.mask)), 0);
	CHECK(old.handler == SIG_DFL);
	CHECK(codectl_handler_is_in_place());
	CHECK_INT(raise(FAKE_SIGNAL), 0);
	CHECK_INT(syscall(SYS_rt_sigaction, FAKE_SIGNAL, 8, NULL, sizeof(action.mask)), -1);
	CHECK_INT(errno, EFAULT);
	CHECK_INT(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &old, sizeof(action.mask)), 0);
	/* All six arguments arrive: the last one is on the stack. */
	void *memory = (void *)syscall(SYS_mmap, NULL, 4096L, 3L, 0x22L, -1L, 0L);

	CHECK(memory != (void *)-1);
	CHECK_INT(syscall(SYS_munmap, memory, 4096L), 0);
	/* By nobody's function at all: seen in the next round. */
	long ret;

	__asm__ volatile("movq $8, %%r10\n\tsyscall"
			 : "=a"(ret)
			 : "a"(SYS_rt_sigaction), "D"((long)FAKE_SIGNAL), "S"(&action), "d"(NULL)
			 : "rcx", "r11", "r10", "memory");
	CHECK_INT(ret, 0);
	CHECK(!codectl_handler_is_in_place());
	CHECK(codectl_handler_restore());
	CHECK(codectl_handler_is_in_place());
}

TEST(sandboxes_are_seen_before_they_are_there)
{
	codectl_sandbox_init();
	CHECK(!codectl_sandbox_is_closed());
	CHECK_INT(prctl(PR_SET_NAME, "name", 0, 0, 0), 0);
	CHECK(!codectl_sandbox_is_closed());
	/* No filter: it fails, but might not have. */
	CHECK_INT(prctl(PR_SET_SECCOMP, 2L, 0L, 0L, 0L), -1);
	CHECK(codectl_sandbox_is_closed() && !codectl_sandbox_is_strict());
	CHECK_INT(syscall(SYS_seccomp, 1L, 1L, NULL), -1);
	CHECK(codectl_sandbox_is_for_all());
	CHECK_INT(prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0), 0);
	CHECK(!codectl_sandbox_is_strict());
	CHECK_INT(syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0L, 0L, 0L), 0);
	CHECK(codectl_sandbox_is_strict());
	prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
}
