/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "unwind/jit-rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a chunk at most: what adding one in the middle moves. Of a small one at first. */
#define CHUNK_ROWS	 256
#define CHUNK_ROWS_FIRST 4

struct codectl_jit_chunk {
	uint32_t count;
	uint32_t capacity;
	struct codectl_jit_row rows[]; /* Ascending, without overlaps. */
};

/* A place among the rows. */
struct place {
	size_t chunk;
	size_t index;
};

static struct codectl_jit_row *row_at(const struct codectl_jit_rows *rows, struct place place)
{
	return &rows->chunks[place.chunk]->rows[place.index];
}

/* The last row that starts at or below @offset. Returns whether there is one. */
static bool find_place(const struct codectl_jit_rows *rows, uint32_t offset, struct place *place)
{
	size_t low = 0, high = rows->chunk_count;

	/* Nearly always that is the last one. */
	if (high > 0 && rows->chunks[high - 1]->rows[0].start <= offset)
		low = high - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->chunks[middle]->rows[0].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	place->chunk = low - 1;

	const struct codectl_jit_chunk *chunk = rows->chunks[place->chunk];

	low = 0;
	high = chunk->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (chunk->rows[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	place->index = low - 1;
	return true;
}

/* Gives a chunk room for @capacity rows; NULL: makes it. Returns NULL without memory. */
static struct codectl_jit_chunk *resize_chunk(struct codectl_jit_chunk *chunk, uint32_t capacity)
{
	struct codectl_jit_chunk *resized = realloc(
		chunk, sizeof(*chunk) + capacity * sizeof(chunk->rows[0]));

	if (resized) {
		resized->capacity = capacity;
		if (!chunk)
			resized->count = 0;
	}
	return resized;
}

/* Puts an empty chunk at index @at. */
static int insert_chunk(struct codectl_jit_rows *rows, size_t at, uint32_t row_capacity)
{
	if (rows->chunk_count == rows->chunk_capacity) {
		size_t capacity = rows->chunk_capacity ? rows->chunk_capacity * 2 : 4;
		struct codectl_jit_chunk **grown = reallocarray(
			rows->chunks, capacity, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		rows->chunks = grown;
		rows->chunk_capacity = capacity;
	}

	struct codectl_jit_chunk *chunk = resize_chunk(NULL, row_capacity);

	if (!chunk)
		return -ENOMEM;
	memmove(rows->chunks + at + 1, rows->chunks + at,
		(rows->chunk_count - at) * sizeof(*rows->chunks));
	rows->chunks[at] = chunk;
	rows->chunk_count++;
	return 0;
}

/* Makes room in the full chunk @at. A last one stays full: rows come in ascending order. */
static int split_chunk(struct codectl_jit_rows *rows, size_t at, size_t index)
{
	bool is_append = at + 1 == rows->chunk_count && index == CHUNK_ROWS;
	size_t kept = is_append ? CHUNK_ROWS : CHUNK_ROWS / 2;

	if (insert_chunk(rows, at + 1, CHUNK_ROWS))
		return -ENOMEM;

	struct codectl_jit_chunk *from = rows->chunks[at];
	struct codectl_jit_chunk *to = rows->chunks[at + 1];

	memcpy(to->rows, from->rows + kept, (CHUNK_ROWS - kept) * sizeof(*to->rows));
	to->count = (uint32_t)(CHUNK_ROWS - kept);
	from->count = (uint32_t)kept;
	return 0;
}

/* Inserts a row that overlaps no other. */
static int insert(struct codectl_jit_rows *rows, const struct codectl_jit_row *row)
{
	struct place place = {0, 0};

	if (find_place(rows, row->start, &place))
		place.index++;
	else if (rows->chunk_count == 0 && insert_chunk(rows, 0, CHUNK_ROWS_FIRST))
		return -ENOMEM;
	if (rows->chunks[place.chunk]->count == CHUNK_ROWS) {
		if (split_chunk(rows, place.chunk, place.index))
			return -ENOMEM;
		if (place.index > rows->chunks[place.chunk]->count || place.index == CHUNK_ROWS) {
			place.index -= rows->chunks[place.chunk]->count;
			place.chunk++;
		}
	}

	struct codectl_jit_chunk *chunk = rows->chunks[place.chunk];

	if (chunk->count == chunk->capacity) {
		chunk = resize_chunk(chunk, chunk->capacity * 2);
		if (!chunk)
			return -ENOMEM;
		rows->chunks[place.chunk] = chunk;
	}
	memmove(chunk->rows + place.index + 1, chunk->rows + place.index,
		(chunk->count - place.index) * sizeof(*chunk->rows));
	chunk->rows[place.index] = *row;
	chunk->count++;
	rows->count++;
	return 0;
}

static void remove_at(struct codectl_jit_rows *rows, struct place place)
{
	struct codectl_jit_chunk *chunk = rows->chunks[place.chunk];

	chunk->count--;
	rows->count--;
	memmove(chunk->rows + place.index, chunk->rows + place.index + 1,
		(chunk->count - place.index) * sizeof(*chunk->rows));
	if (chunk->count > 0)
		return;
	free(chunk);
	rows->chunk_count--;
	memmove(rows->chunks + place.chunk, rows->chunks + place.chunk + 1,
		(rows->chunk_count - place.chunk) * sizeof(*rows->chunks));
}

/* Clears [start, last] of other rows. */
static int make_way(struct codectl_jit_rows *rows, uint32_t start, uint32_t last)
{
	struct place place;

	while (find_place(rows, last, &place)) {
		struct codectl_jit_row *other = row_at(rows, place);
		uint32_t other_last = other->start + (other->size - 1);

		if (other_last < start)
			break;
		rows->overlaps++;
		if (other->start < start) {
			struct codectl_jit_row rest = *other;

			other->size = start - other->start;
			if (other_last <= last)
				break;
			rest.start = last + 1;
			rest.size = other_last - last;
			return insert(rows, &rest);
		}
		if (other_last > last) {
			other->start = last + 1;
			other->size = other_last - last;
		} else {
			remove_at(rows, place);
		}
	}
	return 0;
}

int codectl_jit_rows_add(struct codectl_jit_rows *rows, const struct codectl_jit_row *row)
{
	int ret = make_way(rows, row->start, row->start + (row->size - 1));

	return ret ? ret : insert(rows, row);
}

const struct codectl_jit_row *codectl_jit_rows_find(
	const struct codectl_jit_rows *rows, uint32_t offset)
{
	struct place place;

	if (!find_place(rows, offset, &place))
		return NULL;

	const struct codectl_jit_row *row = row_at(rows, place);

	return offset - row->start < row->size ? row : NULL;
}

void codectl_jit_rows_fini(struct codectl_jit_rows *rows)
{
	for (size_t i = 0; i < rows->chunk_count; i++)
		free(rows->chunks[i]);
	free(rows->chunks);
	memset(rows, 0, sizeof(*rows));
}
