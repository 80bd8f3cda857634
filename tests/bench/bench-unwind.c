/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-unwind [-n SAMPLES] [-i MICROSECONDS] -- COMMAND…: stops COMMAND again
 * and again, copies its registers and stack, and unwinds the copies: ours from
 * the sparse stack (rule A of what the sampler keeps), and elfutils' libdwfl
 * from the whole copy. Prints nanoseconds of CPU time per frame, cold (each
 * sample unwound for the first time) and hot, and whether the chains agree.
 */
#include "lib/process-sampler.h"

#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRAME_MAX  4096
#define HOT_PASSES 5

struct bench {
	struct process_sampler sampler;
	const struct process_sample *current; /* For libdwfl's callbacks. */
	uint64_t pcs[FRAME_MAX];	      /* libdwfl's answer. */
	size_t pc_count;
};

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* libdwfl: one thread, whose registers and memory are the current sample's. */

static pid_t next_thread(Dwfl *dwfl, void *user, void **thread_user)
{
	struct bench *bench = user;

	(void)dwfl;
	if (*thread_user)
		return 0;
	*thread_user = bench;
	return bench->sampler.pid;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *user)
{
	const struct process_sample *sample = ((struct bench *)user)->current;
	uint64_t offset = address - sample->regs[CODECTL_AMD64_RSP];

	(void)dwfl;
	if (offset >= sample->word_count * 8 - 7)
		return false;
	memcpy(word, (const char *)sample->whole + offset, sizeof(*word));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *user)
{
	const struct process_sample *sample = ((struct bench *)user)->current;

	return dwfl_thread_state_registers(
		thread, 0, CODECTL_AMD64_REG_COUNT, (const Dwarf_Word *)sample->regs);
}

static int take_frame(Dwfl_Frame *frame, void *user)
{
	struct bench *bench = user;
	Dwarf_Addr pc;

	if (bench->pc_count == FRAME_MAX || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	bench->pcs[bench->pc_count++] = pc;
	return DWARF_CB_OK;
}

static Dwfl *attach(struct bench *bench)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	static const Dwfl_Thread_Callbacks thread_callbacks = {
		.next_thread = next_thread,
		.memory_read = read_word,
		.set_initial_registers = set_registers,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl || dwfl_linux_proc_report(dwfl, bench->sampler.pid) ||
		dwfl_report_end(dwfl, NULL, NULL) ||
		!dwfl_attach_state(dwfl, NULL, bench->sampler.pid, &thread_callbacks, bench)) {
		fprintf(stderr, "libdwfl: %s\n", dwfl_errmsg(-1));
		exit(EXIT_FAILURE);
	}
	return dwfl;
}

static enum codectl_stack_end unwind(struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, const struct process_sample *sample,
	struct codectl_unwind_frame *frames, size_t *count)
{
	struct codectl_event_sample event;

	process_sample_event(sample, &event);
	return codectl_unwind(unwinder, ops, &event, frames, FRAME_MAX, count);
}

/* Prints what one pass over all samples costs. Returns ns per frame. */
static double time_ours(const struct bench *bench, struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, struct codectl_unwind_frame *frames)
{
	double begin = cpu_time();
	size_t frame_count = 0;

	for (size_t i = 0; i < bench->sampler.sample_count; i++) {
		size_t count;

		unwind(unwinder, ops, &bench->sampler.samples[i], frames, &count);
		frame_count += count;
	}
	return (cpu_time() - begin) / (double)(frame_count ? frame_count : 1);
}

static double time_libdwfl(struct bench *bench, Dwfl *dwfl)
{
	double begin = cpu_time();
	size_t frame_count = 0;

	for (size_t i = 0; i < bench->sampler.sample_count; i++) {
		bench->current = &bench->sampler.samples[i];
		bench->pc_count = 0;
		dwfl_getthread_frames(dwfl, bench->sampler.pid, take_frame, bench);
		frame_count += bench->pc_count;
	}
	return (cpu_time() - begin) / (double)(frame_count ? frame_count : 1);
}

