/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * space/processes.h: the process images of a space, by name, and by when somebody
 * told of them or looked for them last. Owns them. Private to space/. One thread.
 */
#ifndef CODECTL_SPACE_PROCESSES_H
#define CODECTL_SPACE_PROCESSES_H

#include "space/internal.h"

#define CODECTL_PROCESS_BUCKETS 16384

/* All zero: none. */
struct codectl_processes {
	struct codectl_process *buckets[CODECTL_PROCESS_BUCKETS];
	struct codectl_process *oldest; /* Weak; looked for the longest ago; NULL: none. */
	struct codectl_process *newest; /* Weak. */
};

void codectl_processes_fini(struct codectl_processes *processes);

/* The one with that name, which is the newest then, or NULL. Weak. */
struct codectl_process *codectl_processes_find(
	struct codectl_processes *processes, int32_t vpid, uint64_t start_time);

/* Takes over @process, whose name is new. */
void codectl_processes_add(struct codectl_processes *processes, struct codectl_process *process);

/* Takes @process out, which is the caller's then. */
void codectl_processes_remove(struct codectl_processes *processes, struct codectl_process *process);

#endif /* CODECTL_SPACE_PROCESSES_H */
