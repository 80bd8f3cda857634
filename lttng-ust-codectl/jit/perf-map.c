/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/perf-map.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* A number and the blanks behind it. Returns what follows, NULL if there is no number. */
static const char *parse_number(const char *at, const char *end, uint64_t *number)
{
	const char *first;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	first = at;
	*number = 0;
	for (; at < end && hex_digit(*at) >= 0; at++) {
		if (*number >> 60)
			return NULL;
		*number = *number << 4 | (uint64_t)hex_digit(*at);
	}
	if (at == first || at == end || *at != ' ')
		return NULL;
	while (at < end && *at == ' ')
		at++;
	return at;
}

bool codectl_perf_map_parse(const char *line, size_t len, struct codectl_perf_map_entry *entry)
{
	const char *end = line + len;
	const char *at = parse_number(line, end, &entry->start);

	if (at)
		at = parse_number(at, end, &entry->size);
	if (!at || at == end || entry->start + entry->size < entry->start)
		return false;
	entry->name = at;
	entry->name_len = (size_t)(end - at);
	return true;
}
