/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl/codectl.h: registration of code, as the RFC "New codectl(2) system
 * call for sframe registration" (M. Desnoyers, July 2025) proposes it, done in
 * user space: every call becomes an LTTng-UST event of the provider `codectl`.
 *
 * Addresses are those of the calling process. Text ranges are half-open:
 * text_start <= pc < text_end. A pointer is passed as a __u64 and 0 stands for
 * "unavailable".
 */
#ifndef CODECTL_CODECTL_H
#define CODECTL_CODECTL_H

#include <stddef.h>

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What codectl() is asked to do; names and order are the RFC's. Extensions of
 * this library have values of their own: see codectl/ext.h.
 */
enum code_opt {
	CODE_REGISTER_ELF,
	CODE_REGISTER_JIT,
	CODE_UNREGISTER,
};

/*
 * One executable range of a loaded ELF object. An object with several such
 * ranges is registered once for each; elf_start and elf_end agree then.
 *
 * elf_start is the address at which the first PT_LOAD segment is mapped and
 * elf_end is the end of the last one. Both may be 0 if there is no file.
 * sframe_start and sframe_end delimit the mapped .sframe section, or are 0.
 */
struct code_elf_info {
	__u64 elf_start;
	__u64 elf_end;
	__u64 text_start;
	__u64 text_end;
	__u64 sframe_start;
	__u64 sframe_end;
	__u64 pathname;		   /* const char *, NUL-terminated; 0 if unavailable. */
	__u64 build_id;		   /* const unsigned char *; 0 if unavailable. */
	__u64 debug_link_pathname; /* const char *, NUL-terminated; 0 if unavailable. */
	__u32 build_id_len;	   /* Bytes at build_id. */
	__u32 debug_link_crc;	   /* CRC-32 of the debug file. */
};

/* Size of struct code_elf_info in its first version. */
#define CODE_ELF_INFO_SIZE_VER0 80

/* Limits on what one registration may carry. */
#define CODE_PATHNAME_MAX 4096 /* Bytes, the NUL included. */
#define CODE_BUILD_ID_MAX 64   /* Bytes. */

/*
 * A range of generated code, and where to find out how to unwind it. Code of
 * all kinds may come and go within the range: it is registered once, for as
 * long as addresses in it mean generated code.
 *
 * The first three members are the RFC's. The others answer objections of its
 * discussion (I. Bhagat, July 2025): unwind_head is opaque, of a format that is
 * told, and its length is known without a look at it. They are 0 in the RFC's
 * form, which ends behind unwind_head.
 */
struct code_jit_info {
	__u64 text_start;   /* text_start <= pc */
	__u64 text_end;	    /* pc < text_end */
	__u64 unwind_head;  /* struct code_jit_unwind_table *; 0 if unavailable. */
	__u64 reserved_len; /* Of the first table; 0: it says so itself. */
	__u32 format;	    /* CODE_JIT_FORMAT_*; 0: struct code_jit_unwind_table. */
	__u32 reserved;	    /* 0. */
};

/* Sizes of struct code_jit_info: of the RFC's form, and of this one. */
#define CODE_JIT_INFO_SIZE_VER0 24
#define CODE_JIT_INFO_SIZE_VER1 40

/*
 * A row: how to unwind from any pc with
 * text_start + ip_off <= pc < text_start + ip_off + size.
 *
 * The RFC gives the members' names and types and says "similar to sframe". This
 * is what they mean:
 *
 *  - `size` is the number of bytes of code that the row holds for. (An SFrame row
 *    ends where the next one begins, or with its function. Here there may be gaps
 *    between rows, of which nothing is known.)
 *  - `info` is the info byte of an SFrame row:
 *      bit 0     the CFA is SP + cfa_off if set, else FP + cfa_off;
 *      bits 1-4  how many offsets are valid. On amd64: 0, there is no caller (the
 *                outermost frame); 1, cfa_off: the caller's FP is still in FP;
 *                2, cfa_off and fp_off;
 *      bits 5-6  2: offsets have 4 bytes;
 *      bit 7     the return address is signed (aarch64); 0 on amd64.
 *  - The return address is at CFA + ra_off: on amd64, ra_off is -8.
 *  - The caller's FP is at CFA + fp_off. The caller's SP is the CFA.
 */
