/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/dwarf-expr.h: evaluates the DWARF expressions of call frame
 * information (DWARF 5, section 2.5; 6.4.2 says which operations have no
 * meaning there). Expressions are untrusted: stack and steps are bounded.
 * Owns nothing, allocates nothing; async-signal-safe if the callback is.
 */
#ifndef CODECTL_FORMAT_DWARF_EXPR_H
#define CODECTL_FORMAT_DWARF_EXPR_H

#include <stddef.h>
#include <stdint.h>

struct codectl_dwarf_expr_context {
	const uint64_t *regs; /* Weak; by DWARF number. */
	size_t reg_count;     /* At most 64. */
	uint64_t reg_mask;    /* Bit i: the value of register i is known. */
	uint64_t bias;	      /* Added to DW_OP_addr: from vaddr to address. */
	/*
	 * Reads @size (1 to 8) bytes at @address as a little-endian number.
	 * Returns 0, -EFAULT (beyond what was captured) or -ENODATA (within, but
	 * not kept).
	 */
	int (*read_memory)(void *user, uint64_t address, size_t size, uint64_t *value);
	void *user;
};

/*
 * Evaluates the @len bytes at @expr. If @initial is not NULL, *@initial is on
 * the stack at the start (the CFA, in register rules). Returns 0 with the top of
 * the stack in *@result, -EINVAL (malformed, endless or not allowed here),
 * -ENODATA (needs a register whose value is not known) or what read_memory()
 * returned.
 */
int codectl_dwarf_expr_evaluate(const struct codectl_dwarf_expr_context *context,
	const uint8_t *expr, size_t len, const uint64_t *initial, uint64_t *result);

#endif /* CODECTL_FORMAT_DWARF_EXPR_H */
