/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_NAME ".codectl-archive.tmp"

struct codectl_archive {
	int fd; /* Of the directory. */
	int error;
	const struct codectl_log *log; /* Weak. */
};

int codectl_archive_create(
	const char *path, const struct codectl_log *log, struct codectl_archive **archive)
{
	int fd;

	*archive = NULL;
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return -errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*archive = calloc(1, sizeof(**archive));
	if (!*archive) {
		close(fd);
		return -ENOMEM;
	}
	(*archive)->fd = fd;
	(*archive)->log = log;
	return 0;
}

void codectl_archive_destroy(struct codectl_archive *archive)
{
	if (!archive)
		return;
	close(archive->fd);
	free(archive);
}

int codectl_archive_error(const struct codectl_archive *archive)
{
	return archive->error;
}

/*
 * Opens the directory of @path, a relative one, below the archive's, and makes what
 * is missing; follows no links. *@name is the last part. Returns the descriptor,
 * or a negative errno.
 */
static int open_parent(const struct codectl_archive *archive, char *path, const char **name)
{
	int fd = fcntl(archive->fd, F_DUPFD_CLOEXEC, 0);
	char *slash;

	while (fd >= 0 && (slash = strchr(path, '/'))) {
		int next;

		*slash = '\0';
		next = mkdirat(fd, path, 0777) == 0 || errno == EEXIST
			       ? openat(fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
			       : -1;
		if (next < 0)
			next = -errno;
		close(fd);
		fd = next;
		path = slash + 1;
	}
	*name = path;
	return fd == -1 ? -errno : fd;
}

/* Copies the file to @name in @parent, whole or not at all. Returns 0 or a negative errno. */
static int copy_file(const struct codectl_object_part_file *file, int parent, const char *name)
{
	int fd, ret;

	unlinkat(parent, TEMPORARY_NAME, 0);
	fd = openat(parent, TEMPORARY_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	ret = codectl_object_part_copy(file, fd);
	if (close(fd) != 0 && !ret)
		ret = -errno;
	if (!ret && renameat(parent, TEMPORARY_NAME, parent, name) != 0)
		ret = -errno;
	if (ret)
		unlinkat(parent, TEMPORARY_NAME, 0);
	return ret;
}

/* Copies the file to @path below the archive, unless that is there. Returns 0 or a negative errno. */
static int store(struct codectl_archive *archive, const struct codectl_object_part_file *file,
	const char *path)
{
	char relative[PATH_MAX];
	const char *name;
	int parent, ret = 0;

	if (!codectl_search_shorten_path(path, relative))
		return -ENOENT;
	parent = open_parent(archive, relative, &name);
	if (parent < 0)
		return parent;
	if (faccessat(parent, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		ret = copy_file(file, parent, name);
	close(parent);
	return ret;
}

/* Makes a link at @path to @target, both below the archive. That it may be there already is fine. */
static void link_path(struct codectl_archive *archive, const char *path, const char *target)
{
	char relative[PATH_MAX], up[PATH_MAX] = "", link[2 * PATH_MAX];
	const char *name;
	size_t used = 0;
	int parent;

	if (!codectl_search_shorten_path(path, relative))
		return;
	for (const char *c = relative; *c; c++) {
		if (*c == '/' && used + 4 <= sizeof(up)) {
			memcpy(up + used, "../", 4);
			used += 3;
		}
	}
	snprintf(link, sizeof(link), "%s%s", up, target);
	parent = open_parent(archive, relative, &name);
	if (parent < 0)
		return;
	/* For people and other tools; we look for the build-id. */
	if (symlinkat(link, parent, name) != 0 && errno != EEXIST)
		codectl_log_info(archive->log, "Cannot link a file of the archive: path=\"%s\": %s",
			path, strerror(errno));
	close(parent);
}

static void format_target(
	const struct codectl_object_part_file *file, char target[static 2 * 256 + 32])
{
	size_t used = (size_t)sprintf(target, ".build-id/%02x/", file->build_id[0]);

	for (size_t i = 1; i < file->build_id_len && i < 256; i++)
		used += (size_t)sprintf(target + used, "%02x", file->build_id[i]);
	if (file->part != CODECTL_PART_OBJECT)
		strcpy(target + used, ".debug");
}

/* Always goes on. */
static int add_part(void *user, const struct codectl_object_part_file *file)
{
	struct codectl_archive *archive = user;
	bool has_id = file->build_id_len >= 2;
	char target[2 * 256 + 32];
	int ret;

	if (has_id)
		format_target(file, target);
	ret = store(archive, file, has_id ? target : file->name);
	if (!ret && has_id && file->part == CODECTL_PART_OBJECT)
		link_path(archive, file->name, target);
	if (ret == -ENOENT)
		codectl_log_warning(archive->log,
			"Cannot archive a file, it has changed or has no place: path=\"%s\"",
			file->path);
	else if (ret && !archive->error)
		archive->error = ret;
	return 0;
}

void codectl_archive_add(struct codectl_archive *archive, const struct codectl_object_file *file)
{
	int ret = codectl_object_file_for_each_part(file, add_part, archive);

	if (ret && !archive->error)
		archive->error = ret;
}
