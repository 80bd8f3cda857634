/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Frames of aarch64: signed return addresses, RA alone, FP alone.
 */
	.text
	.type f,@function
f:	.cfi_startproc
	.cfi_b_key_frame
	paciasp
	.cfi_negate_ra_state
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	ldp x29,x30,[sp],32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31,0
	autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size f,.-f
	.type g,@function
g:	.cfi_startproc
	sub sp,sp,16
	.cfi_def_cfa_offset 16
	str x30,[sp]
	.cfi_offset 30,-16
	nop
	.cfi_endproc
	.size g,.-g
	.type h,@function
h:	.cfi_startproc
	sub sp,sp,4096
	.cfi_def_cfa_offset 4096
	str x29,[sp]
	.cfi_offset 29,-4096
	nop
	.cfi_endproc
	.size h,.-h
