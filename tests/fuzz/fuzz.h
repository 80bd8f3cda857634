/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/fuzz/fuzz.h: what the fuzz targets share. A target is one function
 * which takes any bytes, and aborts if the code under test does what its header
 * rules out. libFuzzer calls it (see --enable-fuzzers); replay.c calls it with
 * the committed corpus, in every build.
 *
 * Targets take their input apart with a struct codectl_reader: beyond the end
 * everything is 0, so each input means something.
 */
#ifndef CODECTL_TESTS_FUZZ_H
#define CODECTL_TESTS_FUZZ_H

#include "format/reader.h"

#include <stdio.h>
#include <stdlib.h>

/* The target. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define FUZZ_CHECK(condition)                                                                   \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/* malloc() that does not fail; the caller owns what it returns, also for @size 0. */
static inline void *fuzz_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	FUZZ_CHECK(memory);
	return memory;
}

/*
 * A copy of the next @len bytes, or of what is left, in a block of exactly
 * *@copied bytes, where AddressSanitizer sees reads beyond them. The caller owns it.
 */
static inline uint8_t *fuzz_copy(struct codectl_reader *input, size_t len, size_t *copied)
{
	size_t left = codectl_reader_left(input);
	uint8_t *copy;

	*copied = len < left ? len : left;
	copy = fuzz_alloc(*copied);
	if (*copied)
		memcpy(copy, codectl_reader_bytes(input, *copied), *copied);
	return copy;
}

#endif /* CODECTL_TESTS_FUZZ_H */
