/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/ust-image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void codectl_ust_image_fini(struct codectl_ust_image *image)
{
	free(image->objects);
}

/* Index of the first object whose base is not below @base. */
static size_t find_place(const struct codectl_ust_image *image, uint64_t base)
{
	size_t low = 0, high = image->object_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (image->objects[middle].base < base)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct codectl_ust_object *codectl_ust_image_find(
	const struct codectl_ust_image *image, uint64_t base)
{
	size_t at = find_place(image, base);

	return at < image->object_count && image->objects[at].base == base ? &image->objects[at]
									   : NULL;
}

struct codectl_process *codectl_ust_image_find_process(
	const struct codectl_ust_image *image, struct codectl_space *space)
{
	return image->is_told_of ? codectl_space_find_process(space, image->number, 0) : NULL;
}

/* The registration of @object; NULL: it was forgotten. */
static const struct codectl_mapping *mapping_of(const struct codectl_ust_image *image,
	struct codectl_space *space, const struct codectl_ust_object *object)
{
	const struct codectl_process *process = codectl_ust_image_find_process(image, space);

	return process ? codectl_process_borrow_mapping(process, object->serial) : NULL;
}

bool codectl_ust_image_is_same(const struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_ust_object *object, const struct codectl_lttng_event *event)
{
	const struct codectl_mapping *mapping = object ? mapping_of(image, space, object) : NULL;

	return mapping && object->size == event->size &&
	       !strcmp(mapping->object->pathname, event->path);
}

static int make_room(struct codectl_ust_image *image)
{
	size_t capacity = image->object_capacity ? 2 * image->object_capacity : 16;
	void *larger;

	if (image->object_count < image->object_capacity)
		return 0;
	larger = reallocarray(image->objects, capacity, sizeof(*image->objects));
	if (!larger)
		return -ENOMEM;
	image->objects = larger;
	image->object_capacity = capacity;
	return 0;
}

int codectl_ust_image_add(struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_lttng_event *source, uint64_t position)
{
	/* Of an object at a fixed address, where it begins says nothing. */
	const uint64_t end = source->base + source->size;
	const struct codectl_event event = {
		.type = CODECTL_EVENT_REGISTER_ELF,
		.vpid = image->number,
		.timestamp = position,
		.register_elf =
			{
				.serial = ++image->last_serial,
				.elf_start = source->is_pic ? source->base : 0,
				.elf_end = source->is_pic ? end : 0,
				.text_start = source->base,
				.text_end = end,
				.pathname = source->path,
				.debug_link_pathname = "",
			},
	};
	size_t at = find_place(image, source->base);

	if (make_room(image) < 0 || codectl_space_apply(space, &event) == -ENOMEM)
		return -ENOMEM;
	image->is_told_of = true;
	memmove(image->objects + at + 1, image->objects + at,
		(image->object_count - at) * sizeof(*image->objects));
	image->object_count++;
	image->objects[at] = (struct codectl_ust_object){
		.base = source->base,
		.size = source->size,
		.serial = image->last_serial,
		.is_opened = source->type == CODECTL_LTTNG_OPENED,
		.open_count = source->type == CODECTL_LTTNG_OPENED,
	};
	return 0;
}

int codectl_ust_image_remove(struct codectl_ust_image *image, struct codectl_space *space,
	struct codectl_ust_object *object, uint64_t position)
{
	const struct codectl_mapping *mapping = mapping_of(image, space, object);
	const struct codectl_event event = {
		.type = CODECTL_EVENT_UNREGISTER,
		.vpid = image->number,
		.timestamp = position,
		.unregister =
			{
				.serial = ++image->last_serial,
				.registered_serial = object->serial,
				.text_start = mapping ? mapping->text_start : 0,
				.text_end = mapping ? mapping->text_end : 0,
			},
	};
	size_t at = (size_t)(object - image->objects);

	if (mapping && codectl_space_apply(space, &event) == -ENOMEM)
		return -ENOMEM;
	image->object_count--;
	memmove(object, object + 1, (image->object_count - at) * sizeof(*object));
	return 0;
}

int codectl_ust_image_remove_closed(struct codectl_ust_image *image, struct codectl_space *space,
	uint64_t position, uint64_t *count)
{
	for (size_t i = image->object_count; i > 0; i--) {
		struct codectl_ust_object *object = &image->objects[i - 1];

		if (!object->is_closed)
			continue;
		if (codectl_ust_image_remove(image, space, object, position) < 0)
			return -ENOMEM;
		++*count;
	}
	return 0;
}

int codectl_ust_image_identify(struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_ust_object *object, const struct codectl_lttng_event *event)
{
	const struct codectl_mapping *mapping = mapping_of(image, space, object);

	if (!mapping)
		return 0;

	const struct codectl_code_object *code = mapping->object;
	struct codectl_event_register_elf identity = {
		.pathname = code->pathname,
		.build_id = code->build_id,
		.build_id_len = code->build_id_len,
		.debug_link_pathname = code->debug_link_pathname,
		.debug_link_crc = code->debug_link_crc,
	};

	if (event->type == CODECTL_LTTNG_BUILD_ID) {
		identity.build_id = event->build_id;
		identity.build_id_len = event->build_id_len;
	} else {
		identity.debug_link_pathname = event->debug_link;
		identity.debug_link_crc = event->debug_link_crc;
	}
	return codectl_space_identify(
		space, codectl_ust_image_find_process(image, space), object->serial, &identity);
}

bool codectl_ust_image_continues(
	const struct codectl_ust_image *image, const struct codectl_ust_image *before)
{
	return image->continued > 0 && 2 * image->continued >= before->object_count;
}
