/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/finding.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_ID_MAX 64

/* What a debug file must be to be taken. */
struct expectation {
	const uint8_t *build_id; /* Weak; NULL if unknown. */
	size_t build_id_len;
	bool has_crc;
	uint32_t crc;
};

/* Joins three parts. Returns whether the result fits; if not, no such file can exist. */
__attribute__((format(printf, 2, 3))) static bool make_path(
	char path[static PATH_MAX], const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	return len > 0 && len < PATH_MAX;
}

static const char *prefix_of(const struct codectl_object_search *search)
{
	return search->target_prefix ? search->target_prefix : "";
}

static bool is_vdso(const char *pathname)
{
	return !strcmp(pathname, "[vdso]") || !strcmp(pathname, "linux-vdso.so.1");
}

static bool has_identity(
	const struct codectl_elf_file *own, const struct codectl_object_identity *identity)
{
	const char *name;
	uint32_t crc;

	if (identity->build_id_len)
		return codectl_elf_file_has_build_id(
			own, identity->build_id, identity->build_id_len);
	/* Without a build-id, another debug link still gives another build away. */
	return !*identity->debug_link_pathname ||
	       codectl_elf_debug_link(&own->elf, &name, &crc) != 0 ||
	       crc == identity->debug_link_crc;
}

/* This machine's vDSO, else the image that the trace has. */
static int open_vdso(const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status)
{
	/* Any other kernel has another vDSO: only the build-id can tell. */
	if (identity->build_id_len && codectl_elf_file_open_vdso(own) == 0) {
		if (has_identity(own, identity)) {
			*status = CODECTL_OBJECT_OK;
			return 0;
		}
		codectl_elf_file_close(own);
	}
	if (!identity->image)
		return -ENOENT;

	int ret = codectl_elf_file_open_image(own, identity->image, identity->image_len, status);

	if (ret)
		return ret;
	if (has_identity(own, identity))
		return 0;
	*status = CODECTL_OBJECT_BUILD_ID_MISMATCH;
	codectl_elf_file_close(own);
	return -ENOENT;
}

int codectl_finding_open_own(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, struct codectl_elf_file *own,
	enum codectl_object_status *status)
{
	char path[PATH_MAX];
	int ret;

	memset(own, 0, sizeof(*own));
	*status = CODECTL_OBJECT_NO_PATH;
	if (is_vdso(identity->pathname))
		return open_vdso(identity, own, status);
	if (!*identity->pathname || *identity->pathname == '[')
		return -ENOENT;
	*status = CODECTL_OBJECT_NOT_FOUND;
	if (!make_path(path, "%s%s", prefix_of(search), identity->pathname))
		return -ENOENT;
	ret = codectl_elf_file_open(own, path, status);
	if (ret)
		return ret;
	if (!has_identity(own, identity)) {
		*status = CODECTL_OBJECT_BUILD_ID_MISMATCH;
		codectl_elf_file_close(own);
		return -ENOENT;
	}
	return 0;
}

/* Whether @file is the debug file expected: by build-id, else by CRC. */
static bool is_expected(const struct codectl_elf_file *file, const struct expectation *expectation)
{
	const uint8_t *build_id;
	size_t len;

	if (!codectl_elf_file_has_debug_info(file) && !codectl_elf_file_has_symtab(file))
		return false;
	if (expectation->build_id && codectl_elf_build_id(&file->elf, &build_id, &len) == 0)
		return len == expectation->build_id_len &&
		       !memcmp(build_id, expectation->build_id, len);
	return expectation->has_crc && codectl_elf_file_crc(file) == expectation->crc;
}

static int try_path(
	const char *path, const struct expectation *expectation, struct codectl_elf_file *debug)
{
	enum codectl_object_status status;
	int ret = codectl_elf_file_open(debug, path, &status);

	if (ret)
		return ret;
	if (is_expected(debug, expectation))
		return 0;
	codectl_elf_file_close(debug);
	return -ENOENT;
}

