/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-flood: loads, calls and unloads libraries in turn, as often as each line
 * of the standard input says, and tells when it is done.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 20

static void load_and_call(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	void *symbol = handle ? dlsym(handle, "spin") : NULL;
	void (*spin)(double);

	if (!symbol) {
		fprintf(stderr, "prog-flood: %s\n", dlerror());
		exit(1);
	}
	memcpy(&spin, &symbol, sizeof(spin));
	spin(MS / 1000.0);
	dlclose(handle);
}

int main(int argc, char **argv)
{
	char line[32];

	for (int number = 1; fgets(line, sizeof(line), stdin); number++) {
		for (int left = atoi(line); left > 0; left--)
			load_and_call(argv[1 + left % (argc - 1)]);
		printf("done %d\n", number);
		fflush(stdout);
	}
	return 0;
}
