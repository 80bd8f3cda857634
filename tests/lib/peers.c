/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/peers.h"

#include "lib/fixture.h"
#include "lib/tap.h"

#include <ctype.h>
#include <stdlib.h>

static const struct {
	const char *command;
	const char *options;
} peers[PEER_COUNT] = {
	/* With -a, a line with the address begins each answer. */
	[PEER_ELFUTILS] = {"eu-addr2line", "-a -f -i -e"},
	/* An empty line ends each answer. */
	[PEER_LLVM] = {"llvm-symbolizer", "--functions=linkage --inlining --no-demangle --obj"},
};

const char *peer_command(enum peer_kind kind)
{
	return peers[kind].command;
}

void peer_ask(struct peer *peer, enum peer_kind kind, const char *file)
{
	const char *separator = kind == PEER_LLVM ? "=" : " ";

	/* elfutils fails if an address has no line, and answers all the same. */
	FIXTURE_RUN("%s %s%s'%s' < addresses > answers || test -s answers", peers[kind].command,
		peers[kind].options, separator, file);
	*peer = (struct peer){.text = fixture_read("answers", NULL), .kind = kind};
	peer->next = peer->text;
}

void peer_fini(struct peer *peer)
{
	free(peer->text);
}

/* Takes the next line, which becomes a string; NULL at the end. */
static char *next_line(struct peer *peer)
{
	char *line = peer->next;
	char *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	peer->next = end + 1;
	return line;
}

/* Whether another function follows in the answer. */
static bool has_more(const struct peer *peer)
{
	if (peer->kind == PEER_LLVM)
		return *peer->next && *peer->next != '\n';
	return *peer->next && strncmp(peer->next, "0x", 2) != 0;
}

/* Cuts a number off "…:number". Returns whether there was one. */
static bool cut_number(char *text, uint32_t *number)
{
	char *colon = strrchr(text, ':');

	if (!colon || !isdigit((unsigned char)colon[1]))
		return false;
	*number = (uint32_t)strtoul(colon + 1, NULL, 10);
	*colon = '\0';
	return true;
}

/* "path:line:column"; elfutils has no column if it is 0, and may add "(discriminator 1)". */
static void read_source(struct peer_level *level, char *source)
{
	char *more = strchr(source, ' ');
	uint32_t column;

	if (more)
		*more = '\0';
	level->line = 0;
	if (cut_number(source, &column) && !cut_number(source, &level->line))
		level->line = column;
	level->path = strcmp(source, "??") != 0 ? source : "";
}

/* elfutils says it all in the first line: "a inlined at f.c:1 in b inlined at …". */
static void read_function(struct peer_level *level, char *function)
{
	char *inlined = strstr(function, " inlined at ");

	if (inlined)
		*inlined = '\0';
	level->function = strcmp(function, "??") != 0 ? function : "";
}

size_t peer_next(struct peer *peer, struct peer_level levels[static PEER_LEVELS_MAX])
{
	size_t count = 0;

	if (peer->kind == PEER_ELFUTILS)
		CHECK(next_line(peer));
	while (has_more(peer)) {
		char *function = next_line(peer);
		char *source = next_line(peer);

		CHECK(function && source && count < PEER_LEVELS_MAX);
		read_function(&levels[count], function);
		read_source(&levels[count], source);
		count++;
	}
	if (peer->kind == PEER_LLVM)
		CHECK(next_line(peer));
	return count;
}
