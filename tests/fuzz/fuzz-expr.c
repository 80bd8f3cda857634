/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The evaluator of DWARF expressions, with memory that answers as it likes.
 * Input: u8 flags, u8 number of registers, u64 mask of the known ones, u64
 * initial value, u64 seed of registers and memory, then the expression.
 */
#include "fuzz/fuzz.h"

#include "format/dwarf-expr.h"

#include <errno.h>

#define HAS_INITIAL 1
#define REG_MAX	    64
/* format/dwarf-expr.h promises a bound, not this one: no real expression reads more. */
#define READ_MAX 4096

struct memory {
	uint64_t seed;
	size_t read_count;
};

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return value ^ value >> 29;
}

static int read_memory(void *user, uint64_t address, size_t size, uint64_t *value)
{
	struct memory *memory = user;
	uint64_t answer = mix(address ^ memory->seed);

	FUZZ_CHECK(size >= 1 && size <= 8);
	FUZZ_CHECK(++memory->read_count <= READ_MAX);
	if (memory->seed % 4 == 1 && answer % 8 == 0)
		return -EFAULT;
	if (memory->seed % 4 == 2 && answer % 8 == 0)
		return -ENODATA;
	*value = answer >> (64 - 8 * size);
	return 0;
}

static int evaluate(struct codectl_dwarf_expr_context *context, uint64_t seed, const uint8_t *expr,
	size_t len, const uint64_t *initial, uint64_t *result)
{
	struct memory memory = {.seed = seed};

	context->user = &memory;
	return codectl_dwarf_expr_evaluate(context, expr, len, initial, result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct codectl_reader input;

	codectl_reader_init(&input, bytes, len);

	uint8_t flags = codectl_reader_u8(&input);
	size_t reg_count = codectl_reader_u8(&input) % (REG_MAX + 1);
	struct codectl_dwarf_expr_context context = {
		.reg_count = reg_count,
		.reg_mask = codectl_reader_u64(&input),
		.read_memory = read_memory,
	};
	uint64_t initial = codectl_reader_u64(&input);
	uint64_t seed = codectl_reader_u64(&input);
	uint64_t *regs = fuzz_alloc(reg_count * sizeof(*regs));
	size_t expr_len;
	uint8_t *expr = fuzz_copy(&input, SIZE_MAX, &expr_len);
	const uint64_t *first = flags & HAS_INITIAL ? &initial : NULL;
	uint64_t result = 0, again = 0;

	for (size_t i = 0; i < reg_count; i++)
		regs[i] = mix(seed + i);
	context.regs = regs;
	context.bias = mix(seed);

	int ret = evaluate(&context, seed, expr, expr_len, first, &result);

	FUZZ_CHECK(ret == 0 || ret == -EINVAL || ret == -ENODATA || ret == -EFAULT);
	/* It has no state of its own. */
	FUZZ_CHECK(evaluate(&context, seed, expr, expr_len, first, &again) == ret);
	FUZZ_CHECK(ret || result == again);
	/* With nothing but the initial value, that is the result. */
	if (first && !expr_len)
		FUZZ_CHECK(ret == 0 && result == initial);
	free(expr);
	free(regs);
	return 0;
}
