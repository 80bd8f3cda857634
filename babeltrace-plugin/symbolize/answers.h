/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/answers.h: what was answered for an address before, for one object.
 * Bounded: each address has one place, where the latest one wins. Recordings
 * hold few distinct addresses, each many times. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_ANSWERS_H
#define CODECTL_SYMBOLIZE_ANSWERS_H

#include "symbolize/object-file.h"

struct codectl_answers_entry {
	uint64_t vaddr;
	bool is_used;
	struct codectl_symbol symbol;
};

/* All zero: empty. */
struct codectl_answers {
	struct codectl_answers_entry *entries; /* Owned; NULL until the first is added. */
	unsigned int bits;		       /* 1 << bits entries. */
	size_t used;
};

void codectl_answers_fini(struct codectl_answers *answers);

/* Returns whether @vaddr is known, with *@symbol set. */
bool codectl_answers_find(
	const struct codectl_answers *answers, uint64_t vaddr, struct codectl_symbol *symbol);

/* Without memory the answer is not kept. */
void codectl_answers_add(
	struct codectl_answers *answers, uint64_t vaddr, const struct codectl_symbol *symbol);

#endif /* CODECTL_SYMBOLIZE_ANSWERS_H */
