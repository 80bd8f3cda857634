/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * lib-marker-so: marker() tells where the library is. open_plugin() loads
 * "lib-plugin.so", which only this library's own DT_RUNPATH finds.
 */
#include <dlfcn.h>

int marker(void);
const char *open_plugin(void);

int marker(void)
{
	return 42;
}

const char *open_plugin(void)
{
	return dlopen("lib-plugin.so", RTLD_NOW) ? "loaded" : dlerror();
}
