/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/ust-map.h: the processes that LTTng-UST's own events tell of, as
 * processes of a space: what is mapped becomes a registration there. Times are
 * positions in the sequence of messages, so that events of one time are told
 * apart, and a trace needs no clock. What provider codectl registered answers
 * where LTTng-UST told nothing. One thread.
 *
 * A process is named by its trace, its vpid and its pid namespace. What it runs
 * is a sequence of images: each state dump begins a new one, since an exec can
 * be seen by nothing else. A dump that tells again of what was there (because
 * the session asked for it) continues the image before it.
 */
#ifndef CODECTL_COMP_UST_MAP_H
#define CODECTL_COMP_UST_MAP_H

#include "comp/lttng-decode.h"
#include "format/likely.h"
#include "space/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_ust_key {
	uint64_t trace; /* A number that no other trace has. */
	int64_t vpid;
	uint64_t pid_namespace; /* 0: unknown. */
};

static inline bool codectl_ust_key_is_equal(
	const struct codectl_ust_key *left, const struct codectl_ust_key *right)
{
	return left->vpid == right->vpid && left->trace == right->trace &&
	       left->pid_namespace == right->pid_namespace;
}

struct codectl_ust_map_stats {
	uint64_t processes;
	uint64_t images;
	uint64_t objects;
	uint64_t repeated;	   /* Told of again. */
	uint64_t without_size;	   /* Dropped: the vDSO. */
	uint64_t bad_ranges;	   /* Dropped: they wrap around. */
	uint64_t unknown_objects;  /* Names or ends of objects that are not there. */
	uint64_t assumed_unmapped; /* Closed, and then something else was mapped. */
};

/* When something happens. */
struct codectl_ust_moment {
	uint64_t position; /* In the sequence of messages. */
	uint64_t clock;	   /* CLOCK_MONOTONIC, for registrations of provider codectl. */
};

struct codectl_ust_map;

/* Private, but for the functions below that are asked for each event. */
struct codectl_ust_process {
	struct codectl_ust_map *map; /* Weak; owns this. */
	struct codectl_ust_key key;
	struct codectl_ust_image *images; /* Owned; never empty; by rising begin. */
	size_t image_count;
	size_t image_capacity;
	bool is_dump_open;
	bool is_dumped;	  /* Once at least. */
	bool is_given_up; /* What comes may come too late. */
	bool is_settled;
	uint64_t changes;
	uint64_t *start_times; /* Owned; of its images in the space by codectl; rising. */
	size_t start_time_count;
	size_t start_time_capacity;
	/* Of codectl_ust_process_generation(), between two moments; empty: unknown. */
	uint64_t generation;
	struct codectl_ust_moment from;
	struct codectl_ust_moment until;
	struct codectl_ust_process *next; /* Owned; in the same bucket. */
};

/* @space is weak and outlives it. Returns NULL without memory. The caller owns it. */
struct codectl_ust_map *codectl_ust_map_create(struct codectl_space *space);

void codectl_ust_map_destroy(struct codectl_ust_map *map);

/* The process, or NULL if nothing was told of it. Weak, as long as the map. */
struct codectl_ust_process *codectl_ust_map_find(
	const struct codectl_ust_map *map, const struct codectl_ust_key *key);

/* The same, but made if nothing was told of it. NULL without memory. */
struct codectl_ust_process *codectl_ust_map_expect(
	struct codectl_ust_map *map, const struct codectl_ust_key *key);

/* Takes in an event. What makes no sense is counted. Returns 0 or -ENOMEM. */
int codectl_ust_map_apply(struct codectl_ust_map *map, const struct codectl_ust_key *key,
	const struct codectl_lttng_event *event, uint64_t position);

/*
 * Takes note that the space has got or lost registrations of provider codectl for
 * the process image (@key->vpid, @start_time). Returns 0 or -ENOMEM.
 */
int codectl_ust_map_note(
	struct codectl_ust_map *map, const struct codectl_ust_key *key, uint64_t start_time);

/* Where to look in the space. */
struct codectl_ust_place {
	const struct codectl_process *process; /* Weak, as long as the map. */
	uint64_t time;			       /* As the space has it. */
};

/*
 * Where what was at @pc at that moment is, also if it was told only later, unless
 * another image came between. Returns 0 or -ENOENT.
 */
int codectl_ust_process_find(const struct codectl_ust_process *process, uint64_t pc,
	const struct codectl_ust_moment *moment, struct codectl_ust_place *place);

/* For codectl_ust_process_generation() alone. */
uint64_t codectl_ust_process_renew_generation(
	struct codectl_ust_process *process, const struct codectl_ust_moment *moment);

/*
 * Names the answers at that moment: as long as this number is the same, so is each
 * answer of codectl_ust_process_find(). Never 0, unique in the map.
 */
static inline uint64_t codectl_ust_process_generation(
	struct codectl_ust_process *process, const struct codectl_ust_moment *moment)
{
	return CODECTL_LIKELY(process->from.position <= moment->position &&
			      moment->position < process->until.position &&
			      process->from.clock <= moment->clock &&
			      moment->clock < process->until.clock)
		       ? process->generation
		       : codectl_ust_process_renew_generation(process, moment);
}

/* Whether the clock of a moment matters: otherwise it may be anything that stays the same. */
static inline bool codectl_ust_process_has_registrations(const struct codectl_ust_process *process)
{
	return process->start_time_count > 0;
}

/*
 * Whether it is worth waiting for more: not if a state dump is complete and no other
 * has begun, if provider codectl registered something, or if it was given up.
 */
static inline bool codectl_ust_process_is_settled(const struct codectl_ust_process *process)
{
	return process->is_settled;
}

/* The space is to keep what it has of the image that runs now: it is in use. */
void codectl_ust_process_touch(const struct codectl_ust_process *process);

/* Nothing is worth waiting for any more. */
void codectl_ust_process_give_up(struct codectl_ust_process *process);

/* How often something was told of it. */
uint64_t codectl_ust_process_changes(const struct codectl_ust_process *process);

const struct codectl_ust_map_stats *codectl_ust_map_borrow_stats(const struct codectl_ust_map *map);

#endif /* CODECTL_COMP_UST_MAP_H */
