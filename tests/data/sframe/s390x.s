/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Frames of s390x: saved on the stack, in floating-point registers, by another base.
 */
	.text
	.type f,@function
f:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	lmg %r11,%r15,248(%r11)
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa 15,160
	br %r14
	.cfi_endproc
	.size f,.-f
	.type g,@function
g:	.cfi_startproc
	ldgr %f0,%r14
	.cfi_register 14,16
	ldgr %f2,%r11
	.cfi_register 11,17
	lgdr %r14,%f0
	.cfi_restore 14
	br %r14
	.cfi_endproc
	.size g,.-g
	.type h,@function
h:	.cfi_startproc
	lgr %r1,%r15
	.cfi_def_cfa 1,160
	br %r14
	.cfi_endproc
	.size h,.-h
	.type o,@function
o:	.cfi_startproc
	.cfi_undefined 14
	nop
	.cfi_endproc
	.size o,.-o
