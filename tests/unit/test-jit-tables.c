/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Tables of generated code, sound and unsound, as they are read while they grow.
 */
#include "lib/tap.h"

#include "provider/jit-tables.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096
#define ROWS 8

/* As struct code_jit_unwind_table, and rows. */
struct table {
	struct {
		uint64_t reserved_len, used_len, next;
	} header;
	struct code_jit_unwind_fre rows[ROWS];
};

/* What was handed on: the sum of all ip_off, and that numbers had no gap. */
struct seen {
	uint32_t number;
	uint64_t next;
	uint64_t count;
	uint64_t sum;
	unsigned int gap_count;
	uint8_t flags;
};

static void take(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	struct seen *seen = user;

	if (number != seen->number) {
		seen->number = number;
		seen->next = 0;
	}
	seen->gap_count += first != seen->next;
	seen->next = first + count;
	seen->count += count;
	for (size_t i = 0; i < count; i++) {
		seen->sum += rows[i].ip_off;
		seen->flags |= rows[i].flags;
	}
}

static struct table *make_table(size_t used)
{
	struct table *table = calloc(1, sizeof(*table));

	CHECK(table);
	table->header.reserved_len = sizeof(table->rows);
	table->header.used_len = used * sizeof(table->rows[0]);
	for (uint32_t i = 0; i < ROWS; i++)
		table->rows[i] = (struct code_jit_unwind_fre){.ip_off = i + 1, .size = 1};
	return table;
}

static uint64_t address_of(const void *table)
{
	return (uint64_t)(uintptr_t)table;
}

static int init(struct codectl_jit_tables *tables, const void *table)
{
	return codectl_jit_tables_init(tables, address_of(table), false, 0);
}

static uint64_t read_all(struct codectl_jit_tables *tables)
{
	struct seen seen = {.number = tables->cursor.number, .next = tables->cursor.rows};

	CHECK(!codectl_jit_tables_read(tables, SIZE_MAX, take, &seen));
	CHECK_INT(seen.gap_count, 0);
	return seen.count;
}

TEST(rows_appear)
{
	struct table *first = make_table(2), *second = make_table(3);
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};

	CHECK_INT(init(&tables, first), 0);
	CHECK_INT(read_all(&tables), 2);
	CHECK_INT(read_all(&tables), 0);
	first->header.used_len = 3 * sizeof(first->rows[0]) + 23; /* Not yet a fourth. */
	CHECK_INT(read_all(&tables), 1);
	first->header.used_len = sizeof(first->rows);
	first->header.next = address_of(second);
	CHECK_INT(read_all(&tables), ROWS - 3 + 3);
	second->header.used_len = sizeof(second->rows);
	CHECK_INT(read_all(&tables), ROWS - 3);
	CHECK_INT(tables.row_count, 2 * ROWS);
	CHECK(!tables.fault);
	/* A dump has all of them once more. */
	codectl_jit_tables_repeat(&tables, take, &seen);
	CHECK_INT(seen.count, 2 * ROWS);
	CHECK_INT(seen.gap_count, 0);
	CHECK_INT(seen.sum, 2 * ROWS * (ROWS + 1) / 2);
	free(first);
	free(second);
}

TEST(a_dump_has_what_was_read_and_no_more)
{
	struct table *first = make_table(ROWS), *second = make_table(2);
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};

	CHECK_INT(init(&tables, first), 0);
	codectl_jit_tables_repeat(&tables, take, &seen);
	CHECK_INT(seen.count, 0);
	CHECK_INT(read_all(&tables), ROWS);
	first->header.next = address_of(second);
	codectl_jit_tables_repeat(&tables, take, &seen);
	CHECK_INT(seen.count, ROWS);
	CHECK_INT(read_all(&tables), 2);
	second->header.used_len = sizeof(second->rows);
	seen = (struct seen){.number = 0};
	codectl_jit_tables_repeat(&tables, take, &seen);
	CHECK_INT(seen.count, ROWS + 2);
	CHECK(!tables.fault);
	free(first);
	free(second);
}

