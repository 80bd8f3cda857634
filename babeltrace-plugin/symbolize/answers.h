/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/answers.h: what was answered for an address before, for one object.
 * Bounded: each address has one place, where the latest one wins, and when there
 * is no more room for the chains of symbols everything is forgotten. Recordings
 * hold few distinct addresses, each many times. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_ANSWERS_H
#define CODECTL_SYMBOLIZE_ANSWERS_H

#include "symbolize/object-file.h"

struct codectl_answers_entry {
	uint64_t vaddr;
	uint32_t first; /* Of the symbols. */
	uint32_t count;
	bool is_used;
};

/* All zero: empty. */
struct codectl_answers {
	struct codectl_answers_entry *entries; /* Owned; NULL until the first is added. */
	unsigned int bits;		       /* 1 << bits entries. */
	size_t used;
	struct codectl_symbol *symbols; /* Owned; the chains, one after another. */
	size_t symbol_count;
	size_t symbol_capacity;
};

void codectl_answers_fini(struct codectl_answers *answers);

/*
 * Returns whether @vaddr is known, with *@chain of *@count symbols, which may be
 * 0. It is weak until the next one is added.
 */
bool codectl_answers_find(const struct codectl_answers *answers, uint64_t vaddr,
	const struct codectl_symbol **chain, size_t *count);

/*
 * Keeps a copy of @chain, which must not be one of @answers. Without memory it
 * is not kept.
 */
void codectl_answers_add(struct codectl_answers *answers, uint64_t vaddr,
	const struct codectl_symbol *chain, size_t count);

/* Forgets everything, as when what the symbols point to ends. */
void codectl_answers_forget(struct codectl_answers *answers);

#endif /* CODECTL_SYMBOLIZE_ANSWERS_H */
