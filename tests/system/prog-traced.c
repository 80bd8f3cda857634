/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-traced: fires tracepoints from functions of its own, then loads each
 * library given, lets it fire some, and unloads it.
 * Usage: prog-traced LIBRARY…
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tp-events.h"

#include <dlfcn.h>
#include <stdio.h>

__attribute__((noinline)) static void first(void)
{
	lttng_ust_tracepoint(traced, work, 1);
}

static inline __attribute__((always_inline)) void inlined(int where)
{
	lttng_ust_tracepoint(traced, work, where);
}

__attribute__((noinline)) void second(void)
{
	inlined(2);
	inlined(3);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		first();
		second();
	}
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void (*fire)(void) = library ? (void (*)(void))dlsym(library, "fire") : NULL;

		if (!fire) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		printf("%p\n", (void *)fire);
		fire();
		dlclose(library);
		first();
	}
	return 0;
}
