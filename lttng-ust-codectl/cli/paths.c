/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/paths.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLUGIN_NAME "babeltrace-plugin-codectl.so"

/* DIRECTORY/NAME if it can be read. The caller frees it. */
static char *find_in(const char *directory, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* The path of this program. Returns whether it is known. */
static bool find_program(char *program, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", program, size - 1);

	if (len <= 0)
		return false;
	program[len] = '\0';
	return true;
}

/*
 * Looks for NAME in the libtool directory of FOLDER in the build tree, if this
 * program is there: as <top>/lttng-ust-codectl/codectl or in .libs/ beside it.
 */
static char *find_in_build_tree(const char *folder, const char *name)
{
	char program[PATH_MAX];
	char directory[PATH_MAX + 64];

	if (!find_program(program, sizeof(program)))
		return NULL;

	char *slash = strrchr(program, '/');

	*slash = '\0';
	slash = strrchr(program, '/');
	if (slash && !strcmp(slash, "/.libs")) {
		*slash = '\0';
		slash = strrchr(program, '/');
	}
	if (!slash || strcmp(slash, "/lttng-ust-codectl") != 0)
		return NULL;
	*slash = '\0';
	snprintf(directory, sizeof(directory), "%s/%s/.libs", program, folder);
	return find_in(directory, name);
}

/*
 * Looks for NAME in DIRECTORY of the installation that this program is from,
 * which may be below another root than it was configured for (DESTDIR).
 */
static char *find_installed(const char *directory, const char *name)
{
	static const char suffix[] = CODECTL_BINDIR "/codectl";
	char program[PATH_MAX];
	char moved[2 * PATH_MAX];
	size_t len;

	if (!find_program(program, sizeof(program)))
		return find_in(directory, name);
	len = strlen(program);
	if (len < sizeof(suffix) - 1 || strcmp(program + len - (sizeof(suffix) - 1), suffix) != 0)
		return find_in(directory, name);
	snprintf(moved, sizeof(moved), "%.*s%s", (int)(len - (sizeof(suffix) - 1)), program,
		directory);
	return find_in(moved, name);
}

char *codectl_paths_find_library(const char *name)
{
	char *path = find_in_build_tree("lttng-ust-codectl", name);

	return path ? path : find_installed(CODECTL_LIBDIR, name);
}

/* In a process of its own, for it begins to run then: writes the path to @fd. */
static void tell_library(const char *soname, int fd)
{
	void *handle = dlopen(soname, RTLD_LAZY);
	struct link_map *map;

	if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 &&
		write(fd, map->l_name, strlen(map->l_name)) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

char *codectl_paths_find_lttng_library(const char *soname)
{
	char path[PATH_MAX];
	ssize_t len = 0;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return strdup(soname);
	pid = fork();
	if (pid == 0)
		tell_library(soname, fds[1]);
	close(fds[1]);
	if (pid > 0) {
		len = read(fds[0], path, sizeof(path) - 1);
		waitpid(pid, NULL, 0);
	}
	close(fds[0]);
	path[len > 0 ? len : 0] = '\0';
	return strdup(*path == '/' ? path : soname);
}

char *codectl_paths_find_plugin(void)
{
	const char *directory = getenv("CODECTL_PLUGIN_PATH");

	if (directory && *directory)
		return find_in(directory, PLUGIN_NAME);

	char *path = find_in_build_tree("babeltrace-plugin", PLUGIN_NAME);

	return path ? path : find_installed(CODECTL_PLUGINDIR, PLUGIN_NAME);
}