TEST(a_budget)
{
	struct table *first = make_table(ROWS), *second = make_table(ROWS);
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};
	unsigned int rounds = 0;

	first->header.next = address_of(second);
	CHECK_INT(init(&tables, first), 0);
	while (codectl_jit_tables_read(&tables, 3, take, &seen))
		CHECK(++rounds < 20);
	CHECK(rounds >= 5);
	CHECK_INT(seen.count, 2 * ROWS);
	CHECK_INT(seen.gap_count, 0);
	free(first);
	free(second);
}

TEST(what_is_refused_at_once)
{
	struct table *table = make_table(1);
	struct codectl_jit_tables tables;

	CHECK_INT(codectl_jit_tables_init(&tables, 0, false, 0), 0);
	CHECK_INT(read_all(&tables), 0);
	CHECK_INT(codectl_jit_tables_init(&tables, 4096, false, 0), -EFAULT);
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(table) + 4, false, 0), -EINVAL);
	CHECK_INT(codectl_jit_tables_init(&tables, UINT64_MAX - 7, false, 0), -EFAULT);
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(table), false, 1), -EINVAL);
	CHECK_INT(
		codectl_jit_tables_init(&tables, address_of(table), false, sizeof(table->rows)), 0);
	table->header.used_len = sizeof(table->rows) + 1;
	CHECK_INT(init(&tables, table), -EINVAL);
	free(table);
}

/* How tables become unsound when they have been read already. */
static void spoil_used_len(struct table *table)
{
	table->header.used_len = table->header.reserved_len + 24;
}

static void spoil_shrunk(struct table *table)
{
	table->header.used_len = 24;
}

static void spoil_reserved_len(struct table *table)
{
	table->header.reserved_len += 24;
}

static void spoil_huge(struct table *table)
{
	table->header.used_len = UINT64_MAX;
}

static void spoil_next(struct table *table)
{
	table->header.next = 8;
}

static void spoil_next_alignment(struct table *table)
{
	table->header.next = address_of(table) + 4;
}

static void spoil_own_next(struct table *table)
{
	table->header.next = address_of(table);
}

TEST(what_becomes_unsound)
{
	static void (*const spoil[])(struct table *) = {
		spoil_used_len,
		spoil_shrunk,
		spoil_reserved_len,
		spoil_huge,
		spoil_next,
		spoil_next_alignment,
		spoil_own_next,
	};

	for (size_t i = 0; i < sizeof(spoil) / sizeof(spoil[0]); i++) {
		struct table *table = make_table(2);
		struct codectl_jit_tables tables;

		CHECK_INT(init(&tables, table), 0);
		CHECK_INT(read_all(&tables), 2);
		spoil[i](table);
		CHECK_INT(read_all(&tables), 0);
		CHECK(tables.fault);
		/* For good. */
		table->header.used_len = sizeof(table->rows);
		CHECK_INT(read_all(&tables), 0);
		free(table);
	}
}

TEST(rings)
{
	/* A tail of some tables leads into a ring. */
	for (size_t count = 1; count < 40; count++) {
		for (size_t back = 0; back < count; back += 3) {
			struct table *chain[40];
			struct codectl_jit_tables tables;

			for (size_t i = 0; i < count; i++)
				chain[i] = make_table(ROWS);
			for (size_t i = 0; i < count; i++)
				chain[i]->header.next = address_of(
					i + 1 < count ? chain[i + 1] : chain[back]);
			CHECK_INT(init(&tables, chain[0]), 0);
			/* It is found out before long. */
			CHECK(read_all(&tables) <= 4 * ROWS * count);
			CHECK(tables.fault);
			for (size_t i = 0; i < count; i++)
				free(chain[i]);
		}
	}
}

TEST(memory_that_goes)
{
	struct table *table = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};

	CHECK(table != MAP_FAILED);
	table->header.reserved_len = sizeof(table->rows);
	table->header.used_len = 2 * sizeof(table->rows[0]);
	CHECK_INT(init(&tables, table), 0);
	CHECK_INT(read_all(&tables), 2);
	munmap(table, PAGE);
	codectl_jit_tables_repeat(&tables, take, &seen);
	CHECK_INT(seen.count, 0);
	CHECK(tables.fault);
	CHECK_INT(read_all(&tables), 0);
}

