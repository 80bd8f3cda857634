/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/sframe.h: reads .sframe sections of versions 1, 2 (with its errata)
 * and 3, for all machines they are made for: what each function description
 * entry (FDE) says about each pc, in one neutral form for all of them. What
 * that means on amd64 is format/sframe-amd64.h's business. Nothing in a section
 * is trusted. Owns nothing, allocates nothing; async-signal-safe if the
 * callback is.
 */
#ifndef CODECTL_FORMAT_SFRAME_H
#define CODECTL_FORMAT_SFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How ELF files mark it: the section's type (the newer linkers) and the segment's. */
#define CODECTL_SHT_GNU_SFRAME UINT32_C(0x6ffffff4)
#define CODECTL_PT_GNU_SFRAME  UINT32_C(0x6474e554)

/* Longer ones are refused. */
#define CODECTL_SFRAME_SECTION_MAX ((size_t)INT32_MAX)

/* Machine and byte order, as sections number them. */
enum codectl_sframe_abi {
	CODECTL_SFRAME_AARCH64_BE = 1,
	CODECTL_SFRAME_AARCH64_LE = 2,
	CODECTL_SFRAME_AMD64 = 3,
	CODECTL_SFRAME_S390X = 4,
};

struct codectl_sframe {
	const uint8_t *bytes; /* Weak. */
	size_t len;	      /* As the header says: what follows the section is not in it. */
	uint64_t vaddr;
	uint8_t version;
	uint8_t abi; /* enum codectl_sframe_abi. */
	bool is_big_endian;
	bool is_sorted; /* So it says. */
	bool is_start_pcrel;
	int8_t fixed_fp; /* Where FP always is from the CFA; 0: entries say. */
	int8_t fixed_ra; /* The same for the return address. */
	uint32_t fde_count;
	size_t fdes;	 /* Offset in the section. */
	size_t fde_size; /* Of one. */
	size_t fres;	 /* Offset in the section. */
	size_t fres_len;
};

/* A function. */
struct codectl_sframe_fde {
	uint64_t start;	    /* vaddr. */
	uint32_t size;	    /* start + size does not wrap. May be 0. */
	uint32_t block;	    /* Of repeated blocks: the size of each; else 0. */
	size_t fre_offset;  /* Of its first row in the section. */
	uint32_t fre_count; /* Rows. */
	uint8_t fre_type;   /* Offsets of code in rows have 1 << fre_type bytes. */
	bool is_flexible;   /* Rows name their base registers. */
	bool is_signal;	    /* What comes next was interrupted, not called. */
	bool has_pauth_key_b;
};

/* How a value of the caller is found. */
enum codectl_sframe_kind {
	CODECTL_SFRAME_SAME,   /* Nobody touched it: it is still in its register. */
	CODECTL_SFRAME_VALUE,  /* It is base + offset. */
	CODECTL_SFRAME_MEMORY, /* It is in memory, at base + offset. */
};

#define CODECTL_SFRAME_BASE_CFA UINT16_MAX

struct codectl_sframe_place {
	uint8_t kind;  /* enum codectl_sframe_kind. */
	uint16_t base; /* DWARF number of a register, or CODECTL_SFRAME_BASE_CFA. */
	int32_t offset;
};

/*
 * What holds in some of a function's code. The caller's SP is the CFA; on s390x
 * it is the CFA - 160.
 */
struct codectl_sframe_fre {
	bool is_outermost;		 /* There is no caller, and nothing else is said. */
	bool is_ra_mangled;		 /* The return address is signed (aarch64). */
	struct codectl_sframe_place cfa; /* Never SAME, its base never the CFA. */
	struct codectl_sframe_place ra;	 /* SAME: in the link register. */
	struct codectl_sframe_place fp;
};

/*
 * Takes what holds in [start, end), never empty, counted from the function's
 * start; in a function of repeated blocks from the start of each. Calls come in
 * ascending order; there may be code before the first about which nothing is
 * said. Returns 0, or another value to stop, which is returned.
 */
typedef int codectl_sframe_row_function(
	void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre);

/*
 * Looks at a section of at most @len bytes at @bytes, mapped at @vaddr; @bytes
 * must outlive @sframe. Returns 0 or -EINVAL.
 */
int codectl_sframe_init(
	struct codectl_sframe *sframe, const uint8_t *bytes, size_t len, uint64_t vaddr);

/* Reads FDE @index, which must be below fde_count. Returns 0 or -EINVAL. */
int codectl_sframe_read_fde(
	const struct codectl_sframe *sframe, size_t index, struct codectl_sframe_fde *fde);

/*
 * Hands all rows of @fde to @row. Returns 0, what @row returned if not 0, or
 * -EINVAL (malformed, and rows given until then are not to be trusted).
 * All FDEs of a section together have no more rows than there is room for in it.
 */
int codectl_sframe_run(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde,
	codectl_sframe_row_function *row, void *user);

/*
 * Finds what holds at @vaddr, within @fde. Returns 0, -ENOENT (nothing is said
 * about it) or -EINVAL (the FDE is malformed, there or elsewhere).
 */
int codectl_sframe_find(const struct codectl_sframe *sframe, const struct codectl_sframe_fde *fde,
	uint64_t vaddr, struct codectl_sframe_fre *fre);

#endif /* CODECTL_FORMAT_SFRAME_H */