struct code_jit_unwind_fre {
	__u32 size;
	__u32 ip_off;
	__s32 cfa_off;
	__s32 ra_off;
	__s32 fp_off;
	__u8 info;
};

/* `info` of amd64: of a frame whose CFA is SP + cfa_off (or FP + cfa_off), and which
 * saves FP (or does not). And of one without a caller. */
#define CODE_JIT_INFO_SP	0x43
#define CODE_JIT_INFO_SP_FP	0x45
#define CODE_JIT_INFO_FP	0x42
#define CODE_JIT_INFO_FP_FP	0x44
#define CODE_JIT_INFO_OUTERMOST 0x41

/*
 * A table of rows, which grows while the program runs, without any call. Lengths
 * are those of fre[], in bytes; only whole rows count. Aligned to 8 bytes.
 *
 * Who fills it writes a row, then makes used_len longer by a store-release, and
 * only then may the code run that the row is for. When a table is full, the next
 * one is made (rows may be in it already) and its address stored to `next` by a
 * store-release; from then on used_len of the full one does not change any more.
 *
 * Rows are in ascending order of ip_off within a table and from table to table,
 * and do not overlap. They are never changed. Tables stay readable until
 * CODE_UNREGISTER has returned. A table whose memory is gone, whose used_len is
 * beyond its reserved_len, or which is part of a ring is not read any further.
 */
struct code_jit_unwind_table {
	__u64 reserved_len; /* Room for rows. Never changes. */
	__u64 used_len;	    /* Room that is used, from the start on. Only grows. */
	__u64 next;	    /* struct code_jit_unwind_table *; 0: there is none yet. */
	struct code_jit_unwind_fre fre[];
};

/*
 * Registers or unregisters code.
 *
 * @info is a struct of @info_size bytes: struct code_elf_info for
 * CODE_REGISTER_ELF, struct code_jit_info for CODE_REGISTER_JIT. Sizes follow the
 * kernel's copy_struct_from_user(): a shorter structure is read as if the rest
 * were 0, a longer one is accepted if all bytes beyond the known ones are 0.
 * CODE_UNREGISTER takes the structure that registered the code; only the kind
 * of structure and its text range are looked at. The kind is told by the size:
 * CODE_ELF_INFO_SIZE_VER0 bytes or more is an ELF object, less is generated code.
 * @flags is 0.
 *
 * Strings and the build-id are copied before the call returns. Tables of rows are
 * read when they are registered, then every few milliseconds while samples are
 * taken, and a last time when they are unregistered.
 *
 * Returns 0, or -1 with errno set:
 *  EINVAL  unknown option or flags, a structure too short to hold the text
 *          range, an empty or wrapping range, a text range outside elf_start
 *          to elf_end, an inverted SFrame range, or a build-id that is too
 *          long; generated code: a text range of more than 4 GiB with a table, an
 *          unknown format, a table that is not aligned, or one whose lengths
 *          cannot be;
 *  E2BIG   the structure is longer than this library's and its tail is not 0;
 *  EFAULT  @info, or a pointer in it, is not readable;
 *  ENAMETOOLONG  a path of CODE_PATHNAME_MAX bytes or more;
 *  EEXIST  a registered text range of the same kind overlaps this one;
 *  ENOENT  no such code is registered (CODE_UNREGISTER);
 *  ENOMEM  no memory.
 *
 * Any thread; from constructors and before main() too. Not
 * async-signal-safe. Source: RFC, enum code_opt, struct code_elf_info, struct
 * code_jit_info, struct code_jit_unwind_table, struct code_jit_unwind_fre.
 */
int codectl(unsigned int option, const void *info, size_t info_size, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* CODECTL_CODECTL_H */
