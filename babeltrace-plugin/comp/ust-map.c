/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/ust-map.h"

#include "comp/ust-image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct codectl_ust_map {
	struct codectl_space *space;	      /* Weak. */
	struct codectl_ust_process **buckets; /* Owned. */
	size_t bucket_count;		      /* A power of two, or 0. */
	int32_t last_image;		      /* Its number; they go downwards. */
	uint64_t last_generation;
	struct codectl_ust_map_stats stats;
};

struct codectl_ust_map *codectl_ust_map_create(struct codectl_space *space)
{
	struct codectl_ust_map *map = calloc(1, sizeof(*map));

	if (map)
		map->space = space;
	return map;
}

static void destroy_process(struct codectl_ust_process *process)
{
	for (size_t i = 0; i < process->image_count; i++)
		codectl_ust_image_fini(&process->images[i]);
	free(process->images);
	free(process->start_times);
	free(process);
}

void codectl_ust_map_destroy(struct codectl_ust_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->bucket_count; i++) {
		while (map->buckets[i]) {
			struct codectl_ust_process *process = map->buckets[i];

			map->buckets[i] = process->next;
			destroy_process(process);
		}
	}
	free(map->buckets);
	free(map);
}

static uint64_t hash_key(const struct codectl_ust_key *key)
{
	uint64_t hash = (uint64_t)key->vpid * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ key->trace) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ key->pid_namespace) * UINT64_C(0x9e3779b97f4a7c15);
	return hash >> 24;
}

struct codectl_ust_process *codectl_ust_map_find(
	const struct codectl_ust_map *map, const struct codectl_ust_key *key)
{
	struct codectl_ust_process *process = NULL;

	if (map->bucket_count)
		process = map->buckets[hash_key(key) & (map->bucket_count - 1)];
	while (process && !codectl_ust_key_is_equal(&process->key, key))
		process = process->next;
	return process;
}

static int grow_buckets(struct codectl_ust_map *map)
{
	size_t count = map->bucket_count ? 2 * map->bucket_count : 64;
	struct codectl_ust_process **buckets = calloc(count, sizeof(*buckets));

	if (!buckets)
		return -ENOMEM;
	for (size_t i = 0; i < map->bucket_count; i++) {
		struct codectl_ust_process *process = map->buckets[i];

		while (process) {
			struct codectl_ust_process *next = process->next;
			struct codectl_ust_process **bucket =
				&buckets[hash_key(&process->key) & (count - 1)];

			process->next = *bucket;
			*bucket = process;
			process = next;
		}
	}
	free(map->buckets);
	map->buckets = buckets;
	map->bucket_count = count;
	return 0;
}

