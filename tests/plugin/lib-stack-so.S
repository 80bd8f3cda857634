/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * A library of three functions that call each other, with frames of known size:
 * the tests make samples in it by hand.
 */
	.text
	.globl stack_leaf
	.type stack_leaf, @function
stack_leaf:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size stack_leaf, . - stack_leaf

	.globl stack_middle
	.type stack_middle, @function
stack_middle:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call stack_leaf
	.globl stack_middle_return
stack_middle_return:
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size stack_middle, . - stack_middle

	.globl stack_outermost
	.type stack_outermost, @function
stack_outermost:
	.cfi_startproc
	.cfi_undefined rip
	call stack_middle
	.globl stack_outermost_return
stack_outermost_return:
	hlt
	.cfi_endproc
	.size stack_outermost, . - stack_outermost

	.section .note.GNU-stack,"",@progbits
