/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "elf-register/elf-register.h"

#include "codectl/codectl.h"
#include "elf-register/file.h"
#include "elf-register/loaded-objects.h"
#include "elf-register/loader.h"
#include "provider/file.h"
#include "provider/helper.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Everything that is looked up in the file system for one object. */
struct object_file {
	char path[CODE_PATHNAME_MAX];
	char debug_link[CODE_PATHNAME_MAX];
	uint32_t debug_link_crc;
};

/*
 * What is registered, and room for the next look. They change places with one
 * store, so that the child of a fork always finds a whole list. Under the
 * helper's round lock.
 */
static struct codectl_loaded_objects lists[2];
static atomic_uint current;
static atomic_bool has_looked;
/* Too big for the stack of a thread that may be anyone's. Under the round lock. */
static struct object_file file;

static bool is_vdso(const struct codectl_loaded_object *object)
{
	return object->elf_start == getauxval(AT_SYSINFO_EHDR);
}

/* Writes an absolute path, as mapped; "" if it cannot be known. */
static void find_path(const struct codectl_loaded_object *object, char *path, size_t size)
{
	uint64_t code = object->text_count ? object->texts[0].start : object->elf_start;
	int ret = 0;

	/* A link in /proc (/proc/self/fd/3, of a memfd) leads elsewhere for everybody else. */
	if (object->name[0] == '/' && strncmp(object->name, "/proc/", 6) != 0 &&
		strlen(object->name) < size)
		strcpy(path, object->name);
	else if (object->name[0] == '\0')
		ret = codectl_file_program_path(code, path, size);
	else
		ret = codectl_provider_find_mapping(code, NULL, path, size);
	if (ret)
		*path = '\0';
}

static void describe_file(const struct codectl_loaded_object *object)
{
	file.debug_link[0] = '\0';
	file.debug_link_crc = 0;
	if (is_vdso(object)) {
		strcpy(file.path, "[vdso]");
		return;
	}
	find_path(object, file.path, sizeof(file.path));
	if (file.path[0] && codectl_file_debug_link(file.path, file.debug_link,
				    sizeof(file.debug_link), &file.debug_link_crc)) {
		file.debug_link[0] = '\0';
		file.debug_link_crc = 0;
	}
}

static struct code_elf_info make_info(
	const struct codectl_loaded_object *object, const struct codectl_loaded_text *text)
{
	return (struct code_elf_info){
		.elf_start = object->elf_start,
		.elf_end = object->elf_end,
		.text_start = text->start,
		.text_end = text->end,
	};
}

static void register_object(const struct codectl_loaded_object *object)
{
	if (object->text_count == 0)
		return;
	describe_file(object);
	for (size_t i = 0; i < object->text_count; i++) {
		struct code_elf_info info = make_info(object, &object->texts[i]);

		info.sframe_start = object->sframe_start;
		info.sframe_end = object->sframe_end;
		info.pathname = (uintptr_t)file.path;
		info.build_id = object->build_id_len ? (uintptr_t)object->build_id : 0;
		info.build_id_len = (uint32_t)object->build_id_len;
		info.debug_link_pathname = (uintptr_t)file.debug_link;
		info.debug_link_crc = file.debug_link_crc;
		/*
		 * EEXIST: the program registered it itself, or a look that a
		 * fork interrupted did. Nothing else is left to be done here
		 * about an error: the host is not to be disturbed.
		 */
		codectl_provider_register_elf(&info);
	}
}

static bool overlaps(
	const struct codectl_loaded_object *one, const struct codectl_loaded_object *two)
{
	return one->elf_start < two->elf_end && two->elf_start < one->elf_end;
}

/*
 * When @object, which is in @old but not in @new, ended: before the new look. If
 * another object is in its place already, that one may have run for a while; then it
 * ended at the old look, which every dlclose() begins with.
 */
