/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/unwind.h"

static const char *const end_names[CODECTL_STACK_END_COUNT] = {
	[CODECTL_STACK_END_OUTERMOST] = "outermost",
	[CODECTL_STACK_END_TRUNCATED] = "truncated",
	[CODECTL_STACK_END_NO_MAP] = "no-map",
	[CODECTL_STACK_END_NO_RULE] = "no-rule",
	[CODECTL_STACK_END_STACK_SWITCH] = "stack-switch",
	[CODECTL_STACK_END_NO_PROGRESS] = "no-progress",
	[CODECTL_STACK_END_DEPTH] = "depth",
	[CODECTL_STACK_END_BAD_RULE] = "bad-rule",
};

static const char *const via_names[CODECTL_FRAME_VIA_COUNT] = {
	[CODECTL_FRAME_VIA_REGS] = "regs",
	[CODECTL_FRAME_VIA_JIT] = "jit",
	[CODECTL_FRAME_VIA_EH_FRAME] = "eh_frame",
	[CODECTL_FRAME_VIA_DEBUG_FRAME] = "debug_frame",
	[CODECTL_FRAME_VIA_SFRAME] = "sframe",
	[CODECTL_FRAME_VIA_FP] = "fp",
	[CODECTL_FRAME_VIA_SCAN] = "scan",
	[CODECTL_FRAME_VIA_INLINE] = "inline",
};

const char *codectl_stack_end_name(enum codectl_stack_end end)
{
	return (unsigned int)end < CODECTL_STACK_END_COUNT ? end_names[end] : "";
}

const char *codectl_frame_via_name(enum codectl_frame_via via)
{
	return (unsigned int)via < CODECTL_FRAME_VIA_COUNT ? via_names[via] : "";
}
