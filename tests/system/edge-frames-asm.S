/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Frames that no compiler makes, or that it makes when it likes.
 */
	.text

	.macro function name
	.globl \name
	.type \name, @function
\name:
	.endm

	.macro end name
	.size \name, . - \name
	.endm

/* The CFA in a register that is neither SP nor FP, around a call. */
	.macro cfa_in name, reg
	function \name
	.cfi_startproc
	push %\reg
	.cfi_def_cfa_offset 16
	.cfi_offset %\reg, -16
	mov %rsp, %\reg
	.cfi_def_cfa_register %\reg
	and $-256, %rsp
	sub $512, %rsp
	call spin
	mov %\reg, %rsp
	.cfi_def_cfa_register %rsp
	pop %\reg
	.cfi_def_cfa_offset 8
	.cfi_restore %\reg
	ret
	.cfi_endproc
	end \name
	.endm

	cfa_in cfa_in_rbx, rbx
	cfa_in cfa_in_r12, r12

/* r10 does not survive a call: it can only be found in the sampled frame. */
	function cfa_in_r10
	.cfi_startproc
	lea 8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and $-256, %rsp
	sub $512, %rsp
	mov $100000, %ecx
1:	pause
	dec %ecx
	jnz 1b
	lea -8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	end cfa_in_r10

/* The caller's FP saved and FP used for something else, and back. */
	function pushes_and_pops
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	push %r12
	.cfi_offset %r12, -24
	push %rbx
	.cfi_offset %rbx, -32
	xor %ebx, %ebx
	pop %rbx
	pop %r12
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	end pushes_and_pops

	function pushes_without_fp
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	xor %ebp, %ebp
	push %r15
	.cfi_def_cfa_offset 24
	.cfi_offset %r15, -24
	push %r14
	.cfi_def_cfa_offset 32
	.cfi_offset %r14, -32
	pop %r14
	.cfi_def_cfa_offset 24
	pop %r15
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	end pushes_without_fp

/*
 * What gcc makes of a realigned frame, but slower: behind `leave` rbp is the
 * caller's, and the unwind information still says where that is saved.
 */
	function realigned_and_left
	.cfi_startproc
	lea 8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and $-64, %rsp
	push -8(%r10)
	push %rbp
	mov %rsp, %rbp
	.cfi_escape 0x10, 6, 2, 0x76, 0
	push %r10
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6
	mov -8(%rbp), %r10
	leave
	.cfi_def_cfa %r10, 0
	mov $50000, %ecx
1:	pause
	dec %ecx
	jnz 1b
	lea -8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	mov $50000, %ecx
1:	pause
	dec %ecx
	jnz 1b
	ret
	.cfi_endproc
	end realigned_and_left

/* Calls it with an FP whose caller has one. */
	function calls_with_fp
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call realigned_and_left
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	end calls_with_fp

	function left_frames
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call calls_with_fp
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	end left_frames

/* Ends with the call: its return address is another function's. */
	function ends_with_call
	.cfi_startproc
	sub $24, %rsp
	.cfi_def_cfa_offset 32
	call spin_and_leave
	.cfi_endproc
	end ends_with_call

	function behind_ends_with_call
	.cfi_startproc
	.cfi_def_cfa_offset 4096
	ud2
	.cfi_endproc
	end behind_ends_with_call

/* Nothing is known of what follows. */
	function leaf_without_cfi
	mov $100000, %ecx
1:	pause
	dec %ecx
	jnz 1b
	ret
	end leaf_without_cfi

	function pushing_leaf_without_cfi
	push %rbx
	push %r12
	sub $40, %rsp
	mov $100000, %ecx
1:	pause
	dec %ecx
	jnz 1b
	add $40, %rsp
	pop %r12
	pop %rbx
	ret
	end pushing_leaf_without_cfi

/* FP leads to a frame without a return address: 0x1111… is none. */
	function corrupted_fp
	push %rbp
	sub $48, %rsp
	movabs $0x1111111111111111, %rax
	mov %rax, 16(%rsp)
	mov %rax, 24(%rsp)
	lea 16(%rsp), %rbp
	call spin
	add $48, %rsp
	pop %rbp
	ret
	end corrupted_fp

/* FP leads to a frame that names itself as its caller. */
	function endless_fp
	push %rbp
	sub $48, %rsp
	lea 16(%rsp), %rbp
	mov %rbp, 16(%rsp)
	lea 1f(%rip), %rax
	mov %rax, 24(%rsp)
	call spin
1:	add $48, %rsp
	pop %rbp
	ret
	end endless_fp

	.section .note.GNU-stack, "", @progbits
