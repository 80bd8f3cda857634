/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/rust-v0.h"

#include "symbolize/rust-v0-text.h"

#include <stdlib.h>

#define DEPTH_MAX 64
/* Parts read, those referred to again and again. */
#define STEPS_MAX 20000

static void print_path(struct demangling *state, bool is_value);
static void print_type(struct demangling *state);
static void print_const(struct demangling *state);

/* A part that others share. Returns whether it may be entered. */
static bool enter(struct demangling *state)
{
	if (++state->depth > DEPTH_MAX || ++state->steps > STEPS_MAX)
		fail(state);
	return !state->is_failed;
}

/* Goes on at an earlier place for a while. */
static void follow(struct demangling *state, size_t from, void (*print_part)(struct demangling *))
{
	uint64_t target = read_base62(state);
	size_t back = state->at;

	if (target >= from)
		fail(state);
	if (state->is_failed || state->is_quiet)
		return;
	state->at = (size_t)target;
	print_part(state);
	state->at = back;
}

static void print_value_path(struct demangling *state)
{
	print_path(state, true);
}

static void print_type_path(struct demangling *state)
{
	print_path(state, false);
}

/* [disambiguator] ["u"] length ["_"] bytes. Punycode stays as it is. */
static void print_identifier(struct demangling *state, const char *before, uint64_t *disambiguator)
{
	uint64_t number = read_optional(state, 's');
	bool is_punycode;
	size_t len = 0;

	if (disambiguator)
		*disambiguator = number;
	is_punycode = accept(state, 'u');
	if (!isdigit((unsigned char)peek(state)))
		fail(state);
	if (!accept(state, '0')) {
		while (isdigit((unsigned char)peek(state)) && len <= state->len)
			len = len * 10 + (size_t)(take(state) - '0');
	}
	accept(state, '_');
	if (state->is_failed || len > state->len - state->at) {
		fail(state);
		return;
	}
	if (len)
		print(state, before);
	if (is_punycode)
		print(state, "punycode{");
	print_bytes(state, state->text + state->at, len);
	if (is_punycode)
		print(state, "}");
	state->at += len;
}

static void print_lifetime(struct demangling *state, uint64_t index)
{
	char letter[3] = "'a";

	if (!index) {
		print(state, "'_");
		return;
	}
	if (index > state->lifetimes) {
		fail(state);
		return;
	}
	letter[1] = (char)('a' + (state->lifetimes - index) % 26);
	print(state, letter);
}

/* "G" number: as many lifetimes, bound by "for<…>". */
static void print_binder(struct demangling *state)
{
	uint64_t count = read_optional(state, 'G');

	if (count > state->len)
		fail(state);
	if (!count || state->is_failed)
		return;
	print(state, "for<");
	for (uint64_t i = 0; i < count && !state->is_failed; i++) {
		print(state, i ? ", " : "");
		state->lifetimes++;
		print_lifetime(state, 1);
	}
	print(state, "> ");
}

static void print_list(struct demangling *state, void (*print_part)(struct demangling *))
{
	for (bool is_first = true; !state->is_failed && !accept(state, 'E'); is_first = false) {
		print(state, is_first ? "" : ", ");
		print_part(state);
	}
}

static void print_argument(struct demangling *state)
{
	if (accept(state, 'L'))
		print_lifetime(state, read_base62(state));
	else if (accept(state, 'K'))
		print_const(state);
	else
		print_type(state);
}

/* The path of an impl says where it is written, which is not shown. */
static void skip_impl_path(struct demangling *state)
{
	bool was_quiet = state->is_quiet;

	state->is_quiet = true;
	read_optional(state, 's');
	print_path(state, false);
	state->is_quiet = was_quiet;
}

/* "N" namespace path identifier; capitals are namespaces of the compiler's own. */
static void print_nested(struct demangling *state, bool is_value)
{
	char space = take(state);
	uint64_t number;

	if (!isalpha((unsigned char)space))
		fail(state);
	print_path(state, is_value);
	if (islower((unsigned char)space)) {
		print_identifier(state, "::", &number);
		return;
	}
	print(state, "::{");
	if (space == 'C')
		print(state, "closure");
	else if (space == 'S')
		print(state, "shim");
	else
		print_bytes(state, &space, 1);
	/* The number comes first in the text, and last in what is shown. */
	print_identifier(state, ":", &number);
	print(state, "#");
	print_number(state, number);
	print(state, "}");
}

static void print_path(struct demangling *state, bool is_value)
{
	size_t from = state->at;

	if (!enter(state))
		return;
	switch (take(state)) {
	case 'C':
		print_identifier(state, "", NULL);
		break;
	case 'M':
		skip_impl_path(state);
		print(state, "<");
		print_type(state);
		print(state, ">");
		break;
	case 'X':
		skip_impl_path(state);
		/* Fall through. */
	case 'Y':
		print(state, "<");
		print_type(state);
		print(state, " as ");
		print_path(state, false);
		print(state, ">");
		break;
	case 'N':
		print_nested(state, is_value);
		break;
	case 'I':
		print_path(state, is_value);
		print(state, is_value ? "::<" : "<");
		print_list(state, print_argument);
		print(state, ">");
		break;
	case 'B':
		follow(state, from, is_value ? print_value_path : print_type_path);
		break;
	default:
		fail(state);
	}
	state->depth--;
}

static const char *basic_type(char letter)
{
	static const char *const names[26] = {"i8", "bool", "char", "f64", "str", "f32", NULL, "u8",
		"isize", "usize", NULL, "i32", "u32", "i128", "u128", "_", NULL, NULL, "i16", "u16",
		"()", "...", NULL, "i64", "u64", "!"};

	return letter >= 'a' && letter <= 'z' ? names[letter - 'a'] : NULL;
}

