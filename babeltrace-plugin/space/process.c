/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int codectl_space_grow(void **array, size_t count, size_t *capacity, size_t element_size)
{
	if (count < *capacity)
		return 0;

	size_t new_capacity = *capacity ? *capacity * 2 : 16;
	void *grown = reallocarray(*array, new_capacity, element_size);

	if (!grown)
		return -ENOMEM;
	*array = grown;
	*capacity = new_capacity;
	return 0;
}

struct codectl_process *codectl_process_create(int32_t vpid, uint64_t start_time)
{
	struct codectl_process *process = calloc(1, sizeof(*process));

	if (process) {
		process->vpid = vpid;
		process->start_time = start_time;
	}
	return process;
}

void codectl_process_destroy(struct codectl_process *process)
{
	if (!process)
		return;
	for (size_t i = 0; i < process->mapping_count; i++)
		free(process->mappings[i]);
	codectl_segments_fini(&process->segments);
	codectl_jit_symbols_fini(&process->symbols);
	free(process->mappings);
	free(process->times);
	free(process->early_serials);
	free(process);
}

/* Index of the first of the sorted @values that is not below @value. */
static size_t lower_bound(const uint64_t *values, size_t count, uint64_t value)
{
	size_t low = 0;

	while (count > 0) {
		size_t half = count / 2;

		if (values[low + half] < value) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

/* Inserts @value into a sorted array, once. Returns 0 or -ENOMEM. */
static int insert_sorted(uint64_t **values, size_t *count, size_t *capacity, uint64_t value)
{
	size_t at = lower_bound(*values, *count, value);

	if (at < *count && (*values)[at] == value)
		return 0;
	if (codectl_space_grow((void **)values, *count, capacity, sizeof(**values)))
		return -ENOMEM;
	memmove(*values + at + 1, *values + at, (*count - at) * sizeof(**values));
	(*values)[at] = value;
	(*count)++;
	return 0;
}

int codectl_process_add_time(struct codectl_process *process, uint64_t time)
{
	return insert_sorted(&process->times, &process->time_count, &process->time_capacity, time);
}

/* Index of the first mapping whose serial is not below @serial. */
static size_t find_serial(const struct codectl_process *process, uint64_t serial)
{
	size_t low = 0, high = process->mapping_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (process->mappings[middle]->serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct codectl_mapping *codectl_process_find_serial(
	const struct codectl_process *process, uint64_t serial)
{
	size_t at = find_serial(process, serial);

	if (at < process->mapping_count && process->mappings[at]->serial == serial)
		return process->mappings[at];
	return NULL;
}

/* Cuts the segment that holds @address in its inside, so that one begins there. */
static int split_segment(struct codectl_process *process, uint64_t address)
{
	struct codectl_segment_place place = codectl_segments_seek(&process->segments, address);
	struct codectl_segment *segment = codectl_segments_borrow(&process->segments, place);

	if (!segment || segment->start >= address)
		return 0;

	const struct codectl_segment whole = *segment;
	struct codectl_mapping **copy = calloc(whole.mapping_count + 1, sizeof(*copy));

	/* The new one is the lower part, since it comes before the place that was found. */
	if (!copy || codectl_segments_insert(&process->segments, &place, whole.start, address)) {
		free(copy);
		return -ENOMEM;
	}
	for (size_t i = 0; i < whole.mapping_count; i++)
		copy[i] = whole.mappings[i];
	segment = codectl_segments_borrow(&process->segments, place);
	segment->mappings = copy;
	segment->mapping_count = whole.mapping_count;
	place = codectl_segments_next(&process->segments, place);
	codectl_segments_borrow(&process->segments, place)->start = address;
	return 0;
}

/* Adds @mapping to a segment, which keeps them by begin, then by serial. */
static int add_to_segment(struct codectl_segment *segment, struct codectl_mapping *mapping)
{
	struct codectl_mapping **grown = reallocarray(
		segment->mappings, segment->mapping_count + 1, sizeof(*segment->mappings));
	size_t at = segment->mapping_count;

	if (!grown)
		return -ENOMEM;
	segment->mappings = grown;
	while (at > 0 && (grown[at - 1]->begin > mapping->begin ||
				 (grown[at - 1]->begin == mapping->begin &&
					 grown[at - 1]->serial > mapping->serial)))
		at--;
	memmove(grown + at + 1, grown + at, (segment->mapping_count - at) * sizeof(*grown));
	grown[at] = mapping;
	segment->mapping_count++;
	return 0;
}

/* Takes @mapping out of the segments again, when adding it failed half-way. */
static void remove_from_segments(
	struct codectl_process *process, const struct codectl_mapping *mapping)
{
	struct codectl_segment_place place = {0};
	struct codectl_segment *segment;

	while ((segment = codectl_segments_borrow(&process->segments, place))) {
		size_t kept = 0;

		for (size_t i = 0; i < segment->mapping_count; i++) {
			if (segment->mappings[i] != mapping)
				segment->mappings[kept++] = segment->mappings[i];
		}
		segment->mapping_count = kept;
		place = codectl_segments_next(&process->segments, place);
	}
}

static int add_to_segments(struct codectl_process *process, struct codectl_mapping *mapping)
{
	uint64_t address = mapping->text_start;

	if (split_segment(process, mapping->text_start) ||
		split_segment(process, mapping->text_end))
		return -ENOMEM;

	struct codectl_segment_place place = codectl_segments_seek(&process->segments, address);

	while (address < mapping->text_end) {
		struct codectl_segment *segment = codectl_segments_borrow(
			&process->segments, place);
		uint64_t next = segment ? segment->start : UINT64_MAX;

		if (next > address) {
			if (next > mapping->text_end)
				next = mapping->text_end;
			if (codectl_segments_insert(&process->segments, &place, address, next))
				return -ENOMEM;
			segment = codectl_segments_borrow(&process->segments, place);
		}
		if (add_to_segment(segment, mapping))
			return -ENOMEM;
		address = segment->end;
		place = codectl_segments_next(&process->segments, place);
	}
	return 0;
}

int codectl_process_add(struct codectl_process *process, struct codectl_mapping *mapping)
{
	size_t at = find_serial(process, mapping->serial);

	if (codectl_space_grow((void **)&process->mappings, process->mapping_count,
		    &process->mapping_capacity, sizeof(*process->mappings)) ||
		insert_sorted(&process->times, &process->time_count, &process->time_capacity,
			mapping->begin))
		return -ENOMEM;
	if (add_to_segments(process, mapping)) {
		remove_from_segments(process, mapping);
		return -ENOMEM;
	}
	memmove(process->mappings + at + 1, process->mappings + at,
		(process->mapping_count - at) * sizeof(*process->mappings));
	process->mappings[at] = mapping;
	process->mapping_count++;
	return 0;
}

int codectl_process_end_mapping(
	struct codectl_process *process, struct codectl_mapping *mapping, uint64_t time)
{
	/* An end before the begin is a lie; the epoch is empty then. */
	if (time < mapping->begin)
		time = mapping->begin;
	if (insert_sorted(&process->times, &process->time_count, &process->time_capacity, time))
		return -ENOMEM;
	mapping->end = time;
	return 0;
}

int codectl_process_saw_serial(struct codectl_process *process, uint64_t serial)
{
	if (serial <= process->complete_serial)
		return 0;
	if (insert_sorted(&process->early_serials, &process->early_count, &process->early_capacity,
		    serial))
		return -ENOMEM;
	codectl_process_set_complete(process, process->complete_serial);
	return 0;
}

void codectl_process_set_complete(struct codectl_process *process, uint64_t serial)
{
	size_t used = 0;

	if (serial > process->complete_serial)
		process->complete_serial = serial;
	while (used < process->early_count &&
		process->early_serials[used] <= process->complete_serial + 1) {
		if (process->early_serials[used] > process->complete_serial)
			process->complete_serial = process->early_serials[used];
		used++;
	}
	process->early_count -= used;
	if (used && process->early_count)
		memmove(process->early_serials, process->early_serials + used,
			process->early_count * sizeof(*process->early_serials));
}

/* What is asked for: any registration, generated code first; or those of files. */
enum wanted { WANTED_ANY, WANTED_FILE };

static const struct codectl_mapping *find(
	const struct codectl_process *process, uint64_t pc, uint64_t time, enum wanted wanted)
{
	const struct codectl_segment *segment = codectl_segments_borrow(
		&process->segments, codectl_segments_seek(&process->segments, pc));

	if (!segment || segment->start > pc)
		return NULL;

	const struct codectl_mapping *later = NULL;
	const struct codectl_mapping *file = NULL;

	for (size_t i = segment->mapping_count; i > 0; i--) {
		const struct codectl_mapping *mapping = segment->mappings[i - 1];

		if (!mapping->object && wanted == WANTED_FILE)
			continue;
		if (mapping->begin > time) {
			later = mapping;
		} else if (time < mapping->end) {
			if (!mapping->object)
				return mapping;
			if (!file)
				file = mapping;
		}
	}
	return file ? file : later;
}

const struct codectl_mapping *codectl_process_find(
	const struct codectl_process *process, uint64_t pc, uint64_t time)
{
	return find(process, pc, time, WANTED_ANY);
}

const struct codectl_mapping *codectl_process_find_file(
	const struct codectl_process *process, uint64_t pc, uint64_t time)
{
	return find(process, pc, time, WANTED_FILE);
}

const struct codectl_mapping *codectl_process_borrow_mapping(
	const struct codectl_process *process, uint64_t serial)
{
	return codectl_process_find_serial(process, serial);
}

/* Whom find_symbol() asks for. */
struct epoch {
	const struct codectl_process *process;
	const struct codectl_mapping *mapping; /* At the pc at the time; or NULL. */
	uint64_t pc;
	uint64_t time;
};

/*
 * A symbol lasts no longer than the registration of its code, and begins no
 * earlier. It is older than a file there: then that has replaced it.
 */
static bool is_of_epoch(void *user, const struct codectl_jit_symbol *symbol)
{
	const struct epoch *epoch = user;

	if (epoch->mapping && epoch->mapping->object)
		return epoch->mapping->begin > epoch->time ||
		       epoch->mapping->begin <= symbol->begin;
	return codectl_process_find(epoch->process, epoch->pc, symbol->begin) == epoch->mapping;
}

const struct codectl_jit_symbol *codectl_process_find_symbol(
	const struct codectl_process *process, uint64_t pc, uint64_t time)
{
	/* That is all processes without generated code. */
	if (process->symbols.count == 0)
		return NULL;

	struct epoch epoch = {
		.process = process,
		.mapping = codectl_process_find(process, pc, time),
		.pc = pc,
		.time = time,
	};

	return codectl_jit_symbols_find(&process->symbols, pc, time, is_of_epoch, &epoch);
}

uint64_t codectl_process_generation(const struct codectl_process *process, uint64_t time)
{
	size_t at = lower_bound(process->times, process->time_count, time);

	/* A time that is in the list belongs to what begins there. */
	if (at < process->time_count && process->times[at] == time)
		at++;
	return process->generation + at;
}

void codectl_process_same_answers(
	const struct codectl_process *process, uint64_t time, uint64_t *from, uint64_t *until)
{
	size_t at = lower_bound(process->times, process->time_count, time);

	if (at < process->time_count && process->times[at] == time)
		at++;
	*from = at > 0 ? process->times[at - 1] : 0;
	*until = at < process->time_count ? process->times[at] : UINT64_MAX;
}

bool codectl_process_is_complete(const struct codectl_process *process, uint64_t serial)
{
	return serial >= process->complete_from && serial <= process->complete_serial;
}
