/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-register COUNT: what it takes to register COUNT ranges of code, in no order,
 * while so many are registered, and to unregister them again; with codectl(), and as
 * generated code does it without: __register_frame() of libgcc, for exceptions, and a
 * line of /tmp/perf-PID.map, for perf. Prints ns of each call:
 *   COUNT codectl+ codectl- frame+ frame- perf-map+
 */
#include "codectl/codectl.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void __register_frame(void *begin);
void __deregister_frame(void *begin);

/* A CIE, an FDE of 64 bytes of code (absolute pointers), and the end. */
struct frame {
	uint8_t cie[20];
	uint32_t fde_len;
	uint32_t cie_distance;
	uint64_t start;
	uint64_t size;
	uint8_t augmentation_len;
	uint8_t padding[7];
	uint32_t end;
} __attribute__((packed));

static const uint8_t cie[20] = {
	16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0, 0, 0, 0};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The i-th of @count places, a permutation. */
static uint64_t place(uint64_t i, uint64_t count)
{
	return 0x10000000 + i * 7919 % count * 0x100;
}

static void call(unsigned int option, uint64_t start)
{
	struct code_elf_info info = {
		.elf_start = start & ~(uint64_t)0xff,
		.elf_end = start + 0x100,
		.text_start = start,
		.text_end = start + 0x80,
		.pathname = (uintptr_t) "/usr/lib/x86_64-linux-gnu/libexample.so.1",
		.build_id = (uintptr_t) "0123456789abcdefghij",
		.build_id_len = 20,
	};

	if (codectl(option, &info, sizeof(info), 0)) {
		fprintf(stderr, "codectl: %s\n", strerror(errno));
		exit(1);
	}
}

static void run_codectl(uint64_t count, uint64_t ns[2])
{
	uint64_t begin = now();

	for (uint64_t i = 0; i < count; i++)
		call(CODE_REGISTER_ELF, place(i, count));
	ns[0] += now() - begin;
	begin = now();
	for (uint64_t i = 0; i < count; i++)
		call(CODE_UNREGISTER, place(i, count));
	ns[1] += now() - begin;
}

static void run_frames(struct frame *frames, uint64_t count, uint64_t ns[2])
{
	for (uint64_t i = 0; i < count; i++) {
		memset(&frames[i], 0, sizeof(frames[i]));
		memcpy(frames[i].cie, cie, sizeof(cie));
		frames[i].fde_len = 28;
		frames[i].cie_distance = sizeof(cie) + 4;
		frames[i].start = place(i, count);
		frames[i].size = 0x80;
	}

	uint64_t begin = now();

	for (uint64_t i = 0; i < count; i++)
		__register_frame(&frames[i]);
	ns[0] += now() - begin;
	begin = now();
	for (uint64_t i = 0; i < count; i++)
		__deregister_frame(&frames[i]);
	ns[1] += now() - begin;
}

static void run_perf_map(FILE *map, uint64_t count, uint64_t *ns)
{
	uint64_t begin = now();

	for (uint64_t i = 0; i < count; i++) {
		fprintf(map, "%llx 80 function_%llu\n", (unsigned long long)place(i, count),
			(unsigned long long)i);
		/* Else perf may find half of a line. */
		fflush(map);
	}
	*ns += now() - begin;
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t rounds = count && count < 20000 ? 20000 / count : 1;
	uint64_t ns[5] = {0};
	char path[64];

	if (count == 0 || count % 7919 == 0)
		return 2;

	struct frame *frames = calloc(count, sizeof(*frames));

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());

	FILE *map = fopen(path, "w");

	if (!frames || !map)
		return 1;
	/* The first call of each finds its memory. */
	run_codectl(count, (uint64_t[2]){0});
	for (uint64_t i = 0; i < rounds; i++) {
		run_codectl(count, ns);
		run_frames(frames, count, ns + 2);
		run_perf_map(map, count, ns + 4);
	}
	fclose(map);
	unlink(path);
	free(frames);
	printf("%llu", (unsigned long long)count);
	for (size_t i = 0; i < 5; i++)
		printf(" %llu", (unsigned long long)(ns[i] / rounds / count));
	printf("\n");
	return 0;
}
