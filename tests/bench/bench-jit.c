/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-jit: what generated code costs the program that makes it: a name, a row, and
 * a look for new rows; beside the two ways of perf to get names, a line in a perf
 * map and a record in a jitdump file. Nanoseconds of CPU time, the least of some
 * rounds. Run by bench-jit.sh, with and without a recording.
 */
#include "codectl/ext.h"
#include "provider/jit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	   5
#define SYMBOLS	   2000
#define CODE_SIZE  256
#define TABLE_ROWS 1000
#define TABLES_MAX 1000
#define START	   UINT64_C(0x100000000)

/* As struct code_jit_unwind_table, and rows. */
struct table {
	struct {
		uint64_t reserved_len, used_len, next;
	} header;
	struct code_jit_unwind_fre rows[TABLE_ROWS];
};

static char code[CODE_SIZE];
static FILE *perf_file;
static unsigned int dump_index;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Gives the consumer time to empty the buffers: what is lost costs less. */
static void rest(void)
{
	usleep(100000);
}

/* How one function is told of. */
typedef void tell_function(uint64_t start, const char *name);

static void tell_codectl(uint64_t start, const char *name)
{
	codectl_jit_symbol((const void *)(uintptr_t)start, CODE_SIZE, name);
}

static void tell_adapter(uint64_t start, const char *name)
{
	const struct code_jit_symbol symbol = {
		.start = start,
		.size = CODE_SIZE,
		.name = (uint64_t)(uintptr_t)name,
	};

	codectl_jit_add_symbol(&symbol, 0);
}

static void tell_perf_map(uint64_t start, const char *name)
{
	fprintf(perf_file, "%llx %x %s\n", (unsigned long long)start, CODE_SIZE, name);
}

/* A record LOAD of a jitdump file: header, name, code. */
static void tell_jitdump(uint64_t start, const char *name)
{
	struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, address, code_size, index;
	} record = {
		.size = (uint32_t)(sizeof(record) + strlen(name) + 1 + CODE_SIZE),
		.vma = start,
		.address = start,
		.code_size = CODE_SIZE,
		.index = dump_index++,
	};
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	record.time = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
	fwrite(&record, sizeof(record), 1, perf_file);
	fwrite(name, strlen(name) + 1, 1, perf_file);
	fwrite(code, CODE_SIZE, 1, perf_file);
}

static double time_names(tell_function *tell)
{
	double least = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		double begin;

		perf_file = tmpfile();
		if (!perf_file)
			exit(1);
		begin = now();
		for (uint64_t i = 0; i < SYMBOLS; i++)
			tell(START + i * CODE_SIZE, "a_function_with_a_name_of_usual_length");
		if ((now() - begin) / SYMBOLS < least)
			least = (now() - begin) / SYMBOLS;
		fclose(perf_file);
		rest();
	}
	return least;
}

static void register_tables(struct table *tables, size_t count, unsigned int option)
{
	for (size_t i = 0; i < count; i++) {
		const struct code_jit_info info = {
			.text_start = START + i * 0x100000,
			.text_end = START + (i + 1) * 0x100000,
			.unwind_head = (uint64_t)(uintptr_t)&tables[i],
		};

		tables[i].header.reserved_len = sizeof(tables[i].rows);
		if (codectl(option, &info, CODE_JIT_INFO_SIZE_VER0, 0))
			exit(1);
	}
}

static double time_polls(struct table *tables, size_t count)
{
	double least = 1e18;

	register_tables(tables, count, CODE_REGISTER_JIT);
	for (int round = 0; round < 50 * ROUNDS; round++) {
		double begin = now();

		codectl_jit_poll();
		if (now() - begin < least)
			least = now() - begin;
	}
	register_tables(tables, count, CODE_UNREGISTER);
	return least;
}

/* What a sample costs that has 64 words of stack, two of them in code with tables. */
static double time_samples(struct table *tables, size_t count)
{
	uint64_t stack[64], regs[CODECTL_AMD64_REG_COUNT] = {0};
	struct codectl_event event = {
		.type = CODECTL_EVENT_SAMPLE,
		.sample = {.regs = regs,
			.reg_count = CODECTL_AMD64_REG_COUNT,
			.stack = stack,
			.stack_count = 64},
	};
	double least = 1e18;

	for (size_t i = 0; i < 64; i++)
		stack[i] = UINT64_C(0x7f0000000000) + i * 4096;
	stack[20] = START + 4096;
	stack[40] = START + (count - 1) * 0x100000 + 4096;
	register_tables(tables, count, CODE_REGISTER_JIT);
	for (int round = 0; round < 50 * ROUNDS; round++) {
		double begin;

		event.timestamp = UINT64_MAX;
		begin = now();
		codectl_jit_prepare_sample(&event);
		if (now() - begin < least)
			least = now() - begin;
	}
	register_tables(tables, count, CODE_UNREGISTER);
	return least;
}

/* One poll that finds rows, for each of them. */
static double time_rows(struct table *table)
{
	double least = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		double begin;

		register_tables(table, 1, CODE_REGISTER_JIT);
		for (uint32_t i = 0; i < TABLE_ROWS; i++)
			table->rows[i] = (struct code_jit_unwind_fre){.ip_off = i * 16,
				.size = 16,
				.cfa_off = 8,
				.ra_off = -8,
				.info = CODE_JIT_INFO_SP};
		begin = now();
		__atomic_store_n(&table->header.used_len, sizeof(table->rows), __ATOMIC_RELEASE);
		codectl_jit_poll();
		if ((now() - begin) / TABLE_ROWS < least)
			least = (now() - begin) / TABLE_ROWS;
		register_tables(table, 1, CODE_UNREGISTER);
		table->header.used_len = 0;
		rest();
	}
	return least;
}

int main(void)
{
	struct table *tables = calloc(TABLES_MAX, sizeof(*tables));

	if (!tables)
		return 1;
	printf("symbol %.0f\n", time_names(tell_codectl));
	printf("adapter %.0f\n", time_names(tell_adapter));
	printf("perf-map %.0f\n", time_names(tell_perf_map));
	printf("jitdump %.0f\n", time_names(tell_jitdump));
	printf("row %.1f\n", time_rows(tables));
	printf("poll-1 %.0f\n", time_polls(tables, 1));
	printf("poll-100 %.0f\n", time_polls(tables, 100));
	printf("poll-1000 %.0f\n", time_polls(tables, TABLES_MAX));
	printf("sample-1 %.0f\n", time_samples(tables, 1));
	printf("sample-1000 %.0f\n", time_samples(tables, TABLES_MAX));
	free(tables);
	return 0;
}
