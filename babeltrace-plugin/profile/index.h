/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/index.h: a hash index from keys to positions in somebody else's
 * array. It holds hashes and positions only; what a key is, is the business
 * of the callback. One thread at a time.
 */
#ifndef CODECTL_PROFILE_INDEX_H
#define CODECTL_PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No position. */
#define CODECTL_INDEX_NONE UINT32_MAX

struct codectl_index_slot {
	uint32_t hash;
	uint32_t position; /* CODECTL_INDEX_NONE: the slot is free. */
};

/* All zero is an empty index. */
struct codectl_index {
	struct codectl_index_slot *slots; /* Owned. */
	size_t slot_count;		  /* A power of two, or 0. */
	size_t used_count;
};

/* Whether the entry at @position of the array that @user knows has the key @key. */
typedef bool codectl_index_is_equal(const void *user, uint32_t position, const void *key);

/* A start value for the two functions below. */
#define CODECTL_INDEX_HASH_INIT UINT64_C(0xcbf29ce484222325)

/* Mixes bytes, or a number, into a hash. */
uint64_t codectl_index_hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t codectl_index_hash_u64(uint64_t hash, uint64_t value);

/* The position of @key, or CODECTL_INDEX_NONE. */
uint32_t codectl_index_find(const struct codectl_index *index, uint64_t hash,
	codectl_index_is_equal *is_equal, const void *user, const void *key);

/* Adds a key that is not there yet. Returns 0 or -ENOMEM (and is unchanged). */
int codectl_index_add(struct codectl_index *index, uint64_t hash, uint32_t position);

/* Frees what the index holds and makes it empty. */
void codectl_index_fini(struct codectl_index *index);

/*
 * Makes room for one more element than @count, of @element_size bytes each, in
 * a heap array (NULL if empty). Returns the array, moved perhaps, or NULL
 * without memory, and then the old one stays.
 */
void *codectl_array_reserve(void *array, size_t *capacity, size_t count, size_t element_size);

#endif /* CODECTL_PROFILE_INDEX_H */
