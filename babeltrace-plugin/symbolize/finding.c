/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/finding.h"

#include "symbolize/attempt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int codectl_finder_init(struct codectl_finder *finder, const struct codectl_object_search *search,
	const char *pathname)
{
	*finder = (struct codectl_finder){.search = *search, .pathname = strdup(pathname)};
	return finder->pathname ? 0 : -ENOMEM;
}

void codectl_finder_fini(struct codectl_finder *finder)
{
	free(finder->pathname);
	finder->pathname = NULL;
}

void codectl_finder_tell(struct codectl_finder *finder, enum codectl_object_part part,
	const char *what, const char *reason, bool is_normal)
{
	const struct codectl_object_note note = {
		.part = part,
		.pathname = finder->pathname,
		.what = what,
		.reason = reason,
		.is_normal = is_normal,
	};

	/* What is normal does not hide what is not. */
	const unsigned int bit = 1U << (2 * part + is_normal);

	if (finder->told & bit || !finder->search.tell)
		return;
	finder->told |= bit;
	finder->search.tell(finder->search.user, &note);
}

static bool is_vdso(const char *pathname)
{
	return !strcmp(pathname, "[vdso]") || !strcmp(pathname, "linux-vdso.so.1");
}

/* What the trace has of the object itself. *@status tells why it is not used. */
static int open_image(const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status)
{
	if (!identity->image)
		return -ENOENT;

	int ret = codectl_elf_file_open_image(own, identity->image, identity->image_len, status);

	if (ret || codectl_attempt_has_identity(own, identity))
		return ret;
	*status = CODECTL_OBJECT_BUILD_ID_MISMATCH;
	codectl_elf_file_close(own);
	return -ENOENT;
}

/* This machine's vDSO, else the image that the trace has. */
static int open_vdso(const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status)
{
	/* Any other kernel has another vDSO: only the build-id can tell. */
	if (identity->build_id_len && codectl_elf_file_open_vdso(own) == 0) {
		if (codectl_attempt_has_identity(own, identity)) {
			*status = CODECTL_OBJECT_OK;
			return 0;
		}
		codectl_elf_file_close(own);
	}
	return open_image(identity, own, status);
}

/* At the path of the trace, under the roots. */
static int try_pathname(struct codectl_attempt *attempt, const char *pathname)
{
	const struct codectl_object_search *search = &attempt->finder->search;
	char path[PATH_MAX];
	const char *root;
	int ret = -ENOENT;

	for (size_t i = 0; ret == -ENOENT && (root = codectl_attempt_root(search, i)); i++) {
		/* Some loaders know programs by a relative path. */
		const char *slash = *root && *pathname != '/' ? "/" : "";

		if (codectl_attempt_make_path(path, "%s%s%s", root, slash, pathname))
			ret = codectl_attempt_path(attempt, path);
	}
	return ret;
}

int codectl_finding_open_own(struct codectl_finder *finder,
	const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status)
{
	const struct codectl_expectation expectation = {
		.object = identity,
		.build_id = identity->build_id_len ? identity->build_id : NULL,
		.build_id_len = identity->build_id_len,
	};
	struct codectl_attempt attempt = codectl_attempt_begin(finder, &expectation, own);
	bool has_path = *identity->pathname && *identity->pathname != '[';
	/* The recorder saw that another file is there, and nothing else would tell. */
	bool is_replaced = identity->image && !identity->build_id_len;
	enum codectl_object_status image_status;
	int ret = -ENOENT;

	*status = CODECTL_OBJECT_NO_PATH;
	if (is_vdso(identity->pathname))
		return open_vdso(identity, own, status);
	if (has_path && !is_replaced)
		ret = try_pathname(&attempt, identity->pathname);
	if (has_path)
		*status = is_replaced ? CODECTL_OBJECT_REPLACED : attempt.status;
	if (ret == -ENOENT)
		ret = codectl_attempt_build_id(&attempt, "");
	if (ret == -ENOENT)
		ret = codectl_attempt_download(&attempt, CODECTL_DEBUGINFOD_EXECUTABLE);
	if (!ret)
		*status = CODECTL_OBJECT_OK;
	/* Why the file is not used matters more than what is wrong with its image. */
	return ret == -ENOENT ? open_image(identity, own, &image_status) : ret;
}

/* Tries @name and .debug/@name in @dir, a directory of this machine. */
static int try_beside(struct codectl_attempt *attempt, const char *dir, const char *name)
{
	char path[PATH_MAX];
	int ret = -ENOENT;

	if (codectl_attempt_make_path(path, "%s/%s", dir, name))
		ret = codectl_attempt_path(attempt, path);
	if (ret == -ENOENT && codectl_attempt_make_path(path, "%s/.debug/%s", dir, name))
		ret = codectl_attempt_path(attempt, path);
	return ret;
}

/* Tries the places where a debug link's file may be, for an object in @dir of the trace. */
static int try_debug_link(struct codectl_attempt *attempt, const char *dir, const char *name)
{
	const struct codectl_object_search *search = &attempt->finder->search;
	char path[PATH_MAX];
	int ret = -ENOENT;

	if (codectl_attempt_make_path(path, "%s/%s", dir, name))
		ret = codectl_attempt_roots(attempt, path);
	if (ret == -ENOENT && codectl_attempt_make_path(path, "%s/.debug/%s", dir, name))
		ret = codectl_attempt_roots(attempt, path);
	for (size_t i = 0; ret == -ENOENT && i < search->debug_dir_count; i++) {
		if (codectl_attempt_make_path(path, "%s%s/%s", search->debug_dirs[i], dir, name))
			ret = codectl_attempt_roots(attempt, path);
	}
	return ret;
}

