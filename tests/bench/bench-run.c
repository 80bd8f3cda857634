/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-run FILE COMMAND…: runs the command with its output thrown away, and
 * appends to FILE what it and its children took: seconds, and seconds of CPU
 * time. So whatever a recorder does before and after is not counted.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double to_seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	double begin = now();
	struct rusage usage;
	int status = 0;
	FILE *file;

	if (argc < 3)
		return EXIT_FAILURE;

	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return EXIT_FAILURE;
	file = fopen(argv[1], "ae");
	if (!file)
		return EXIT_FAILURE;
	fprintf(file, "%.6f %.6f\n", now() - begin,
		to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime));
	fclose(file);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
