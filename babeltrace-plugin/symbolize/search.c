/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/search.h"

#include <string.h>

const char *codectl_object_status_text(enum codectl_object_status status)
{
	switch (status) {
	case CODECTL_OBJECT_OK:
		return "found";
	case CODECTL_OBJECT_NO_PATH:
		return "it has no path";
	case CODECTL_OBJECT_NOT_FOUND:
		return "no such file";
	case CODECTL_OBJECT_NOT_READABLE:
		return "the file cannot be read";
	case CODECTL_OBJECT_NOT_REGULAR:
		return "not a regular file";
	case CODECTL_OBJECT_LINK_LOOP:
		return "symbolic links lead in a circle";
	case CODECTL_OBJECT_NOT_ELF:
		return "not an ELF file of a known kind";
	case CODECTL_OBJECT_ELF32:
		return "an ELF file for 32-bit programs";
	case CODECTL_OBJECT_BIG_ENDIAN:
		return "an ELF file for big-endian machines";
	case CODECTL_OBJECT_CHANGED:
		return "the file changed while it was read";
	case CODECTL_OBJECT_BUILD_ID_MISMATCH:
		return "its build-id differs";
	case CODECTL_OBJECT_CRC_MISMATCH:
		return "its CRC differs";
	case CODECTL_OBJECT_NO_DEBUG_INFO:
		return "there are neither DWARF nor symbols in it";
	case CODECTL_OBJECT_REPLACED:
		return "it was deleted or replaced while the program ran";
	case CODECTL_OBJECT_STATUS_COUNT:
		break;
	}
	return "unknown status";
}

const char *codectl_object_part_text(enum codectl_object_part part)
{
	switch (part) {
	case CODECTL_PART_OBJECT:
		return "the file of an object";
	case CODECTL_PART_DEBUG_FILE:
		return "a debug file";
	case CODECTL_PART_SUPPLEMENTARY:
		return "a supplementary debug file";
	case CODECTL_PART_SPLIT:
		return "a file of split DWARF";
	case CODECTL_PART_SECTION:
		return "a section";
	case CODECTL_PART_DOWNLOAD:
		return "a debuginfod server";
	case CODECTL_PART_COUNT:
		break;
	}
	return "something unknown";
}

bool codectl_search_shorten_path(const char *path, char shorter[static PATH_MAX - 1])
{
	size_t used = 0;

	while (*path) {
		size_t len = strcspn(path, "/");

		if (len == 2 && !memcmp(path, "..", 2)) {
			while (used > 0 && shorter[--used] != '/')
				;
		} else if (len > 0 && !(len == 1 && *path == '.')) {
			if (used + len + 2 > PATH_MAX - 1)
				return false;
			if (used)
				shorter[used++] = '/';
			memcpy(shorter + used, path, len);
			used += len;
		}
		path += len + (path[len] == '/');
	}
	shorter[used] = '\0';
	return used > 0;
}
