/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/objects.h"

#include "comp/images.h"

#include <elf.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any sound process has; a trace may claim any number. */
#define OPEN_MAX 4096

struct codectl_objects {
	struct codectl_object_search search; /* Its strings are weak. */
	const struct codectl_log *log;	     /* Weak. */
	struct codectl_archive *archive;     /* Weak; NULL: nothing is kept. */
	enum codectl_unwind_mode mode;
	void *tree; /* Of tsearch(); owns its objects. */
	size_t count;
	struct codectl_images images;
	struct codectl_objects_stats stats;
};

/* Tells the user of a file that could not be used. */
static void log_note(void *user, const struct codectl_object_note *note)
{
	const struct codectl_objects *objects = user;

	codectl_log_write(objects->log,
		note->is_normal ? BT_LOGGING_LEVEL_INFO : BT_LOGGING_LEVEL_WARNING,
		CODECTL_LOG_SITE, "Cannot use %s: object=\"%s\", file=\"%s\": %s",
		codectl_object_part_text(note->part), note->pathname, note->what, note->reason);
}

struct codectl_objects *codectl_objects_create(const struct codectl_object_search *search,
	enum codectl_unwind_mode mode, const struct codectl_log *log,
	struct codectl_archive *archive)
{
	struct codectl_objects *objects = calloc(1, sizeof(*objects));

	if (!objects)
		return NULL;
	objects->search = *search;
	objects->search.tell = log_note;
	objects->search.user = objects;
	objects->mode = mode;
	objects->log = log;
	objects->archive = archive;
	return objects;
}

static void close_object(void *node)
{
	struct codectl_object *object = node;

	codectl_unwind_module_destroy(object->module);
	if (object->file)
		codectl_object_file_close(object->file);
	free(object);
}

/* By now it is known which of its files were needed. */
static void archive_object(const void *node, VISIT order, void *user)
{
	const struct codectl_object *object = *(struct codectl_object *const *)node;

	if ((order == postorder || order == leaf) && object->file)
		codectl_archive_add(user, object->file);
}

static void close_all(struct codectl_objects *objects)
{
	if (objects->archive)
		twalk_r(objects->tree, archive_object, objects->archive);
	tdestroy(objects->tree, close_object);
	objects->tree = NULL;
	objects->count = 0;
}

void codectl_objects_destroy(struct codectl_objects *objects)
{
	if (!objects)
		return;
	close_all(objects);
	codectl_images_fini(&objects->images);
	free(objects);
}

bool codectl_objects_trim(struct codectl_objects *objects)
{
	if (objects->count < OPEN_MAX)
		return false;
	close_all(objects);
	return true;
}

static int compare_ids(const void *left, const void *right)
{
	const struct codectl_object *left_object = left;
	const struct codectl_object *right_object = right;

	return (left_object->id > right_object->id) - (left_object->id < right_object->id);
}

static void format_build_id(const struct codectl_code_object *code, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < code->build_id_len && used + 3 <= size; i++)
		used += (size_t)snprintf(text + used, size - used, "%02x", code->build_id[i]);
}

static bool has_unwind_info(const struct codectl_object *object)
{
	return object->module && !codectl_unwind_module_is_empty(object->module);
}

/* Tells the user, once, why frames of an object will lack names or callers. */
static void report(struct codectl_objects *objects, const struct codectl_object *object,
	const struct codectl_code_object *code, enum codectl_object_status status)
{
	char build_id[2 * 20 + 1];
	/* A pseudo path, of the vDSO for example, is normal. */
	bt_logging_level level = status == CODECTL_OBJECT_NO_PATH ? BT_LOGGING_LEVEL_INFO
								  : BT_LOGGING_LEVEL_WARNING;

	format_build_id(code, build_id, sizeof(build_id));
	if (status != CODECTL_OBJECT_OK && object->file &&
		codectl_object_file_is_image(object->file))
		codectl_log_info(objects->log,
			"What the trace has of an object is used: path=\"%s\", build-id=%s: %s",
			code->pathname, build_id, codectl_object_status_text(status));
	else if (status != CODECTL_OBJECT_OK)
		codectl_log_write(objects->log, level, CODECTL_LOG_SITE,
			"Cannot use the file of an object: path=\"%s\", build-id=%s: %s",
			code->pathname, build_id, codectl_object_status_text(status));
	else if (!has_unwind_info(object))
		codectl_log_info(objects->log, "No unwind information: path=\"%s\", build-id=%s",
			code->pathname, build_id);
}

