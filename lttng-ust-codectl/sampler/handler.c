/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/handler.h"

#include "provider/helper.h"
#include "sampler/interpose.h"
#include "sampler/perf.h"
#include "sampler/ring.h"
#include "sampler/sandbox.h"
#include "sampler/slot.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * The handler runs on stacks that a sanitizer knows nothing of, and reads
 * redzones of other functions' frames.
 */
#define NO_SANITIZE __attribute__((no_sanitize("address", "thread", "undefined")))

#define PAGE_SIZE_MIN 4096u
#define RED_ZONE_SIZE 128u
/* Of a stack that is not the thread's own: it may be small, and the handler runs on it too. */
#define UNKNOWN_STACK_MAX 65536u
#define IOVEC_COUNT_MAX	  (UNKNOWN_STACK_MAX / PAGE_SIZE_MIN + 1)

/* A stack pointer so far below the known stack, or less, may be due to its growth. */
#define STACK_GROWTH_MAX (8u << 20)

static uint32_t stack_size;
static int installed_signal;
static bool is_claimed;
static uint64_t segments;

/* The loader's: where the kernel put argc, argv and the environment. */
extern void *__libc_stack_end;

/* ucontext's numbers in the order of DWARF's. */
static const uint8_t register_order[CODECTL_AMD64_REG_COUNT] = {
	[CODECTL_AMD64_RAX] = REG_RAX,
	[CODECTL_AMD64_RDX] = REG_RDX,
	[CODECTL_AMD64_RCX] = REG_RCX,
	[CODECTL_AMD64_RBX] = REG_RBX,
	[CODECTL_AMD64_RSI] = REG_RSI,
	[CODECTL_AMD64_RDI] = REG_RDI,
	[CODECTL_AMD64_RBP] = REG_RBP,
	[CODECTL_AMD64_RSP] = REG_RSP,
	[CODECTL_AMD64_R8] = REG_R8,
	[CODECTL_AMD64_R9] = REG_R9,
	[CODECTL_AMD64_R10] = REG_R10,
	[CODECTL_AMD64_R11] = REG_R11,
	[CODECTL_AMD64_R12] = REG_R12,
	[CODECTL_AMD64_R13] = REG_R13,
	[CODECTL_AMD64_R14] = REG_R14,
	[CODECTL_AMD64_R15] = REG_R15,
	[CODECTL_AMD64_RIP] = REG_RIP,
};

/*
 * How the stack is read. Measured with 5 x 2000 (20000) copies of this
 * process's own memory on a 2-CPU virtual machine, Linux 6.18, the best run
 * counts: process_vm_readv() of 8 KiB takes 2.0 us and of 64 KiB 7.9 us, `rep
 * movsq` 77 ns and 1.3 us. Next to the 50 us of the timer interrupt and signal
 * there both are cheap, but a thread under a seccomp filter may be killed for
 * the system call. So the stack that the C library gave to the thread, which
 * the helper thread has found in /proc/self/maps and which lives as long as the
 * thread, is copied directly, and only what is elsewhere (coroutines,
 * alternate signal stacks) is left to the kernel, which never faults.
 */

/* memcpy() would be a sanitizer's, and a loop be turned into a memcpy(). */
NO_SANITIZE static void copy_words(void *to, uint64_t from, size_t len)
{
	const void *source = (const void *)(uintptr_t)from;
	size_t count = len / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(source), "+c"(count) : : "memory");
}

