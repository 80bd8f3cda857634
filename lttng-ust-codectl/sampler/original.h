/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/original.h: whether the file that an ELF object was loaded from is still
 * where it was. One thread, not in a signal handler.
 */
#ifndef CODECTL_SAMPLER_ORIGINAL_H
#define CODECTL_SAMPLER_ORIGINAL_H

#include "format/event.h"

#include <stdbool.h>
#include <stdint.h>

/* Which file was at a path; all zero: none. */
struct codectl_original_stamp {
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	int64_t modified; /* ns. */
};

enum codectl_original_state {
	CODECTL_ORIGINAL_IN_PLACE,
	CODECTL_ORIGINAL_GONE,	  /* Or replaced, or not readable. */
	CODECTL_ORIGINAL_UNKNOWN, /* For lack of descriptors, for one. */
};

/*
 * Whether the file at the path of @elf is what is mapped. Device and inode alone do
 * not tell: those of a mapping need not be the file's on overlayfs and btrfs, and a
 * file may be overwritten. So its first page and the head of its unwind table are
 * compared, which have the build-id and differ between builds; without a build-id,
 * the inode as well. @stamp gets what is at the path now.
 */
enum codectl_original_state codectl_original_look(
	const struct codectl_event_register_elf *elf, struct codectl_original_stamp *stamp);

/* Whether there is another file, or none, than when @stamp was taken. Takes a microsecond. */
bool codectl_original_has_changed(const char *path, const struct codectl_original_stamp *stamp);

/*
 * Opens the file that is mapped, wherever it is now, by the links of the kernel.
 * Returns a descriptor, or -ENOENT: it cannot be had, or only by the privileged.
 */
int codectl_original_open(const struct codectl_event_register_elf *elf);

#endif /* CODECTL_SAMPLER_ORIGINAL_H */
