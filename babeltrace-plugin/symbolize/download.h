/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/download.h: libdebuginfod in a process of its own, which begins with the
 * first question and is asked one at a time. While a server does not answer, since
 * elfutils 0.192 the library calls nobody back and listens to nobody: a process can
 * be ended whatever it waits for. Nor does the library, with all that it loads, come
 * into the program whose plugin we are. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_DOWNLOAD_H
#define CODECTL_SYMBOLIZE_DOWNLOAD_H

#include "symbolize/debuginfod.h"

#define CODECTL_DOWNLOAD_ID_MAX 64

struct codectl_download;

/* Nothing begins yet. Returns NULL without memory. The caller owns it. */
struct codectl_download *codectl_download_create(void);

/* Ends the process, too. */
void codectl_download_destroy(struct codectl_download *download);

/*
 * Asks for the file with @build_id, of at most ID_MAX bytes. Nothing else may be asked
 * for. Returns 0 or a negative errno: there is no process, and none could be begun.
 */
int codectl_download_begin(struct codectl_download *download, enum codectl_debuginfod_kind kind,
	const uint8_t *build_id, size_t len);

/* How it goes, and what came out. */
struct codectl_download_state {
	bool is_over;
	uint64_t done; /* Bytes. */
	uint64_t total;
	int error;  /* 0 or libdebuginfod's; -ELIBACC: it cannot be loaded; -EPIPE: it crashed. */
	char *path; /* If it is over: owned by the caller; NULL: nothing came. */
};

/* Waits for news, for at most @ms. */
void codectl_download_wait(
	struct codectl_download *download, int ms, struct codectl_download_state *state);

/* Gives up what was asked for: the library is told, and then the process is ended. */
void codectl_download_cancel(struct codectl_download *download);

#endif /* CODECTL_SYMBOLIZE_DOWNLOAD_H */
