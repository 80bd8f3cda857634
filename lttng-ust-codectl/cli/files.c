/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/files.h"

#include "cli/message.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	remove(path);
	return 0;
}

void codectl_files_remove_tree(const char *directory)
{
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool codectl_files_is_recording(const char *directory)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s/" CODECTL_RECORDING_FILE, directory);
	struct stat status;

	return len < (int)sizeof(path) && lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether the process with the directory @path in /proc has one open. */
static bool has_open(const char *path, const char *directory, size_t len)
{
	char target[PATH_MAX];
	const struct dirent *entry;
	DIR *files = opendir(path);
	bool is_found = false;

	if (!files)
		return false;
	while (!is_found && (entry = readdir(files))) {
		ssize_t target_len = readlinkat(
			dirfd(files), entry->d_name, target, sizeof(target) - 1);

		is_found = target_len > (ssize_t)len && !memcmp(target, directory, len) &&
			   target[len] == '/';
	}
	closedir(files);
	return is_found;
}

bool codectl_files_are_open(const char *directory)
{
	const size_t len = strlen(directory);
	const struct dirent *entry;
	DIR *processes = opendir("/proc");
	bool is_found = false;

	if (!processes)
		return false;
	while (!is_found && (entry = readdir(processes))) {
		char path[NAME_MAX + sizeof("/proc//fd")];

		if (*entry->d_name < '1' || *entry->d_name > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/fd", entry->d_name);
		is_found = has_open(path, directory, len);
	}
	closedir(processes);
	return is_found;
}

/* Moves an older recording out of the way. */
static int rename_old(const char *directory)
{
	char old[PATH_MAX];

	if (!codectl_files_is_recording(directory)) {
		codectl_cli_error("%s exists and is no recording; name another with -o", directory);
		return -EEXIST;
	}
	if (snprintf(old, sizeof(old), "%s.old", directory) >= (int)sizeof(old))
		return -ENAMETOOLONG;
	if (codectl_files_is_recording(old))
		codectl_files_remove_tree(old);
	if (rename(directory, old) != 0) {
		codectl_cli_error("Cannot rename %s to %s: %s", directory, old, strerror(errno));
		return -errno;
	}
	return 0;
}

char *codectl_files_make_recording(const char *name)
{
	char directory[PATH_MAX];
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	if (len == 0 || len >= sizeof(directory)) {
		codectl_cli_error("Bad directory name: \"%s\"", name);
		return NULL;
	}
	memcpy(directory, name, len);
	directory[len] = '\0';
	if (mkdir(directory, 0777) != 0) {
		/* An empty directory is as good as a new one. */
		if (errno == EEXIST && rmdir(directory) != 0 && rename_old(directory))
			return NULL;
		if (mkdir(directory, 0777) != 0) {
			codectl_cli_error(
				"Cannot make directory %s: %s", directory, strerror(errno));
			return NULL;
		}
	}

	char *absolute = realpath(directory, NULL);

	if (!absolute)
		codectl_cli_error("Cannot resolve %s: %s", directory, strerror(errno));
	return absolute;
}
