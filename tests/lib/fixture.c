/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/fixture.h"

#include "lib/tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char directory[PATH_MAX];
static pid_t owner;

static void remove_directory(void)
{
	char command[PATH_MAX + 16];

	/* A child that exits has no say. */
	if (getpid() != owner)
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command) != 0)
		printf("# cannot remove %s\n", directory);
}

const char *fixture_dir(void)
{
	const char *parent = getenv("TMPDIR");

	if (*directory)
		return directory;
	snprintf(directory, sizeof(directory), "%s/codectl-test-XXXXXX",
		parent && *parent == '/' ? parent : "/tmp");
	CHECK(mkdtemp(directory));
	owner = getpid();
	atexit(remove_directory);
	return directory;
}

const char *fixture_path(const char *name)
{
	static char paths[4][PATH_MAX];
	static size_t turn;
	char *path = paths[turn++ % (sizeof(paths) / sizeof(paths[0]))];

	CHECK(snprintf(path, PATH_MAX, "%s/%s", fixture_dir(), name) < PATH_MAX);
	return path;
}

bool fixture_try(const char *format, ...)
{
	char command[3 * PATH_MAX];
	va_list args;
	int at = snprintf(
		command, sizeof(command), "cd '%s' && exec >>log 2>&1 && ", fixture_dir());

	va_start(args, format);
	CHECK(vsnprintf(command + at, sizeof(command) - (size_t)at, format, args) <
		(int)sizeof(command) - at);
	va_end(args);
	fflush(NULL);
	if (system(command) == 0)
		return true;
	printf("# failed, see %s/log: %s\n", fixture_dir(), command);
	return false;
}

bool fixture_has_command(const char *name)
{
	char command[256];

	snprintf(command, sizeof(command), "command -v '%s' >/dev/null 2>&1", name);
	return system(command) == 0;
}

char *fixture_read(const char *name, size_t *len)
{
	FILE *file = fopen(fixture_path(name), "r");
	char *bytes;
	long size;

	CHECK(file);
	CHECK(fseek(file, 0, SEEK_END) == 0);
	size = ftell(file);
	CHECK(size >= 0);
	rewind(file);
	bytes = malloc((size_t)size + 1);
	CHECK(bytes);
	CHECK_INT(fread(bytes, 1, (size_t)size, file), size);
	fclose(file);
	bytes[size] = '\0';
	if (len)
		*len = (size_t)size;
	return bytes;
}

void fixture_write(const char *name, const void *bytes, size_t len)
{
	FILE *file = fopen(fixture_path(name), "w");

	CHECK(file);
	CHECK_INT(fwrite(bytes, 1, len, file), len);
	CHECK(fclose(file) == 0);
}
