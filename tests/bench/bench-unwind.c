/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-unwind [-n SAMPLES] [-i MICROSECONDS] [-v] NAME COMMAND…: stops
 * COMMAND again and again, copies its registers and stack, and unwinds the
 * copies: ours from the sparse stack (what the sampler keeps), and
 * elfutils' libdwfl from the whole copy. Prints a row of a table (bench-unwind
 * without arguments prints its head) in nanoseconds of CPU time per frame, the
 * least of several rounds in which all take turns:
 *
 * first: nothing is compiled, no pc is known yet. Includes both.
 * cold: samples are read out of copies of them all, one behind the other as in
 *   a trace, which are larger than the last level of cache.
 * warm: all samples once more. libdwfl: the same.
 * hot: a few samples over and over, which stay in the first levels of cache.
 *
 * Then tells how chains differ from libdwfl's; -v prints those that do.
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
#define ROUNDS	   5
#define HOT_COUNT  32 /* Samples that are unwound together, */
#define HOT_PASSES 16 /* and how often. */
/* Several times what the last level of cache may be. */
#define COLD_BYTES ((size_t)192 << 20)

/* Samples as they are in a trace: one behind the other. */
struct events {
	struct codectl_event_sample *list; /* Owned. */
	size_t count;
	uint64_t *words; /* Owned; what the events point to. */
};

struct bench {
	struct process_sampler sampler;
	struct events events; /* Copies of all samples, again and again. */
	struct codectl_unwind_ops ops;
	struct codectl_unwinder *unwinder; /* Owned. */
	struct codectl_unwind_frame frames[FRAME_MAX];
	const struct process_sample *current; /* For libdwfl's callbacks. */
	uint64_t pcs[FRAME_MAX];	      /* libdwfl's answer. */
	size_t pc_count;
	bool is_verbose;
};

