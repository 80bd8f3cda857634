/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-compile FILE…: compiles the whole .eh_frame of each ELF file into rows,
 * through the look-ups that do so on demand; what the same look-ups take once
 * there is nothing left to compile is not counted. Prints the least CPU time of
 * several rounds over all files, so that what else the machine does weighs less.
 */
#include "unwind/module.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	 15
#define FILE_MAX 16

struct subject {
	const char *path;
	struct codectl_elf elf;
	size_t section_len;
	uint64_t *starts; /* Owned; of each FDE's code. */
	size_t start_count;
	double create_ns; /* The least of all rounds. */
	double total_ns;
	double look_up_ns; /* Of all starts, with nothing to compile. */
	struct codectl_unwind_module_stats stats;
};

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void open_subject(struct subject *subject, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct codectl_elf_section section;
	struct codectl_elf_range range;
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	struct stat status;
	size_t offset = 0;
	void *image;

	*subject = (struct subject){.path = path};
	if (fd < 0 || fstat(fd, &status)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (image == MAP_FAILED || codectl_elf_init(&subject->elf, image, (size_t)status.st_size) ||
		codectl_elf_find_section(&subject->elf, ".eh_frame", &section) ||
		codectl_elf_section_range(&subject->elf, &section, &range)) {
		fprintf(stderr, "%s: no .eh_frame\n", path);
		exit(EXIT_FAILURE);
	}

	const struct codectl_cfi_section cfi = {
		.bytes = range.bytes, .len = range.len, .vaddr = range.vaddr};

	subject->section_len = range.len;
	subject->starts = malloc((range.len / 8 + 1) * sizeof(*subject->starts));
	if (!subject->starts)
		exit(EXIT_FAILURE);
	codectl_cfi_cie_init(&cie);
	for (int ret = 0; ret != -ENOENT;) {
		ret = codectl_cfi_next_fde(&cfi, &offset, &cie, &fde);
		if (ret == 0)
			subject->starts[subject->start_count++] = fde.start;
	}
}

/* Looks each FDE up, which compiles it. Returns the time. */
static double look_up(const struct subject *subject, const struct codectl_unwind_module *module)
{
	double begin = cpu_time();

	for (size_t i = 0; i < subject->start_count; i++)
		codectl_unwind_module_find_rule(module, subject->starts[i]);
	return cpu_time() - begin;
}

static void keep_least(double *least, double value, int round)
{
	if (round == 0 || value < *least)
		*least = value;
}

static void compile(struct subject *subject, int round)
{
	struct codectl_unwind_module *module;
	double begin = cpu_time(), created, first, second;

	if (codectl_unwind_module_create(&subject->elf, &module)) {
		fprintf(stderr, "%s: no module\n", subject->path);
		exit(EXIT_FAILURE);
	}
	created = cpu_time() - begin;
	first = look_up(subject, module);
	second = look_up(subject, module);
	subject->stats = *codectl_unwind_module_borrow_stats(module);
	codectl_unwind_module_destroy(module);
	keep_least(&subject->create_ns, created, round);
	keep_least(&subject->total_ns, created + first - second, round);
	keep_least(&subject->look_up_ns, second, round);
}

static void print(const struct subject *subject)
{
	const struct codectl_unwind_module_stats *stats = &subject->stats;
	const char *slash = strrchr(subject->path, '/');
	double fdes = (double)(stats->fdes ? stats->fdes : 1);

	printf("%-18s %8zu %6" PRIu64 " %7" PRIu64 " %6" PRIu64 " %5" PRIu64
	       " %7.2f %8.2f %7.0f %7.0f %8.0f\n",
		slash ? slash + 1 : subject->path, subject->section_len / 1000, stats->fdes,
		stats->rows, stats->rules, stats->slow_rows, subject->create_ns / 1e6,
		subject->total_ns / 1e6, subject->total_ns / fdes,
		(double)subject->section_len * 1e3 / subject->total_ns, subject->look_up_ns / fdes);
}

int main(int argc, char **argv)
{
	static struct subject subjects[FILE_MAX];
	int count = argc - 1 < FILE_MAX ? argc - 1 : FILE_MAX;

	for (int i = 0; i < count; i++)
		open_subject(&subjects[i], argv[i + 1]);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < count; i++)
			compile(&subjects[i], round);
	}
	printf("%-18s %8s %6s %7s %6s %5s %7s %8s %7s %7s %8s\n", "file", "kB", "FDEs", "rows",
		"rules", "slow", "create", "all, ms", "ns/FDE", "MB/s", "look-up");
	for (int i = 0; i < count; i++) {
		print(&subjects[i]);
		free(subjects[i].starts);
	}
	return EXIT_SUCCESS;
}