/* Fills in what the ELF files say; all of it may be missing. Returns 0 or -ENOMEM. */
static int read_elf(struct codectl_object *object, enum codectl_unwind_mode mode)
{
	struct codectl_unwind_files files = {
		.own = codectl_object_file_borrow_elf(object->file),
		.debug = codectl_object_file_borrow_debug_elf(object->file),
		.mode = mode,
	};
	const struct codectl_elf *elf = files.own ? files.own : files.debug;

	if (!elf)
		return 0;
	object->has_fixed_address = elf->type == ET_EXEC;
	if (codectl_elf_load_span(elf, &object->span_start, &object->span_end) < 0)
		object->span_start = object->span_end = 0;
	/* It stays empty if nothing is compressed. */
	codectl_object_file_unpack(object->file, ".debug_frame", &files.debug_frame);
	return codectl_unwind_module_create_from(&files, &object->module) == -ENOMEM ? -ENOMEM : 0;
}

/* Opens the file of @object. Returns 0, also if there is none to use, or -ENOMEM. */
static int open_object(struct codectl_objects *objects, struct codectl_object *object,
	const struct codectl_code_object *code)
{
	struct codectl_object_identity identity = {
		.pathname = code->pathname,
		.build_id = code->build_id,
		.build_id_len = code->build_id_len,
		.debug_link_pathname = code->debug_link_pathname,
		.debug_link_crc = code->debug_link_crc,
	};
	const struct codectl_image *image = codectl_images_find(&objects->images, code);
	enum codectl_object_status status = CODECTL_OBJECT_OK;
	int ret;

	if (image) {
		identity.image = image->bytes;
		identity.image_len = image->len;
	}
	ret = codectl_object_file_open(&objects->search, &identity, &object->file, &status);
	if (ret == 0)
		ret = read_elf(object, objects->mode);
	else
		object->file = NULL;
	if (ret == -ENOMEM)
		return ret;
	object->is_proven = object->file && status == CODECTL_OBJECT_OK && code->build_id_len;
	objects->stats.opened += object->file != NULL;
	objects->stats.failed += object->file == NULL;
	objects->stats.no_unwind_info += object->file && !has_unwind_info(object);
	object->status = status;
	report(objects, object, code, status);
	return 0;
}

const struct codectl_object *codectl_objects_get(
	struct codectl_objects *objects, const struct codectl_code_object *code)
{
	const struct codectl_object key = {.id = code->id};
	struct codectl_object **found = tfind(&key, &objects->tree, compare_ids);

	if (found)
		return *found;
	struct codectl_object *object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->id = code->id;
	if (open_object(objects, object, code) < 0 ||
		!tsearch(object, &objects->tree, compare_ids)) {
		close_object(object);
		return NULL;
	}
	objects->count++;
	return object;
}

/* Closes the object if its image may tell more than what it was opened with. */
static bool close_unproven(struct codectl_objects *objects, const struct codectl_code_object *code)
{
	const struct codectl_object key = {.id = code->id};
	struct codectl_object **found = tfind(&key, &objects->tree, compare_ids);
	struct codectl_object *object = found ? *found : NULL;

	if (!object || object->is_proven)
		return false;
	if (object->file)
		codectl_log_warning(objects->log,
			"The file of an object was taken for the one that ran, until its image "
			"came: path=\"%s\"",
			code->pathname);
	tdelete(&key, &objects->tree, compare_ids);
	objects->count--;
	close_object(object);
	return true;
}

int codectl_objects_add_image(struct codectl_objects *objects,
	const struct codectl_code_object *code, const struct codectl_event *event)
{
	int ret = code ? codectl_images_add(&objects->images, code, event) : -EINVAL;

	if (ret == -ENOMEM)
		return ret;
	objects->stats.image_parts += ret >= 0;
	objects->stats.bad_image_parts += ret == -EINVAL;
	objects->stats.images += ret > 0;
	return ret > 0 && close_unproven(objects, code);
}

bool codectl_object_is_located(
	const struct codectl_object *object, const struct codectl_mapping *mapping)
{
	return mapping->elf_end != 0 || object->has_fixed_address;
}

uint64_t codectl_object_bias(
	const struct codectl_object *object, const struct codectl_mapping *mapping)
{
	/* A program may map a part of itself once more, elsewhere: V8 does. */
	if (object->has_fixed_address &&
		(!mapping->elf_start || (mapping->text_start >= object->span_start &&
						mapping->text_start < object->span_end)))
		return 0;
	return mapping->elf_start - object->span_start;
}

int codectl_object_read_code(
	const struct codectl_object *object, uint64_t vaddr, uint8_t *bytes, size_t len)
{
	return object->file ? codectl_object_file_read_code(object->file, vaddr, bytes, len)
			    : -ENOENT;
}

const struct codectl_objects_stats *codectl_objects_borrow_stats(
	const struct codectl_objects *objects)
{
	return &objects->stats;
}
