/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/process-sampler.h: stops a child process again and again through
 * ptrace and copies its registers and stack, whole and as the sampler keeps it
 * (sampler/thin.h). For benches: what goes wrong ends the program with a
 * message. Only samples taken with the last set of mapped files are kept. The
 * child's first thread only.
 */
#ifndef CODECTL_TESTS_PROCESS_SAMPLER_H
#define CODECTL_TESTS_PROCESS_SAMPLER_H

#include "unwind/module.h"
#include "unwind/unwind.h"

#include <sys/types.h>

#define STACK_BYTES (64 * 1024)
#define STACK_WORDS (STACK_BYTES / 8)
#define MAPPING_MAX 1024

struct process_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset; /* In the file. */
	uint64_t inode;
	bool is_executable;
	char pathname[256];
};

/* Code with unwind information, or without. */
struct process_code {
	uint64_t start;
	uint64_t end;
	const char *pathname;		      /* Weak. */
	const void *image;		      /* As long as the program lives; or NULL. */
	struct codectl_elf elf;		      /* Of the image. */
	struct codectl_unwind_module *module; /* Owned; or NULL. */
	uint64_t bias;
};

struct process_mappings {
	size_t count;
	struct process_mapping list[MAPPING_MAX];
};

struct process_sample {
	uint64_t regs[CODECTL_AMD64_REG_COUNT];
	size_t word_count; /* Of the whole copy. */
	uint64_t *whole;   /* Owned. */
	size_t kept_count;
	uint64_t *kept; /* Owned. */
	uint64_t map[STACK_WORDS / 64];
};

struct process_sampler {
	pid_t pid;
	struct process_mappings mappings;
	struct process_code codes[MAPPING_MAX]; /* Ascending. */
	size_t code_count;
	struct process_sample *samples; /* Owned. */
	size_t sample_count;
	size_t sample_max;
};

/* Starts @command and takes @sample_max samples, one every @interval microseconds. */
void process_sampler_init(
	struct process_sampler *sampler, char **command, size_t sample_max, unsigned int interval);

/* Kills the child, which is stopped until then. */
void process_sampler_fini(struct process_sampler *sampler);

/* Makes all modules anew: nothing is compiled in them yet. */
void process_sampler_renew_modules(struct process_sampler *sampler);

/* A find_code() for codectl_unwind(), with the sampler as its user. */
int process_sampler_find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code);
/* A read_code() to go with it. */
int process_sampler_read_code(void *user, uint64_t address, uint8_t *bytes, size_t len);

/* The event that a sample would have been. */
void process_sample_event(const struct process_sample *sample, struct codectl_event_sample *event);

#endif /* CODECTL_TESTS_PROCESS_SAMPLER_H */
