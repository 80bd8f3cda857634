/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/attempt.h"

#include "symbolize/debug-sup.h"
#include "symbolize/elf-contents.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_ID_MAX 64

bool codectl_attempt_make_path(char path[static PATH_MAX], const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	return len > 0 && len < PATH_MAX;
}

const char *codectl_attempt_root(const struct codectl_object_search *search, size_t index)
{
	if (index < search->archive_count)
		return search->archives[index];
	index -= search->archive_count;
	if (index < search->target_prefix_count)
		return search->target_prefixes[index];
	return index == 0 && !search->archive_count && !search->target_prefix_count ? "" : NULL;
}

const char *codectl_attempt_any_root(const struct codectl_object_search *search, size_t index)
{
	size_t count = search->archive_count + search->target_prefix_count;

	return index == count ? "" : codectl_attempt_root(search, index);
}

bool codectl_attempt_has_identity(
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

/* Whether @file is what is expected: an object, or a debug file by build-id, else by CRC. */
static enum codectl_object_status check(
	const struct codectl_elf_file *file, const struct codectl_expectation *expectation)
{
	const uint8_t *build_id;
	uint32_t crc;
	size_t len;

	if (expectation->object)
		return codectl_attempt_has_identity(file, expectation->object)
			       ? CODECTL_OBJECT_OK
			       : CODECTL_OBJECT_BUILD_ID_MISMATCH;
	if (expectation->build_id && codectl_debug_sup_identity(file, &build_id, &len) == 0) {
		if (len != expectation->build_id_len ||
			memcmp(build_id, expectation->build_id, len) != 0)
			return CODECTL_OBJECT_BUILD_ID_MISMATCH;
	} else if (!expectation->has_crc) {
		return CODECTL_OBJECT_BUILD_ID_MISMATCH;
	} else if (codectl_elf_contents_crc(file, &crc) || crc != expectation->crc) {
		return CODECTL_OBJECT_CRC_MISMATCH;
	}
	return codectl_elf_file_has_debug_info(file) || codectl_elf_file_has_symtab(file)
		       ? CODECTL_OBJECT_OK
		       : CODECTL_OBJECT_NO_DEBUG_INFO;
}

int codectl_attempt_path(struct codectl_attempt *attempt, const char *path)
{
	enum codectl_object_status status;
	int ret = codectl_elf_file_open(attempt->file, path, &status);

	if (!ret) {
		status = check(attempt->file, attempt->expectation);
		if (status == CODECTL_OBJECT_OK)
			return 0;
		codectl_elf_file_close(attempt->file);
		ret = -ENOENT;
	}
	/* They are in the order of how much they tell. */
	if (status > attempt->status) {
		attempt->status = status;
		snprintf(attempt->path, sizeof(attempt->path), "%s", path);
	}
	return ret;
}

struct codectl_attempt codectl_attempt_begin(struct codectl_finder *finder,
	const struct codectl_expectation *expectation, struct codectl_elf_file *file)
{
	memset(file, 0, sizeof(*file));
	return (struct codectl_attempt){
		.finder = finder,
		.expectation = expectation,
		.file = file,
		.status = CODECTL_OBJECT_NOT_FOUND,
	};
}

int codectl_attempt_roots(struct codectl_attempt *attempt, const char *path)
{
	char rooted[PATH_MAX];
	const char *root;
	int ret = -ENOENT;

	for (size_t i = 0;
		ret == -ENOENT && (root = codectl_attempt_any_root(&attempt->finder->search, i));
		i++) {
		if (codectl_attempt_make_path(rooted, "%s%s", root, path))
			ret = codectl_attempt_path(attempt, rooted);
	}
	return ret;
}

/* The end of a path for @build_id in a .build-id directory. Returns whether there is one. */
static bool format_build_id(
	char text[static 2 * BUILD_ID_MAX + 2], const uint8_t *build_id, size_t len)
{
	if (len < 2 || len > BUILD_ID_MAX)
		return false;
	snprintf(text, 4, "%02x/", build_id[0]);
	for (size_t i = 1; i < len; i++)
		snprintf(text + 2 * i + 1, 3, "%02x", build_id[i]);
	return true;
}

int codectl_attempt_build_id(struct codectl_attempt *attempt, const char *suffix)
{
	const struct codectl_object_search *search = &attempt->finder->search;
	char id[2 * BUILD_ID_MAX + 2], path[PATH_MAX];
	int ret = -ENOENT;

	if (!attempt->expectation->build_id || !format_build_id(id, attempt->expectation->build_id,
						       attempt->expectation->build_id_len))
		return -ENOENT;
	for (size_t i = 0; ret == -ENOENT && i < search->archive_count; i++) {
		if (codectl_attempt_make_path(
			    path, "%s/.build-id/%s%s", search->archives[i], id, suffix))
			ret = codectl_attempt_path(attempt, path);
	}
	for (size_t i = 0; ret == -ENOENT && i < search->debug_dir_count; i++) {
		if (codectl_attempt_make_path(
			    path, "%s/.build-id/%s%s", search->debug_dirs[i], id, suffix))
			ret = codectl_attempt_roots(attempt, path);
	}
	return ret;
}

int codectl_attempt_download(struct codectl_attempt *attempt, enum codectl_debuginfod_kind kind)
{
	struct codectl_finder *finder = attempt->finder;
	struct codectl_debuginfod *debuginfod = finder->search.debuginfod;
	const struct codectl_expectation *expectation = attempt->expectation;
	const enum codectl_object_status before = attempt->status;
	struct codectl_debuginfod_answer answer;
	int ret;

	if (!debuginfod || !expectation->build_id)
		return -ENOENT;
	codectl_debuginfod_find(debuginfod, kind, expectation->build_id, expectation->build_id_len,
		finder->pathname, &answer);
	if (!answer.path) {
		codectl_finder_tell(finder, CODECTL_PART_DOWNLOAD, "", answer.reason,
			answer.is_missing || answer.is_repeated);
		return -ENOENT;
	}
	attempt->status = CODECTL_OBJECT_NOT_FOUND;
	ret = codectl_attempt_path(attempt, answer.path);
	if (ret == -ENOENT) {
		codectl_debuginfod_reject(debuginfod, answer.path);
		codectl_finder_tell(finder, CODECTL_PART_DOWNLOAD, answer.path,
			codectl_object_status_text(attempt->status), false);
		/* That has been told, and the file is gone. */
		attempt->status = before;
	}
	free(answer.path);
	return ret;
}
