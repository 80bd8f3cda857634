/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/peers.h: what other symbolizers answer for a list of addresses, with
 * the functions that were inlined there. One thread.
 */
#ifndef CODECTL_TESTS_PEERS_H
#define CODECTL_TESTS_PEERS_H

#include <stddef.h>
#include <stdint.h>

enum peer_kind {
	PEER_ELFUTILS, /* eu-addr2line -i */
	PEER_LLVM,     /* llvm-symbolizer --inlining */
	PEER_COUNT
};

#define PEER_LEVELS_MAX 64

/* A function at an address; the innermost is first. */
struct peer_level {
	const char *function; /* Weak, as long as the answers; mangled; "" if unknown. */
	const char *path;     /* The same; "" if unknown. */
	uint32_t line;	      /* 0 if unknown, or if the code is of no line. */
};

struct peer {
	char *text; /* Owned. */
	char *next; /* In text. */
	enum peer_kind kind;
};

/* The command of the peer, to see whether it is there. */
const char *peer_command(enum peer_kind kind);

/* Asks for the addresses in the file "addresses" of the fixture; the test fails if that does. */
void peer_ask(struct peer *peer, enum peer_kind kind, const char *file);

/* The answer for the next address. Returns the number of @levels. */
size_t peer_next(struct peer *peer, struct peer_level levels[static PEER_LEVELS_MAX]);

void peer_fini(struct peer *peer);

#endif /* CODECTL_TESTS_PEERS_H */
