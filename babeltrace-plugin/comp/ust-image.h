/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/ust-image.h: one program image of a process, as LTTng-UST tells of it:
 * the objects that are mapped now, each a registration in the space. One thread.
 */
#ifndef CODECTL_COMP_UST_IMAGE_H
#define CODECTL_COMP_UST_IMAGE_H

#include "comp/lttng-decode.h"
#include "space/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object that is mapped now, or was when the image ended. */
struct codectl_ust_object {
	uint64_t base;
	uint64_t size;
	uint64_t serial;     /* Of its registration. */
	uint32_t open_count; /* Calls of dlopen() without dlclose(). */
	bool is_opened;	     /* Only calls of dlopen() told of it. */
	bool is_closed;	     /* As often closed as opened: perhaps it is gone. */
};

struct codectl_ust_image {
	int32_t number;	 /* Its vpid in the space; negative, as no real one is. */
	uint64_t begin;	 /* When its state dump began; 0 if none did. */
	bool is_told_of; /* It has, or had, registrations. */
	struct codectl_ust_object *objects; /* Owned; by rising base. */
	size_t object_count;
	size_t object_capacity;
	uint64_t last_serial;
	uint64_t continued; /* Objects told of that the image before had as well. */
};

void codectl_ust_image_fini(struct codectl_ust_image *image);

/* The object that begins at @base, or NULL. Weak, until the next change. */
struct codectl_ust_object *codectl_ust_image_find(
	const struct codectl_ust_image *image, uint64_t base);

/* What the space has of it; NULL: nothing, or it was forgotten. Weak, until the next event. */
struct codectl_process *codectl_ust_image_find_process(
	const struct codectl_ust_image *image, struct codectl_space *space);

/* Whether @object (NULL: none) of @image is the one that @event tells of. */
bool codectl_ust_image_is_same(const struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_ust_object *object, const struct codectl_lttng_event *event);

/*
 * Registers the object that @event tells of, which has a size and does not wrap
 * around. Returns 0 or -ENOMEM.
 */
int codectl_ust_image_add(struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_lttng_event *event, uint64_t position);

/* Ends the registration of @object and takes it out. Returns 0 or -ENOMEM. */
int codectl_ust_image_remove(struct codectl_ust_image *image, struct codectl_space *space,
	struct codectl_ust_object *object, uint64_t position);

/*
 * The same for those that were closed: something is mapped, and they may have
 * made room for it. Adds how many to *@count. Returns 0 or -ENOMEM.
 */
int codectl_ust_image_remove_closed(struct codectl_ust_image *image, struct codectl_space *space,
	uint64_t position, uint64_t *count);

/* Adds what a build-id or debug link says of @object. Returns 0 or -ENOMEM. */
int codectl_ust_image_identify(struct codectl_ust_image *image, struct codectl_space *space,
	const struct codectl_ust_object *object, const struct codectl_lttng_event *event);

/*
 * Whether the image is the same program as @before. Where addresses are random,
 * another one has next to nothing at the same place.
 */
bool codectl_ust_image_continues(
	const struct codectl_ust_image *image, const struct codectl_ust_image *before);

#endif /* CODECTL_COMP_UST_IMAGE_H */
