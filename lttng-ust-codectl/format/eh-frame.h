/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/eh-frame.h: finds the entries (CIEs and FDEs) of .eh_frame and
 * .debug_frame, and reads .eh_frame_hdr's search table. Nothing in them is
 * trusted. What an FDE says about each pc is format/cfa-program.h's business.
 * Owns nothing, allocates nothing; async-signal-safe.
 */
#ifndef CODECTL_FORMAT_EH_FRAME_H
#define CODECTL_FORMAT_EH_FRAME_H

#include "format/event.h"
#include "format/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets into sections are kept in 32 bits. */
#define CODECTL_CFI_SECTION_MAX ((size_t)INT32_MAX)

struct codectl_cfi_section {
	const uint8_t *bytes; /* Weak. */
	size_t len;	      /* At most CODECTL_CFI_SECTION_MAX. */
	uint64_t vaddr;
	bool is_debug_frame;
};

/* How the caller's value of a register is found. */
enum codectl_cfi_kind {
	CODECTL_CFI_UNSPECIFIED, /* As the ABI says. */
	CODECTL_CFI_UNDEFINED,
	CODECTL_CFI_SAME,
	CODECTL_CFI_OFFSET,	    /* In memory at CFA + value. */
	CODECTL_CFI_VAL_OFFSET,	    /* It is CFA + value. */
	CODECTL_CFI_REGISTER,	    /* It is in register `value`. */
	CODECTL_CFI_EXPRESSION,	    /* In memory where an expression says. */
	CODECTL_CFI_VAL_EXPRESSION, /* It is what an expression says. */
};

#define CODECTL_CFA_NO_REG 0xff

enum codectl_cfa_kind {
	CODECTL_CFA_UNSET,
	CODECTL_CFA_REGISTER,	/* cfa_reg + cfa_offset. */
	CODECTL_CFA_EXPRESSION, /* What cfa_expression says. */
};

/*
 * What holds at one pc, for the general registers and the return address.
 * Values of expression kinds are the offset in the section where the
 * expression is, with its length before it: see codectl_cfi_expression().
 */
struct codectl_cfi_rules {
	/* They keep the last values while an expression holds: a program may return to them. */
	int32_t cfa_offset;
	uint8_t cfa_reg;  /* CODECTL_CFA_NO_REG: never set. */
	uint8_t cfa_kind; /* enum codectl_cfa_kind. */
	int32_t cfa_expression;
	uint8_t kinds[CODECTL_AMD64_REG_COUNT]; /* enum codectl_cfi_kind. */
	int32_t values[CODECTL_AMD64_REG_COUNT];
};

/* A common information entry: what many FDEs share. */
struct codectl_cfi_cie {
	size_t offset; /* In the section; SIZE_MAX: none is known. */
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra_reg;
	uint8_t fde_encoding; /* DW_EH_PE_*. */
	bool has_augmentation_len;
	bool is_signal_frame;
	struct codectl_cfi_rules initial; /* What holds at an FDE's start. */
};

/* A frame description entry: the code in [start, start + size). */
struct codectl_cfi_fde {
	size_t offset; /* In the section. */
	uint64_t start;
	uint64_t size;	       /* Never 0, and start + size does not wrap. */
	size_t program_offset; /* Of its CFA program in the section. */
	size_t program_len;
};

/* Makes @cie empty, for the first call of the functions below. */
static inline void codectl_cfi_cie_init(struct codectl_cfi_cie *cie)
{
	cie->offset = SIZE_MAX;
}

/*
 * Reads the first FDE at or after *@offset, with its CIE (which is read only
 * if it is another than the one already in @cie), and moves *@offset behind
 * it. Returns 0, -ENOENT at the end of the section, or -EINVAL if an entry is
 * malformed: it has been stepped over (to the section's end if even its length
 * is wrong), and the next call goes on.
 */
int codectl_cfi_next_fde(const struct codectl_cfi_section *section, size_t *offset,
	struct codectl_cfi_cie *cie, struct codectl_cfi_fde *fde);

/*
 * Reads the FDE whose entry begins at @offset. As above, but returns -EINVAL
 * also if there is something else.
 */
int codectl_cfi_read_fde(const struct codectl_cfi_section *section, size_t offset,
	struct codectl_cfi_cie *cie, struct codectl_cfi_fde *fde);

/*
 * Reads a pointer in any encoding (DW_EH_PE_*) that means something without a
 * running process: @vaddr is that of the reader's start, @data_vaddr the base
 * of datarel (0: it has none). Fails the reader at the others: indirect,
 * textrel, funcrel, aligned.
 */
uint64_t codectl_cfi_read_pointer(
	struct codectl_reader *reader, uint8_t encoding, uint64_t vaddr, uint64_t data_vaddr);

/* The expression at @offset of the section. Returns its first byte, or NULL (malformed). */
const uint8_t *codectl_cfi_expression(
	const struct codectl_cfi_section *section, int32_t offset, size_t *len);

/* .eh_frame_hdr: where .eh_frame is, and a table of its FDEs sorted by start. */
struct codectl_eh_frame_hdr {
	uint64_t vaddr; /* Of the header itself: the table is relative to it. */
	uint64_t eh_frame_vaddr;
	const uint8_t *table; /* Weak; NULL if there is none that we can search. */
	size_t count;	      /* Entries in the table. */
};

/*
 * Reads the @len bytes of .eh_frame_hdr at @bytes, mapped at @vaddr. Returns 0
 * or -EINVAL.
 */
int codectl_eh_frame_hdr_init(
	struct codectl_eh_frame_hdr *hdr, const uint8_t *bytes, size_t len, uint64_t vaddr);

/* Entry @index, which must be below count: start of the code and vaddr of the FDE. */
void codectl_eh_frame_hdr_entry(
	const struct codectl_eh_frame_hdr *hdr, size_t index, uint64_t *start, uint64_t *fde_vaddr);

#endif /* CODECTL_FORMAT_EH_FRAME_H */
