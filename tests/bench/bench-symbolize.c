/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-symbolize FILE: names the addresses on stdin, with the functions inlined
 * there, and prints the CPU time in microseconds of the first answer (with
 * opening the files), of each following one, and of each one asked for again; how
 * many had a function and a line and were in inlined code; the peak of memory in
 * KiB; and the time that passed until the first answer.
 */
#include "symbolize/object-file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define ADDRESSES_MAX 100000

static double microseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	static uint64_t addresses[ADDRESSES_MAX];
	static const char *const debug_dirs[] = {"/usr/lib/debug"};
	const struct codectl_object_search search = {
		.debug_dirs = debug_dirs, .debug_dir_count = 1};
	struct codectl_object_identity identity = {.debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;
	const struct codectl_symbol *chain;
	struct rusage usage;
	size_t count = 0, level_count, functions = 0, lines = 0, inlined = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: bench-symbolize FILE <ADDRESSES\n");
		return EXIT_FAILURE;
	}
	while (count < ADDRESSES_MAX && scanf("%" SCNx64, &addresses[count]) == 1)
		count++;
	identity.pathname = argv[1];

	double real_start = microseconds(CLOCK_MONOTONIC);
	double start = microseconds(CLOCK_PROCESS_CPUTIME_ID);

	if (count < 2 || codectl_object_file_open(&search, &identity, &file, &status) != 0) {
		fprintf(stderr, "bench-symbolize: nothing to ask for\n");
		return EXIT_FAILURE;
	}
	codectl_object_file_find_chain(file, addresses[0], &chain, &level_count);

	double first = microseconds(CLOCK_PROCESS_CPUTIME_ID);
	double real_first = microseconds(CLOCK_MONOTONIC);

	for (size_t i = 1; i < count; i++) {
		codectl_object_file_find_chain(file, addresses[i], &chain, &level_count);
		functions += level_count && *chain[level_count - 1].function;
		lines += level_count && chain->source_line;
		inlined += level_count > 1;
	}

	double following = microseconds(CLOCK_PROCESS_CPUTIME_ID);

	for (size_t i = 1; i < count; i++)
		codectl_object_file_find_chain(file, addresses[i], &chain, &level_count);

	double again = microseconds(CLOCK_PROCESS_CPUTIME_ID);

	getrusage(RUSAGE_SELF, &usage);
	printf("%.0f %.3f %.3f %zu %zu %zu %ld %.0f\n", first - start,
		(following - first) / (double)(count - 1),
		(again - following) / (double)(count - 1), functions, lines, inlined,
		usage.ru_maxrss, real_first - real_start);
	codectl_object_file_close(file);
	return EXIT_SUCCESS;
}
