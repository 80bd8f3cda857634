/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/rust-v0-text.h: reads the letters of a mangled name and writes what is
 * shown of it, for rust-v0.c. After a failure nothing is read or written any
 * more. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_RUST_V0_TEXT_H
#define CODECTL_SYMBOLIZE_RUST_V0_TEXT_H

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define OUTPUT_MAX 8192

struct demangling {
	const char *text; /* Behind the _R. */
	size_t len;
	size_t at;
	unsigned int depth;
	unsigned int steps;
	uint64_t lifetimes; /* Bound around here. */
	bool is_quiet;	    /* What is read is not shown. */
	bool is_failed;
	char *output; /* Owned; OUTPUT_MAX bytes. */
	size_t output_len;
};

static inline void fail(struct demangling *state)
{
	state->is_failed = true;
}

static inline char peek(const struct demangling *state)
{
	return state->is_failed || state->at >= state->len ? '\0' : state->text[state->at];
}

static inline char take(struct demangling *state)
{
	char letter = peek(state);

	if (letter)
		state->at++;
	else
		fail(state);
	return letter;
}

static inline bool accept(struct demangling *state, char letter)
{
	if (peek(state) != letter)
		return false;
	state->at++;
	return true;
}

static inline void print_bytes(struct demangling *state, const char *bytes, size_t len)
{
	if (state->is_quiet || state->is_failed)
		return;
	if (len >= OUTPUT_MAX - state->output_len) {
		fail(state);
		return;
	}
	memcpy(state->output + state->output_len, bytes, len);
	state->output_len += len;
}

static inline void print(struct demangling *state, const char *text)
{
	print_bytes(state, text, strlen(text));
}

static inline void print_number(struct demangling *state, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	print(state, text);
}

/* A number in digits, lower and upper letters, one more than it says, up to "_"; "_" is 0. */
static inline uint64_t read_base62(struct demangling *state)
{
	uint64_t number = 0;

	if (accept(state, '_'))
		return 0;
	while (!state->is_failed && !accept(state, '_')) {
		char letter = take(state);
		uint64_t digit = isdigit((unsigned char)letter)	  ? (uint64_t)(letter - '0')
				 : islower((unsigned char)letter) ? (uint64_t)(letter - 'a') + 10
				 : isupper((unsigned char)letter) ? (uint64_t)(letter - 'A') + 36
								  : 62;

		if (digit > 61 || number > (UINT64_MAX - 62) / 62)
			fail(state);
		else
			number = number * 62 + digit;
	}
	return number + 1;
}

/* With a letter in front it is one more again; without it is 0. */
static inline uint64_t read_optional(struct demangling *state, char letter)
{
	return accept(state, letter) ? read_base62(state) + 1 : 0;
}

#endif /* CODECTL_SYMBOLIZE_RUST_V0_TEXT_H */
