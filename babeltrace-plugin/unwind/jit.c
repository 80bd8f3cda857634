/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/jit.h"

#include "unwind/cfi-source.h"
#include "unwind/jit-rows.h"
#include "unwind/sframe-source.h"
#include "unwind/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Tables of one chain come in order; so many may be lost. A trace may claim any number. */
#define LOST_TABLES_MAX 1024

/* Rows, or what stands for them: the frame pointer rule has one for all code. */
struct row_source {
	struct codectl_unwind_source source;
	struct codectl_jit_rows rows;
	struct codectl_jit_row everywhere; /* size 0: none. */
	struct codectl_cfi_section section;
};

struct codectl_unwind_jit {
	uint32_t format;
	uint64_t text_start;
	uint64_t text_end;
	struct codectl_unwind_module *module; /* Owned; owns its source. NULL: nothing yet. */
	struct row_source *rows;	      /* Weak; owned by the module. */
	uint64_t *table_ends;		      /* Owned; rows seen of each table. */
	size_t table_count;
	size_t table_capacity;
	uint64_t last_end; /* Of the last row in sorted order. */
};

static const struct row_source *from_base(const struct codectl_unwind_source *source)
{
	return (const struct row_source *)source;
}

static const struct codectl_jit_row *find_row(const struct row_source *source, uint64_t offset)
{
	if (source->everywhere.size)
		return &source->everywhere;
	return offset <= UINT32_MAX ? codectl_jit_rows_find(&source->rows, (uint32_t)offset) : NULL;
}

static bool has_fp(const struct codectl_jit_row *row)
{
	return CODECTL_JIT_INFO_COUNT(row->info) == 2;
}

/* The rule of a sound row; see codectl/codectl.h for what its members mean. */
static struct codectl_rule make_rule(const struct codectl_jit_row *row)
{
	enum codectl_rule_kind kind = CODECTL_JIT_INFO_SP(row->info) ? CODECTL_RULE_SP
								     : CODECTL_RULE_FP;
	bool is_signal = row->flags & CODECTL_JIT_FLAG_SIGNAL;

	if (CODECTL_JIT_INFO_COUNT(row->info) == 0)
		return codectl_rule_make_bare(CODECTL_RULE_OUTERMOST, false);
	if (is_signal || row->ra_off != -8 ||
		(has_fp(row) && (row->fp_off < INT16_MIN || row->fp_off > INT16_MAX)))
		return codectl_rule_make_bare(CODECTL_RULE_SLOW_REG, is_signal);
	return codectl_rule_make(kind, row->cfa_off,
		has_fp(row) ? CODECTL_RULE_FP_AT_CFA : CODECTL_RULE_FP_SAME,
		has_fp(row) ? (int16_t)row->fp_off : 0);
}

static struct codectl_rule find_rule(const struct codectl_unwind_source *base, uint64_t offset)
{
	const struct row_source *source = from_base(base);
	const struct codectl_jit_row *row = find_row(source, offset);

	/* Frame pointers everywhere are less than a row: the unwinder looks for leaves. */
	return codectl_rule_with_origin(
		row ? make_rule(row) : codectl_rule_make_bare(CODECTL_RULE_NONE, false),
		source->everywhere.size ? CODECTL_FRAME_VIA_FP : CODECTL_FRAME_VIA_JIT);
}

static int find_cfi(const struct codectl_unwind_source *base, uint64_t offset,
	struct codectl_unwind_module_cfi *cfi)
{
	const struct row_source *source = from_base(base);
	const struct codectl_jit_row *row = find_row(source, offset);

