/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/images.h: ELF images out of the trace, of code objects without a file:
 * the vDSO. They come in parts; of several processes with the same object, the
 * first to tell of a part is believed. One thread.
 */
#ifndef CODECTL_COMP_IMAGES_H
#define CODECTL_COMP_IMAGES_H

#include "space/space.h"

#include <stddef.h>
#include <stdint.h>

/* Bounds: a vDSO has about 8 KiB, and machines of one trace have few kernels. */
#define CODECTL_IMAGES_MAX    64
#define CODECTL_IMAGE_LEN_MAX 65536

/* All zero: empty. */
struct codectl_images {
	struct codectl_image {
		uint64_t id;	/* Of the code object. */
		uint8_t *bytes; /* Owned. */
		size_t len;
	} images[CODECTL_IMAGES_MAX];
	size_t count;
};

void codectl_images_fini(struct codectl_images *images);

/*
 * Takes in a part of the image of @code. Returns 0 (also if it is known
 * already), -ENOMEM, or -EINVAL: the object has a path, the part before is
 * missing, or a bound is reached.
 */
int codectl_images_add(struct codectl_images *images, const struct codectl_code_object *code,
	const struct codectl_event_elf_image *part);

/* What is known of the image of @code: weak, until the next add; NULL: nothing. */
const struct codectl_image *codectl_images_find(
	const struct codectl_images *images, const struct codectl_code_object *code);

#endif /* CODECTL_COMP_IMAGES_H */
