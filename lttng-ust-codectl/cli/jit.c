/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/jit.h"

#include "cli/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* See jit/adapters.h. */
static const char *const adapters[] = {"frames", "gdb", "files", "v8", "unknown"};

/* All adapters; and what they have asked for themselves is not left behind. */
#define AUTO_ADAPTERS "all,unlink"

static bool is_adapter(const char *word, size_t len)
{
	for (size_t i = 0; i < COUNT(adapters); i++) {
		if (strlen(adapters[i]) == len && !strncmp(adapters[i], word, len))
			return true;
	}
	return false;
}

bool codectl_jit_is_choice(const char *word)
{
	if (!strcmp(word, "auto") || !strcmp(word, "all") || !strcmp(word, "none"))
		return true;
	for (;;) {
		size_t len = strcspn(word, ",");

		if (!is_adapter(word, len))
			return false;
		if (!word[len])
			return true;
		word += len + 1;
	}
}

/* Adds options to a variable that holds a list of them, unless @known is there already. */
static void add_options(const char *variable, const char *known, const char *options)
{
	const char *before = getenv(variable);
	char *after;

	if (before && strstr(before, known))
		return;
	if (asprintf(&after, "%s%s%s", before ? before : "", before && *before ? " " : "",
		    options) < 0)
		return;
	setenv(variable, after, 1);
	free(after);
}

static void ask_java(void)
{
	char *agent = codectl_paths_find_library("libcodectl-jvmti.so");
	char *options;

	/* Built without a JDK: nothing to ask with. */
	if (!agent)
		return;
	if (asprintf(&options, "\"-agentpath:%s\" -XX:+PreserveFramePointer", agent) >= 0) {
		add_options("JAVA_TOOL_OPTIONS", "libcodectl-jvmti", options);
		free(options);
	}
	free(agent);
}

void codectl_jit_set_environment(const char *word)
{
	if (strcmp(word, "auto") != 0) {
		setenv("LTTNG_UST_CODECTL_JIT", word, 1);
		return;
	}
	setenv("LTTNG_UST_CODECTL_JIT", AUTO_ADAPTERS, 1);
	add_options(
		"NODE_OPTIONS", "--perf-", "--perf-basic-prof --interpreted-frames-native-stack");
	ask_java();
}