/* ["U"] ["K" abi] parameters "E" result, after the lifetimes. */
static void print_function_type(struct demangling *state)
{
	uint64_t lifetimes = state->lifetimes;

	print_binder(state);
	if (accept(state, 'U'))
		print(state, "unsafe ");
	if (accept(state, 'K')) {
		print(state, "extern \"");
		if (accept(state, 'C'))
			print(state, "C");
		else
			print_identifier(state, "", NULL);
		print(state, "\" ");
	}
	print(state, "fn(");
	print_list(state, print_type);
	print(state, ")");
	if (!accept(state, 'u')) {
		print(state, " -> ");
		print_type(state);
	}
	state->lifetimes = lifetimes;
}

/* A trait of "dyn", with what is bound of its types inside of its brackets. */
static void print_dyn_trait(struct demangling *state)
{
	size_t start = state->output_len;
	bool is_open = false;

	print_path(state, false);
	while (accept(state, 'p')) {
		if (!is_open && !state->is_quiet && state->output_len > start &&
			state->output[state->output_len - 1] == '>') {
			state->output_len--;
			print(state, ", ");
		} else {
			print(state, is_open ? ", " : "<");
		}
		is_open = true;
		print_identifier(state, "", NULL);
		print(state, " = ");
		print_type(state);
	}
	if (is_open)
		print(state, ">");
}

static void print_dyn(struct demangling *state)
{
	uint64_t lifetimes = state->lifetimes;
	uint64_t lifetime;

	print(state, "dyn ");
	print_binder(state);
	for (bool is_first = true; !state->is_failed && !accept(state, 'E'); is_first = false) {
		print(state, is_first ? "" : " + ");
		print_dyn_trait(state);
	}
	state->lifetimes = lifetimes;
	if (!accept(state, 'L')) {
		fail(state);
		return;
	}
	lifetime = read_base62(state);
	if (lifetime) {
		print(state, " + ");
		print_lifetime(state, lifetime);
	}
}

static void print_tuple(struct demangling *state)
{
	size_t count = 0;

	print(state, "(");
	for (; !state->is_failed && !accept(state, 'E'); count++) {
		print(state, count ? ", " : "");
		print_type(state);
	}
	print(state, count == 1 ? ",)" : ")");
}

static void print_reference(struct demangling *state, bool is_mutable)
{
	print(state, "&");
	if (accept(state, 'L')) {
		uint64_t lifetime = read_base62(state);

		if (lifetime) {
			print_lifetime(state, lifetime);
			print(state, " ");
		}
	}
	print(state, is_mutable ? "mut " : "");
	print_type(state);
}

static void print_compound_type(struct demangling *state, char letter, size_t from)
{
	switch (letter) {
	case 'A':
	case 'S':
		print(state, "[");
		print_type(state);
		if (letter == 'A') {
			print(state, "; ");
			print_const(state);
		}
		print(state, "]");
		break;
	case 'T':
		print_tuple(state);
		break;
	case 'R':
	case 'Q':
		print_reference(state, letter == 'Q');
		break;
	case 'P':
	case 'O':
		print(state, letter == 'P' ? "*const " : "*mut ");
		print_type(state);
		break;
	case 'F':
		print_function_type(state);
		break;
	case 'D':
		print_dyn(state);
		break;
	case 'B':
		follow(state, from, print_type);
		break;
	default:
		state->at = from;
		print_path(state, false);
	}
}

static void print_type(struct demangling *state)
{
	size_t from = state->at;
	char letter;

	if (!enter(state))
		return;
	letter = take(state);
	if (basic_type(letter))
		print(state, basic_type(letter));
	else
		print_compound_type(state, letter, from);
	state->depth--;
}

/* A type, then ["n"] hexadecimal digits "_"; or "p" for any. */
static void print_const(struct demangling *state)
{
	size_t from = state->at, start;
	char type;

	if (!enter(state))
		return;
	type = take(state);
	if (type == 'B') {
		follow(state, from, print_const);
	} else if (type == 'p') {
		print(state, "_");
	} else if (!basic_type(type)) {
		/* Structures and strings as parameters are not stable yet. */
		fail(state);
	} else {
		if (accept(state, 'n'))
			print(state, "-");
		start = state->at;
		while (!state->is_failed && !accept(state, '_'))
			if (!isxdigit((unsigned char)take(state)))
				fail(state);
		if (!state->is_failed && state->at - start <= 17) {
			uint64_t number = strtoull(state->text + start, NULL, 16);

			if (type == 'b')
				print(state, number ? "true" : "false");
			else
				print_number(state, number);
		} else if (!state->is_failed) {
			print(state, "0x");
			print_bytes(state, state->text + start, state->at - start - 1);
		}
	}
	state->depth--;
}

char *codectl_rust_v0_demangle(const char *mangled)
{
	struct demangling state = {0};

	if (strncmp(mangled, "_R", 2) != 0 || !isupper((unsigned char)mangled[2]))
		return NULL;
	state.text = mangled + 2;
	/* What compilers append begins with a dot or a dollar. */
	state.len = strcspn(state.text, ".$");
	state.output = malloc(OUTPUT_MAX);
	if (!state.output)
		return NULL;
	print_path(&state, true);
	/* The crate that had the function made: not shown. */
	state.is_quiet = true;
	if (!state.is_failed && state.at < state.len)
		print_path(&state, false);
	if (state.is_failed || state.at != state.len) {
		free(state.output);
		return NULL;
	}
	state.output[state.output_len] = '\0';
	return state.output;
}