struct figures {
	double first;
	double cold;
	double warm;
	double hot;
	double libdwfl;
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

/* Copies a sample to @words. Returns the words behind it. */
static uint64_t *copy_sample(
	const struct process_sample *sample, uint64_t *words, struct codectl_event_sample *event)
{
	size_t map_count = (sample->word_count + 63) / 64;

	process_sample_event(sample, event);
	event->stack_map_count = map_count;
	event->regs = memcpy(words, sample->regs, sizeof(sample->regs));
	words += CODECTL_AMD64_REG_COUNT;
	event->stack_map = memcpy(words, sample->map, map_count * sizeof(*words));
	words += map_count;
	event->stack = memcpy(words, sample->kept, sample->kept_count * sizeof(*words));
	return words + sample->kept_count;
}

static void copy_samples(const struct process_sampler *sampler, struct events *events)
{
	size_t set_words = 0, sets;
	uint64_t *words;

	for (size_t i = 0; i < sampler->sample_count; i++)
		set_words += CODECTL_AMD64_REG_COUNT + STACK_WORDS / 64 +
			     sampler->samples[i].kept_count;
	sets = COLD_BYTES / (set_words * sizeof(*words)) + 1;
	words = malloc(sets * set_words * sizeof(*words));
	events->list = malloc(sets * sampler->sample_count * sizeof(*events->list));
	if (!words || !events->list)
		exit(EXIT_FAILURE);
	events->words = words;
	for (size_t i = 0; i < sets * sampler->sample_count; i++)
		words = copy_sample(&sampler->samples[i % sampler->sample_count], words,
			&events->list[events->count++]);
}

static enum codectl_stack_end unwind(struct bench *bench, size_t event, size_t *count)
{
	return codectl_unwind(bench->unwinder, &bench->ops, &bench->events.list[event],
		bench->frames, FRAME_MAX, count);
}

/* Unwinds @count events from @first on, @passes times. Returns ns per frame. */
static double time_ours(struct bench *bench, size_t first, size_t count, size_t passes)
{
	double begin = cpu_time();
	size_t frame_sum = 0;

	for (size_t pass = 0; pass < passes; pass++) {
		for (size_t i = first; i < first + count; i++) {
			size_t frame_count;

			unwind(bench, i, &frame_count);
			frame_sum += frame_count;
		}
	}
	return (cpu_time() - begin) / (double)(frame_sum ? frame_sum : 1);
}

/* The mean over all samples, few at a time. */
static double time_hot(struct bench *bench)
{
	size_t groups = bench->sampler.sample_count / HOT_COUNT;
	double sum = 0;

	for (size_t i = 0; i < groups; i++) {
		time_ours(bench, i * HOT_COUNT, HOT_COUNT, 1);
		sum += time_ours(bench, i * HOT_COUNT, HOT_COUNT, HOT_PASSES);
	}
	return groups ? sum / (double)groups : 0;
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

static void print_difference(const struct bench *bench, size_t sample, size_t common, size_t count,
	enum codectl_stack_end end)
{
	printf("  sample %zu, alike %zu, ours %zu (%s), libdwfl %zu:", sample, common, count,
		codectl_stack_end_name(end), bench->pc_count);
	for (size_t i = common > 2 ? common - 3 : 0; i < common + 2; i++)
		printf(" [%" PRIx64 " %" PRIx64 "]", i < count ? bench->frames[i].pc : 0,
			i < bench->pc_count ? bench->pcs[i] : 0);
	printf("\n");
}

/* Unwinds each sample both ways. Returns whether no chain differs but by its length. */
static bool compare(struct bench *bench, Dwfl *dwfl)
{
	size_t ends[CODECTL_STACK_END_COUNT] = {0};
	size_t same = 0, shorter = 0, longer = 0, different = 0;

	for (size_t i = 0; i < bench->sampler.sample_count; i++) {
		size_t count, common = 0;
		enum codectl_stack_end end = unwind(bench, i, &count);

		ends[end]++;
		bench->current = &bench->sampler.samples[i];
		bench->pc_count = 0;
		dwfl_getthread_frames(dwfl, bench->sampler.pid, take_frame, bench);
		while (common < count && common < bench->pc_count &&
			bench->frames[common].pc == bench->pcs[common])
			common++;
		if (bench->is_verbose && (common < count || common < bench->pc_count))
			print_difference(bench, i, common, count, end);
		if (common == count && common == bench->pc_count)
			same++;
		else if (common == count)
			shorter++;
		else if (common == bench->pc_count)
			longer++;
		else
			different++;
	}
	printf("  chains: %zu as libdwfl's, %zu shorter, %zu longer, %zu different; ends:", same,
		shorter, longer, different);
	for (int end = 0; end < CODECTL_STACK_END_COUNT; end++) {
		if (ends[end])
			printf(" %s %zu", codectl_stack_end_name((enum codectl_stack_end)end),
				ends[end]);
	}
	printf("\n");
	return different == 0;
}

static void keep_least(double *least, double value, int round)
{
	if (round == 0 || value < *least)
		*least = value;
}

/* Begins anew: no pc is known, nothing is compiled that is compiled on demand. */
static void renew(struct bench *bench)
{
	codectl_unwinder_destroy(bench->unwinder);
	bench->unwinder = codectl_unwinder_create();
	if (!bench->unwinder)
		exit(EXIT_FAILURE);
	process_sampler_renew_modules(&bench->sampler);
}

static void measure(struct bench *bench, Dwfl *dwfl, struct figures *figures)
{
	size_t count = bench->sampler.sample_count;

	for (int round = 0; round < ROUNDS; round++) {
		renew(bench);
		keep_least(&figures->first, time_ours(bench, 0, count, 1), round);
		keep_least(&figures->cold, time_ours(bench, 0, bench->events.count, 1), round);
		time_ours(bench, 0, count, 1);
		keep_least(&figures->warm, time_ours(bench, 0, count, 1), round);
		keep_least(&figures->hot, time_hot(bench), round);
		keep_least(&figures->libdwfl, time_libdwfl(bench, dwfl), round);
	}
}

/* How much of the module with most FDEs was compiled, %. */
static double compiled_share(const struct bench *bench)
{
	double most = 0, share = 0;

	for (size_t i = 0; i < bench->sampler.code_count; i++) {
		const struct codectl_unwind_module *module = bench->sampler.codes[i].module;
		const struct codectl_unwind_module_stats *stats;

		if (!module)
			continue;
		stats = codectl_unwind_module_borrow_stats(module);
		if ((double)stats->fdes > most) {
			most = (double)stats->fdes;
			share = 100.0 * (double)stats->compiled_fdes / most;
		}
	}
	return share;
}

static bool run(struct bench *bench, const char *name)
{
	const struct codectl_unwind_stats *stats;
	struct figures figures;
	Dwfl *dwfl = attach(bench);
	size_t count = bench->sampler.sample_count;
	double frames, slow;
	bool is_good;

	copy_samples(&bench->sampler, &bench->events);
	measure(bench, dwfl, &figures);
	renew(bench);
	time_ours(bench, 0, count, 1);
	stats = codectl_unwinder_borrow_stats(bench->unwinder);
	frames = (double)stats->frames;
	slow = 100.0 * (double)stats->slow_samples / (double)count;
	printf("%-12s %7zu %7.1f %6.1f %6.1f %6.1f %6.1f %8.0f %6.0f %7.2f %7.1f %7.1f\n", name,
		count, frames / (double)count, figures.first, figures.cold, figures.warm,
		figures.hot, figures.libdwfl, figures.libdwfl / figures.warm, slow,
		100.0 * (double)stats->cache_hits / frames, compiled_share(bench));
	is_good = compare(bench, dwfl);
	dwfl_end(dwfl);
	return is_good;
}

int main(int argc, char **argv)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	unsigned int interval = 1000;
	size_t sample_max = 500;
	bool is_good;
	int option;

	if (!bench)
		return EXIT_FAILURE;
	while ((option = getopt(argc, argv, "+n:i:v")) != -1) {
		if (option == 'n')
			sample_max = strtoul(optarg, NULL, 10);
		else if (option == 'i')
			interval = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'v')
			bench->is_verbose = true;
		else
			return EXIT_FAILURE;
	}
	if (optind + 2 > argc || !sample_max) {
		printf("%-12s %7s %7s %6s %6s %6s %6s %8s %6s %7s %7s %7s\n", "ns per frame",
			"samples", "frames", "first", "cold", "warm", "hot", "libdwfl", "ratio",
			"slow, %", "hits, %", "FDEs, %");
		return EXIT_SUCCESS;
	}
	process_sampler_init(&bench->sampler, argv + optind + 1, sample_max, interval);
	bench->ops = (struct codectl_unwind_ops){.find_code = process_sampler_find_code,
		.read_code = process_sampler_read_code,
		.user = &bench->sampler,
		.generation = 1};
	is_good = run(bench, argv[optind]);
	process_sampler_fini(&bench->sampler);
	codectl_unwinder_destroy(bench->unwinder);
	free(bench->events.list);
	free(bench->events.words);
	free(bench);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
