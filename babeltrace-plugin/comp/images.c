/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/images.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void codectl_images_fini(struct codectl_images *images)
{
	for (size_t i = 0; i < images->count; i++)
		free(images->images[i].bytes);
	images->count = 0;
}

static struct codectl_image *find(struct codectl_images *images, uint64_t id)
{
	for (size_t i = 0; i < images->count; i++) {
		if (images->images[i].id == id)
			return &images->images[i];
	}
	return NULL;
}

const struct codectl_image *codectl_images_find(
	const struct codectl_images *images, const struct codectl_code_object *code)
{
	return find((struct codectl_images *)images, code->id);
}

int codectl_images_add(struct codectl_images *images, const struct codectl_code_object *code,
	const struct codectl_event_elf_image *part)
{
	struct codectl_image *image = find(images, code->id);
	size_t known = image ? image->len : 0;

	if (code->pathname[0] == '/' || part->offset > known ||
		part->image_len > CODECTL_IMAGE_LEN_MAX - part->offset ||
		part->image_len > part->image_count * sizeof(uint64_t))
		return -EINVAL;
	if (part->image_len == 0 || part->offset < known)
		return 0;
	if (!image && images->count == CODECTL_IMAGES_MAX)
		return -EINVAL;

	uint8_t *bytes = realloc(image ? image->bytes : NULL, known + part->image_len);

	if (!bytes)
		return -ENOMEM;
	if (!image) {
		image = &images->images[images->count++];
		image->id = code->id;
	}
	for (size_t i = 0; i < part->image_len; i++)
		bytes[known + i] = (uint8_t)(part->image[i / 8] >> (i % 8 * 8));
	image->bytes = bytes;
	image->len = known + part->image_len;
	return 0;
}
