/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/images.h: ELF images out of the trace, of code objects whose file the
 * recorder did not find: the vDSO, and what was deleted or replaced. They come in
 * parts, in order. Of several processes with the same object, the first whose image
 * is complete is believed; parts of different processes are never joined. One
 * thread.
 */
#ifndef CODECTL_COMP_IMAGES_H
#define CODECTL_COMP_IMAGES_H

#include "space/space.h"

#include <stddef.h>
#include <stdint.h>

/* Bounds: the recorder sends 32 MiB at most, of a very large library. */
#define CODECTL_IMAGE_LEN_MAX  ((uint64_t)64 << 20)
#define CODECTL_IMAGES_LEN_MAX ((uint64_t)512 << 20)
/* Images at once that are not complete; a new one displaces the oldest. */
#define CODECTL_IMAGES_PARTIAL_MAX 64

struct codectl_image {
	uint64_t id;	/* Of the code object. */
	uint8_t *bytes; /* Owned. */
	size_t len;
};

struct codectl_partial_image {
	int32_t vpid; /* With start_time: of whom. */
	uint64_t start_time;
	struct codectl_image image; /* Its length: of what is there. */
	size_t capacity;
};

/* All zero: empty. */
struct codectl_images {
	struct codectl_image *complete; /* Owned. */
	size_t complete_count;
	size_t complete_capacity;
	struct codectl_partial_image partial[CODECTL_IMAGES_PARTIAL_MAX];
	size_t next_partial; /* The one to be displaced next. */
	uint64_t len;	     /* Bytes of all. */
};

void codectl_images_fini(struct codectl_images *images);

/*
 * Takes in the part that @event has of the image of @code. Returns 1 if the image
 * is complete with it, 0 if not, or if it was before; -EINVAL (the part before is
 * missing, or a bound is reached) or -ENOMEM.
 */
int codectl_images_add(struct codectl_images *images, const struct codectl_code_object *code,
	const struct codectl_event *event);

/* The complete image of @code: weak, until the next add; NULL: there is none. */
const struct codectl_image *codectl_images_find(
	const struct codectl_images *images, const struct codectl_code_object *code);

#endif /* CODECTL_COMP_IMAGES_H */
