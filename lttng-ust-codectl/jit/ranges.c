/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/ranges.h"

#include "format/eh-frame.h"
#include "provider/jit.h"

#include <errno.h>

/* Code that is further apart is registered apart: between may be other code. */
#define GAP_MAX ((uint64_t)1 << 16)

void codectl_jit_ranges_add(struct codectl_jit_ranges *ranges, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < ranges->count; i++) {
		struct codectl_jit_range *range = &ranges->ranges[i];

		if (start > range->end + GAP_MAX || end + GAP_MAX < range->start)
			continue;
		if (start < range->start)
			range->start = start;
		if (end > range->end)
			range->end = end;
		return;
	}
	if (ranges->count < CODECTL_JIT_RANGE_MAX)
		ranges->ranges[ranges->count++] = (struct codectl_jit_range){start, end};
}

void codectl_jit_ranges_join(struct codectl_jit_ranges *ranges)
{
	size_t before;

	do {
		struct codectl_jit_ranges joined = {.count = 0};

		before = ranges->count;
		for (size_t i = 0; i < before; i++)
			codectl_jit_ranges_add(
				&joined, ranges->ranges[i].start, ranges->ranges[i].end);
		*ranges = joined;
	} while (ranges->count < before);
}

void codectl_jit_ranges_add_fdes(
	struct codectl_jit_ranges *ranges, const uint8_t *bytes, size_t len, uint64_t address)
{
	const struct codectl_cfi_section section = {.bytes = bytes, .len = len, .vaddr = address};
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	codectl_cfi_cie_init(&cie);
	while ((ret = codectl_cfi_next_fde(&section, &offset, &cie, &fde)) != -ENOENT) {
		if (ret == 0)
			codectl_jit_ranges_add(ranges, fde.start, fde.start + fde.size);
	}
	codectl_jit_ranges_join(ranges);
}

void codectl_jit_ranges_register(
	struct codectl_jit_ranges *ranges, const uint8_t *bytes, size_t len, uint64_t address)
{
	size_t count = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct code_jit_info info = {
			.text_start = ranges->ranges[i].start,
			.text_end = ranges->ranges[i].end,
			.unwind_head = address,
			.reserved_len = len,
			.format = CODE_JIT_FORMAT_EH_FRAME,
		};

		if (codectl_jit_add(&info, bytes) == 0)
			ranges->ranges[count++] = ranges->ranges[i];
	}
	ranges->count = count;
}

void codectl_jit_ranges_unregister(const struct codectl_jit_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		codectl_jit_remove(ranges->ranges[i].start, ranges->ranges[i].end);
}
