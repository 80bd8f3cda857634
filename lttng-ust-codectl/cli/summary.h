/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/summary.h: counts what a recording holds. One thread.
 */
#ifndef CODECTL_CLI_SUMMARY_H
#define CODECTL_CLI_SUMMARY_H

#include "cli/unrecorded.h"

#include <stdint.h>

/* Threads that are named; there may be more. */
#define CODECTL_SUMMARY_UNSAMPLED_MAX 4

/* A thread with far fewer samples than it used CPU time. */
struct codectl_unsampled_thread {
	int64_t vpid;
	int64_t vtid;
	char comm[16];
	uint64_t cpu_time; /* ns. */
	uint64_t weight;   /* Of its samples. */
};

struct codectl_summary {
	uint64_t samples;      /* Sample events in the trace. */
	uint64_t processes;    /* Process images that registered code or were sampled. */
	uint64_t lost;	       /* Samples for which a thread's ring had no room. */
	uint64_t lost_packets; /* Buffers that were not written, as far as later ones tell. */
	uint64_t unsampled_count;
	struct codectl_unsampled_thread unsampled[CODECTL_SUMMARY_UNSAMPLED_MAX]; /* Most first. */
	struct codectl_unrecorded unrecorded;
};

/*
 * Reads the traces below @directory. Returns 0, or a negative errno after an
 * error message. A directory without a trace has no samples. @frequency is that of
 * the samples by CPU time.
 */
int codectl_summary_read(
	const char *directory, uint32_t frequency, struct codectl_summary *summary);

#endif /* CODECTL_CLI_SUMMARY_H */
