/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/split.h"

#include "symbolize/attempt.h"
#include "symbolize/elf-contents.h"
#include "symbolize/unpack.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the skeleton says of its other part. */
struct skeleton {
	Dwarf_CU *unit;
	uint64_t id;
	const char *name;     /* Weak; in memory that is ours. */
	const char *comp_dir; /* Weak; NULL: unknown. */
};

static const char another_build[] = "it is of another build";

int codectl_split_init(struct codectl_split *split, struct codectl_finder *finder,
	const struct codectl_elf_file *file)
{
	*split = (struct codectl_split){.finder = finder};
	if (!file->path)
		return 0;
	split->path = strdup(file->path);
	return split->path ? 0 : -ENOMEM;
}

void codectl_split_fini(struct codectl_split *split)
{
	codectl_dwarf_package_close(&split->package);
	for (size_t i = 0; i < split->used_count; i++) {
		free(split->used[i].path);
		free(split->used[i].name);
	}
	free(split->used);
	free(split->path);
	*split = (struct codectl_split){0};
}

/* Remembers a file that is at @path, and was looked for as @name. */
static int remember(struct codectl_split *split, const char *path, const char *name)
{
	struct codectl_split_file *larger = reallocarray(
		split->used, split->used_count + 1, sizeof(*larger));
	struct codectl_split_file *added;

	if (!larger)
		return -ENOMEM;
	split->used = larger;
	added = &larger[split->used_count];
	added->path = strdup(path);
	added->name = strdup(name);
	if (!added->path || !added->name) {
		free(added->path);
		free(added->name);
		return -ENOMEM;
	}
	split->used_count++;
	return 0;
}

static const char *read_string(Dwarf_Die *die, unsigned int name, unsigned int gnu_name)
{
	Dwarf_Attribute attribute;
	const char *text = dwarf_formstring(dwarf_attr(die, name, &attribute));

	return text ? text : dwarf_formstring(dwarf_attr(die, gnu_name, &attribute));
}

/* Returns whether it is a skeleton. */
static bool read_skeleton(Dwarf_Die *die, struct skeleton *skeleton)
{
	skeleton->unit = die->cu;
	skeleton->name = read_string(die, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	skeleton->comp_dir = read_string(die, DW_AT_comp_dir, DW_AT_comp_dir);
	return skeleton->name && *skeleton->name &&
	       dwarf_cu_info(die->cu, NULL, NULL, NULL, NULL, &skeleton->id, NULL, NULL) == 0;
}

/* Whether @image, a split file, has the unit with @id. */
static bool has_unit(const struct codectl_dwarf_image *image, uint64_t id)
{
	Elf *elf = elf_memory(image->bytes, image->len);
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_CU *unit = NULL;
	uint8_t type;
	uint64_t unit_id;
	bool is_there = false;

	while (dwarf && !is_there &&
		dwarf_get_units(dwarf, unit, &unit, NULL, &type, NULL, NULL) == 0)
		is_there = type == DW_UT_split_compile &&
			   dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &unit_id, NULL, NULL) == 0 &&
			   unit_id == id;
	dwarf_end(dwarf);
	elf_end(elf);
	return is_there;
}

/* Makes a file of @image that has no name. Returns its descriptor or -1. */
static int write_image(const struct codectl_dwarf_image *image)
{
	int fd = memfd_create("split-dwarf", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < image->len) {
		ssize_t count = write(fd, (const char *)image->bytes + done, image->len - done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)count;
	}
	return fd;
}

/*
 * Has libdw open @fd as the other part, and tie the two together. There is no
 * call for that: it opens what the name in the skeleton says. So for the time of
 * this call the name is another one, and what follows it in memory is covered.
 */