	if (!row)
		return -ENOENT;
	*cfi = (struct codectl_unwind_module_cfi){
		.section = &source->section,
		.ra_reg = CODECTL_AMD64_RIP,
		.is_signal_frame = row->flags & CODECTL_JIT_FLAG_SIGNAL,
	};
	cfi->rules.cfa_kind = CODECTL_CFA_REGISTER;
	cfi->rules.cfa_reg = CODECTL_JIT_INFO_SP(row->info) ? CODECTL_AMD64_RSP : CODECTL_AMD64_RBP;
	cfi->rules.cfa_offset = row->cfa_off;
	cfi->rules.kinds[CODECTL_AMD64_RIP] = CODECTL_JIT_INFO_COUNT(row->info)
						      ? CODECTL_CFI_OFFSET
						      : CODECTL_CFI_UNDEFINED;
	cfi->rules.values[CODECTL_AMD64_RIP] = row->ra_off;
	if (has_fp(row)) {
		cfi->rules.kinds[CODECTL_AMD64_RBP] = CODECTL_CFI_OFFSET;
		cfi->rules.values[CODECTL_AMD64_RBP] = row->fp_off;
	}
	return 0;
}

static uint64_t next_start(const struct codectl_unwind_source *source, uint64_t offset)
{
	(void)source;
	(void)offset;
	/* Rows do not tell where functions begin. */
	return UINT64_MAX;
}

static void add_stats(
	const struct codectl_unwind_source *base, struct codectl_unwind_module_stats *stats)
{
	stats->rows += from_base(base)->rows.count;
}

static void destroy_source(struct codectl_unwind_source *base)
{
	struct row_source *source = (struct row_source *)base;

	codectl_jit_rows_fini(&source->rows);
	free(source);
}

static const struct codectl_unwind_source_ops row_source_ops = {
	.find_rule = find_rule,
	.find_cfi = find_cfi,
	.next_start = next_start,
	.add_stats = add_stats,
	.destroy = destroy_source,
};

static int add_row_source(struct codectl_unwind_jit *jit)
{
	struct row_source *source = calloc(1, sizeof(*source));

	if (!source)
		return -ENOMEM;
	source->source.ops = &row_source_ops;
	source->source.via = CODECTL_FRAME_VIA_JIT;
	if (jit->format == CODECTL_JIT_FP)
		source->everywhere = (struct codectl_jit_row){
			.size = 1,
			.cfa_off = 16,
			.ra_off = -8,
			.fp_off = -16,
			.info = CODECTL_JIT_INFO_SIZE_4B << 5 | 2 << 1,
		};
	jit->rows = source;
	return codectl_unwind_module_create_of(&source->source, &jit->module);
}

struct codectl_unwind_jit *codectl_unwind_jit_create(
	uint32_t format, uint64_t text_start, uint64_t text_end)
{
	struct codectl_unwind_jit *jit = calloc(1, sizeof(*jit));

	if (!jit)
		return NULL;
	jit->format = format;
	jit->text_start = text_start;
	jit->text_end = text_end;
	if ((codectl_jit_format_has_rows(format) || format == CODECTL_JIT_FP) &&
		add_row_source(jit)) {
		codectl_unwind_jit_destroy(jit);
		return NULL;
	}
	return jit;
}

void codectl_unwind_jit_destroy(struct codectl_unwind_jit *jit)
{
	if (!jit)
		return;
	codectl_unwind_module_destroy(jit->module);
	free(jit->table_ends);
	free(jit);
}

/* Whether a row says what can be, in text of @text_size bytes. */
static bool is_sound(const struct codectl_jit_row *row, uint64_t text_size)
{
	return row->size > 0 && (uint64_t)row->start + row->size <= text_size &&
	       CODECTL_JIT_INFO_COUNT(row->info) <= 2 &&
	       CODECTL_JIT_INFO_SIZE(row->info) == CODECTL_JIT_INFO_SIZE_4B &&
	       !(row->info & CODECTL_JIT_INFO_MANGLED);
}

