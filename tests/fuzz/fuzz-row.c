/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The row table against a list of (pc, rule) that is searched from end to end.
 * Input: u8 capacity, then operations of a byte and operands.
 */
#include "fuzz/fuzz.h"

#include "unwind/row-table.h"

#include <errno.h>

enum operation {
	APPEND_NEW,   /* u16 distance, u64 rule. */
	APPEND_KNOWN, /* u16 distance, u8 row whose rule it has. */
	APPEND_FAR,   /* u32 distance, u8 row. */
	APPEND_RULE,  /* As APPEND_NEW, but without asking for the number first. */
	INTERN_MANY,  /* u16 number, u64 first rule: the table fills up. */
	SEARCH,	      /* u32 pc, u8 first, u8 last. */
	OPERATION_COUNT
};

#define CAPACITY_MAX 256
/* Filling it takes long; a few more than there is room for. */
#define INTERN_MAX (CODECTL_RULE_ID_OVERFLOW + UINT32_C(64))

struct model {
	struct codectl_row_table table;
	size_t capacity;
	size_t count;
	size_t slow_count;
	uint32_t interned;
	uint32_t pcs[CAPACITY_MAX];
	struct codectl_rule rules[CAPACITY_MAX];
};

/* What is not kept apart: nothing is known, whatever else the bits say. */
static struct codectl_rule normal(struct codectl_rule rule)
{
	if (codectl_rule_kind(rule) == CODECTL_RULE_NONE)
		return codectl_rule_make_bare(CODECTL_RULE_NONE, false);
	return rule;
}

static uint16_t intern(struct model *model, struct codectl_rule rule)
{
	struct codectl_row_table *table = &model->table;
	size_t before = table->rule_count;
	uint16_t id = codectl_row_table_intern(table, rule);

	FUZZ_CHECK(codectl_row_table_intern(table, rule) == id);
	FUZZ_CHECK(table->rule_count - before <= 1);
	if (id == CODECTL_RULE_ID_OVERFLOW)
		FUZZ_CHECK(table->rule_count == CODECTL_RULE_ID_OVERFLOW &&
			   codectl_rule_is_slow(codectl_row_table_rule(table, id)));
	else
		FUZZ_CHECK(codectl_row_table_rule(table, id).bits == normal(rule).bits);
	return id;
}

static void append(struct model *model, uint32_t distance, struct codectl_rule rule, bool by_rule)
{
	struct codectl_row_table *table = &model->table;
	uint32_t pc = model->count ? model->pcs[model->count - 1] : 0;
	uint16_t id;
	int ret;

	pc = distance > UINT32_MAX - pc ? UINT32_MAX : pc + distance;
	if (by_rule)
		ret = codectl_row_table_append_rule(table, pc, rule);
	id = intern(model, rule);
	if (!by_rule)
		ret = codectl_row_table_append(table, pc, id);
	FUZZ_CHECK(ret == (model->count == model->capacity ? -ENOMEM : 0));
	if (ret == 0) {
		FUZZ_CHECK(table->pcs[model->count] == pc && table->ids[model->count] == id);
		model->pcs[model->count] = pc;
		model->rules[model->count] = codectl_row_table_rule(table, id);
		model->slow_count += codectl_rule_is_slow(model->rules[model->count]);
		model->count++;
	}
	FUZZ_CHECK(table->count == model->count && table->slow_count == model->slow_count);
}

static void search(const struct model *model, uint32_t pc, size_t first, size_t last)
{
	size_t expected, found;

	if (!model->count)
		return;
	last %= model->count;
	first = first > last ? last : first;
	expected = first;
	for (size_t row = first; row <= last; row++) {
		if (model->pcs[row] <= pc)
			expected = row;
	}
	found = codectl_row_table_search(&model->table, first, last, pc);
	FUZZ_CHECK(found == expected);
	FUZZ_CHECK(codectl_row_table_rule(&model->table, model->table.ids[found]).bits ==
		   model->rules[expected].bits);
}

/* Each part of a rule comes out as it went in. */
static void check_packing(struct codectl_rule bits)
{
	enum codectl_rule_kind kind = codectl_rule_kind(bits);
	struct codectl_rule rule = codectl_rule_make(
		kind, codectl_rule_cfa(bits), codectl_rule_fp_kind(bits), codectl_rule_fp(bits));
	unsigned int origin = codectl_rule_origin(bits);

	FUZZ_CHECK(codectl_rule_kind(rule) == kind);
	FUZZ_CHECK(codectl_rule_cfa(rule) == codectl_rule_cfa(bits));
	FUZZ_CHECK(codectl_rule_fp_kind(rule) == codectl_rule_fp_kind(bits));
	FUZZ_CHECK(codectl_rule_fp(rule) == codectl_rule_fp(bits));
	FUZZ_CHECK(!codectl_rule_is_signal(rule) && codectl_rule_origin(rule) == 0);
	FUZZ_CHECK(!codectl_rule_is_fast(rule) || !codectl_rule_is_slow(rule));
	rule = codectl_rule_with_origin(rule, origin);
	FUZZ_CHECK(codectl_rule_origin(rule) == origin && codectl_rule_kind(rule) == kind);
	FUZZ_CHECK(codectl_rule_with_origin(bits, origin).bits == bits.bits);
	FUZZ_CHECK(codectl_rule_is_signal(codectl_rule_make_bare(kind, true)));
}

static struct codectl_rule read_rule(struct codectl_reader *input)
{
	struct codectl_rule rule = {codectl_reader_u64(input)};

	check_packing(rule);
	return rule;
}

static struct codectl_rule known_rule(const struct model *model, uint8_t row)
{
	return model->count ? model->rules[row % model->count] : (struct codectl_rule){row};
}

static void run(struct model *model, struct codectl_reader *input)
{
	uint32_t distance, number;
	struct codectl_rule rule;

	switch (codectl_reader_u8(input) % OPERATION_COUNT) {
	case APPEND_NEW:
		distance = codectl_reader_u16(input);
		append(model, distance, read_rule(input), false);
		break;
	case APPEND_KNOWN:
		distance = codectl_reader_u16(input);
		append(model, distance, known_rule(model, codectl_reader_u8(input)), false);
		break;
	case APPEND_FAR:
		distance = codectl_reader_u32(input);
		append(model, distance, known_rule(model, codectl_reader_u8(input)), false);
		break;
	case APPEND_RULE:
		distance = codectl_reader_u16(input);
		append(model, distance, read_rule(input), true);
		break;
	case INTERN_MANY:
		number = codectl_reader_u16(input);
		rule = read_rule(input);
		for (; number && model->interned < INTERN_MAX; number--, model->interned++) {
			codectl_row_table_intern(&model->table, rule);
			rule.bits++;
		}
		intern(model, rule);
		break;
	case SEARCH:
		number = codectl_reader_u32(input);
		distance = codectl_reader_u8(input);
		search(model, number, distance, codectl_reader_u8(input));
		break;
	default:
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct model model = {.count = 0};
	struct codectl_reader input;

	codectl_reader_init(&input, bytes, len);
	model.capacity = codectl_reader_u8(&input);
	FUZZ_CHECK(codectl_row_table_init(&model.table, model.capacity) == 0);
	while (codectl_reader_left(&input) > 0)
		run(&model, &input);
	for (size_t row = 0; row < model.count; row++) {
		search(&model, model.pcs[row], 0, model.count - 1);
		search(&model, model.pcs[row] - 1, 0, model.count - 1);
	}
	codectl_row_table_fini(&model.table);
	return 0;
}
