/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/record-options.h: the words of `codectl record`. One thread.
 */
#ifndef CODECTL_CLI_RECORD_OPTIONS_H
#define CODECTL_CLI_RECORD_OPTIONS_H

#include <popt.h>
#include <stdbool.h>
#include <stdint.h>

struct codectl_record_options {
	poptContext context;	    /* Owned; owns the strings below. */
	const char *directory;	    /* Weak. */
	const char *const *command; /* Weak; NULL-terminated, not empty. */
	const char **patterns;	    /* Owned; NULL-terminated event patterns, or NULL. */
	int frequency;
	const char *clock;	/* Weak; NULL: the preload's default. */
	const char *stack_mode; /* Weak; NULL: the preload's default. */
	uint32_t stack_size;	/* Bytes; 0: the preload's default. */
	int signal_number;	/* 0: the preload's default. */
	uint64_t buffer_size;	/* Of samples, per CPU, bytes; 0: the session's default. */
	uint64_t duration_ms;	/* 0: until the program ends. */
	const char *jit;	/* Weak; NULL: the preload's default. */
	bool has_no_children;
};

/*
 * Reads the words of the command line. Returns 0, or -EINVAL after an error
 * message that names the option; codectl_record_options_fini() is due in any case.
 */
int codectl_record_options_init(
	struct codectl_record_options *options, int argc, const char **argv);

void codectl_record_options_fini(struct codectl_record_options *options);

#endif /* CODECTL_CLI_RECORD_OPTIONS_H */
