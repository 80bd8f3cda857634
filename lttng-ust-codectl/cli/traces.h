/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/traces.h: the CTF traces below a directory. One thread.
 */
#ifndef CODECTL_CLI_TRACES_H
#define CODECTL_CLI_TRACES_H

#include <stddef.h>

struct codectl_traces {
	char **paths; /* Owned, with the strings; sorted. */
	size_t count;
};

/*
 * Finds the directories at and below @directory that hold a `metadata` file.
 * Links below are not followed. Returns 0 (there may be none) or a negative
 * errno; @traces is to be freed with codectl_traces_fini() in the first case.
 */
int codectl_traces_find(struct codectl_traces *traces, const char *directory);
void codectl_traces_fini(struct codectl_traces *traces);

#endif /* CODECTL_CLI_TRACES_H */
