/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/dwarf-expr.h"

#include "format/dwarf-constants.h"
#include "format/reader.h"

#include <errno.h>
#include <stdbool.h>

#define STACK_MAX 64
/* Compilers emit about ten operations; loops exist only in theory. */
#define STEP_MAX 4096

struct machine {
	const struct codectl_dwarf_expr_context *context;
	struct codectl_reader reader;
	size_t depth;
	uint64_t stack[STACK_MAX];
};

static int push(struct machine *machine, uint64_t value)
{
	if (machine->depth == STACK_MAX)
		return -EINVAL;
	machine->stack[machine->depth++] = value;
	return 0;
}

/* Pushes a copy of the value @index below the top. */
static int push_copy(struct machine *machine, size_t index)
{
	if (index >= machine->depth)
		return -EINVAL;
	return push(machine, machine->stack[machine->depth - 1 - index]);
}

static int push_reg(struct machine *machine, uint64_t reg, int64_t offset)
{
	const struct codectl_dwarf_expr_context *context = machine->context;

	if (machine->reader.is_failed)
		return -EINVAL;
	if (reg >= context->reg_count || !(context->reg_mask >> reg & 1))
		return -ENODATA;
	return push(machine, context->regs[reg] + (uint64_t)offset);
}

/* Replaces the address on top by what is there. */
static int deref(struct machine *machine, size_t size)
{
	uint64_t *top;

	if (machine->reader.is_failed || machine->depth == 0 || size < 1 || size > 8)
		return -EINVAL;
	top = &machine->stack[machine->depth - 1];
	return machine->context->read_memory(machine->context->user, *top, size, top);
}

static int jump(struct machine *machine, int16_t distance)
{
	int64_t target = (int64_t)machine->reader.offset + distance;

	if (machine->reader.is_failed || target < 0)
		return -EINVAL;
	codectl_reader_seek(&machine->reader, (size_t)target);
	return 0;
}

static int run_constant(struct machine *machine, uint8_t op)
{
	struct codectl_reader *reader = &machine->reader;
	uint64_t value;

	switch (op) {
	case DW_OP_addr:
		value = codectl_reader_u64(reader) + machine->context->bias;
		break;
	case DW_OP_const1u:
		value = codectl_reader_u8(reader);
		break;
	case DW_OP_const1s:
		value = (uint64_t)(int8_t)codectl_reader_u8(reader);
		break;
	case DW_OP_const2u:
		value = codectl_reader_u16(reader);
		break;
	case DW_OP_const2s:
		value = (uint64_t)(int16_t)codectl_reader_u16(reader);
		break;
	case DW_OP_const4u:
		value = codectl_reader_u32(reader);
		break;
	case DW_OP_const4s:
		value = (uint64_t)(int32_t)codectl_reader_u32(reader);
		break;
	case DW_OP_const8u:
	case DW_OP_const8s:
		value = codectl_reader_u64(reader);
		break;
	case DW_OP_constu:
		value = codectl_reader_uleb128(reader);
		break;
	default: /* DW_OP_consts */
		value = (uint64_t)codectl_reader_sleb128(reader);
		break;
	}
	return push(machine, value);
}

static int run_stack(struct machine *machine, uint8_t op)
{
	uint64_t *top = machine->stack + machine->depth;
	uint64_t value;

	switch (op) {
	case DW_OP_dup:
		return push_copy(machine, 0);
	case DW_OP_over:
		return push_copy(machine, 1);
	case DW_OP_pick:
		return push_copy(machine, codectl_reader_u8(&machine->reader));
	case DW_OP_drop:
		if (machine->depth < 1)
			return -EINVAL;
		machine->depth--;
		return 0;
	case DW_OP_swap:
		if (machine->depth < 2)
			return -EINVAL;
		value = top[-1];
		top[-1] = top[-2];
		top[-2] = value;
		return 0;
	default: /* DW_OP_rot: the top becomes the third. */
		if (machine->depth < 3)
			return -EINVAL;
		value = top[-1];
		top[-1] = top[-2];
		top[-2] = top[-3];
		top[-3] = value;
		return 0;
	}
}

static int run_unary(struct machine *machine, uint8_t op)
{
	uint64_t *top;

	if (machine->depth < 1)
		return -EINVAL;
	top = &machine->stack[machine->depth - 1];
	switch (op) {
	case DW_OP_abs:
		if (*top >> 63)
			*top = -*top;
		break;
	case DW_OP_neg:
		*top = -*top;
		break;
	case DW_OP_not:
		*top = ~*top;
		break;
	default: /* DW_OP_plus_uconst */
		*top += codectl_reader_uleb128(&machine->reader);
		break;
	}
	return 0;
}

