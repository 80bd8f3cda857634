/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/name-cache.h: how addresses were named, so that events which come from the
 * same places again need one look. Of bounded size. One thread.
 */
#ifndef CODECTL_COMP_NAME_CACHE_H
#define CODECTL_COMP_NAME_CACHE_H

#include "format/likely.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Traces fire from few places, again and again; a power of two. */
#define CODECTL_NAME_CACHE_BITS 14

/* Which address, and which answers hold: see codectl_ust_process_generation(). */
struct codectl_cached_place {
	uint64_t generation; /* Not 0. */
	uint64_t pc;
	bool is_exact; /* Not a return address. */
};

/* The text of a member, with its length. */
struct codectl_name_text {
	const char *start; /* Weak; with a 0 at its end. */
	size_t len;
};

/* What is said of an address. */
struct codectl_name_texts {
	struct codectl_name_text bin;
	struct codectl_name_text func;
	struct codectl_name_text src;
	struct codectl_name_text reason; /* Static: why there is no function. */
};

/* What was said; small, since each event looks at another. */
struct codectl_cached_texts {
	const char *reason; /* Weak; static. */
	uint16_t reason_len;
	uint16_t bin_len;
	uint16_t func_len;
	uint16_t src_len;
	char texts[]; /* bin, func and src, one after another. */
};

struct codectl_cached_name {
	struct codectl_cached_place place;  /* All zero: empty. */
	struct codectl_cached_texts *texts; /* Owned. */
};

/* All zero is an empty cache. */
struct codectl_name_cache {
	struct codectl_cached_name names[1 << CODECTL_NAME_CACHE_BITS];
};

/* Empties it. */
void codectl_name_cache_clear(struct codectl_name_cache *cache);

static inline struct codectl_cached_name *codectl_name_cache_slot(
	struct codectl_name_cache *cache, const struct codectl_cached_place *place)
{
	uint64_t hash = (place->pc + place->generation * UINT64_C(0xd6e8feb86659fd93)) *
			UINT64_C(0x9e3779b97f4a7c15);

	return &cache->names[hash >> (64 - CODECTL_NAME_CACHE_BITS)];
}

/* What was kept of @place, or NULL. Weak, until the next is kept. */
static inline const struct codectl_cached_texts *codectl_name_cache_find(
	struct codectl_name_cache *cache, const struct codectl_cached_place *place)
{
	const struct codectl_cached_name *name = codectl_name_cache_slot(cache, place);

	return CODECTL_LIKELY(name->place.generation == place->generation &&
			      name->place.pc == place->pc &&
			      name->place.is_exact == place->is_exact)
		       ? name->texts
		       : NULL;
}

static inline struct codectl_name_texts codectl_cached_texts_read(
	const struct codectl_cached_texts *cached)
{
	const char *func = cached->texts + cached->bin_len + 1;
	const char *src = func + cached->func_len + 1;

	return (struct codectl_name_texts){
		.bin = {.start = cached->texts, .len = cached->bin_len},
		.func = {.start = func, .len = cached->func_len},
		.src = {.start = src, .len = cached->src_len},
		.reason = {.start = cached->reason, .len = cached->reason_len},
	};
}

/* Keeps what is said of @place, unless it is too long, instead of another place. */
void codectl_name_cache_keep(struct codectl_name_cache *cache,
	const struct codectl_cached_place *place, const struct codectl_name_texts *texts);

#endif /* CODECTL_COMP_NAME_CACHE_H */
