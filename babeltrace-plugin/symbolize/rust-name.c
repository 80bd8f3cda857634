/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/rust-name.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The last part is "17h", 16 digits, "E"; copies of functions have more after a dot. */
#define HASH_LEN 16

static bool is_hash(const char *text)
{
	return strspn(text, "0123456789abcdef") == HASH_LEN;
}

bool codectl_rust_name_is_legacy(const char *mangled)
{
	const char *end = strrchr(mangled, 'E');

	return !strncmp(mangled, "_ZN", 3) && end && end - mangled > 3 + 3 + HASH_LEN &&
	       (end[1] == '\0' || end[1] == '.') && is_hash(end - HASH_LEN) &&
	       !strncmp(end - HASH_LEN - 3, "17h", 3);
}

/*
 * Reads an escape between two dollars. Returns its length, with the character in
 * *@character, or 0.
 */
static size_t read_escape(const char *text, char *character)
{
	static const struct {
		const char *text;
		char character;
	} escapes[] = {{"$LT$", '<'}, {"$GT$", '>'}, {"$RF$", '&'}, {"$BP$", '*'}, {"$LP$", '('},
		{"$RP$", ')'}, {"$SP$", '@'}, {"$C$", ','}};

	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		size_t len = strlen(escapes[i].text);

		if (!strncmp(text, escapes[i].text, len)) {
			*character = escapes[i].character;
			return len;
		}
	}
	/* $u7b$: a character by its number. */
	if (!strncmp(text, "$u", 2)) {
		char *end;
		unsigned long number = strtoul(text + 2, &end, 16);

		if (*end == '$' && number >= ' ' && number < 127) {
			*character = (char)number;
			return (size_t)(end + 1 - text);
		}
	}
	return 0;
}

void codectl_rust_name_clean(char *demangled)
{
	char *hash = strrchr(demangled, 'h');
	char *from = demangled, *to = demangled;
	char character;

	/* What a copy of the function has after it stays. */
	if (hash && hash - demangled > 2 && !strncmp(hash - 2, "::", 2) && is_hash(hash + 1))
		memmove(hash - 2, hash + 1 + HASH_LEN, strlen(hash + 1 + HASH_LEN) + 1);
	while (*from) {
		bool is_start = from == demangled || from[-1] == ':';
		size_t len;

		/* An escape may not begin a part: an underscore does. */
		if (is_start && from[0] == '_' && from[1] == '$')
			from++;
		len = read_escape(from, &character);
		if (len) {
			from += len;
			*to++ = character;
		} else if (from[0] == '.' && from[1] == '.') {
			from += 2;
			*to++ = ':';
			*to++ = ':';
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}
