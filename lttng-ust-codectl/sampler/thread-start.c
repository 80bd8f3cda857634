/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/thread-start.h"

#include "provider/export.h"
#include "provider/helper.h"
#include "sampler/clock.h"
#include "sampler/interpose.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define PAGE_SIZE_MIN 4096u
/* Thread-local variables are between the first frame and the control block. */
#define STATIC_TLS_MAX (1u << 20)
/* glibc keeps the values of so many keys in the thread itself; others are allocated. */
#define INLINE_KEY_COUNT 32

typedef void *(*start_routine)(void *);
typedef int (*pthread_create_function)(pthread_t *, const pthread_attr_t *, start_routine, void *);
typedef int (*thrd_create_function)(thrd_t *, thrd_start_t, void *);

static struct {
	void *pthread_create;
	void *thrd_create;
} real;

static bool is_enabled;
static uint32_t starting_count;
static pthread_key_t end_key;
static bool has_end_key;

/*
 * The thread ends: it leaves its CPU time and its last name, which nobody can
 * ask for afterwards. Its clock goes on: what is still sampled are destructors
 * of the program's own, and our handler touches nothing that they take down.
 */
static void on_thread_end(void *value)
{
	struct codectl_slot *slot = value;
	int saved_errno = errno;
	struct timespec time;

	/* In the child of a fork, the slot may be another thread's by now. */
	if (codectl_sandbox_is_closed() || slot->tid != (int32_t)syscall(SYS_gettid))
		return;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 &&
		prctl(PR_GET_NAME, slot->last_comm, 0, 0, 0) == 0)
		__atomic_store_n(&slot->last_cpu_time,
			(uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec,
			__ATOMIC_RELEASE);
	errno = saved_errno;
}

/*
 * The frames are between here and the thread's control block, which the C
 * library puts on the same stack, above. The helper thread looks for the rest.
 */
static void guess_home(struct codectl_slot *slot)
{
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
	uint64_t control_block;

	__asm__("movq %%fs:0, %0" : "=r"(control_block));
	if (here < control_block && control_block - here < STATIC_TLS_MAX) {
		slot->home_start = here & ~(uint64_t)(PAGE_SIZE_MIN - 1);
		slot->home_end = control_block & ~(uint64_t)7;
	}
	slot->wants_home = true;
}

/* On the new thread. Returns whether the slot is the helper thread's now. */
static bool try_to_enter(struct codectl_slot *slot, size_t index)
{
	if (!__atomic_load_n(&is_enabled, __ATOMIC_ACQUIRE) || codectl_sandbox_is_closed())
		return false;
	slot->tid = (int32_t)syscall(SYS_gettid);
	slot->may_call = !codectl_sandbox_is_any();
	guess_home(slot);
	if (codectl_clock_open(slot, (int)index) != 0)
		return false;
	slot->state = CODECTL_SLOT_ARMED;
	slot->is_unsure = true;
	slot->has_news = true;
	codectl_clock_start(slot);
	if (has_end_key)
		pthread_setspecific(end_key, slot);
	codectl_slot_hand_over(index);
	return true;
}

static __attribute__((noinline)) void enter(struct codectl_slot *slot)
{
	int saved_errno = errno;
	size_t index = codectl_slot_index(slot);

	if (!try_to_enter(slot, index))
		codectl_slot_unclaim(index);
	/* Release: who sees the count fall sees the slot among the newcomers. */
	__atomic_fetch_sub(&starting_count, 1, __ATOMIC_RELEASE);
	errno = saved_errno;
}

/* The slot may be another thread's when enter() has returned: it is read before. */
static void *begin(void *argument)
{
	struct codectl_slot *slot = argument;
	start_routine start = slot->start;
	void *start_argument = slot->argument;

	enter(slot);
	return start(start_argument);
}

static int begin_c11(void *argument)
{
	struct codectl_slot *slot = argument;
	thrd_start_t start = (thrd_start_t)(void (*)(void))slot->start;
	void *start_argument = slot->argument;

	enter(slot);
	return start(start_argument);
}

/* Returns a slot for a thread that is about to be created, or NULL. */
static struct codectl_slot *prepare(start_routine start, void *argument)
{
	if (!__atomic_load_n(&is_enabled, __ATOMIC_RELAXED) || codectl_sandbox_is_closed() ||
		codectl_helper_is_entry(start))
		return NULL;

	int saved_errno = errno;
	int index = codectl_slot_claim();

	errno = saved_errno;
	if (index < 0)
		return NULL;

	struct codectl_slot *slot = codectl_slot_at((size_t)index);

	slot->start = start;
	slot->argument = argument;
	__atomic_fetch_add(&starting_count, 1, __ATOMIC_RELAXED);
	return slot;
}

static void give_up(struct codectl_slot *slot)
{
	codectl_slot_unclaim(codectl_slot_index(slot));
	__atomic_fetch_sub(&starting_count, 1, __ATOMIC_RELEASE);
}

CODECTL_EXPORT int pthread_create(pthread_t *restrict thread,
	const pthread_attr_t *restrict attributes, start_routine start, void *restrict argument)
{
	pthread_create_function function = (pthread_create_function)codectl_interpose_find(
		&real.pthread_create, "pthread_create");
	struct codectl_slot *slot;

	if (!function)
		return ENOSYS;
	slot = prepare(start, argument);
	if (!slot)
		return function(thread, attributes, start, argument);

	int ret = function(thread, attributes, begin, slot);

	if (ret)
		give_up(slot);
	return ret;
}

CODECTL_EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	thrd_create_function function = (thrd_create_function)codectl_interpose_find(
		&real.thrd_create, "thrd_create");
	struct codectl_slot *slot;

	if (!function)
		return thrd_error;
	slot = prepare((start_routine)(void (*)(void))start, argument);
	if (!slot)
		return function(thread, start, argument);

	int ret = function(thread, begin_c11, slot);

	if (ret != thrd_success)
		give_up(slot);
	return ret;
}

void codectl_thread_start_init(void)
{
	codectl_interpose_find(&real.pthread_create, "pthread_create");
	codectl_interpose_find(&real.thrd_create, "thrd_create");
	has_end_key = pthread_key_create(&end_key, on_thread_end) == 0 &&
		      end_key < INLINE_KEY_COUNT;
}

void codectl_thread_start_enable(bool wanted)
{
	__atomic_store_n(&is_enabled, wanted, __ATOMIC_RELEASE);
}

uint32_t codectl_thread_start_count(void)
{
	return __atomic_load_n(&starting_count, __ATOMIC_ACQUIRE);
}

void codectl_thread_start_after_fork(void)
{
	__atomic_store_n(&is_enabled, false, __ATOMIC_RELAXED);
	__atomic_store_n(&starting_count, 0, __ATOMIC_RELAXED);
}
