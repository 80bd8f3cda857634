/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/object-image.h: what can still be had of an ELF object whose file is
 * gone, replaced or unreadable: its headers, unwind information and symbols out of
 * memory; and out of the file, if the kernel still gives it to us, the symbols
 * which are not mapped. One thread, not in a signal handler.
 */
#ifndef CODECTL_SAMPLER_OBJECT_IMAGE_H
#define CODECTL_SAMPLER_OBJECT_IMAGE_H

#include "format/event.h"
#include "sampler/skeleton.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Libraries of 100 MB need 10. */
#define CODECTL_OBJECT_IMAGE_MAX ((uint64_t)32 << 20)

struct codectl_object_image {
	struct codectl_skeleton skeleton;
	void *symbols; /* Owned (mmap); what was read from the file. NULL: nothing. */
	size_t symbols_size;
};

/*
 * Looks at the object that is loaded as @elf says; nothing of it needs to be
 * readable. Returns 0 with an image that is to be closed; -ENOENT: there is
 * nothing that could be used; -E2BIG.
 */
int codectl_object_image_open(
	struct codectl_object_image *image, const struct codectl_event_register_elf *elf);

/*
 * Copies the @len bytes at @offset of the image, both multiples of 8. Returns 0, or
 * -EFAULT: they are not mapped any more.
 */
int codectl_object_image_read(
	const struct codectl_object_image *image, uint64_t offset, void *to, size_t len);

void codectl_object_image_close(struct codectl_object_image *image);

#endif /* CODECTL_SAMPLER_OBJECT_IMAGE_H */
