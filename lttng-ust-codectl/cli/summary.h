/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/summary.h: counts what a recording holds. One thread.
 */
#ifndef CODECTL_CLI_SUMMARY_H
#define CODECTL_CLI_SUMMARY_H

#include <stdint.h>

struct codectl_summary {
	uint64_t samples;      /* Sample events in the trace. */
	uint64_t processes;    /* Process images that registered code or were sampled. */
	uint64_t lost;	       /* Samples for which a thread's ring had no room. */
	uint64_t lost_packets; /* Buffers that were not written, as far as later ones tell. */
};

/*
 * Reads the traces below @directory. Returns 0, or a negative errno after an
 * error message. A directory without a trace has no samples.
 */
int codectl_summary_read(const char *directory, struct codectl_summary *summary);

#endif /* CODECTL_CLI_SUMMARY_H */