/* Makes room for one more element. Returns 0 or -ENOMEM. */
static int grow(void **array, size_t count, size_t *capacity, size_t element_size)
{
	size_t larger = *capacity ? 2 * *capacity : 1;
	void *grown;

	if (count < *capacity)
		return 0;
	grown = reallocarray(*array, larger, element_size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*capacity = larger;
	return 0;
}

static struct codectl_ust_image *last_image(const struct codectl_ust_process *process)
{
	return &process->images[process->image_count - 1];
}

static int add_image(struct codectl_ust_process *process, uint64_t begin)
{
	/* One without anything is none: traces may have dumps without end. */
	if (process->image_count > 0 && !last_image(process)->is_told_of) {
		last_image(process)->begin = begin;
		return 0;
	}
	if (process->map->last_image == INT32_MIN ||
		grow((void **)&process->images, process->image_count, &process->image_capacity,
			sizeof(*process->images)) < 0)
		return -ENOMEM;
	process->images[process->image_count++] = (struct codectl_ust_image){
		.number = --process->map->last_image, .begin = begin};
	process->map->stats.images++;
	return 0;
}

struct codectl_ust_process *codectl_ust_map_expect(
	struct codectl_ust_map *map, const struct codectl_ust_key *key)
{
	struct codectl_ust_process *process = codectl_ust_map_find(map, key);

	if (process)
		return process;
	if (map->stats.processes >= map->bucket_count && grow_buckets(map) < 0)
		return NULL;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->map = map;
	process->key = *key;
	if (add_image(process, 0) < 0) {
		destroy_process(process);
		return NULL;
	}
	struct codectl_ust_process **bucket =
		&map->buckets[hash_key(key) & (map->bucket_count - 1)];
	process->next = *bucket;
	*bucket = process;
	map->stats.processes++;
	return process;
}

static int apply_object(struct codectl_ust_process *process,
	const struct codectl_lttng_event *event, uint64_t position)
{
	struct codectl_ust_map *map = process->map;
	struct codectl_ust_image *image = last_image(process);
	struct codectl_ust_object *object = codectl_ust_image_find(image, event->base);

	if (event->size == 0) {
		map->stats.without_size++;
		return 0;
	}
	if (event->base + event->size < event->base) {
		map->stats.bad_ranges++;
		return 0;
	}
	if (codectl_ust_image_is_same(image, map->space, object, event)) {
		object->is_opened &= event->type == CODECTL_LTTNG_OPENED;
		object->open_count += event->type == CODECTL_LTTNG_OPENED;
		object->is_closed = false;
		map->stats.repeated++;
		return 0;
	}
	if (object && codectl_ust_image_remove(image, map->space, object, position) < 0)
		return -ENOMEM;
	if (codectl_ust_image_remove_closed(
		    image, map->space, position, &map->stats.assumed_unmapped) < 0)
		return -ENOMEM;
	if (process->image_count > 1) {
		const struct codectl_ust_image *before = image - 1;

		image->continued += codectl_ust_image_is_same(
			before, map->space, codectl_ust_image_find(before, event->base), event);
	}
	map->stats.objects++;
	return codectl_ust_image_add(image, map->space, event, position);
}

/* The other events on objects are about one that is there. */
static int apply_to_object(struct codectl_ust_process *process,
	const struct codectl_lttng_event *event, uint64_t position)
{
	struct codectl_space *space = process->map->space;
	struct codectl_ust_image *image = last_image(process);
	struct codectl_ust_object *object = codectl_ust_image_find(image, event->base);

	if (!object) {
		process->map->stats.unknown_objects++;
		return 0;
	}
	if (event->type == CODECTL_LTTNG_UNMAPPED)
		return codectl_ust_image_remove(image, space, object, position);
	if (event->type != CODECTL_LTTNG_CLOSED)
		return codectl_ust_image_identify(image, space, object, event);
	/* Others may have it open still, or its dependants: it stays until something else comes. */
	if (object->open_count > 0)
		object->open_count--;
	object->is_closed = object->is_opened && object->open_count == 0;
	return 0;
}

/* Sees whether it is worth waiting for more, when what that depends on has changed. */
static void settle(struct codectl_ust_process *process)
{
	process->is_settled = (process->is_dumped && !process->is_dump_open) ||
			      process->is_given_up || process->start_time_count > 0;
}

int codectl_ust_map_apply(struct codectl_ust_map *map, const struct codectl_ust_key *key,
	const struct codectl_lttng_event *event, uint64_t position)
{
	struct codectl_ust_process *process = codectl_ust_map_expect(map, key);

	if (!process)
		return -ENOMEM;
	process->until.position = 0;
	process->changes++;
	switch (event->type) {
	case CODECTL_LTTNG_DUMP_BEGIN:
		process->is_dump_open = true;
		settle(process);
		return add_image(process, position);
	case CODECTL_LTTNG_DUMP_END:
		process->is_dump_open = false;
		process->is_dumped = true;
		settle(process);
		return 0;
	case CODECTL_LTTNG_OBJECT:
	case CODECTL_LTTNG_OPENED:
		return apply_object(process, event, position);
	case CODECTL_LTTNG_BUILD_ID:
	case CODECTL_LTTNG_DEBUG_LINK:
	case CODECTL_LTTNG_UNMAPPED:
	case CODECTL_LTTNG_CLOSED:
		return apply_to_object(process, event, position);
	case CODECTL_LTTNG_EVENT_TYPE_COUNT:
		break;
	}
	return 0;
}

/* The image at @time; before the first dump, the first one. */
static size_t find_image(const struct codectl_ust_process *process, uint64_t time)
{
	size_t low = 0, high = process->image_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (process->images[middle].begin <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static const struct codectl_process *find_dumped(
	const struct codectl_ust_process *process, uint64_t pc, uint64_t position)
{
	const struct codectl_ust_image *image = &process->images[find_image(process, position)];
	const struct codectl_ust_image *last = last_image(process);

	for (;; image++) {
		const struct codectl_process *found = codectl_ust_image_find_process(
			image, process->map->space);

		if (found && codectl_process_find(found, pc, position))
			return found;
		if (image == last || !codectl_ust_image_continues(image + 1, image))
			return NULL;
	}
}

/* The image by codectl that runs at the time @clock, or NULL. */
static const struct codectl_process *find_registered(
	const struct codectl_ust_process *process, uint64_t clock, size_t *at)
{
	*at = process->start_time_count;
	while (*at > 1 && process->start_times[*at - 1] > clock)
		--*at;
	if (*at == 0)
		return NULL;
	return codectl_space_find_process(
		process->map->space, (int32_t)process->key.vpid, process->start_times[*at - 1]);
}

int codectl_ust_process_find(const struct codectl_ust_process *process, uint64_t pc,
	const struct codectl_ust_moment *moment, struct codectl_ust_place *place)
{
	size_t at;

	place->process = find_dumped(process, pc, moment->position);
	place->time = moment->position;
	if (place->process)
		return 0;
	place->process = find_registered(process, moment->clock, &at);
	place->time = moment->clock;
	return place->process && (codectl_process_find(place->process, pc, moment->clock) ||
					 codectl_process_find_symbol(
						 place->process, pc, moment->clock))
		       ? 0
		       : -ENOENT;
}

int codectl_ust_map_note(
	struct codectl_ust_map *map, const struct codectl_ust_key *key, uint64_t start_time)
{
	struct codectl_ust_process *process = codectl_ust_map_expect(map, key);
	size_t at;

	if (!process)
		return -ENOMEM;
	process->until.position = 0;
	process->changes++;
	at = process->start_time_count;
	while (at > 0 && process->start_times[at - 1] > start_time)
		at--;
	if (at > 0 && process->start_times[at - 1] == start_time)
		return 0;
	if (grow((void **)&process->start_times, process->start_time_count,
		    &process->start_time_capacity, sizeof(*process->start_times)) < 0)
		return -ENOMEM;
	memmove(process->start_times + at + 1, process->start_times + at,
		(process->start_time_count - at) * sizeof(*process->start_times));
	process->start_times[at] = start_time;
	process->start_time_count++;
	settle(process);
	return 0;
}

static void limit(uint64_t *from, uint64_t *until, uint64_t other_from, uint64_t other_until)
{
	if (*from < other_from)
		*from = other_from;
	if (*until > other_until)
		*until = other_until;
}

uint64_t codectl_ust_process_renew_generation(
	struct codectl_ust_process *process, const struct codectl_ust_moment *moment)
{
	size_t at;

	const struct codectl_ust_image *image =
		&process->images[find_image(process, moment->position)];
	const struct codectl_process *registered = find_registered(process, moment->clock, &at);
	process->from = (struct codectl_ust_moment){0};
	process->until = (struct codectl_ust_moment){UINT64_MAX, UINT64_MAX};
	const struct codectl_process *dumped = codectl_ust_image_find_process(
		image, process->map->space);
	if (dumped)
		codectl_process_same_answers(dumped, moment->position, &process->from.position,
			&process->until.position);
	limit(&process->from.position, &process->until.position,
		image > process->images ? image->begin : 0,
		image < last_image(process) ? image[1].begin : UINT64_MAX);
	if (registered)
		codectl_process_same_answers(
			registered, moment->clock, &process->from.clock, &process->until.clock);
	limit(&process->from.clock, &process->until.clock,
		at > 1 ? process->start_times[at - 1] : 0,
		at < process->start_time_count ? process->start_times[at] : UINT64_MAX);
	process->generation = ++process->map->last_generation;
	return process->generation;
}

void codectl_ust_process_touch(const struct codectl_ust_process *process)
{
	size_t count = process->start_time_count;

	/* Whoever is looked for is the newest. */
	codectl_ust_image_find_process(last_image(process), process->map->space);
	if (count > 0)
		codectl_space_find_process(process->map->space, (int32_t)process->key.vpid,
			process->start_times[count - 1]);
}

void codectl_ust_process_give_up(struct codectl_ust_process *process)
{
	process->is_given_up = true;
	settle(process);
}

uint64_t codectl_ust_process_changes(const struct codectl_ust_process *process)
{
	return process->changes;
}

const struct codectl_ust_map_stats *codectl_ust_map_borrow_stats(const struct codectl_ust_map *map)
{
	return &map->stats;
}