/* Rows that are said to be there are beyond what is mapped. */
TEST(rows_that_are_not_there)
{
	char *pages = mmap(
		NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct code_jit_unwind_table *table;
	struct codectl_jit_tables tables;

	CHECK(pages != MAP_FAILED);
	munmap(pages + PAGE, PAGE);
	table = (struct code_jit_unwind_table *)(void *)(pages + PAGE - sizeof(*table));
	table->reserved_len = table->used_len = UINT64_C(1) << 40;
	CHECK_INT(init(&tables, table), 0);
	CHECK_INT(read_all(&tables), 0);
	CHECK(tables.fault);
	munmap(pages, PAGE);
}

TEST(version_2)
{
	struct {
		struct {
			uint64_t reserved_len, used_len, next;
			uint32_t fre_stride, fre_size;
		} header;
		char rows[4 * 40];
	} table = {.header = {.reserved_len = sizeof(table.rows), .fre_stride = 40}};
	struct code_jit_unwind_fre_v2 row = {.ip_off = 5, .size = 1, .flags = 1, .reserved = 7};
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};

	for (size_t i = 0; i < 4; i++) {
		memset(table.rows + i * 40, 0xff, 40);
		memcpy(table.rows + i * 40, &row, sizeof(row));
	}
	table.header.used_len = sizeof(table.rows);
	table.header.fre_size = 20;
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(&table), true, 0), -EINVAL);
	table.header.fre_size = 41;
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(&table), true, 0), -EINVAL);
	table.header.fre_stride = table.header.fre_size = 257;
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(&table), true, 0), -EINVAL);
	table.header.fre_stride = 40;
	/* Without the member `flags`. */
	table.header.fre_size = 21;
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(&table), true, 0), 0);
	CHECK(!codectl_jit_tables_read(&tables, SIZE_MAX, take, &seen));
	CHECK_INT(seen.count, 4);
	CHECK_INT(seen.sum, 20);
	CHECK_INT(seen.flags, 0);
	/* With it, and others that we do not know. */
	table.header.fre_size = 40;
	CHECK_INT(codectl_jit_tables_init(&tables, address_of(&table), true, 0), 0);
	CHECK(!codectl_jit_tables_read(&tables, SIZE_MAX, take, &seen));
	CHECK_INT(seen.count, 8);
	CHECK_INT(seen.flags, 1);
	table.header.fre_stride = 48;
	CHECK(!codectl_jit_tables_read(&tables, SIZE_MAX, take, &seen));
	CHECK(tables.fault);
}

#define MANY (1 << 16)

/* Fills tables as the RFC has it. */
static void *produce(void *user)
{
	struct table *table = user;
	uint64_t used = 0;

	for (uint32_t i = 0; i < MANY; i++) {
		if (used == sizeof(table->rows)) {
			struct table *next = make_table(0);

			__atomic_store_n(&table->header.next, address_of(next), __ATOMIC_RELEASE);
			table = next;
			used = 0;
		}
		table->rows[used / sizeof(table->rows[0])].ip_off = i;
		used += sizeof(table->rows[0]);
		__atomic_store_n(&table->header.used_len, used, __ATOMIC_RELEASE);
	}
	return NULL;
}

TEST(no_row_is_lost_while_tables_grow)
{
	struct table *first = make_table(0);
	struct codectl_jit_tables tables;
	struct seen seen = {.number = 0};
	pthread_t producer;

	CHECK_INT(init(&tables, first), 0);
	CHECK_INT(pthread_create(&producer, NULL, produce, first), 0);
	while (tables.row_count < MANY) {
		codectl_jit_tables_read(&tables, SIZE_MAX, take, &seen);
		CHECK(!tables.fault);
	}
	CHECK_INT(seen.count, MANY);
	CHECK_INT(seen.gap_count, 0);
	CHECK_INT(seen.sum, (uint64_t)MANY * (MANY - 1) / 2);
	pthread_join(producer, NULL);
	while (first) {
		struct table *next = (struct table *)(uintptr_t)first->header.next;

		free(first);
		first = next;
	}
}
