/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/images.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void drop(struct codectl_images *images, struct codectl_partial_image *partial)
{
	images->len -= partial->image.len;
	free(partial->image.bytes);
	memset(partial, 0, sizeof(*partial));
}

void codectl_images_fini(struct codectl_images *images)
{
	for (size_t i = 0; i < images->complete_count; i++)
		free(images->complete[i].bytes);
	free(images->complete);
	for (size_t i = 0; i < CODECTL_IMAGES_PARTIAL_MAX; i++)
		free(images->partial[i].image.bytes);
	memset(images, 0, sizeof(*images));
}

const struct codectl_image *codectl_images_find(
	const struct codectl_images *images, const struct codectl_code_object *code)
{
	for (size_t i = 0; i < images->complete_count; i++) {
		if (images->complete[i].id == code->id)
			return &images->complete[i];
	}
	return NULL;
}

/* Object ids begin at 1. */
static struct codectl_partial_image *find_partial(struct codectl_images *images,
	const struct codectl_code_object *code, const struct codectl_event *event)
{
	for (size_t i = 0; i < CODECTL_IMAGES_PARTIAL_MAX; i++) {
		struct codectl_partial_image *partial = &images->partial[i];

		if (partial->image.id == code->id && partial->vpid == event->vpid &&
			partial->start_time == event->start_time)
			return partial;
	}
	return NULL;
}

/* Room for an image that begins; one of the same process and object begins anew. */
static struct codectl_partial_image *begin_partial(struct codectl_images *images,
	const struct codectl_code_object *code, const struct codectl_event *event)
{
	struct codectl_partial_image *partial = find_partial(images, code, event);

	if (!partial) {
		partial = &images->partial[images->next_partial++ % CODECTL_IMAGES_PARTIAL_MAX];
	}
	drop(images, partial);
	partial->vpid = event->vpid;
	partial->start_time = event->start_time;
	partial->image.id = code->id;
	return partial;
}

/* The memory grows with what has come, not with what is said to come. */
static int append(struct codectl_images *images, struct codectl_partial_image *partial,
	const struct codectl_event_elf_image *part)
{
	struct codectl_image *image = &partial->image;
	size_t len = image->len + part->image_len;

	if (len > partial->capacity) {
		size_t capacity = len > 2 * partial->capacity ? len : 2 * partial->capacity;
		uint8_t *bytes = realloc(image->bytes, capacity);

		if (!bytes)
			return -ENOMEM;
		image->bytes = bytes;
		partial->capacity = capacity;
	}
	for (size_t i = 0; i < part->image_len; i++)
		image->bytes[image->len + i] = (uint8_t)(part->image[i / 8] >> (i % 8 * 8));
	image->len = len;
	images->len += part->image_len;
	return 0;
}

/* Moves the bytes of @partial to the complete images. */
static int complete(struct codectl_images *images, struct codectl_partial_image *partial)
{
	if (images->complete_count == images->complete_capacity) {
		size_t capacity = images->complete_capacity ? 2 * images->complete_capacity : 16;
		void *larger = reallocarray(images->complete, capacity, sizeof(*images->complete));

		if (!larger)
			return -ENOMEM;
		images->complete = larger;
		images->complete_capacity = capacity;
	}
	images->complete[images->complete_count++] = partial->image;
	memset(partial, 0, sizeof(*partial));
	return 1;
}

static bool is_sound(
	const struct codectl_images *images, const struct codectl_event_elf_image *part)
{
	return part->image_len > 0 && part->image_len <= part->image_count * sizeof(uint64_t) &&
	       part->offset <= CODECTL_IMAGE_LEN_MAX && part->image_size <= CODECTL_IMAGE_LEN_MAX &&
	       part->image_len <= CODECTL_IMAGE_LEN_MAX - part->offset &&
	       part->image_len <= CODECTL_IMAGES_LEN_MAX - images->len;
}

int codectl_images_add(struct codectl_images *images, const struct codectl_code_object *code,
	const struct codectl_event *event)
{
	const struct codectl_event_elf_image *part = &event->elf_image;
	struct codectl_partial_image *partial;
	int ret;

	if (!is_sound(images, part))
		return -EINVAL;
	if (codectl_images_find(images, code))
		return 0;
	partial = part->offset == 0 ? begin_partial(images, code, event)
				    : find_partial(images, code, event);
	if (!partial || partial->image.len != part->offset)
		return -EINVAL;
	ret = append(images, partial, part);
	if (ret)
		return ret;
	/* Traces of earlier versions do not tell the size. */
	return partial->image.len >= part->image_size ? complete(images, partial) : 0;
}
