/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "format/dwarf-constants.h"
#include "format/dwarf-expr.h"

#include <errno.h>
#include <stdlib.h>

#define MEMORY_START 0x7000

/* Memory holds the bytes 1, 2, 3 … from MEMORY_START on; the word at 0x7010 was not kept. */
static int read_memory(void *user, uint64_t address, size_t size, uint64_t *value)
{
	(void)user;
	if (address < MEMORY_START || address >= MEMORY_START + 32)
		return -EFAULT;
	if (address >= MEMORY_START + 16 && address < MEMORY_START + 24)
		return -ENODATA;
	*value = 0;
	for (size_t i = 0; i < size; i++)
		*value |= (address - MEMORY_START + i + 1) << (8 * i);
	return 0;
}

static const uint64_t regs[17] = {100, 101, [7] = 0x7008, [16] = 0x401000};

static int evaluate(const uint8_t *expr, size_t len, const uint64_t *initial, uint64_t *result)
{
	const struct codectl_dwarf_expr_context context = {
		.regs = regs,
		.reg_count = 17,
		.reg_mask = 1 << 0 | 1 << 1 | 1 << 7 | 1 << 16,
		.bias = 0x10000,
		.read_memory = read_memory,
	};

	return codectl_dwarf_expr_evaluate(&context, expr, len, initial, result);
}

#define EXPR(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

#define CHECK_VALUE(expected, ...)                                       \
	do {                                                             \
		uint64_t value;                                          \
		CHECK_INT(evaluate(EXPR(__VA_ARGS__), NULL, &value), 0); \
		CHECK_HEX(value, (uint64_t)(expected));                  \
	} while (0)

#define CHECK_ERROR(error, ...)                                              \
	do {                                                                 \
		uint64_t value;                                              \
		CHECK_INT(evaluate(EXPR(__VA_ARGS__), NULL, &value), error); \
	} while (0)

#define LIT(n)	  (DW_OP_lit0 + (n))
#define BREG(n)	  (DW_OP_breg0 + (n))
#define MINUS_ONE DW_OP_const1s, 0xff

TEST(constants)
{
	CHECK_VALUE(0, LIT(0));
	CHECK_VALUE(31, LIT(31));
	CHECK_VALUE(0x12345678 + 0x10000, DW_OP_addr, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0);
	CHECK_VALUE(0xfe, DW_OP_const1u, 0xfe);
	CHECK_VALUE(-2, DW_OP_const1s, 0xfe);
	CHECK_VALUE(0xfffe, DW_OP_const2u, 0xfe, 0xff);
	CHECK_VALUE(-2, DW_OP_const2s, 0xfe, 0xff);
	CHECK_VALUE(0xfffffffe, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff);
	CHECK_VALUE(-2, DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff);
	CHECK_VALUE(UINT64_C(0x8000000000000001), DW_OP_const8u, 1, 0, 0, 0, 0, 0, 0, 0x80);
	CHECK_VALUE(INT64_MIN + 1, DW_OP_const8s, 1, 0, 0, 0, 0, 0, 0, 0x80);
	CHECK_VALUE(624485, DW_OP_constu, 0xe5, 0x8e, 0x26);
	CHECK_VALUE(-128, DW_OP_consts, 0x80, 0x7f);
}

TEST(registers)
{
	CHECK_VALUE(98, BREG(0), 0x7e);
	CHECK_VALUE(0x401000 + 300, BREG(16), 0xac, 0x02);
	CHECK_VALUE(102, DW_OP_bregx, 1, 1);
	CHECK_ERROR(-ENODATA, BREG(3), 0);
	CHECK_ERROR(-ENODATA, BREG(31), 0);
	CHECK_ERROR(-ENODATA, DW_OP_bregx, 0xff, 0x7f, 0);
}

TEST(memory)
{
	CHECK_VALUE(UINT64_C(0x100f0e0d0c0b0a09), BREG(7), 0, DW_OP_deref);
	CHECK_VALUE(0x0b0a09, BREG(7), 0, DW_OP_deref_size, 3);
	CHECK_ERROR(-ENODATA, BREG(7), 8, DW_OP_deref);
	CHECK_ERROR(-EFAULT, BREG(7), 24, DW_OP_deref);
	CHECK_ERROR(-EINVAL, BREG(7), 0, DW_OP_deref_size, 0);
	CHECK_ERROR(-EINVAL, BREG(7), 0, DW_OP_deref_size, 9);
	CHECK_ERROR(-EINVAL, DW_OP_deref);
}

TEST(stack_operations)
{
	CHECK_VALUE(14, LIT(7), DW_OP_dup, DW_OP_plus);
	CHECK_VALUE(1, LIT(1), LIT(2), DW_OP_drop);
	CHECK_VALUE(1, LIT(1), LIT(2), DW_OP_over);
	CHECK_VALUE(1, LIT(1), LIT(2), LIT(3), DW_OP_pick, 2);
	CHECK_VALUE(1, LIT(1), LIT(2), DW_OP_swap);
	/* 1 2 3 becomes 3 1 2. */
	CHECK_VALUE(2, LIT(1), LIT(2), LIT(3), DW_OP_rot);
	CHECK_VALUE(1, LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop);
	CHECK_VALUE(3, LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop, DW_OP_drop);
	CHECK_ERROR(-EINVAL, DW_OP_dup);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_over);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_pick, 1);
	CHECK_ERROR(-EINVAL, DW_OP_drop);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_swap);
	CHECK_ERROR(-EINVAL, LIT(1), LIT(2), DW_OP_rot);
}

