/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/jump.h: a function that stands before another one and is gone from the
 * stack when that runs, with all arguments where the caller has put them, however
 * many there are. In assembly, for no compiler promises a tail call at each
 * optimization level, and none passes arguments on that it does not know of.
 */
#ifndef CODECTL_PROVIDER_JUMP_H
#define CODECTL_PROVIDER_JUMP_H

/*
 * Defines and exports the function @name, which calls @before (a hidden function
 * with the same arguments in registers, that returns an address) and jumps to what that
 * returns. It is as async-signal-safe as @before. Saves all registers that pass
 * arguments; the stack is a multiple of 16 at the call.
 */
#define CODECTL_DEFINE_JUMP(name, before)         \
	__asm__(".pushsection .text\n"            \
		".globl " name "\n"               \
		".type " name ", @function\n"     \
		".hidden " before "\n" name ":\n" \
		".cfi_startproc\n"                \
		"endbr64\n"                       \
		"pushq %rdi\n"                    \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %rsi\n"                    \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %rdx\n"                    \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %rcx\n"                    \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %r8\n"                     \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %r9\n"                     \
		".cfi_adjust_cfa_offset 8\n"      \
		"pushq %rax\n"                    \
		".cfi_adjust_cfa_offset 8\n"      \
		"call " before "\n"               \
		"movq %rax, %r11\n"               \
		"popq %rax\n"                     \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %r9\n"                      \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %r8\n"                      \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %rcx\n"                     \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %rdx\n"                     \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %rsi\n"                     \
		".cfi_adjust_cfa_offset -8\n"     \
		"popq %rdi\n"                     \
		".cfi_adjust_cfa_offset -8\n"     \
		"jmpq *%r11\n"                    \
		".cfi_endproc\n"                  \
		".size " name ", . - " name "\n"  \
		".popsection\n")

#endif /* CODECTL_PROVIDER_JUMP_H */
