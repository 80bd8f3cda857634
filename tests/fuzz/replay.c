/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target on its committed corpus, as an ordinary test: without
 * clang, in every build. The input that fails is the last one named in the log.
 */
#include "fuzz/fuzz.h"
#include "lib/tap.h"

#include <dirent.h>
#include <errno.h>

/* The target is in the program's name: replay-X runs what is in corpus/X. */
static const char *target_name(void)
{
	const char *dash = strrchr(program_invocation_short_name, '-');

	CHECK(dash);
	return dash + 1;
}

static void replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	long len;

	CHECK(file);
	CHECK(fseek(file, 0, SEEK_END) == 0);
	len = ftell(file);
	CHECK(len >= 0);
	rewind(file);
	/* Exactly as long, so that AddressSanitizer sees reads beyond it. */
	bytes = fuzz_alloc((size_t)len);
	CHECK_INT(fread(bytes, 1, (size_t)len, file), len);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, (size_t)len);
	free(bytes);
}

TEST(corpus)
{
	char corpus[2048];
	const struct dirent *entry;
	size_t count = 0;
	DIR *dir;

	snprintf(corpus, sizeof(corpus), FUZZ_CORPORA "/%s", target_name());
	dir = opendir(corpus);
	CHECK(dir);
	while ((entry = readdir(dir))) {
		char path[4096];

		if (entry->d_name[0] == '.')
			continue;
		printf("# %s\n", entry->d_name);
		fflush(stdout);
		snprintf(path, sizeof(path), "%s/%s", corpus, entry->d_name);
		replay_file(path);
		count++;
	}
	closedir(dir);
	CHECK(count > 0);
}

/* What no corpus has to hold. */
TEST(nothing)
{
	uint8_t *bytes = fuzz_alloc(0);

	LLVMFuzzerTestOneInput(bytes, 0);
	free(bytes);
}
