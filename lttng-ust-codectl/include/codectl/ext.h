/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl/ext.h: what codectl() of this library can do beyond the RFC. Each
 * extension is an option of its own, with a value far away from the RFC's, and
 * names where it comes from. Conventions are those of codectl/codectl.h: sizes
 * of structures may grow, pointers are __u64, text ranges are half-open.
 *
 * The discussion: "[RFC] New codectl(2) system call for sframe registration",
 * linux-kernel and x86 mailing lists, 21 to 23 July 2025.
 */
#ifndef CODECTL_EXT_H
#define CODECTL_EXT_H

#include <codectl/codectl.h>

#ifdef __cplusplus
extern "C" {
#endif

enum code_ext_opt {
	/* Tables whose header tells how rows are laid out: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_V2 = 0x55535401,
	/* Tables whose rows come in any order: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_UNSORTED = 0x55535402,
	/* The same with a header of version 2. */
	CODE_EXT_REGISTER_JIT_UNSORTED_V2 = 0x55535403,
	/* All code of the range keeps frame pointers: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_FP = 0x55535404,
	/* A finished section of SFrame for the range: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_SFRAME = 0x55535405,
	/* A finished section of .eh_frame for the range: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_EH_FRAME = 0x55535406,
	/* Code, and nothing more is known of it: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_NONE = 0x55535407,
	/* One finished code object, its rows in any order: struct code_jit_info. */
	CODE_EXT_REGISTER_JIT_CODE = 0x55535408,

	/* A function of generated code has got a name: struct code_jit_symbol. */
	CODE_EXT_JIT_SYMBOL = 0x55535410,
	/* It is there no longer: struct code_jit_symbol; start and id matter. */
	CODE_EXT_JIT_SYMBOL_UNLOAD = 0x55535411,

	/* Several text ranges of one ELF object: struct code_elf_ranges. */
	CODE_EXT_REGISTER_ELF_RANGES = 0x55535420,
	CODE_EXT_UNREGISTER_ELF_RANGES = 0x55535421,

	/* struct sframe_setup. */
	CODE_EXT_SFRAME_REGISTER = 0x55535430,
	CODE_EXT_SFRAME_UNREGISTER = 0x55535431,
};

/*
 * Values of code_jit_info.format, for who calls CODE_REGISTER_JIT itself: that is the
 * same as the option of the name. Source: I. Bhagat wants the format out of the
 * call's structures; unwind_head is opaque, reserved_len is its length.
 */
#define CODE_JIT_FORMAT_TABLE	    0
#define CODE_JIT_FORMAT_TABLE_V2    1
#define CODE_JIT_FORMAT_UNSORTED    2
#define CODE_JIT_FORMAT_UNSORTED_V2 3
#define CODE_JIT_FORMAT_FP	    4
#define CODE_JIT_FORMAT_SFRAME	    5
#define CODE_JIT_FORMAT_EH_FRAME    6
#define CODE_JIT_FORMAT_NONE	    7

/*
 * CODE_EXT_REGISTER_JIT_V2: a table whose rows may get members without a new
 * option. Source: M. Desnoyers' second proposal for the header ("stride including
 * padding", "offset at the end of the last used field"). fre_size is at least 21,
 * what struct code_jit_unwind_fre uses, and at most fre_stride, which is at most 256.
 * They are the same in all tables of a chain. Members beyond those of struct
 * code_jit_unwind_fre_v2 are left out.
 */
struct code_jit_unwind_table_v2 {
	__u64 reserved_len;
	__u64 used_len;
	__u64 next; /* struct code_jit_unwind_table_v2 *. */
	__u32 fre_stride;
	__u32 fre_size;
	char fre[];
};

struct code_jit_unwind_fre_v2 {
	__u32 size;
	__u32 ip_off;
	__s32 cfa_off;
	__s32 ra_off;
	__s32 fp_off;
	__u8 info;
	__u8 flags;	/* CODE_JIT_FRE_*; what SFrame V3 keeps for each function. */
	__u16 reserved; /* 0. */
};

#define CODE_JIT_FRE_SIGNAL 1 /* The caller was interrupted, not called. */

/*
 * CODE_EXT_REGISTER_JIT_UNSORTED: as CODE_REGISTER_JIT, but rows come in any order,
 * within a table and from table to table. A later row replaces what it overlaps.
 * Source: the RFC, "if there is an eventual use-case for unsorted jit unwind table,
 * this would be introduced as a new code option"; V8, HotSpot, LuaJIT and LLVM need
 * it.
 *
 * CODE_EXT_REGISTER_JIT_CODE: the same for code that is complete: all rows are copied
 * before the call returns, and the tables may go then. For who registers each code
 * object when it is made and unregisters it when it is freed; nothing is polled.
 *
 * CODE_EXT_REGISTER_JIT_FP: at any address of the range, FP points to the caller's
 * FP, with the return address above. unwind_head is 0. That is wrong within
 * prologues and epilogues, where the direct caller is left out. Engines that are
 * told to keep frame pointers: V8, HotSpot (-XX:+PreserveFramePointer), YJIT
 * (--yjit-perf), tcc.
 *
 * CODE_EXT_REGISTER_JIT_SFRAME, CODE_EXT_REGISTER_JIT_EH_FRAME: unwind_head is the
 * address of a section of reserved_len bytes that is complete, as for this address:
 * pointers in it may be relative to themselves. It is copied before the call
 * returns. Source: M. Hiramatsu, "why not plain sframe for JIT".
 *
 * All of them end by CODE_UNREGISTER with the same text range.
 */

#define CODE_JIT_BLOB_MAX (16 << 20) /* Bytes of a section. */

/*
 * CODE_EXT_JIT_SYMBOL: the function in [start, start + size) is called `name`. It is in
 * a registered range or not, but then its stack is unwound by a guess. A symbol that
 * overlaps older ones ends them, since the code that they named was overwritten;
 * CODE_UNREGISTER ends those within its range. All that is pointed to is copied
 * before the call returns. Source: the RFC carries no names of generated code.
 *
 * `lines` has line_count rows in ascending order of offset, `inlines` has inline_count
 * functions that are inlined in it, each behind its parent.
 */
struct code_jit_symbol {
	__u64 start;
	__u64 size;
	__u64 name; /* const char *, NUL-terminated. */
	/*
	 * Your own number of it, 0: none. An unload with another id than 0 ends
	 * only that one: HotSpot tells that code is gone after it has put other
	 * code there.
	 */
	__u64 id;
	__u64 lines;   /* const struct code_jit_line *; 0: unavailable. */
	__u64 inlines; /* const struct code_jit_inline *; 0: unavailable. */
	__u32 line_count;
	__u32 inline_count;
};

#define CODE_JIT_SYMBOL_SIZE_VER0 56

/* Code from `offset` on, up to the next row's, is of this line. */
struct code_jit_line {
	__u64 file;   /* const char *, NUL-terminated; 0: unknown. */
	__u32 offset; /* From the symbol's start. */
	__u32 line;
	__u32 scope; /* Which function it is of. 0: the symbol's; n: inlines[n - 1]. */
	__u32 reserved;
};

/* A function that is inlined, at one place. */
struct code_jit_inline {
	__u64 name;	 /* const char *, NUL-terminated. */
	__u64 call_file; /* Where its parent calls it. const char *; 0: unknown. */
	__u32 call_line;
	__u32 parent; /* In which function. 0: the symbol's; n: inlines[n - 1], one before. */
};

/* Limits on one symbol. */
#define CODE_JIT_NAME_MAX   4096 /* Bytes of a name or path, the NUL included. */
#define CODE_JIT_LINE_MAX   65536
#define CODE_JIT_INLINE_MAX 16384

/*
 * CODE_EXT_REGISTER_ELF_RANGES: several text ranges of one object in one call, all or
 * none; those of `elf` itself are 0. Each can be unregistered by itself;
 * CODE_EXT_UNREGISTER_ELF_RANGES does it with those that are left (ENOENT: none). Source: M. Hiramatsu asks for objects with several .text sections.
 */
struct code_text_range {
	__u64 text_start;
	__u64 text_end;
	__u64 sframe_start;
	__u64 sframe_end;
};

struct code_elf_ranges {
	__u64 elf;	   /* const struct code_elf_info *. */
	__u64 elf_size;	   /* Bytes of it. */
	__u64 ranges;	   /* const struct code_text_range *. */
	__u64 range_count; /* At least 1. */
};

#define CODE_ELF_RANGES_SIZE_VER0 32
#define CODE_TEXT_RANGE_MAX	  1024

/*
 * CODE_EXT_SFRAME_REGISTER, and sframe_register(): registers text with its SFrame
 * section, and nothing else. Source: S. Rostedt, "unwind: Add sframe_(un)register()
 * system calls", v2, 28 May 2026. To unregister, only sframe_start counts; all else
 * is 0. The size of the structure is fixed: any other is EINVAL.
 */
struct sframe_setup {
	__u64 sframe_start;
	__u64 sframe_size;
	__u64 text_start;
	__u64 text_size;
};

static inline int sframe_register(const struct sframe_setup *setup, size_t size)
{
	return codectl(CODE_EXT_SFRAME_REGISTER, setup, size, 0);
}

static inline int sframe_unregister(const struct sframe_setup *setup, size_t size)
{
	return codectl(CODE_EXT_SFRAME_UNREGISTER, setup, size, 0);
}

/* Names a function of generated code; @name is copied. Returns and errno as codectl(). */
static inline int codectl_jit_symbol(const void *start, size_t size, const char *name)
{
	struct code_jit_symbol symbol = {
		(__u64)(unsigned long)start, size, (__u64)(unsigned long)name, 0, 0, 0, 0, 0};

	return codectl(CODE_EXT_JIT_SYMBOL, &symbol, sizeof(symbol), 0);
}

/* The function at @start is no longer there. Returns and errno as codectl(). */
static inline int codectl_jit_symbol_unload(const void *start)
{
	struct code_jit_symbol symbol = {(__u64)(unsigned long)start, 0, 0, 0, 0, 0, 0, 0};

	return codectl(CODE_EXT_JIT_SYMBOL_UNLOAD, &symbol, sizeof(symbol), 0);
}

/* All code in @size bytes from @start keeps frame pointers. Returns and errno as codectl(). */
static inline int codectl_jit_fp_region(const void *start, size_t size)
{
	struct code_jit_info info = {
		(__u64)(unsigned long)start, (__u64)(unsigned long)start + size, 0, 0, 0, 0};

	return codectl(CODE_EXT_REGISTER_JIT_FP, &info, sizeof(info), 0);
}

/* Ends the registration of generated code with just this range. Returns and errno as codectl(). */
static inline int codectl_jit_unregister(const void *start, size_t size)
{
	struct code_jit_info info = {
		(__u64)(unsigned long)start, (__u64)(unsigned long)start + size, 0, 0, 0, 0};

	return codectl(CODE_UNREGISTER, &info, sizeof(info), 0);
}

#ifdef __cplusplus
}
#endif

#endif /* CODECTL_EXT_H */
