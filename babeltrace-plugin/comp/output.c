/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

/* Whether there is something at @path that must not be replaced by a file. */
static bool is_special(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

int codectl_output_check(const char *path)
{
	struct stat info;
	char *copy;
	int ret = 0;

	if (is_stdout(path))
		return 0;
	if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
		return -EISDIR;
	if (is_special(path))
		return access(path, W_OK) < 0 ? -errno : 0;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	if (access(dirname(copy), W_OK | X_OK) < 0)
		ret = -errno;
	free(copy);
	return ret;
}

/* A new file gets the mode that open() would have given; an old one keeps its own. */
static int set_mode(int fd, const char *target)
{
	struct stat info;
	mode_t mode;

	if (stat(target, &info) == 0) {
		mode = info.st_mode & 0777;
	} else {
		const mode_t mask = umask(0);

		umask(mask);
		mode = 0666 & ~mask;
	}
	return fchmod(fd, mode) < 0 ? -errno : 0;
}

static void output_fini(struct codectl_output *output)
{
	free(output->target);
	free(output->temporary);
	*output = (struct codectl_output){0};
}

static int open_temporary(struct codectl_output *output)
{
	int ret, fd;

	if (asprintf(&output->temporary, "%s.XXXXXX", output->target) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = set_mode(fd, output->target);
	if (ret == 0) {
		output->stream = fdopen(fd, "w");
		if (output->stream)
			return 0;
		ret = -errno;
	}
	close(fd);
	unlink(output->temporary);
	return ret;
}

int codectl_output_open(struct codectl_output *output, const char *path)
{
	int ret;

	*output = (struct codectl_output){0};
	if (is_stdout(path)) {
		output->stream = stdout;
		return 0;
	}
	if (is_special(path)) {
		output->stream = fopen(path, "we");
		return output->stream ? 0 : -errno;
	}
	/* A symbolic link stays one: what it points to is replaced. */
	output->target = realpath(path, NULL);
	if (!output->target)
		output->target = strdup(path);
	if (!output->target)
		return -ENOMEM;
	ret = open_temporary(output);
	if (ret < 0)
		output_fini(output);
	return ret;
}

int codectl_output_close(struct codectl_output *output, int status)
{
	if (output->stream == stdout) {
		if (fflush(stdout) != 0 && status == 0)
			status = -errno;
	} else if (fclose(output->stream) != 0 && status == 0) {
		status = -errno;
	}
	if (output->temporary) {
		if (status == 0 && rename(output->temporary, output->target) < 0)
			status = -errno;
		if (status < 0)
			unlink(output->temporary);
	}
	output_fini(output);
	return status;
}
