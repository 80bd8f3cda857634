/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/walk.h"

/* What Linux gives a thread by default. No single frame is larger in practice. */
#define STACK_SIZE_DEFAULT (UINT64_C(8) << 20)

enum codectl_stack_end codectl_walk_end_at(
	const struct codectl_walk *walk, uint64_t sp, uint64_t cfa, int error)
{
	const struct codectl_stack *stack = &walk->stack;

	if (cfa < stack->start)
		return CODECTL_STACK_END_STACK_SWITCH;
	if (cfa <= sp)
		return CODECTL_STACK_END_NO_PROGRESS;
	if (error == -ENODATA)
		return CODECTL_STACK_END_NO_MAP;
	if (cfa - stack->start > stack->len + STACK_SIZE_DEFAULT)
		return CODECTL_STACK_END_STACK_SWITCH;
	return CODECTL_STACK_END_TRUNCATED;
}