TEST(arithmetic)
{
	CHECK_VALUE(5, MINUS_ONE, LIT(4), DW_OP_minus, DW_OP_abs);
	CHECK_VALUE(5, LIT(5), DW_OP_abs);
	CHECK_VALUE(-5, LIT(5), DW_OP_neg);
	CHECK_VALUE(-6, LIT(5), DW_OP_not);
	CHECK_VALUE(305, LIT(5), DW_OP_plus_uconst, 0xac, 0x02);
	CHECK_VALUE(8, LIT(12), LIT(10), DW_OP_and);
	CHECK_VALUE(14, LIT(12), LIT(10), DW_OP_or);
	CHECK_VALUE(6, LIT(12), LIT(10), DW_OP_xor);
	CHECK_VALUE(22, LIT(12), LIT(10), DW_OP_plus);
	CHECK_VALUE(-2, LIT(10), LIT(12), DW_OP_minus);
	CHECK_VALUE(120, LIT(10), LIT(12), DW_OP_mul);
	CHECK_VALUE(-3, DW_OP_const1s, 0xf9, LIT(2), DW_OP_div);
	CHECK_VALUE(INT64_MIN, DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80, MINUS_ONE, DW_OP_div);
	CHECK_VALUE(1, LIT(7), LIT(3), DW_OP_mod);
	CHECK_VALUE(3, MINUS_ONE, LIT(12), DW_OP_mod);
	CHECK_VALUE(UINT64_MAX / 2, MINUS_ONE, LIT(1), DW_OP_shr);
	CHECK_VALUE(-1, MINUS_ONE, LIT(1), DW_OP_shra);
	CHECK_VALUE(-2, MINUS_ONE, LIT(1), DW_OP_shl);
	CHECK_VALUE(0, MINUS_ONE, DW_OP_const1u, 64, DW_OP_shl);
	CHECK_VALUE(0, MINUS_ONE, DW_OP_const1u, 64, DW_OP_shr);
	CHECK_VALUE(-1, MINUS_ONE, DW_OP_const1u, 200, DW_OP_shra);
	CHECK_ERROR(-EINVAL, LIT(1), LIT(0), DW_OP_div);
	CHECK_ERROR(-EINVAL, LIT(1), LIT(0), DW_OP_mod);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_plus);
	CHECK_ERROR(-EINVAL, DW_OP_neg);
}

/* Comparisons are signed. */
TEST(comparisons)
{
	CHECK_VALUE(1, LIT(1), LIT(1), DW_OP_eq);
	CHECK_VALUE(0, LIT(1), LIT(2), DW_OP_eq);
	CHECK_VALUE(1, LIT(1), LIT(2), DW_OP_ne);
	CHECK_VALUE(1, MINUS_ONE, LIT(0), DW_OP_lt);
	CHECK_VALUE(0, LIT(1), LIT(1), DW_OP_lt);
	CHECK_VALUE(1, LIT(1), LIT(1), DW_OP_le);
	CHECK_VALUE(1, LIT(0), MINUS_ONE, DW_OP_gt);
	CHECK_VALUE(0, LIT(1), LIT(1), DW_OP_gt);
	CHECK_VALUE(1, LIT(1), LIT(1), DW_OP_ge);
	CHECK_VALUE(0, MINUS_ONE, LIT(1), DW_OP_ge);
}

TEST(control_flow)
{
	CHECK_VALUE(1, LIT(1), DW_OP_skip, 1, 0, LIT(2), DW_OP_nop);
	CHECK_VALUE(1, LIT(1), LIT(1), DW_OP_bra, 1, 0, LIT(2));
	CHECK_VALUE(2, LIT(1), LIT(0), DW_OP_bra, 1, 0, LIT(2));
	/* Counts down from 5: dup, bra back to lit1, minus. */
	CHECK_VALUE(0, LIT(5), LIT(1), DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xfa, 0xff);
	/* Out of the expression, on either side. */
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_skip, 1, 0);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_skip, 0xfb, 0xff);
	/* Endless; and endless with a stack that grows. */
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_skip, 0xfd, 0xff);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_skip, 0xfc, 0xff);
}

TEST(initial_value)
{
	const uint64_t initial = 0x7000;
	uint64_t value;

	CHECK_INT(evaluate(EXPR(DW_OP_plus_uconst, 8), &initial, &value), 0);
	CHECK_HEX(value, 0x7008);
	CHECK_INT(evaluate(NULL, 0, &initial, &value), 0);
	CHECK_HEX(value, 0x7000);
	CHECK_INT(evaluate(NULL, 0, NULL, &value), -EINVAL);
}

/* Locations, calls, types and what other standards add. */
TEST(refused_operations)
{
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_reg0);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_fbreg, 0);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_xderef);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_call_frame_cfa);
	for (unsigned int op = 0x97; op <= 0xff; op++)
		CHECK_ERROR(-EINVAL, LIT(1), LIT(1), (uint8_t)op, 0, 0);
}

/* Operands cut short: an error, and no read beyond the bytes (ASan sees the allocation's end). */
TEST(truncated_operands)
{
	for (unsigned int op = 0; op <= 0xff; op++) {
		uint8_t *expr = malloc(3);
		uint64_t value;

		CHECK(expr);
		expr[0] = LIT(1);
		expr[1] = LIT(1);
		expr[2] = (uint8_t)op;
		evaluate(expr, 3, NULL, &value);
		free(expr);
	}
	CHECK_ERROR(-EINVAL, DW_OP_const1u);
	CHECK_ERROR(-EINVAL, DW_OP_const8u, 1, 2, 3);
	CHECK_ERROR(-EINVAL, DW_OP_constu, 0x80);
	CHECK_ERROR(-EINVAL, BREG(0), 0x80);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_plus_uconst);
	CHECK_ERROR(-EINVAL, LIT(1), DW_OP_bra, 0);
	CHECK_ERROR(-EINVAL, BREG(7), 0, DW_OP_deref_size);
}