/* Tries @path under the target's prefix, then on this machine. */
static int try_both(const struct codectl_object_search *search, const char *path,
	const struct expectation *expectation, struct codectl_elf_file *debug)
{
	char prefixed[PATH_MAX];
	int ret = -ENOENT;

	if (*prefix_of(search) && make_path(prefixed, "%s%s", prefix_of(search), path))
		ret = try_path(prefixed, expectation, debug);
	return ret == -ENOENT ? try_path(path, expectation, debug) : ret;
}

int codectl_finding_open_by_build_id(const struct codectl_object_search *search,
	const uint8_t *build_id, size_t len, struct codectl_elf_file *debug)
{
	const struct expectation expectation = {.build_id = build_id, .build_id_len = len};
	char hex[2 * BUILD_ID_MAX + 1];
	char path[PATH_MAX];

	memset(debug, 0, sizeof(*debug));
	if (len < 2 || len > BUILD_ID_MAX)
		return -ENOENT;
	for (size_t i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id[i]);
	for (size_t i = 0; i < search->debug_dir_count; i++) {
		int ret;

		if (!make_path(path, "%s/.build-id/%.2s/%s.debug", search->debug_dirs[i], hex,
			    hex + 2))
			continue;
		ret = try_both(search, path, &expectation, debug);
		if (ret != -ENOENT)
			return ret;
	}
	return -ENOENT;
}

/* Tries the places where a debug link's file may be, for an object in @dir. */
static int try_debug_link(const struct codectl_object_search *search, const char *dir,
	const char *name, const struct expectation *expectation, struct codectl_elf_file *debug)
{
	char path[PATH_MAX];
	int ret = -ENOENT;

	if (make_path(path, "%s/%s", dir, name))
		ret = try_both(search, path, expectation, debug);
	if (ret == -ENOENT && make_path(path, "%s/.debug/%s", dir, name))
		ret = try_both(search, path, expectation, debug);
	for (size_t i = 0; ret == -ENOENT && i < search->debug_dir_count; i++) {
		if (make_path(path, "%s%s/%s", search->debug_dirs[i], dir, name))
			ret = try_both(search, path, expectation, debug);
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

static int open_by_debug_link(const struct codectl_object_search *search, const char *pathname,
	const char *name, const struct expectation *expectation, struct codectl_elf_file *debug)
{
	char path[PATH_MAX], real[PATH_MAX], dir[PATH_MAX];
	const char *slash = strrchr(name, '/');
	int ret;

	/* The link is a name, whatever a hostile file writes there. */
	if (slash)
		name = slash + 1;
	if (!*name || *pathname != '/' || !make_path(dir, "%s", pathname) || !cut_to_dir(dir))
		return -ENOENT;
	ret = try_debug_link(search, dir, name, expectation, debug);
	if (ret != -ENOENT)
		return ret;
	/* The path may lead through symbolic links: /lib is /usr/lib nowadays. */
	if (!make_path(path, "%s%s", prefix_of(search), pathname) || !realpath(path, real) ||
		!cut_to_dir(real) || !strcmp(real, dir))
		return -ENOENT;
	return try_debug_link(search, real, name, expectation, debug);
}

int codectl_finding_open_debug(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, const struct codectl_elf_file *own,
	struct codectl_elf_file *debug)
{
	struct expectation expectation = {
		.build_id = identity->build_id_len ? identity->build_id : NULL,
		.build_id_len = identity->build_id_len,
		.has_crc = *identity->debug_link_pathname != '\0',
		.crc = identity->debug_link_crc,
	};
	const char *name = identity->debug_link_pathname;
	const char *own_name;
	uint32_t crc;
	int ret;

	memset(debug, 0, sizeof(*debug));
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
	if (expectation.build_id) {
		ret = codectl_finding_open_by_build_id(
			search, expectation.build_id, expectation.build_id_len, debug);
		if (ret != -ENOENT)
			return ret;
	}
	return open_by_debug_link(search, identity->pathname, name, &expectation, debug);
}
