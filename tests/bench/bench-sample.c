/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-sample: what one sample costs in the signal handler, and what its
 * thinning costs the helper thread, by depth of the stack. The handler gets its
 * signals from this thread itself; the cost of a signal, measured with a handler
 * that does nothing, is taken off. Beside it, what memcpy() takes for as much.
 */
#include "lib/fake-provider.h"
#include "sampler/clock.h"
#include "sampler/handler.h"
#include "sampler/maps.h"
#include "sampler/slot.h"
#include "sampler/thin.h"
#include "sampler/threads.h"
#include "sampler/view.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_SIZE (1 << 20)
#define COUNT	  2000
#define ROUNDS	  7

static const int sample_signal = 40, idle_signal = 41;
static struct codectl_slot *slot;
static struct codectl_maps maps;
static struct codectl_thin_scratch scratch;
static uint64_t map[CODECTL_THIN_MAP_MAX], kept[CODECTL_THIN_WORDS_MAX];

struct figures {
	double idle, handler, thinning, copy;
	size_t words, kept;
};

static void do_nothing(int signal_number)
{
	(void)signal_number;
}

/* A signal as the timer of the slot sends it; a process may say so to itself. */
static void send(int signal_number)
{
	siginfo_t info = {.si_code = SI_TIMER};

	info.si_timerid = slot->timer_id;
	info.si_value.sival_int = 0;
	while (codectl_slot_at((size_t)info.si_value.sival_int) != slot)
		info.si_value.sival_int++;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal_number, &info);
}

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Takes the least of the rounds into @least. */
static void keep_least(double *least, double value)
{
	if (*least == 0 || value < *least)
		*least = value;
}

static double time_idle(void)
{
	double begin = cpu_time();

	for (int i = 0; i < COUNT; i++)
		send(idle_signal);
	return (cpu_time() - begin) / COUNT;
}

/* Both, for each sample is thinned while it is the only one in the ring. */
static void time_samples(struct figures *figures)
{
	struct codectl_thin_rule rule = {
		.executable = maps.executable.ranges,
		.executable_count = maps.executable.count,
		.stack = {slot->home_start, slot->home_end},
		.segments = codectl_handler_segments(),
	};
	double handler = 0, thinning = 0;

	for (int i = 0; i < COUNT; i++) {
		const struct codectl_capture *capture;
		double begin = cpu_time(), middle;
		size_t len;

		send(sample_signal);
		middle = cpu_time();
		handler += middle - begin;
		capture = codectl_ring_peek(&slot->ring, &len);
		if (!capture) {
			fprintf(stderr, "bench-sample: no sample was taken\n");
			exit(EXIT_FAILURE);
		}
		figures->words = (len - sizeof(*capture)) / 8;
		rule.frame_pointer = capture->regs[CODECTL_AMD64_RBP];
		middle = cpu_time();
		figures->kept = codectl_thin(&rule, &scratch, capture->stack, figures->words,
			capture->stack_start, map, kept);
		thinning += cpu_time() - middle;
		codectl_ring_release(&slot->ring);
	}
	keep_least(&figures->handler, handler / COUNT);
	keep_least(&figures->thinning, thinning / COUNT);
}

/* As much as a sample has, from where it was to where it goes. */
static double time_copy(size_t len)
{
	const volatile char *start = (const volatile char *)(uintptr_t)slot->home_end - len;
	double begin = cpu_time();

	for (int i = 0; i < COUNT; i++) {
		memcpy(kept, (const void *)(uintptr_t)start, len);
		__asm__ volatile("" : : : "memory");
	}
	return (cpu_time() - begin) / COUNT;
}

/* What reading the clock in between adds. */
static double time_clock(void)
{
	double begin = cpu_time();

	for (int i = 0; i < COUNT; i++)
		cpu_time();
	return (cpu_time() - begin) / COUNT;
}

static void measure(void)
{
	struct figures figures = {.words = 0};
	double clock = 0;

	for (int round = 0; round < ROUNDS; round++) {
		keep_least(&clock, time_clock());
		keep_least(&figures.idle, time_idle());
		time_samples(&figures);
		keep_least(&figures.copy, time_copy(figures.words * 8));
	}
	printf("%8zu %8zu %14.0f %14.0f %14.0f %14.0f\n", figures.words * 8, figures.kept,
		figures.idle, figures.handler - clock - figures.idle, figures.copy,
		figures.thinning - clock);
}

/* Frames of some 250 bytes, with addresses of the stack in them, until they take @bytes. */
__attribute__((noinline)) static int descend(size_t bytes, void (*at_end)(void))
{
	volatile uint64_t room[20];

	for (size_t i = 0; i < 20; i++)
		room[i] = i % 5 ? i : (uint64_t)(uintptr_t)&room[i];
	if ((uintptr_t)room + bytes > codectl_handler_main_stack_end())
		return descend(bytes, at_end) + (int)room[3];
	at_end();
	return (int)room[1];
}

/* The stack is as large now as it will be. */
static void begin(void)
{
	uint64_t now = codectl_provider_now();

	codectl_threads_round(now);
	codectl_view_update_homes(now);
	slot = codectl_slot_used(codectl_slot_find_used((int32_t)syscall(SYS_gettid)));
}

int main(void)
{
	static const size_t depths[] = {2048, 8192, 32768, 65536, 131072};

	if (codectl_slot_init_table(RING_SIZE) ||
		codectl_handler_install(sample_signal, CODECTL_CAPTURE_STACK_MAX) ||
		codectl_handler_claim() || codectl_maps_read(&maps))
		return EXIT_FAILURE;
	signal(idle_signal, do_nothing);
	/* One sample in a second, at most: ours are others. */
	codectl_clock_init(CODECTL_CLOCK_CPU, 1, sample_signal);
	codectl_threads_init(sample_signal);
	descend(2 * depths[4], begin);
	printf("%8s %8s %14s %14s %14s %14s\n", "bytes", "kept", "signal, ns", "handler, ns",
		"memcpy(), ns", "thinning, ns");
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++)
		descend(depths[i], measure);
	return EXIT_SUCCESS;
}