/* Rows seen so far of @table, to be updated; NULL without memory. */
static uint64_t *get_table_end(struct codectl_unwind_jit *jit, uint32_t table)
{
	if (table >= jit->table_capacity) {
		size_t capacity = (size_t)table + 1 + table / 2;
		uint64_t *grown = reallocarray(jit->table_ends, capacity, sizeof(*grown));

		if (!grown)
			return NULL;
		memset(grown + jit->table_capacity, 0,
			(capacity - jit->table_capacity) * sizeof(*grown));
		jit->table_ends = grown;
		jit->table_capacity = capacity;
	}
	if (table >= jit->table_count)
		jit->table_count = (size_t)table + 1;
	return &jit->table_ends[table];
}

static int add_row(struct codectl_unwind_jit *jit, const struct codectl_event_jit_rows *event,
	size_t i, struct codectl_unwind_jit_stats *stats)
{
	const struct codectl_jit_row row = {
		.start = event->ip_off[i],
		.size = event->size[i],
		.cfa_off = event->cfa_off[i],
		.ra_off = event->ra_off[i],
		.fp_off = event->fp_off[i],
		.info = event->info[i],
		.flags = event->flags_count ? event->flags[i] : 0,
	};

	if (!is_sound(&row, jit->text_end - jit->text_start)) {
		stats->bad_rows++;
		return 0;
	}
	if (row.start < jit->last_end)
		stats->unsorted += jit->format == CODECTL_JIT_TABLE ||
				   jit->format == CODECTL_JIT_TABLE_V2;
	else
		jit->last_end = (uint64_t)row.start + row.size;
	stats->rows++;
	return codectl_jit_rows_add(&jit->rows->rows, &row);
}

int codectl_unwind_jit_add_rows(struct codectl_unwind_jit *jit,
	const struct codectl_event_jit_rows *event, struct codectl_unwind_jit_stats *stats)
{
	size_t count = event->ip_off_count;
	uint64_t overlaps;
	uint64_t *end;

	if (!codectl_jit_format_has_rows(jit->format) ||
		event->table >= jit->table_count + LOST_TABLES_MAX ||
		event->first > UINT64_MAX - count) {
		stats->bad_tables++;
		return 0;
	}
	end = get_table_end(jit, event->table);
	if (!end)
		return -ENOMEM;
	if (event->first > *end)
		stats->lost_rows += event->first - *end;
	overlaps = jit->rows->rows.overlaps;
	for (size_t i = 0; i < count; i++) {
		if (event->first + i < *end)
			continue;
		if (add_row(jit, event, i, stats))
			return -ENOMEM;
		*end = event->first + i + 1;
	}
	stats->overlaps += jit->rows->rows.overlaps - overlaps;
	return 0;
}

int codectl_unwind_jit_set_blob(struct codectl_unwind_jit *jit, const uint8_t *bytes, size_t len,
	uint64_t vaddr, struct codectl_unwind_jit_stats *stats)
{
	const struct codectl_cfi_section section = {.bytes = bytes, .len = len, .vaddr = vaddr};
	const struct codectl_elf_range range = {.bytes = bytes, .len = len, .vaddr = vaddr};
	struct codectl_unwind_source *source = NULL;
	int ret = -EINVAL;

	if (jit->module)
		return 0;
	if (jit->format == CODECTL_JIT_EH_FRAME && len <= CODECTL_CFI_SECTION_MAX)
		ret = codectl_cfi_source_create(&section, NULL, jit->text_start, &source);
	else if (jit->format == CODECTL_JIT_SFRAME)
		ret = codectl_sframe_source_create_of(&range, jit->text_start, &source);
	if (ret) {
		stats->bad_blobs += ret != -ENOMEM;
		return ret == -ENOMEM ? ret : 0;
	}
	source->via = CODECTL_FRAME_VIA_JIT;
	return codectl_unwind_module_create_of(source, &jit->module);
}

const struct codectl_unwind_module *codectl_unwind_jit_borrow_module(
	const struct codectl_unwind_jit *jit, uint64_t *bias)
{
	*bias = jit->rows ? jit->text_start : 0;
	return jit->module;
}
