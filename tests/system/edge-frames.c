/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-frames: calls what edge-frames-asm.S has, and frames of unusual shape
 * or size. Usage: edge-frames MS
 */
#include "edge.h"

#include <setjmp.h>
#include <string.h>

void cfa_in_rbx(void);
void cfa_in_r10(void);
void cfa_in_r12(void);
void pushes_and_pops(void);
void pushes_without_fp(void);
void left_frames(void);
void ends_with_call(void);
void leaf_without_cfi(void);
void pushing_leaf_without_cfi(void);
void corrupted_fp(void);
void endless_fp(void);
void spin_and_leave(void) __attribute__((noreturn));

static jmp_buf left;

NOINLINE void spin_and_leave(void)
{
	spin();
	longjmp(left, 1);
}

static NOINLINE void no_return(void)
{
	if (!setjmp(left))
		ends_with_call();
	NO_TAIL_CALL();
}

/* Locals aligned by more than the stack is, and arguments on the stack: a realigned frame. */
static NOINLINE int realigned(int a, int b, int c, int d, int e, int f, int g, int h)
{
	volatile int aligned[64] __attribute__((aligned(128)));

	aligned[0] = a + b + c + d + e + f;
	spin();
	return aligned[0] + g + h;
}

static NOINLINE void calls_realigned(void)
{
	volatile int sum = realigned(1, 2, 3, 4, 5, 6, 7, 8);

	(void)sum;
}

/* A frame whose size only the running program knows. */
static NOINLINE void variable(size_t size)
{
	volatile char *block = __builtin_alloca(size);

	block[0] = 1;
	spin();
	block[size - 1] = 1;
}

static NOINLINE void calls_variable(void)
{
	static size_t size;

	size = (size + 16) % 4096;
	variable(size + 1);
	NO_TAIL_CALL();
}

/* A stack far deeper than what is captured of it. */
static NOINLINE void deep(int levels)
{
	volatile char block[4000];

	block[0] = (char)levels;
	if (levels > 0)
		deep(levels - 1);
	else
		spin();
	block[1] = block[0];
}

static NOINLINE void calls_deep(void)
{
	deep(150);
	NO_TAIL_CALL();
}

static NOINLINE void prologues(void)
{
	for (int i = 0; i < 20000; i++) {
		pushes_and_pops();
		pushes_without_fp();
	}
}

PHASE(cfa_in_rbx)
PHASE(cfa_in_r10)
PHASE(cfa_in_r12)
PHASE(prologues)
PHASE(no_return)
PHASE(calls_realigned)
PHASE(left_frames)
PHASE(calls_variable)
PHASE(leaf_without_cfi)
PHASE(pushing_leaf_without_cfi)
PHASE(corrupted_fp)
PHASE(endless_fp)
PHASE(calls_deep)

int main(int argc, char **argv)
{
	edge_take_budget(argc, argv);
	phase_cfa_in_rbx();
	phase_cfa_in_r10();
	phase_cfa_in_r12();
	phase_prologues();
	phase_no_return();
	phase_calls_realigned();
	phase_left_frames();
	phase_calls_variable();
	phase_leaf_without_cfi();
	phase_pushing_leaf_without_cfi();
	phase_corrupted_fp();
	phase_endless_fp();
	phase_calls_deep();
	return 0;
}
