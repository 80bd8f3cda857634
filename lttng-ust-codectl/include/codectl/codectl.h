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

/* What codectl() is asked to do; names and order are the RFC's. */
enum code_opt {
	CODE_REGISTER_ELF,
	CODE_REGISTER_JIT, /* Not yet implemented: EINVAL. */
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
 * Registers or unregisters code.
 *
 * @info is a struct code_elf_info of @info_size bytes. Sizes follow the
 * kernel's copy_struct_from_user(): a shorter structure is read as if the rest
 * were 0, a longer one is accepted if all bytes beyond the known ones are 0.
 * CODE_UNREGISTER takes the structure that registered the code; only the kind
 * of structure and its text range are looked at. The kind is told by the size:
 * CODE_ELF_INFO_SIZE_VER0 bytes or more is an ELF object. @flags is 0.
 *
 * Strings and the build-id are copied before the call returns.
 *
 * Returns 0, or -1 with errno set:
 *  EINVAL  unknown option or flags, a structure too short to hold the text
 *          range, an empty or wrapping range, a text range outside elf_start
 *          to elf_end, an inverted SFrame range, or a build-id that is too
 *          long;
 *  E2BIG   the structure is longer than this library's and its tail is not 0;
 *  EFAULT  @info, or a pointer in it, is not readable;
 *  ENAMETOOLONG  a path of CODE_PATHNAME_MAX bytes or more;
 *  EEXIST  a registered ELF text range overlaps this one;
 *  ENOENT  no such code is registered (CODE_UNREGISTER);
 *  ENOMEM  no memory.
 *
 * Any thread; from constructors and before main() too. Not
 * async-signal-safe. Source: RFC, enum code_opt and struct code_elf_info.
 */
int codectl(unsigned int option, const void *info, size_t info_size, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* CODECTL_CODECTL_H */
