/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-lost: runs spin() of a library for the CPU seconds given while the file of
 * that library is gone, or another. Prints "spun" in between and at the end.
 * Usage: prog-lost HOW SECONDS LIBRARY [OTHER], HOW being one of
 *   keep       nothing happens to the file
 *   delete     it is deleted once it is loaded
 *   replace    OTHER gets its name once it is loaded
 *   late       OTHER gets its name after half of the time
 *   memfd      a copy in memory is loaded, which no descriptor leads to any more
 *   forbid     it cannot be read any more once it is loaded
 *   self       the program's own file is deleted
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static void *open_copy(const char *path)
{
	char link[64];
	struct stat status;
	int from = open(path, O_RDONLY);
	int fd = memfd_create("copy", MFD_CLOEXEC);
	void *library = NULL;

	if (from >= 0 && fd >= 0 && fstat(from, &status) == 0 &&
		sendfile(fd, from, NULL, (size_t)status.st_size) == status.st_size) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		library = dlopen(link, RTLD_NOW);
	}
	close(from);
	close(fd);
	return library;
}

static int delete_self(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0)
		return -1;
	path[len] = '\0';
	return unlink(path);
}

static int lose(const char *how, const char *path, const char *other)
{
	if (!strcmp(how, "delete"))
		return unlink(path);
	if (!strcmp(how, "replace"))
		return rename(other, path);
	if (!strcmp(how, "forbid"))
		return chmod(path, 0);
	if (!strcmp(how, "self"))
		return delete_self();
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[1] : "";
	double seconds = argc > 3 ? atof(argv[2]) : 0;
	const char *path = argc > 3 ? argv[3] : "";
	const char *other = argc > 4 ? argv[4] : "";
	void *library = !strcmp(how, "memfd") ? open_copy(path) : dlopen(path, RTLD_NOW);
	void (*spin)(double) = library ? (void (*)(double))dlsym(library, "spin") : NULL;

	if (!spin || lose(how, path, other)) {
		fprintf(stderr, "%s\n", spin ? "cannot lose the file" : dlerror());
		return 1;
	}
	spin(seconds / 2);
	puts("spun");
	if (!strcmp(how, "late") && rename(other, path))
		return 1;
	spin(seconds / 2);
	puts("spun");
	return 0;
}
