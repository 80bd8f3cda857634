/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-stacks: stacks that are not where a thread's stack usually is, or end
 * where memory ends. Where a stack's end is known, what is behind it is full of
 * a number that must not be in a trace. Usage: edge-stacks MS
 */
#define _GNU_SOURCE
#include "edge.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK_SIZE 65536u
#define AREA_SIZE  4096u

static ucontext_t main_context, coroutine_context;
static uint8_t *given_stack;

/* @len bytes of memory with a guard area at both ends. */
static uint8_t *map_guarded(size_t len)
{
	uint8_t *area = mmap(
		NULL, len + 2 * AREA_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED || mprotect(area + AREA_SIZE, len, PROT_READ | PROT_WRITE))
		abort();
	return area + AREA_SIZE;
}

static void fill(uint8_t *area, size_t len)
{
	const uint64_t forbidden = UINT64_C(0x5ec7e75ec7e7ca4a);

	for (size_t i = 0; i < len; i += sizeof(forbidden))
		memcpy(area + i, &forbidden, sizeof(forbidden));
}

static NOINLINE void coroutine_middle(void)
{
	volatile uint64_t kept[10];

	kept[3] = 1;
	spin();
	kept[4] = kept[3];
}

static NOINLINE void coroutine_entry(void)
{
	coroutine_middle();
	NO_TAIL_CALL();
}

static NOINLINE void run_coroutine(uint8_t *stack)
{
	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = stack;
	coroutine_context.uc_stack.ss_size = STACK_SIZE;
	coroutine_context.uc_link = &main_context;
	makecontext(&coroutine_context, coroutine_entry, 0);
	swapcontext(&main_context, &coroutine_context);
	NO_TAIL_CALL();
}

/* It ends where memory ends. */
static NOINLINE void guarded_coroutine(void)
{
	static uint8_t *stack;

	if (!stack)
		stack = map_guarded(STACK_SIZE);
	run_coroutine(stack);
	NO_TAIL_CALL();
}

/* Other memory of the program follows. */
static NOINLINE void heap_coroutine(void)
{
	uint8_t *stack = calloc(2, STACK_SIZE);

	run_coroutine(stack);
	free(stack);
}

static NOINLINE void *given_thread(void *argument)
{
	/* The sampler needs a moment to see a new thread. */
	for (int i = 0; i < 100; i++)
		spin();
	return argument;
}

/* A stack that the program gives to a thread; its control block is on it. */
static NOINLINE void given_stack_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (!given_stack) {
		given_stack = map_guarded(4 * STACK_SIZE + AREA_SIZE);
		fill(given_stack + 4 * STACK_SIZE, AREA_SIZE);
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, given_stack, 4 * STACK_SIZE);
	if (pthread_create(&thread, &attributes, given_thread, NULL))
		abort();
	pthread_attr_destroy(&attributes);
	pthread_join(thread, NULL);
}

static NOINLINE void grow(int depth)
{
	volatile char room[4000];

	room[0] = (char)depth;
	if (depth > 0)
		grow(depth - 1);
	else
		spin();
	room[1] = room[0];
}

/* The kernel makes the main thread's stack larger meanwhile. */
static NOINLINE void grown_stack(void)
{
	static int depth = 20;

	grow(depth);
	if (depth < 500)
		depth += 10;
}

/*
 * Spins with its stack pointer right at the end of a stack, where nothing can
 * be read; its caller is on another one.
 */
void spin_at_end(uint8_t *end);
__asm__(".text\n"
	".type spin_at_end, @function\n"
	"spin_at_end:\n"
	".cfi_startproc\n"
	"push %rbx\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_offset %rbx, -16\n"
	"mov %rsp, %rbx\n"
	".cfi_def_cfa_register %rbx\n"
	"mov %rdi, %rsp\n"
	"mov $200000, %eax\n"
	"1: dec %eax\n"
	"jnz 1b\n"
	"mov %rbx, %rsp\n"
	".cfi_def_cfa_register %rsp\n"
	"pop %rbx\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size spin_at_end, . - spin_at_end\n");

static NOINLINE void end_of_stack(void)
{
	static uint8_t *stack;

	if (!stack)
		stack = map_guarded(STACK_SIZE);
	spin_at_end(stack + STACK_SIZE);
	NO_TAIL_CALL();
}

PHASE(guarded_coroutine)
PHASE(heap_coroutine)
PHASE(given_stack_thread)
PHASE(grown_stack)
PHASE(end_of_stack)

int main(int argc, char **argv)
{
	edge_take_budget(argc, argv);
	phase_grown_stack();
	phase_guarded_coroutine();
	phase_heap_coroutine();
	phase_given_stack_thread();
	phase_end_of_stack();
	puts("done");
	return 0;
}