static int link_parts(
	struct codectl_dwarf_file *file, const struct skeleton *skeleton, int fd, Dwarf_Die *die)
{
	char path[CODECTL_UNPACK_SLACK], saved[CODECTL_UNPACK_SLACK];
	size_t len = (size_t)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd) + 1;
	char *name = codectl_dwarf_image_make_room(
		&file->sections, &file->image, skeleton->name, len);
	int ret;

	if (!name)
		return -ENOENT;
	memcpy(saved, name, len);
	memcpy(name, path, len);
	ret = dwarf_cu_info(skeleton->unit, NULL, NULL, NULL, die, NULL, NULL, NULL);
	memcpy(name, saved, len);
	return ret == 0 && dwarf_tag(die) != DW_TAG_invalid ? 0 : -ENOENT;
}

/* Gives libdw the part that is in @parts. Returns 0, or -ENOENT with *@reason. */
static int give(struct codectl_dwarf_file *file, const struct skeleton *skeleton,
	const struct codectl_dwarf_sections *parts, Dwarf_Die *die, const char **reason)
{
	struct codectl_dwarf_image image;
	int fd = -1, ret = -ENOENT;

	*reason = "memory is short";
	if (codectl_dwarf_image_copy(parts, &image))
		return -ENOENT;
	if (!has_unit(&image, skeleton->id)) {
		*reason = another_build;
		goto end;
	}
	fd = write_image(&image);
	if (fd < 0)
		goto end;
	*reason = "libdw cannot read it";
	ret = link_parts(file, skeleton, fd, die);
end:
	if (fd >= 0)
		close(fd);
	codectl_dwarf_image_fini(&image);
	return ret;
}

/* Opens the package that belongs to the object, if there is one. */
static void open_package(struct codectl_split *split)
{
	struct codectl_finder *finder = split->finder;
	enum codectl_object_status status = CODECTL_OBJECT_NOT_FOUND;
	char path[PATH_MAX], name[PATH_MAX];
	const char *root;
	int ret = -ENOENT;

	split->has_tried_package = true;
	if (!codectl_attempt_make_path(name, "%s.dwp", finder->pathname))
		return;
	if (split->path && codectl_attempt_make_path(path, "%s.dwp", split->path))
		ret = codectl_dwarf_package_open(&split->package, finder, path, &status);
	for (size_t i = 0; ret == -ENOENT && (root = codectl_attempt_root(&finder->search, i));
		i++) {
		if (codectl_attempt_make_path(path, "%s%s", root, name))
			ret = codectl_dwarf_package_open(&split->package, finder, path, &status);
	}
	if (!ret)
		remember(split, path, name);
	else if (status != CODECTL_OBJECT_NOT_FOUND)
		codectl_finder_tell(finder, CODECTL_PART_SPLIT, path,
			codectl_object_status_text(status), false);
}

static int find_in_package(struct codectl_split *split, struct codectl_dwarf_file *file,
	const struct skeleton *skeleton, Dwarf_Die *die)
{
	struct codectl_dwarf_sections parts;
	const char *reason;
	int ret;

	if (!split->has_tried_package)
		open_package(split);
	if (!codectl_elf_file_is_open(&split->package.file) ||
		codectl_dwarf_package_find(&split->package, skeleton->id, &parts))
		return -ENOENT;
	ret = give(file, skeleton, &parts, die, &reason);
	codectl_dwarf_sections_fini(&parts);
	return ret;
}

/* Uses the file at @path, if it is the right one. */
static int try_file(struct codectl_split *split, struct codectl_dwarf_file *file,
	const struct skeleton *skeleton, const char *path, Dwarf_Die *die, const char **reason)
{
	struct codectl_dwarf_sections parts;
	struct codectl_elf_file elf;
	enum codectl_object_status status;
	int ret = codectl_elf_file_open(&elf, path, &status);

	if (ret) {
		if (status != CODECTL_OBJECT_NOT_FOUND)
			*reason = codectl_object_status_text(status);
		return -ENOENT;
	}
	codectl_dwarf_sections_read(split->finder, &elf, CODECTL_DWARF_SPLIT, &parts);
	ret = give(file, skeleton, &parts, die, reason);
	codectl_dwarf_sections_fini(&parts);
	codectl_elf_file_close(&elf);
	return ret;
}

