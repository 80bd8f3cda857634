/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/perf-map.h: the lines of a perf map, /tmp/perf-PID.map: the text file into
 * which a JIT writes the functions that it compiles, one a line, `START SIZE
 * NAME`, numbers in hexadecimal without a prefix (or with one), the name up to
 * the end of the line. The format is that of perf (tools/perf/Documentation/
 * jit-interface.txt of Linux).
 *
 * Pure: no state, no allocation; any thread.
 */
#ifndef CODECTL_JIT_PERF_MAP_H
#define CODECTL_JIT_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_perf_map_entry {
	uint64_t start;
	uint64_t size;	  /* Bytes; may be 0, for a name without extent. */
	const char *name; /* Weak, in the line; not terminated. */
	size_t name_len;  /* At least 1. */
};

/*
 * Parses a line of @len bytes, without its newline. Returns whether it is an
 * entry; a range that wraps around is none.
 */
bool codectl_perf_map_parse(const char *line, size_t len, struct codectl_perf_map_entry *entry);

#endif /* CODECTL_JIT_PERF_MAP_H */