/* Division is signed, the remainder is not; see DWARF 5, 2.5.1.4. */
static int divide(uint8_t op, uint64_t left, uint64_t right, uint64_t *value)
{
	if (right == 0)
		return -EINVAL;
	if (op == DW_OP_mod)
		*value = left % right;
	else if (right == UINT64_MAX)
		*value = -left; /* As the machine would, but without its trap. */
	else
		*value = (uint64_t)((int64_t)left / (int64_t)right);
	return 0;
}

static uint64_t shift(uint8_t op, uint64_t value, uint64_t count)
{
	if (op == DW_OP_shra)
		return (uint64_t)((int64_t)value >> (count < 64 ? count : 63));
	if (count >= 64)
		return 0;
	return op == DW_OP_shl ? value << count : value >> count;
}

static bool compare(uint8_t op, int64_t left, int64_t right)
{
	switch (op) {
	case DW_OP_eq:
		return left == right;
	case DW_OP_ge:
		return left >= right;
	case DW_OP_gt:
		return left > right;
	case DW_OP_le:
		return left <= right;
	case DW_OP_lt:
		return left < right;
	default: /* DW_OP_ne */
		return left != right;
	}
}

static int run_binary(struct machine *machine, uint8_t op)
{
	uint64_t left, right, *value;
	int ret = 0;

	if (machine->depth < 2)
		return -EINVAL;
	right = machine->stack[--machine->depth];
	value = &machine->stack[machine->depth - 1];
	left = *value;
	switch (op) {
	case DW_OP_and:
		*value = left & right;
		break;
	case DW_OP_or:
		*value = left | right;
		break;
	case DW_OP_xor:
		*value = left ^ right;
		break;
	case DW_OP_plus:
		*value = left + right;
		break;
	case DW_OP_minus:
		*value = left - right;
		break;
	case DW_OP_mul:
		*value = left * right;
		break;
	case DW_OP_div:
	case DW_OP_mod:
		ret = divide(op, left, right, value);
		break;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		*value = shift(op, left, right);
		break;
	default:
		*value = compare(op, (int64_t)left, (int64_t)right);
		break;
	}
	return ret;
}

static int run_branch(struct machine *machine)
{
	int16_t distance = (int16_t)codectl_reader_u16(&machine->reader);

	if (machine->depth < 1)
		return -EINVAL;
	return machine->stack[--machine->depth] ? jump(machine, distance) : 0;
}

static int run_one(struct machine *machine, uint8_t op)
{
	struct codectl_reader *reader = &machine->reader;
	uint64_t reg;

	switch (op) {
	case DW_OP_lit0 ... DW_OP_lit31:
		return push(machine, op - DW_OP_lit0);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_reg(machine, op - DW_OP_breg0, codectl_reader_sleb128(reader));
	case DW_OP_bregx:
		reg = codectl_reader_uleb128(reader);
		return push_reg(machine, reg, codectl_reader_sleb128(reader));
	case DW_OP_addr:
	case DW_OP_const1u ... DW_OP_consts:
		return run_constant(machine, op);
	case DW_OP_dup ... DW_OP_rot:
		return run_stack(machine, op);
	case DW_OP_deref:
		return deref(machine, 8);
	case DW_OP_deref_size:
		return deref(machine, codectl_reader_u8(reader));
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return run_unary(machine, op);
	case DW_OP_and:
	case DW_OP_div ... DW_OP_mul:
	case DW_OP_or ... DW_OP_plus:
	case DW_OP_shl ... DW_OP_xor:
	case DW_OP_eq ... DW_OP_ne:
		return run_binary(machine, op);
	case DW_OP_skip:
		return jump(machine, (int16_t)codectl_reader_u16(reader));
	case DW_OP_bra:
		return run_branch(machine);
	case DW_OP_nop:
		return 0;
	default:
		/* Locations, other address spaces, types, calls: no meaning in CFI. */
		return -EINVAL;
	}
}

int codectl_dwarf_expr_evaluate(const struct codectl_dwarf_expr_context *context,
	const uint8_t *expr, size_t len, const uint64_t *initial, uint64_t *result)
{
	struct machine machine;
	int ret;

	machine.context = context;
	machine.depth = 0;
	codectl_reader_init(&machine.reader, expr, len);
	if (initial)
		machine.stack[machine.depth++] = *initial;
	for (unsigned int step = 0; codectl_reader_left(&machine.reader) > 0; step++) {
		if (step == STEP_MAX)
			return -EINVAL;
		ret = run_one(&machine, codectl_reader_u8(&machine.reader));
		if (ret)
			return ret;
	}
	if (machine.reader.is_failed || machine.depth == 0)
		return -EINVAL;
	*result = machine.stack[machine.depth - 1];
	return 0;
}