/* The path of the .dwo file in the trace's world. Returns whether it is absolute. */
static bool make_name(const struct skeleton *skeleton, char name[static PATH_MAX])
{
	if (*skeleton->name == '/')
		return codectl_attempt_make_path(name, "%s", skeleton->name);
	return skeleton->comp_dir && *skeleton->comp_dir == '/' &&
	       codectl_attempt_make_path(name, "%s/%s", skeleton->comp_dir, skeleton->name);
}

/* Beside the file with the skeleton, or beside what a link leads to: build trees get moved. */
static int try_beside(struct codectl_split *split, struct codectl_dwarf_file *file,
	const struct skeleton *skeleton, char path[static PATH_MAX], Dwarf_Die *die,
	const char **reason)
{
	char real[PATH_MAX];
	const char *const files[] = {split->path, split->path ? realpath(split->path, real) : NULL};
	int ret = -ENOENT;

	for (size_t i = 0; i < 2 && ret == -ENOENT && *skeleton->name != '/'; i++) {
		const char *end = files[i] ? strrchr(files[i], '/') : NULL;

		if (end && codectl_attempt_make_path(path, "%.*s/%s", (int)(end - files[i]),
				   files[i], skeleton->name))
			ret = try_file(split, file, skeleton, path, die, reason);
	}
	return ret;
}

/*
 * Under the roots. In an archive the directories that a path goes through and
 * leaves again (`build/../src`) need not be: there it is what is left of it.
 */
static int try_name(struct codectl_split *split, struct codectl_dwarf_file *file,
	const struct skeleton *skeleton, const char *name, char path[static PATH_MAX],
	Dwarf_Die *die, const char **reason)
{
	char shorter[PATH_MAX];
	bool has_shorter = strstr(name, "/.") && codectl_search_shorten_path(name, shorter + 1);
	const char *root;
	int ret = -ENOENT;

	shorter[0] = '/';
	for (size_t i = 0;
		ret == -ENOENT && (root = codectl_attempt_any_root(&split->finder->search, i));
		i++) {
		if (codectl_attempt_make_path(path, "%s%s", root, name))
			ret = try_file(split, file, skeleton, path, die, reason);
		if (ret == -ENOENT && has_shorter &&
			codectl_attempt_make_path(path, "%s%s", root, shorter))
			ret = try_file(split, file, skeleton, path, die, reason);
	}
	return ret;
}

static int find_file(struct codectl_split *split, struct codectl_dwarf_file *file,
	const struct skeleton *skeleton, Dwarf_Die *die)
{
	const char *reason = codectl_object_status_text(CODECTL_OBJECT_NOT_FOUND);
	char path[PATH_MAX], name[PATH_MAX];
	bool has_name = make_name(skeleton, name);
	int ret = -ENOENT;

	if (has_name)
		ret = try_name(split, file, skeleton, name, path, die, &reason);
	if (ret == -ENOENT)
		ret = try_beside(split, file, skeleton, path, die, &reason);
	if (!ret && has_name)
		remember(split, path, name);
	if (ret)
		codectl_finder_tell(split->finder, CODECTL_PART_SPLIT,
			has_name ? name : skeleton->name, reason, false);
	return ret;
}

int codectl_split_find(struct codectl_split *split, struct codectl_dwarf_file *file,
	Dwarf_Die *skeleton_die, Dwarf_Die *die)
{
	struct skeleton skeleton;
	int ret;

	if (!read_skeleton(skeleton_die, &skeleton))
		return -ENOENT;
	ret = find_in_package(split, file, &skeleton, die);
	return ret ? find_file(split, file, &skeleton, die) : 0;
}