static uint64_t find_end(const struct codectl_loaded_object *object,
	const struct codectl_loaded_objects *old, const struct codectl_loaded_objects *new)
{
	for (size_t i = 0; i < new->count; i++) {
		if (!new->objects[i].is_kept && overlaps(&new->objects[i], object))
			return old->looked_at;
	}
	return new->looked_at;
}

static void unregister_object(const struct codectl_loaded_object *object,
	const struct codectl_loaded_objects *old, const struct codectl_loaded_objects *new)
{
	const uint64_t end = find_end(object, old, new);

	for (size_t i = 0; i < object->text_count; i++)
		codectl_provider_unregister_elf(object->texts[i].start, object->texts[i].end, end);
}

/* Finds @object in @list, from @hint on: objects keep their order. Returns count if it is not there. */
static size_t find_object(const struct codectl_loaded_objects *list,
	const struct codectl_loaded_object *object, size_t hint)
{
	for (size_t i = 0; i < list->count; i++) {
		size_t at = (hint + i) % list->count;

		if (codectl_loaded_object_equals(&list->objects[at], object))
			return at;
	}
	return list->count;
}

/* Marks what is in both lists. Returns how many objects of @old are gone. */
static size_t match(struct codectl_loaded_objects *old, struct codectl_loaded_objects *new)
{
	size_t kept = 0;
	size_t hint = 0;

	for (size_t i = 0; i < old->count; i++)
		old->objects[i].is_kept = false;
	for (size_t i = 0; i < new->count; i++) {
		struct codectl_loaded_object *object = &new->objects[i];
		size_t at = find_object(old, object, hint);

		object->is_permanent = !atomic_load(&has_looked);
		if (at == old->count || old->objects[at].is_kept)
			continue;
		object->is_kept = true;
		object->is_permanent = old->objects[at].is_permanent;
		old->objects[at].is_kept = true;
		hint = at + 1;
		kept++;
	}
	return old->count - kept;
}

/*
 * More objects were unloaded than are missing: one was unloaded and loaded again
 * at the same place, or came and went. It cannot be told which, so whatever can
 * be unloaded counts as new. A new registration of the same object does no harm.
 */
static void distrust_kept(
	struct codectl_loaded_objects *old, const struct codectl_loaded_objects *new)
{
	for (size_t i = 0; i < new->count; i++) {
		struct codectl_loaded_object *object = &new->objects[i];
		size_t at = object->is_kept ? find_object(old, object, i) : old->count;

		if (at == old->count || object->is_permanent)
			continue;
		object->is_kept = false;
		old->objects[at].is_kept = false;
	}
}

void codectl_elf_register_update(void *unused)
{
	unsigned int old_index = atomic_load(&current);
	struct codectl_loaded_objects *old = &lists[old_index];
	struct codectl_loaded_objects *new = &lists[!old_index];

	(void)unused;
	if (codectl_loader_is_stuck())
		return;
	if (atomic_load(&has_looked) && !codectl_loaded_objects_is_stale(old))
		return;
	if (codectl_loaded_objects_collect(new))
		return;

	size_t gone = match(old, new);

	/* The difference is negative where glibc did not count the loader's copy in a namespace. */
	if (atomic_load(&has_looked) &&
		(int64_t)(new->counts.subs - old->counts.subs) > (int64_t)gone)
		distrust_kept(old, new);
	/* First what is gone: its addresses may be in use again. */
	for (size_t i = 0; i < old->count; i++) {
		if (!old->objects[i].is_kept)
			unregister_object(&old->objects[i], old, new);
	}
	for (size_t i = 0; i < new->count; i++) {
		if (!new->objects[i].is_kept)
			register_object(&new->objects[i]);
	}
	atomic_store(&current, !old_index);
	atomic_store(&has_looked, true);
}

void codectl_elf_register_after_fork(void *unused)
{
	(void)unused;
	/* Another thread may have been changing it; its memory is lost then. */
	memset(&lists[!atomic_load(&current)], 0, sizeof(lists[0]));
}
