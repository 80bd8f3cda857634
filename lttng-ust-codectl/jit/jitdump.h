/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/jitdump.h: reads a jitdump, the binary file `jit-PID.dump` into which a
 * JIT writes the functions that it compiles, with the time of each, while it is
 * being written. The format is that of perf (tools/perf/Documentation/
 * jitdump-specification.txt of Linux): a header of 40 bytes and records of
 * {u32 id, u32 size, u64 timestamp}.
 *
 * A reader belongs to one thread at a time. The file is the program's: what is
 * wrong in it ends the reading, counted, and nothing else.
 */
#ifndef CODECTL_JIT_JITDUMP_H
#define CODECTL_JIT_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of the source: the code from `address` on belongs to it. */
struct codectl_jitdump_line {
	uint64_t address;
	uint32_t line;
	const char *file; /* Weak, terminated. */
};

/* A function whose code came to be at `start`. All pointers are valid within the call only. */
struct codectl_jitdump_load {
	uint64_t timestamp; /* As in the file; see codectl_jitdump_reader.has_tsc. */
	uint64_t start;
	uint64_t size;
	const char *name; /* Weak, terminated. */
	const struct codectl_jitdump_line *lines;
	size_t line_count;
	/*
	 * .eh_frame_hdr and .eh_frame for the code, NULL if there is none. The
	 * references in them are as if they were mapped right behind the code, at
	 * the next multiple of 8: first .eh_frame, at its end .eh_frame_hdr.
	 */
	const uint8_t *eh_frame;
	size_t eh_frame_len;
};

struct codectl_jitdump_callbacks {
	void (*load)(void *user, const struct codectl_jitdump_load *load);
	/* The function of @size bytes at @from is at @to from now on. */
	void (*move)(void *user, uint64_t timestamp, uint64_t from, uint64_t to, uint64_t size);
	void *user;
};

enum codectl_jitdump_state {
	CODECTL_JITDUMP_HEADER, /* The header is not there yet. */
	CODECTL_JITDUMP_RECORDS,
	CODECTL_JITDUMP_CLOSED, /* The program wrote that it ends. */
	CODECTL_JITDUMP_BAD,	/* Not a jitdump, or of another machine; nothing more is read. */
};

struct codectl_jitdump_reader {
	int fd; /* Weak. */
	uint64_t offset;
	enum codectl_jitdump_state state;
	bool has_tsc;	  /* Timestamps are of the processor's counter, not CLOCK_MONOTONIC. */
	uint64_t skipped; /* Records that were unknown or wrong in themselves. */
	/* What the records DEBUG_INFO and UNWINDING_INFO say of the load that follows them. */
	uint8_t *debug; /* Owned. */
	size_t debug_len;
	uint8_t *unwinding; /* Owned. */
	size_t unwinding_len;
};

/* Starts at the beginning of the file @fd, which stays the caller's. */
void codectl_jitdump_init(struct codectl_jitdump_reader *reader, int fd);

/*
 * Reads the records that are complete by now. Returns how many there were, or a
 * negative errno (of reading); the state says whether more can come.
 */
int codectl_jitdump_read(
	struct codectl_jitdump_reader *reader, const struct codectl_jitdump_callbacks *callbacks);

/* Frees what the reader owns. */
void codectl_jitdump_finish(struct codectl_jitdump_reader *reader);

#endif /* CODECTL_JIT_JITDUMP_H */