/* Cuts the last part off @path. Returns whether a directory remains. */
static bool cut_to_dir(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

/* The part of @dir below one of the roots; @dir itself if it is below none. */
static const char *below_roots(const struct codectl_object_search *search, const char *dir)
{
	char real[PATH_MAX];
	const char *root;

	for (size_t i = 0; (root = codectl_attempt_root(search, i)); i++) {
		size_t len = *root && realpath(root, real) ? strlen(real) : 0;

		if (len > 1 && !strncmp(dir, real, len) && dir[len] == '/')
			return dir + len;
	}
	return dir;
}

static int open_by_debug_link(struct codectl_attempt *attempt, const char *pathname,
	const struct codectl_elf_file *own, const char *name)
{
	char real[PATH_MAX], dir[PATH_MAX];
	const char *slash = strrchr(name, '/');
	bool has_dir = *pathname == '/' && codectl_attempt_make_path(dir, "%s", pathname) &&
		       cut_to_dir(dir);
	int ret = -ENOENT;

	/* The link is a name, whatever a hostile file writes there. */
	if (slash)
		name = slash + 1;
	if (!*name)
		return -ENOENT;
	if (has_dir)
		ret = try_debug_link(attempt, dir, name);
	/* The path may lead through symbolic links: /lib is /usr/lib nowadays. */
	if (ret != -ENOENT || !own->path || !realpath(own->path, real) || !cut_to_dir(real) ||
		(has_dir && !strcmp(real, dir)))
		return ret;
	ret = try_beside(attempt, real, name);
	return ret == -ENOENT
		       ? try_debug_link(attempt, below_roots(&attempt->finder->search, real), name)
		       : ret;
}

int codectl_finding_open_debug(struct codectl_finder *finder,
	const struct codectl_object_identity *identity, const struct codectl_elf_file *own,
	struct codectl_elf_file *debug)
{
	struct codectl_expectation expectation = {
		.build_id = identity->build_id_len ? identity->build_id : NULL,
		.build_id_len = identity->build_id_len,
		.has_crc = *identity->debug_link_pathname != '\0',
		.crc = identity->debug_link_crc,
	};
	struct codectl_attempt attempt = codectl_attempt_begin(finder, &expectation, debug);
	const char *name = identity->debug_link_pathname;
	const char *own_name;
	uint32_t crc;
	int ret;

	if (codectl_elf_file_is_open(own)) {
		if (!expectation.build_id && codectl_elf_build_id(&own->elf, &expectation.build_id,
						     &expectation.build_id_len) != 0)
			expectation.build_id = NULL;
		if (codectl_elf_debug_link(&own->elf, &own_name, &crc) == 0) {
			name = own_name;
			expectation.has_crc = true;
			expectation.crc = crc;
		}
	}
	ret = codectl_attempt_build_id(&attempt, ".debug");
	if (ret == -ENOENT)
		ret = open_by_debug_link(&attempt, identity->pathname, own, name);
	if (ret == -ENOENT && !is_vdso(identity->pathname))
		ret = codectl_attempt_download(&attempt, CODECTL_DEBUGINFOD_DEBUGINFO);
	if (ret == -ENOENT && attempt.status != CODECTL_OBJECT_NOT_FOUND)
		codectl_finder_tell(finder, CODECTL_PART_DEBUG_FILE, attempt.path,
			codectl_object_status_text(attempt.status),
			attempt.status == CODECTL_OBJECT_NO_DEBUG_INFO);
	return ret;
}

/* The path of a supplementary file may be relative to the file which needs it. */
static int try_relative(
	struct codectl_attempt *attempt, const struct codectl_elf_file *from, const char *name)
{
	char dir[PATH_MAX], path[PATH_MAX];
	int ret = -ENOENT;

	if (!from->path)
		return -ENOENT;
	if (codectl_attempt_make_path(dir, "%s", from->path) && cut_to_dir(dir) &&
		codectl_attempt_make_path(path, "%s/%s", dir, name))
		ret = codectl_attempt_path(attempt, path);
	if (ret == -ENOENT && realpath(from->path, dir) && cut_to_dir(dir) &&
		codectl_attempt_make_path(path, "%s/%s", dir, name))
		ret = codectl_attempt_path(attempt, path);
	return ret;
}

int codectl_finding_open_supplementary(struct codectl_finder *finder,
	const struct codectl_elf_file *from, const char *name, const uint8_t *build_id, size_t len,
	struct codectl_elf_file *file)
{
	const struct codectl_expectation expectation = {.build_id = build_id, .build_id_len = len};
	struct codectl_attempt attempt = codectl_attempt_begin(finder, &expectation, file);
	int ret = codectl_attempt_build_id(&attempt, ".debug");

	if (ret == -ENOENT && *name == '/')
		ret = codectl_attempt_roots(&attempt, name);
	else if (ret == -ENOENT)
		ret = try_relative(&attempt, from, name);
	if (ret == -ENOENT)
		ret = codectl_attempt_download(&attempt, CODECTL_DEBUGINFOD_DEBUGINFO);
	if (ret == -ENOENT)
		codectl_finder_tell(finder, CODECTL_PART_SUPPLEMENTARY,
			attempt.status == CODECTL_OBJECT_NOT_FOUND ? name : attempt.path,
			codectl_object_status_text(attempt.status), false);
	return ret;
}
