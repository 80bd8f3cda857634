/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/thin.h"

#include <string.h>

bool codectl_thin_find(const struct codectl_range *ranges, size_t count, uint64_t address)
{
	size_t low = 0;

	/* After the loop `low` is the number of ranges that start at or below the address. */
	while (count > 0) {
		size_t half = count / 2;

		if (ranges[low + half].start <= address) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low > 0 && address < ranges[low - 1].end;
}

size_t codectl_thin(const struct codectl_thin_rule *rule, const uint64_t *words, size_t word_count,
	uint64_t start, uint64_t *map, uint64_t *kept)
{
	const struct codectl_range examined = {start, start + word_count * 8};
	struct codectl_range code = {0, 0};
	size_t kept_count = 0;

	/* Most words are small numbers or heap addresses: one comparison rejects them. */
	if (rule->executable_count > 0) {
		code.start = rule->executable[0].start;
		code.end = rule->executable[rule->executable_count - 1].end;
	}
	memset(map, 0, codectl_thin_map_count(word_count) * sizeof(*map));
	for (size_t i = 0; i < word_count; i++) {
		uint64_t word = words[i];
		bool is_kept =
			rule->is_full || codectl_range_has(&examined, word) ||
			codectl_range_has(&rule->stack, word) ||
			(codectl_range_has(&code, word) &&
				codectl_thin_find(rule->executable, rule->executable_count, word));

		if (is_kept) {
			map[i / 64] |= (uint64_t)1 << (i % 64);
			kept[kept_count++] = word;
		}
	}
	return kept_count;
}
