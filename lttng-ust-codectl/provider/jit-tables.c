/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/jit-tables.h"

#include "provider/helper.h"
#include "provider/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* Rows that are read at once; and bytes. */
#define BATCH_ROWS  CODECTL_JIT_TABLES_BATCH
#define BATCH_BYTES (BATCH_ROWS * sizeof(struct code_jit_unwind_fre_v2))
#define STRIDE_MAX  256

/* What all versions of a row have. */
#define ROW_SIZE_MIN 21

_Static_assert(sizeof(struct code_jit_unwind_fre) == 24, "ABI of the RFC");
_Static_assert(sizeof(struct code_jit_unwind_table) == 24, "ABI of the RFC");
_Static_assert(sizeof(struct code_jit_unwind_fre_v2) == 24, "ABI");
_Static_assert(sizeof(struct code_jit_unwind_table_v2) == 32, "ABI");
_Static_assert(CODECTL_JIT_TABLES_MANY <= CODECTL_MEMORY_MANY, "by one call");
_Static_assert(BATCH_BYTES >= STRIDE_MAX, "a row must fit");

static const char fault_gone[] = "A table of generated code is gone";
static const char fault_length[] = "A table of generated code has impossible lengths";
static const char fault_layout[] =
	"A table of generated code has rows of another kind than the first";
static const char fault_chain[] = "A table of generated code is not aligned";
static const char fault_ring[] = "Tables of generated code are a ring";

/*
 * Reads a table's header. With `next` set, used_len does not change any more: so
 * it is read once more then, as a producer that sets both in between would be missed
 * else. Returns 0 or -EFAULT.
 */
static int read_header(const struct codectl_jit_tables *tables, uint64_t address,
	struct code_jit_unwind_table_v2 *header)
{
	size_t len = tables->has_header_v2 ? sizeof(*header) : sizeof(struct code_jit_unwind_table);
	int ret = codectl_provider_read_memory(address, header, len);

	atomic_thread_fence(memory_order_acquire);
	if (ret == 0 && header->next)
		ret = codectl_provider_read_memory(address, header, len);
	atomic_thread_fence(memory_order_acquire);
	return ret;
}

static bool is_layout_sound(const struct code_jit_unwind_table_v2 *header)
{
	return header->fre_size >= ROW_SIZE_MIN && header->fre_size <= header->fre_stride &&
	       header->fre_stride <= STRIDE_MAX;
}

int codectl_jit_tables_init(
	struct codectl_jit_tables *tables, uint64_t head, bool has_header_v2, uint64_t reserved_len)
{
	struct code_jit_unwind_table_v2 header = {.reserved_len = 0};

	*tables = (struct codectl_jit_tables){
		.head = head,
		.has_header_v2 = has_header_v2,
		.stride = sizeof(struct code_jit_unwind_fre),
		.row_size = ROW_SIZE_MIN,
		.cursor = {.table = head},
	};
	if (head == 0)
		return 0;
	if (head % sizeof(uint64_t) != 0)
		return -EINVAL;
	if (read_header(tables, head, &header))
		return -EFAULT;
	if (header.used_len > header.reserved_len ||
		(reserved_len && reserved_len != header.reserved_len))
		return -EINVAL;
	if (has_header_v2) {
		if (!is_layout_sound(&header))
			return -EINVAL;
		tables->stride = header.fre_stride;
		tables->row_size = header.fre_size < sizeof(struct code_jit_unwind_fre_v2)
					   ? header.fre_size
					   : sizeof(struct code_jit_unwind_fre_v2);
	}
	return 0;
}

/* Whether the header is what it can be after what was seen before; else says why not. */
static const char *check_header(const struct codectl_jit_tables *tables,
	const struct codectl_jit_cursor *cursor, const struct code_jit_unwind_table_v2 *header)
{
	if (header->used_len > header->reserved_len ||
		(cursor->has_reserved_len && header->reserved_len != cursor->reserved_len) ||
		header->used_len / tables->stride < cursor->rows)
		return fault_length;
	if (tables->has_header_v2 &&
		(!is_layout_sound(header) || header->fre_stride != tables->stride))
		return fault_layout;
	return NULL;
}