/* Unwinds each sample both ways. Returns whether no chain differs but by its length. */
static bool compare(struct bench *bench, Dwfl *dwfl, struct codectl_unwinder *unwinder,
	const struct codectl_unwind_ops *ops, struct codectl_unwind_frame *frames)
{
	size_t ends[CODECTL_STACK_END_COUNT] = {0};
	size_t same = 0, shorter = 0, longer = 0, different = 0;

	for (size_t i = 0; i < bench->sampler.sample_count; i++) {
		size_t count, common = 0;

		ends[unwind(unwinder, ops, &bench->sampler.samples[i], frames, &count)]++;
		bench->current = &bench->sampler.samples[i];
		bench->pc_count = 0;
		dwfl_getthread_frames(dwfl, bench->sampler.pid, take_frame, bench);
		while (common < count && common < bench->pc_count &&
			frames[common].pc == bench->pcs[common])
			common++;
		if (common == count && common == bench->pc_count)
			same++;
		else if (common == count)
			shorter++;
		else if (common == bench->pc_count)
			longer++;
		else
			different++;
	}
	printf("chains: %zu as libdwfl's, %zu shorter, %zu longer, %zu different; ends:", same,
		shorter, longer, different);
	for (int end = 0; end < CODECTL_STACK_END_COUNT; end++) {
		if (ends[end])
			printf(" %s %zu", codectl_stack_end_name((enum codectl_stack_end)end),
				ends[end]);
	}
	printf("\n");
	return different == 0;
}

static bool measure(struct bench *bench)
{
	struct codectl_unwind_frame *frames = calloc(FRAME_MAX, sizeof(*frames));
	const struct codectl_unwind_ops ops = {
		process_sampler_find_code, &bench->sampler, .generation = 1};
	struct codectl_unwinder *unwinder = codectl_unwinder_create();
	const struct codectl_unwind_stats *stats;
	Dwfl *dwfl = attach(bench);
	double cold, hot = 0, libdwfl;
	bool is_good;

	if (!frames || !unwinder)
		return false;
	stats = codectl_unwinder_borrow_stats(unwinder);
	cold = time_ours(bench, unwinder, &ops, frames);
	printf("%zu samples, %" PRIu64 " frames, %" PRIu64 " samples slow, %.1f %% cache hits\n",
		bench->sampler.sample_count, stats->frames, stats->slow_samples,
		100.0 * (double)stats->cache_hits / (double)(stats->frames ? stats->frames : 1));
	for (int pass = 0; pass < HOT_PASSES; pass++) {
		double ns = time_ours(bench, unwinder, &ops, frames);

		if (pass == 0 || ns < hot)
			hot = ns;
	}
	is_good = compare(bench, dwfl, unwinder, &ops, frames);
	libdwfl = time_libdwfl(bench, dwfl);
	printf("ns per frame: %.1f first pass, %.1f hot, libdwfl %.1f (%.0f x hot)\n", cold, hot,
		libdwfl, libdwfl / hot);
	dwfl_end(dwfl);
	codectl_unwinder_destroy(unwinder);
	free(frames);
	return is_good;
}

int main(int argc, char **argv)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	unsigned int interval = 1000;
	size_t sample_max = 500;
	bool is_good;
	int option;

	while ((option = getopt(argc, argv, "+n:i:")) != -1) {
		if (option == 'n')
			sample_max = strtoul(optarg, NULL, 10);
		else if (option == 'i')
			interval = (unsigned int)strtoul(optarg, NULL, 10);
		else
			return EXIT_FAILURE;
	}
	if (!bench || optind == argc || !sample_max) {
		fprintf(stderr, "usage: %s [-n SAMPLES] [-i MICROSECONDS] -- COMMAND…\n", argv[0]);
		return EXIT_FAILURE;
	}
	process_sampler_init(&bench->sampler, argv + optind, sample_max, interval);
	is_good = measure(bench);
	process_sampler_fini(&bench->sampler);
	free(bench);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
