/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/paths.h: where libraries are. A command that runs from the build
 * tree uses the build tree's, an installed one the installed ones; neither
 * needs an environment variable. One thread.
 */
#ifndef CODECTL_CLI_PATHS_H
#define CODECTL_CLI_PATHS_H

/*
 * The path of the recording library with that file name, like
 * "liblttng-ust-codectl-elf.so". The caller frees it; NULL if it is not there.
 */
char *codectl_paths_find_library(const char *name);

/*
 * The path of LTTng-UST's library with that soname, wherever the loader finds it; or
 * the soname. The caller frees it; NULL without memory.
 */
char *codectl_paths_find_lttng_library(const char *soname);

/* The path of the Babeltrace plugin; likewise. CODECTL_PLUGIN_PATH (a directory) goes first. */
char *codectl_paths_find_plugin(void);

#endif /* CODECTL_CLI_PATHS_H */
