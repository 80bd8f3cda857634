/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/file.h"

#include "format/quiet-open.h"
#include "provider/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than a line of /proc/self/maps: a path of PATH_MAX and the numbers before it. */
#define MAPS_BUFFER_SIZE 8192

CODECTL_EXPORT int codectl_provider_open_file(const char *path)
{
	return codectl_quiet_open(path, 0);
}

CODECTL_EXPORT void codectl_provider_cut_deleted(char *path)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(path);

	if (len > sizeof(mark) - 1 && !strcmp(path + len - (sizeof(mark) - 1), mark))
		path[len - (sizeof(mark) - 1)] = '\0';
}

/* The kernel writes a newline in a path as \012. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		if (!strncmp(from, "\\012", 4)) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/*
 * Looks at "start-end perms offset device inode   /path". Returns 0 if it is
 * the mapping of @address and has a path, -ENOENT if it has none, 1 if it is
 * another.
 */
static int read_maps_line(
	char *line, uint64_t address, struct codectl_file_mapping *mapping, char *path, size_t size)
{
	char *at;
	uint64_t inode = 0;
	uint64_t start = strtoull(line, &at, 16);
	uint64_t end = *at == '-' ? strtoull(at + 1, &at, 16) : 0;

	if (address < start || address >= end)
		return 1;
	/* The inode is the fifth word. */
	for (int word = 1; at && word < 5; word++) {
		at = strchr(at, ' ');
		at = at ? at + strspn(at, " ") : NULL;
	}
	if (at)
		inode = strtoull(at, &at, 10);
	at = at ? strchr(at, '/') : NULL;
	if (!at || strlen(at) >= size)
		return -ENOENT;
	strcpy(path, at);
	unescape(path);
	codectl_provider_cut_deleted(path);
	if (mapping)
		*mapping = (struct codectl_file_mapping){
			.start = start, .end = end, .inode = inode};
	return 0;
}

CODECTL_EXPORT int codectl_provider_find_mapping(
	uint64_t address, struct codectl_file_mapping *mapping, char *path, size_t size)
{
	char *buffer = malloc(MAPS_BUFFER_SIZE);
	size_t len = 0;
	int ret = buffer ? 1 : -ENOMEM;
	/* That of the process is empty once its first thread has ended. */
	int fd = buffer ? codectl_provider_open_file("/proc/thread-self/maps") : -1;

	if (buffer && fd < 0)
		ret = fd;
	while (ret == 1) {
		ssize_t count = read(fd, buffer + len, MAPS_BUFFER_SIZE - 1 - len);
		char *line = buffer;
		char *newline;

		if (count <= 0) {
			ret = -ENOENT;
			break;
		}
		len += (size_t)count;
		buffer[len] = '\0';
		while (ret == 1 && (newline = strchr(line, '\n'))) {
			*newline = '\0';
			ret = read_maps_line(line, address, mapping, path, size);
			line = newline + 1;
		}
		len -= (size_t)(line - buffer);
		memmove(buffer, line, len);
	}
	if (fd >= 0)
		codectl_quiet_close(fd);
	free(buffer);
	return ret;
}
