/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/files.h: directories of recordings. One thread.
 */
#ifndef CODECTL_CLI_FILES_H
#define CODECTL_CLI_FILES_H

#include <stdbool.h>

/* The directory of a recording if none is named, as perf has perf.data. */
#define CODECTL_DEFAULT_DIRECTORY "codectl-data"

/* What is in every directory of a recording, and only there. */
#define CODECTL_RECORDING_FILE "recording.txt"

/* Removes a directory with all that is in it; follows no links. */
void codectl_files_remove_tree(const char *directory);

/* Whether `codectl record` made that directory. */
bool codectl_files_is_recording(const char *directory);

/* Whether any process we may look at has a file below the absolute path @directory open. */
bool codectl_files_are_open(const char *directory);

/*
 * Makes a fresh directory for a recording and returns its absolute path, which
 * the caller frees. An older recording of that name is renamed to NAME.old,
 * which replaces an older one; anything else that is there stays, and the
 * result is NULL after an error message.
 */
char *codectl_files_make_recording(const char *directory);

#endif /* CODECTL_CLI_FILES_H */
