/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-reload: loads one library after the other, runs spin() of each for the
 * CPU seconds given and unloads it. Prints the address of each spin().
 * Usage: prog-reload SECONDS LIBRARY…
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	for (int i = 2; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void (*spin)(double) = library ? (void (*)(double))dlsym(library, "spin") : NULL;

		if (!spin) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		printf("%p\n", (void *)spin);
		spin(seconds);
		dlclose(library);
	}
	return 0;
}
