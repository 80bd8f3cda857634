/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/jit.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Longer sections are refused. */
#define BLOB_MAX (UINT64_C(256) << 20)

/* What belongs to one registration. */
struct jit_code {
	uint64_t id;			/* Of the mapping. */
	struct codectl_unwind_jit *jit; /* Owned. */
	uint8_t *blob;			/* Owned; the parts so far. */
	size_t blob_len;
};

struct codectl_jit_codes {
	void *tree; /* Of tsearch(); owns its codes. */
	struct codectl_jit_codes_stats stats;
};

struct codectl_jit_codes *codectl_jit_codes_create(void)
{
	return calloc(1, sizeof(struct codectl_jit_codes));
}

static void destroy_code(void *node)
{
	struct jit_code *code = node;

	codectl_unwind_jit_destroy(code->jit);
	free(code->blob);
	free(code);
}

void codectl_jit_codes_destroy(struct codectl_jit_codes *codes)
{
	if (!codes)
		return;
	tdestroy(codes->tree, destroy_code);
	free(codes);
}

static int compare_ids(const void *left, const void *right)
{
	const struct jit_code *left_code = left;
	const struct jit_code *right_code = right;

	return (left_code->id > right_code->id) - (left_code->id < right_code->id);
}

static struct jit_code *find_code(const struct codectl_jit_codes *codes, uint64_t id)
{
	const struct jit_code key = {.id = id};
	struct jit_code **found = tfind(&key, &codes->tree, compare_ids);

	return found ? *found : NULL;
}

/* NULL without memory. */
static struct jit_code *get_code(
	struct codectl_jit_codes *codes, const struct codectl_mapping *mapping)
{
	struct jit_code *code = find_code(codes, mapping->id);

	if (code)
		return code;
	code = calloc(1, sizeof(*code));
	if (!code)
		return NULL;
	code->id = mapping->id;
	code->jit = codectl_unwind_jit_create(
		mapping->jit_format, mapping->text_start, mapping->text_end);
	if (!code->jit || !tsearch(code, &codes->tree, compare_ids)) {
		destroy_code(code);
		return NULL;
	}
	return code;
}

static int add_blob(struct codectl_jit_codes *codes, struct jit_code *code,
	const struct codectl_mapping *mapping, const struct codectl_event_jit_blob *part)
{
	uint64_t known = code->blob_len;

	/* A state dump tells again what is known. */
	if (part->blob_len == 0 || (part->offset < known && part->blob_len <= known - part->offset))
		return 0;
	if (!codectl_jit_format_has_blob(mapping->jit_format) || mapping->reserved_len > BLOB_MAX ||
		part->offset != known || part->blob_len > mapping->reserved_len - known) {
		codes->stats.bad_parts++;
		return 0;
	}

	uint8_t *grown = realloc(code->blob, known + part->blob_len);

	if (!grown)
		return -ENOMEM;
	for (size_t i = 0; i < part->blob_len; i++)
		grown[known + i] = (uint8_t)(part->blob[i / 8] >> (i % 8 * 8));
	code->blob = grown;
	code->blob_len += part->blob_len;
	if (code->blob_len < mapping->reserved_len)
		return 0;
	codes->stats.blobs++;
	return codectl_unwind_jit_set_blob(
		code->jit, code->blob, code->blob_len, mapping->unwind_head, &codes->stats.unwind);
}

int codectl_jit_codes_add(struct codectl_jit_codes *codes, const struct codectl_mapping *mapping,
	const struct codectl_event *event)
{
	struct jit_code *code;

	if (!mapping || mapping->object) {
		codes->stats.unknown += event->type != CODECTL_EVENT_REGISTER_JIT;
		return 0;
	}
	code = get_code(codes, mapping);
	if (!code)
		return -ENOMEM;
	if (event->type == CODECTL_EVENT_REGISTER_JIT)
		return 0;
	if (event->type == CODECTL_EVENT_JIT_ROWS)
		return codectl_unwind_jit_add_rows(
			code->jit, &event->jit_rows, &codes->stats.unwind);
	return add_blob(codes, code, mapping, &event->jit_blob);
}

bool codectl_jit_codes_forget(struct codectl_jit_codes *codes, uint64_t id)
{
	struct jit_code *code = find_code(codes, id);

	if (!code)
		return false;
	tdelete(code, &codes->tree, compare_ids);
	destroy_code(code);
	return true;
}

const struct codectl_unwind_module *codectl_jit_codes_find(const struct codectl_jit_codes *codes,
	const struct codectl_mapping *mapping, uint64_t *bias)
{
	const struct jit_code *code = find_code(codes, mapping->id);

	*bias = 0;
	return code ? codectl_unwind_jit_borrow_module(code->jit, bias) : NULL;
}

const struct codectl_jit_codes_stats *codectl_jit_codes_borrow_stats(
	const struct codectl_jit_codes *codes)
{
	return &codes->stats;
}

void codectl_jit_codes_log_stats(
	const struct codectl_jit_codes *codes, const struct codectl_log *log)
{
	const struct codectl_unwind_jit_stats *unwind = &codes->stats.unwind;

	codectl_log_info(log,
		"Unwind information of generated code: rows=%" PRIu64 ", sections=%" PRIu64
		", overlapping-rows=%" PRIu64,
		unwind->rows, codes->stats.blobs, unwind->overlaps);
	if (unwind->lost_rows)
		codectl_log_warning(log,
			"Unwind information of generated code is missing from the trace, stacks "
			"may "
			"be incomplete: rows=%" PRIu64,
			unwind->lost_rows);
	if (unwind->bad_rows || unwind->unsorted || unwind->bad_tables || unwind->bad_blobs ||
		codes->stats.bad_parts || codes->stats.unknown)
		codectl_log_warning(log,
			"Some unwind information of generated code makes no sense: "
			"bad-rows=%" PRIu64 ", unsorted-rows=%" PRIu64 ", bad-tables=%" PRIu64
			", bad-sections=%" PRIu64 ", bad-parts=%" PRIu64
			", of-unknown-code=%" PRIu64,
			unwind->bad_rows, unwind->unsorted, unwind->bad_tables, unwind->bad_blobs,
			codes->stats.bad_parts, codes->stats.unknown);
}
