/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/objects.h: the files behind the code objects of a space: opened when a
 * sample needs them, once, with their unwind information. That a file cannot
 * be used is remembered as well, and reported once. One thread.
 */
#ifndef CODECTL_COMP_OBJECTS_H
#define CODECTL_COMP_OBJECTS_H

#include "comp/archive.h"
#include "comp/log.h"
#include "space/space.h"
#include "symbolize/object-file.h"
#include "unwind/module.h"

#include <stdbool.h>
#include <stdint.h>

struct codectl_object {
	uint64_t id;			      /* Of the code object. */
	struct codectl_object_file *file;     /* Owned; NULL: no file can be used. */
	struct codectl_unwind_module *module; /* Owned; NULL: nothing is known of its code. */
	enum codectl_object_status status;    /* How looking for its file went. */
	bool has_fixed_address;		      /* ET_EXEC: addresses are those in the file. */
	uint64_t span_start;		      /* Lowest p_vaddr of the file. */
	uint64_t span_end;		      /* Where its last segment ends. */
	bool is_proven; /* Its own file was found, and the build-id proves that it is the one. */
};

struct codectl_objects_stats {
	uint64_t opened;
	uint64_t failed; /* No file could be used. */
	uint64_t no_unwind_info;
	uint64_t image_parts;
	uint64_t bad_image_parts; /* Dropped. */
	uint64_t images;	  /* That are complete. */
};

struct codectl_objects;

/*
 * @search, @log and @archive are weak and outlive it; modules are made for @mode.
 * What was used is copied to @archive (may be NULL) when it is closed. Returns
 * NULL without memory. The caller owns it.
 */
struct codectl_objects *codectl_objects_create(const struct codectl_object_search *search,
	enum codectl_unwind_mode mode, const struct codectl_log *log,
	struct codectl_archive *archive);

void codectl_objects_destroy(struct codectl_objects *objects);

/*
 * What is behind @code: weak, until codectl_objects_trim() or destroy().
 * Never fails on what a path leads to; NULL without memory.
 */
const struct codectl_object *codectl_objects_get(
	struct codectl_objects *objects, const struct codectl_code_object *code);

/*
 * Takes in the part that @event has of the image of @code (NULL: of an unknown
 * object). It is used where no file is proven to be the object's; an object that was
 * opened without is closed. What makes no sense is counted. Returns 1 if an object
 * was closed, so that its modules and names are not valid any more, else 0, or
 * -ENOMEM.
 */
int codectl_objects_add_image(struct codectl_objects *objects,
	const struct codectl_code_object *code, const struct codectl_event *event);

/*
 * Closes everything if more is open than is good. Returns whether it did: then
 * no module is valid any more.
 */
bool codectl_objects_trim(struct codectl_objects *objects);

/* Whether it is known where in the process the addresses of the file are. */
bool codectl_object_is_located(
	const struct codectl_object *object, const struct codectl_mapping *mapping);

/* The difference between an address of the process and one of the file, if so. */
uint64_t codectl_object_bias(
	const struct codectl_object *object, const struct codectl_mapping *mapping);

/*
 * Copies the @len bytes of code at @vaddr, an address as in the file. Returns 0,
 * or -ENOENT if they are not in its executable segments.
 */
int codectl_object_read_code(
	const struct codectl_object *object, uint64_t vaddr, uint8_t *bytes, size_t len);

const struct codectl_objects_stats *codectl_objects_borrow_stats(
	const struct codectl_objects *objects);

#endif /* CODECTL_COMP_OBJECTS_H */
