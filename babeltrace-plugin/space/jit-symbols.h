/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * space/jit-symbols.h: the functions of generated code of one process: which
 * one was where, when. Private to space/. One thread.
 *
 * A symbol is listed in each granule of 256 bytes that it covers, by begin, so
 * that adding costs the same whatever the order of addresses. Those which
 * cover too many granules are in one list beside.
 */
#ifndef CODECTL_SPACE_JIT_SYMBOLS_H
#define CODECTL_SPACE_JIT_SYMBOLS_H

#include "space/space.h"

struct codectl_jit_text; /* A copy of the texts of an event. */

/* A symbol, with what it owns. */
struct codectl_jit_symbol_entry {
	struct codectl_jit_symbol symbol; /* Its name, inlines and lines are owned. */
	uint64_t dump_number;		  /* The last state dump that had it. */
	uint32_t inline_max;		  /* As many as were announced. */
	uint32_t line_max;
	struct codectl_jit_text *texts; /* Owned. */
};

/* Symbols at some addresses. */
struct codectl_jit_bucket {
	uint64_t granule;			   /* Number of the first address / 256. */
	struct codectl_jit_symbol_entry **entries; /* Owned array, weak elements; by begin. */
	size_t count;
	size_t capacity;
};

struct codectl_jit_symbols {
	struct codectl_jit_symbol_entry **entries; /* Owned, as the elements; by rising serial. */
	size_t count;
	size_t capacity;
	struct codectl_jit_bucket *buckets; /* Owned; an open hash table. */
	size_t bucket_count;		    /* Those in use. */
	size_t bucket_capacity;		    /* A power of 2, or 0. */
	struct codectl_jit_bucket large;
	size_t trim_count; /* Symbols from which on the next trim is worth it. */
};

/* A symbol without inlines and lines yet. NULL without memory. */
struct codectl_jit_symbol_entry *codectl_jit_symbol_create(
	const struct codectl_event_jit_symbol *event, uint64_t time, uint64_t id);
void codectl_jit_symbol_destroy(struct codectl_jit_symbol_entry *entry);

void codectl_jit_symbols_fini(struct codectl_jit_symbols *symbols);

/* The symbol that was registered with @serial, or NULL. */
struct codectl_jit_symbol_entry *codectl_jit_symbols_find_serial(
	const struct codectl_jit_symbols *symbols, uint64_t serial);

/*
 * Adds the symbol of a JIT_SYMBOL event at @time, with the @id that is its own
 * in the space. Returns 0 with *@entry weak, -EINVAL (an impossible range) or
 * -ENOMEM.
 */
int codectl_jit_symbols_add(struct codectl_jit_symbols *symbols,
	const struct codectl_event_jit_symbol *event, uint64_t time, uint64_t id,
	struct codectl_jit_symbol_entry **entry);

/*
 * Forgets the symbols that ended before @time, when there are so many more than the
 * last time that it is worth it. Returns whether something was forgotten.
 */
bool codectl_jit_symbols_trim(struct codectl_jit_symbols *symbols, uint64_t time);

/* Add to a symbol. Return 0, -EINVAL (malformed, or a part before is missing) or -ENOMEM. */
int codectl_jit_symbol_add_inlines(
	struct codectl_jit_symbol_entry *entry, const struct codectl_event_jit_inlines *event);
int codectl_jit_symbol_add_lines(
	struct codectl_jit_symbol_entry *entry, const struct codectl_event_jit_lines *event);

/*
 * Calls @is_right for the symbols at @pc: the latest that had begun at @time and
 * lived then; else the one that came next. Returns the one that is right, or NULL.
 */
const struct codectl_jit_symbol *codectl_jit_symbols_find(const struct codectl_jit_symbols *symbols,
	uint64_t pc, uint64_t time,
	bool (*is_right)(void *user, const struct codectl_jit_symbol *symbol), void *user);

#endif /* CODECTL_SPACE_JIT_SYMBOLS_H */