/* The calling thread's control block; it lies above the frames on a stack of the C library's. */
NO_SANITIZE static uint64_t thread_pointer(void)
{
	uint64_t pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/*
 * Copies as much of @len bytes at @from as is mapped. @remote is room for
 * IOVEC_COUNT_MAX: on the stack it would be half of what the handler takes, and
 * stacks that are not known may be small. Returns how much, or a negative errno.
 */
NO_SANITIZE static long read_unknown(void *to, uint64_t from, size_t len, struct iovec *remote)
{
	struct iovec local = {.iov_base = to, .iov_len = len};
	unsigned long count = 0;

	/* The kernel gives up an iovec as a whole: one for each page. */
	while (len > 0) {
		size_t in_page = PAGE_SIZE_MIN - (from & (PAGE_SIZE_MIN - 1));

		if (in_page > len)
			in_page = len;
		remote[count].iov_base = (void *)(uintptr_t)from;
		remote[count].iov_len = in_page;
		count++;
		from += in_page;
		len -= in_page;
	}

	/* By its pid the process has no memory once its first thread has ended. */
	long got = syscall(
		SYS_process_vm_readv, syscall(SYS_gettid), &local, 1ul, remote, count, 0ul);

	return got < 0 ? -errno : got;
}

NO_SANITIZE static size_t cut_at(size_t len, uint64_t start, uint64_t limit)
{
	return start < limit && limit - start < len ? limit - start : len;
}

/* What a capture of this thread's stack can be: where it is, and how it may be read. */
struct plan {
	uint64_t start;
	size_t len;
	bool is_direct;
};

NO_SANITIZE static struct plan make_plan(struct codectl_slot *slot, uint64_t sp)
{
	uint64_t home_end = __atomic_load_n(&slot->home_end, __ATOMIC_ACQUIRE);
	uint64_t home_start = __atomic_load_n(&slot->home_start, __ATOMIC_RELAXED);
	struct plan plan = {.is_direct = sp >= home_start && sp < home_end};
	/* Below what is known, or below the page, nothing need be mapped. */
	uint64_t floor = plan.is_direct ? home_start : sp & ~(uint64_t)(PAGE_SIZE_MIN - 1);

	plan.start = sp - floor > RED_ZONE_SIZE ? sp - RED_ZONE_SIZE : floor;
	/* Words are those of the stack's frames, whatever the floor is. */
	plan.start += (sp - plan.start) & 7;
	plan.len = stack_size;

	/* No frame reaches beyond the control block of its thread, or the program's arguments. */
	plan.len = cut_at(plan.len, plan.start, thread_pointer());
	plan.len = cut_at(plan.len, plan.start, codectl_handler_main_stack_end());
	if (plan.is_direct)
		plan.len = cut_at(plan.len, plan.start, home_end);
	if (!plan.is_direct) {
		if (home_end == 0 || home_start - sp < STACK_GROWTH_MAX)
			__atomic_store_n(&slot->wants_home, true, __ATOMIC_RELAXED);
		if (!__atomic_load_n(&slot->may_call, __ATOMIC_RELAXED) ||
			codectl_sandbox_is_closed())
			plan.len = 0;
		else if (plan.len > UNKNOWN_STACK_MAX)
			plan.len = UNKNOWN_STACK_MAX;
	}
	plan.len &= ~(size_t)7;
	return plan;
}

/* Behind the plan's length, @stack has room for the list of pages, unless it is direct. */
NO_SANITIZE static size_t read_stack(
	struct codectl_slot *slot, const struct plan *plan, void *stack)
{
	if (plan->is_direct) {
		copy_words(stack, plan->start, plan->len);
		return plan->len;
	}
	if (plan->len == 0)
		return 0;

	long got = read_unknown(
		stack, plan->start, plan->len, (void *)((uint8_t *)stack + plan->len));

	if (got == -EPERM || got == -ENOSYS || got == -EACCES)
		__atomic_store_n(&slot->may_call, false, __ATOMIC_RELAXED);
	return got < 0 ? 0 : (size_t)got & ~(size_t)7;
}

/* The coarse clock, which is that of the last tick, does not read the time stamp counter. */
NO_SANITIZE static uint64_t read_clock(void)
{
	struct timespec now;

	if (!codectl_sandbox_is_strict())
		return codectl_provider_now();
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

NO_SANITIZE static void capture(
	struct codectl_slot *slot, const ucontext_t *context, uint32_t weight)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	struct plan plan = make_plan(slot, sp);
	size_t room = plan.is_direct ? 0 : IOVEC_COUNT_MAX * sizeof(struct iovec);
	struct codectl_capture *record = codectl_ring_reserve(
		&slot->ring, sizeof(*record) + plan.len + room);

	if (!record) {
		__atomic_store_n(&slot->lost, slot->lost + 1, __ATOMIC_RELAXED);
		return;
	}
	record->timestamp = read_clock();
	record->serial = codectl_provider_last_serial();
	record->cpu = (uint32_t)sched_getcpu();
	record->weight = weight;
	for (size_t i = 0; i < CODECTL_AMD64_REG_COUNT; i++)
		record->regs[i] = (uint64_t)context->uc_mcontext.gregs[register_order[i]];

	record->stack_start = plan.start;
	__atomic_store_n(
		&segments, (uint64_t)context->uc_mcontext.gregs[REG_CSGSFS], __ATOMIC_RELAXED);

	size_t stack_len = read_stack(slot, &plan, record->stack);
	bool was_half_full = codectl_ring_is_half_full(&slot->ring);

	codectl_ring_commit(&slot->ring, sizeof(*record) + stack_len);
	__atomic_store_n(&slot->taken, slot->taken + 1, __ATOMIC_RELAXED);
	/* Once: whoever is woken empties it. */
	if (!was_half_full && codectl_ring_is_half_full(&slot->ring) &&
		__atomic_load_n(&slot->may_call, __ATOMIC_RELAXED) && !codectl_sandbox_is_closed())
		codectl_helper_hurry();
}

/*
 * The slot that the signal is for. Anybody may send it with any value; but only
 * a timer of ours has the timer's id as well, and only the helper thread knows
 * the number that it asked for.
 */
NO_SANITIZE static struct codectl_slot *find_slot(const siginfo_t *info)
{
	struct codectl_slot *slot = NULL;
	uint64_t cookie;

	switch (info->si_code) {
	case SI_TIMER:
		if (info->si_value.sival_int >= 0)
			slot = codectl_slot_at((size_t)info->si_value.sival_int);
		if (slot && __atomic_load_n(&slot->timer_id, __ATOMIC_ACQUIRE) != info->si_timerid)
			slot = NULL;
		break;
	case POLL_IN:
	case POLL_HUP:
		slot = codectl_perf_find_slot(info->si_fd);
		break;
	case SI_QUEUE:
		cookie = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
		slot = codectl_slot_at(cookie & CODECTL_COOKIE_INDEX_MASK);
		if (slot &&
			(cookie == 0 || !__atomic_compare_exchange_n(&slot->wall_cookie, &cookie, 0,
						false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
			slot = NULL;
		break;
	}
	return slot;
}

/* Intervals that have gone by since the last sample. */
NO_SANITIZE static uint32_t read_weight(struct codectl_slot *slot, const siginfo_t *info)
{
	uint32_t weight = 1;

	if (info->si_code == SI_TIMER) {
		uint32_t first = __atomic_exchange_n(&slot->first_weight, 0, __ATOMIC_RELAXED);

		if (info->si_overrun > 0)
			weight += (uint32_t)info->si_overrun;
		if (first > weight)
			weight = first;
	}
	return weight;
}

NO_SANITIZE static void handle_signal(int signal_number, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	struct codectl_slot *slot = find_slot(info);

	(void)signal_number;
	if (slot && !__atomic_exchange_n(&slot->is_busy, true, __ATOMIC_ACQUIRE)) {
		uint32_t weight = read_weight(slot, info);

		capture(slot, context, weight);
		if (info->si_code == POLL_IN || info->si_code == POLL_HUP)
			codectl_perf_continue(slot);
		__atomic_store_n(&slot->is_busy, false, __ATOMIC_RELEASE);
	}
	errno = saved_errno;
}

/* Returns 0, or -1 with errno. */
static int set_action(int signal_number, struct sigaction *old)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	action.sa_sigaction = handle_signal;
	/* A handler that interrupts ours might leave it with siglongjmp(). */
	sigfillset(&action.sa_mask);
	return codectl_interpose_real_sigaction(signal_number, &action, old);
}

int codectl_handler_install(int signal_number, uint32_t wanted_stack_size)
{
	struct sigaction old;

	stack_size = wanted_stack_size < CODECTL_CAPTURE_STACK_MAX ? wanted_stack_size
								   : CODECTL_CAPTURE_STACK_MAX;
	if (codectl_interpose_real_sigaction(signal_number, NULL, &old) != 0)
		return -errno;
	if (old.sa_handler != SIG_DFL)
		return -EBUSY;
	if (set_action(signal_number, &old) != 0)
		return -errno;
	if (old.sa_handler != SIG_DFL) {
		/* The program was faster; it shall have the signal. */
		codectl_interpose_real_sigaction(signal_number, &old, NULL);
		return -EBUSY;
	}
	__atomic_store_n(&installed_signal, signal_number, __ATOMIC_RELEASE);
	return 0;
}

bool codectl_handler_is_in_place(void)
{
	struct sigaction now;

	return codectl_interpose_real_sigaction(codectl_handler_signal(), NULL, &now) == 0 &&
	       (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle_signal;
}

bool codectl_handler_restore(void)
{
	int signal_number = codectl_handler_signal();
	struct sigaction now;

	if (codectl_interpose_real_sigaction(signal_number, NULL, &now) != 0)
		return false;
	if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle_signal)
		return true;
	/* A handler is a purpose; a default is what programs do to all signals. */
	if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)
		return false;
	return set_action(signal_number, &now) == 0;
}

int codectl_handler_claim(void)
{
	__atomic_store_n(&is_claimed, true, __ATOMIC_RELEASE);
	return codectl_handler_signal() > 0 && codectl_handler_is_in_place() ? 0 : -EBUSY;
}

bool codectl_handler_give_up(void)
{
	if (__atomic_load_n(&is_claimed, __ATOMIC_ACQUIRE))
		return false;
	__atomic_store_n(&installed_signal, 0, __ATOMIC_RELEASE);
	return true;
}

int codectl_handler_signal(void)
{
	return __atomic_load_n(&installed_signal, __ATOMIC_ACQUIRE);
}

NO_SANITIZE uint64_t codectl_handler_main_stack_end(void)
{
	return (uint64_t)(uintptr_t)__libc_stack_end;
}

uint64_t codectl_handler_segments(void)
{
	return __atomic_load_n(&segments, __ATOMIC_RELAXED);
}
