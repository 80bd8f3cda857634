/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * A function for each thing that .sframe can, or cannot, say on amd64.
 */
	.text
	.globl plain
	.type plain,@function
plain:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register 6
	call ext@plt
	pop %rbp
	.cfi_def_cfa 7,8
	ret
	.cfi_endproc
	.size plain,.-plain
	.type drap,@function
drap:	.cfi_startproc
	lea 8(%rsp),%r10
	.cfi_def_cfa 10,0
	and $-32,%rsp
	pushq -8(%r10)
	push %rbp
	mov %rsp,%rbp
	.cfi_escape 0x10,0x6,0x2,0x76,0
	push %r10
	.cfi_escape 0xf,0x3,0x76,0x78,0x6
	nop
	leave
	.cfi_def_cfa 10,0
	lea -8(%r10),%rsp
	.cfi_def_cfa 7,8
	ret
	.cfi_endproc
	.size drap,.-drap
	.type sig,@function
sig:	.cfi_startproc
	.cfi_signal_frame
	nop
	nop
	.cfi_endproc
	.size sig,.-sig
	.type sigexp,@function
sigexp:	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f,0x04,0x77,0xa0,0x01,0x06
	.cfi_escape 0x10,0x06,0x03,0x77,0xf8,0x00
	.cfi_escape 0x10,0x10,0x03,0x77,0xa8,0x01
	nop
	nop
	.cfi_endproc
	.size sigexp,.-sigexp
	.type outer,@function
outer:	.cfi_startproc
	.cfi_undefined 16
	nop
	nop
	.cfi_endproc
	.size outer,.-outer
	.type late,@function
late:	.cfi_startproc
	nop
	.cfi_undefined 16
	nop
	.cfi_endproc
	.size late,.-late
	.type big,@function
big:	.cfi_startproc
	sub $100000,%rsp
	.cfi_adjust_cfa_offset 100000
	nop
	add $100000,%rsp
	.cfi_adjust_cfa_offset -100000
	ret
	.cfi_endproc
	.size big,.-big
	.type rax_ra,@function
rax_ra:	.cfi_startproc
	pop %rdi
	.cfi_def_cfa_offset 0
	.cfi_register 16,5
	nop
	jmp *%rdi
	.cfi_endproc
	.size rax_ra,.-rax_ra
	.type rbxcfa,@function
rbxcfa:	.cfi_startproc
	mov %rsp,%rbx
	.cfi_def_cfa 3,8
	nop
	ret
	.cfi_endproc
	.size rbxcfa,.-rbxcfa
	.section .note.GNU-stack,"",@progbits