/* Reads @count rows from the cursor on, no more than there is room for. Returns 0 or -EFAULT. */
static int read_rows(const struct codectl_jit_tables *tables,
	const struct codectl_jit_cursor *cursor, struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	uint8_t raw[BATCH_BYTES];
	uint64_t header_len = tables->has_header_v2 ? sizeof(struct code_jit_unwind_table_v2)
						    : sizeof(struct code_jit_unwind_table);
	int ret = codectl_provider_read_memory(
		cursor->table + header_len + cursor->rows * tables->stride, raw,
		count * tables->stride);

	if (ret)
		return ret;
	memset(rows, 0, count * sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		memcpy(&rows[i], raw + i * tables->stride, tables->row_size);
	return 0;
}

/* Moves to the table at @next. Returns NULL, or why not. */
static const char *move_on(struct codectl_jit_cursor *cursor, uint64_t next)
{
	if (next % sizeof(uint64_t) != 0)
		return fault_chain;
	if (next == cursor->table || next == cursor->mark)
		return fault_ring;
	if (cursor->number >= 2 * cursor->mark_number) {
		cursor->mark = cursor->table;
		cursor->mark_number = cursor->number + 1;
	}
	cursor->table = next;
	cursor->number++;
	cursor->rows = 0;
	cursor->has_reserved_len = false;
	return NULL;
}

/* Where a walk ends at last. */
static bool is_at(const struct codectl_jit_cursor *cursor, const struct codectl_jit_cursor *end)
{
	return end && cursor->number == end->number && cursor->rows == end->rows;
}

/* Hands on the rows of the cursor's table up to row @end. Returns NULL, or why not. */
static const char *walk_rows(const struct codectl_jit_tables *tables,
	struct codectl_jit_cursor *cursor, uint64_t end, codectl_jit_rows_function *take,
	void *user)
{
	struct code_jit_unwind_fre_v2 rows[BATCH_ROWS];
	size_t batch_max = BATCH_BYTES / tables->stride;

	if (batch_max > BATCH_ROWS)
		batch_max = BATCH_ROWS;
	while (cursor->rows < end) {
		size_t count = end - cursor->rows < batch_max ? (size_t)(end - cursor->rows)
							      : batch_max;

		if (read_rows(tables, cursor, rows, count))
			return fault_gone;
		take(user, cursor->number, cursor->rows, rows, count);
		cursor->rows += count;
	}
	return NULL;
}

/*
 * Hands on rows from the cursor on: up to @end, or if that is NULL all there are but
 * no more than @row_max. Returns NULL, or why it went no further.
 */
static const char *walk(const struct codectl_jit_tables *tables, struct codectl_jit_cursor *cursor,
	const struct codectl_jit_cursor *end, size_t row_max, bool *has_more,
	codectl_jit_rows_function *take, void *user)
{
	*has_more = false;
	for (;;) {
		struct code_jit_unwind_table_v2 header = {.reserved_len = 0};

		if (is_at(cursor, end))
			return NULL;
		if (row_max == 0) {
			*has_more = true;
			return NULL;
		}
		if (read_header(tables, cursor->table, &header))
			return fault_gone;

		const char *fault = check_header(tables, cursor, &header);

		if (fault)
			return fault;
		cursor->reserved_len = header.reserved_len;
		cursor->has_reserved_len = true;

		uint64_t used = header.used_len / tables->stride;
		uint64_t first = cursor->rows;

		if (end && cursor->number == end->number)
			used = end->rows;
		else if (!end && used - first > row_max) {
			used = first + row_max;
			*has_more = true;
		}
		fault = walk_rows(tables, cursor, used, take, user);
		if (fault)
			return fault;
		/* A table costs something, too. */
		row_max -= end ? 0 : (size_t)(used - first);
		row_max -= !end && row_max > 0;
		if (*has_more || !header.next || is_at(cursor, end))
			return NULL;
		fault = move_on(cursor, header.next);
		if (fault)
			return fault;
	}
}

/* Counts what goes through. */
struct counted {
	codectl_jit_rows_function *take;
	void *user;
	uint64_t count;
};

static void take_counted(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	struct counted *counted = user;

	counted->count += count;
	counted->take(counted->user, number, first, rows, count);
}

bool codectl_jit_tables_read(struct codectl_jit_tables *tables, size_t row_max,
	codectl_jit_rows_function *take, void *user)
{
	struct counted counted = {.take = take, .user = user};
	bool has_more = false;

	if (tables->fault || tables->cursor.table == 0)
		return false;
	tables->fault = walk(
		tables, &tables->cursor, NULL, row_max, &has_more, take_counted, &counted);
	tables->is_gone = tables->fault == fault_gone;
	tables->row_count += counted.count;
	return has_more && !tables->fault;
}

void codectl_jit_tables_find_news(
	struct codectl_jit_tables *const *tables, size_t count, bool *has_news)
{
	struct code_jit_unwind_table headers[CODECTL_JIT_TABLES_MANY];
	uint64_t addresses[CODECTL_JIT_TABLES_MANY];

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		addresses[i] = tables[i]->cursor.table;
	/* If one of them is gone, each is looked at by itself. */
	if (codectl_memory_read_many(addresses, count, sizeof(headers[0]), headers)) {
		memset(has_news, true, count * sizeof(*has_news));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const struct codectl_jit_cursor *cursor = &tables[i]->cursor;

		has_news[i] = headers[i].next || !cursor->has_reserved_len ||
			      headers[i].reserved_len != cursor->reserved_len ||
			      headers[i].used_len / tables[i]->stride != cursor->rows;
	}
}

void codectl_jit_tables_repeat(
	struct codectl_jit_tables *tables, codectl_jit_rows_function *take, void *user)
{
	struct codectl_jit_cursor cursor = {.table = tables->head};
	bool has_more;

	if (tables->head == 0 || tables->row_count == 0)
		return;

	const char *fault = walk(tables, &cursor, &tables->cursor, SIZE_MAX, &has_more, take, user);

	/* What is left of them cannot be dumped again. */
	if (fault && !tables->fault)
		tables->fault = fault;
}
