/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/maps.h"

#include "provider/helper.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A look takes at most one part in so many of the time. */
#define SHARE 200

int codectl_jit_maps_each(
	void (*visit)(void *user, const struct codectl_jit_mapping *mapping), void *user)
{
	char line[PATH_MAX + 128];
	char buffer[16384];
	/* That of the process is empty once its first thread has ended. */
	FILE *file = fopen("/proc/thread-self/maps", "re");

	if (!file)
		return -errno;
	/* The kernel tells of blocks of 1 KiB. */
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	while (fgets(line, sizeof(line), file)) {
		struct codectl_jit_mapping mapping = {.path = ""};
		char permissions[5];
		int path = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 " %n",
			    &mapping.start, &mapping.end, permissions, &mapping.offset,
			    &mapping.inode, &path) < 5)
			continue;
		mapping.is_accessible = strncmp(permissions, "---", 3) != 0;
		mapping.is_executable = permissions[2] == 'x';
		if (path > 0)
			mapping.path = line + path;
		visit(user, &mapping);
	}
	fclose(file);
	return 0;
}

uint64_t codectl_jit_maps_next_look(uint64_t begun, uint64_t interval)
{
	uint64_t end = codectl_provider_now();
	uint64_t pause = (end - begun) * SHARE;

	return end + (pause > interval ? pause : interval);
}
