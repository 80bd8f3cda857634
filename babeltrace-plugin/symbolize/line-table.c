/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/line-table.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

struct row {
	uint64_t vaddr;
	uint32_t line;
	uint32_t file;
};

/* Rows of ascending addresses; how far they reach is in the ranges. */
struct sequence {
	size_t first;
	size_t count;
};

struct codectl_line_table {
	struct codectl_line_files files;
	struct row *rows; /* Owned. */
	size_t row_count;
	size_t row_capacity;
	struct sequence *sequences; /* Owned. */
	size_t sequence_count;
	size_t sequence_capacity;
	struct codectl_ranges ranges; /* Values are indexes of sequences. */
};

/* DWARF 5, 6.2.4, without the tables of directories and files. */
struct header {
	unsigned int version;
	size_t offset_size;
	uint8_t min_instruction_len;
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	const uint8_t *operand_counts; /* Of opcodes 1 … opcode_base - 1. Weak. */
};

struct machine {
	struct codectl_line_table *table;
	const struct header *header;
	const struct codectl_ranges *code;
	size_t first; /* The row with which the current sequence began. */
	uint64_t vaddr;
	uint64_t file;
	uint64_t line;
	int error;
};

static void *make_room(void *entries, size_t count, size_t *capacity, size_t size)
{
	size_t larger = *capacity ? 2 * *capacity : 16;

	if (count < *capacity)
		return entries;
	entries = reallocarray(entries, larger, size);
	if (entries)
		*capacity = larger;
	return entries;
}

/* Rows take some bytes of a program: so few of them are moved to a larger place later. */
static void expect_rows(struct codectl_line_table *table, size_t program_len)
{
	size_t capacity = program_len / 6;

	table->rows = capacity ? reallocarray(NULL, capacity, sizeof(*table->rows)) : NULL;
	table->row_capacity = table->rows ? capacity : 0;
}

/* Reads the header up to the program, whose reader is set up in @program. */
static int read_header(const struct codectl_line_sections *sections, uint64_t offset,
	const char *comp_dir, struct header *header, struct codectl_line_files *files,
	struct codectl_reader *program)
{
	struct codectl_reader reader;
	uint64_t len;
	int ret;

	codectl_reader_init(&reader, sections->line.bytes, sections->line.len);
	codectl_reader_seek(&reader, offset);
	len = codectl_reader_u32(&reader);
	header->offset_size = len == UINT32_MAX ? 8 : 4;
	if (len == UINT32_MAX)
		len = codectl_reader_u64(&reader);
	if (reader.is_failed || len > codectl_reader_left(&reader))
		return -EINVAL;
	codectl_reader_init(&reader, reader.start + reader.offset, len);
	header->version = codectl_reader_u16(&reader);
	if (header->version < 2 || header->version > 5)
		return -EINVAL;
	/* Sizes of addresses and of segment selectors. */
	if (header->version >= 5)
		codectl_reader_u16(&reader);
	len = codectl_reader_uint(&reader, header->offset_size);
	if (len > codectl_reader_left(&reader))
		return -EINVAL;
	codectl_reader_init(
		program, reader.start + reader.offset + len, codectl_reader_left(&reader) - len);
	header->min_instruction_len = codectl_reader_u8(&reader);
	/* Operations per instruction: more than one only on machines with long words. */
	if (header->version >= 4)
		codectl_reader_u8(&reader);
	codectl_reader_u8(&reader);
	header->line_base = (int8_t)codectl_reader_u8(&reader);
	header->line_range = codectl_reader_u8(&reader);
	header->opcode_base = codectl_reader_u8(&reader);
	if (!header->line_range || !header->opcode_base)
		return -EINVAL;
	header->operand_counts = codectl_reader_bytes(&reader, header->opcode_base - 1);
	if (reader.is_failed)
		return -EINVAL;
	ret = codectl_line_files_read(
		files, &reader, header->version, header->offset_size, comp_dir, sections);
	/* Lines without their files are lines still. */
	return ret == -ENOMEM ? ret : 0;
}

/* Keeps the rows since the last sequence as one that ends at @end, if they are of code. */
static void close_sequence(struct machine *machine, uint64_t end)
{
	struct codectl_line_table *table = machine->table;
	size_t count = table->row_count - machine->first;
	uint64_t start;
	void *sequences;

	if (!count)
		return;
	start = table->rows[machine->first].vaddr;
	if (!codectl_ranges_find(machine->code, start)) {
		table->row_count = machine->first;
		return;
	}
	sequences = make_room(table->sequences, table->sequence_count, &table->sequence_capacity,
		sizeof(*table->sequences));
	if (!sequences || codectl_ranges_add(&table->ranges, start, end,
				  (uint32_t)table->sequence_count, 0) != 0)
		machine->error = -ENOMEM;
	if (sequences) {
		table->sequences = sequences;
		table->sequences[table->sequence_count++] = (struct sequence){
			.first = machine->first, .count = count};
	}
	machine->first = table->row_count;
}

static void add_row(struct machine *machine, const struct row *row)
{
	struct codectl_line_table *table = machine->table;
	void *rows = make_room(table->rows, table->row_count, &table->row_capacity, sizeof(*row));

	if (!rows) {
		machine->error = -ENOMEM;
		return;
	}
	table->rows = rows;
	table->rows[table->row_count++] = *row;
}

static void emit_row(struct machine *machine)
{
	struct codectl_line_table *table = machine->table;
	struct row *last = table->row_count > machine->first ? &table->rows[table->row_count - 1]
							     : NULL;
	const struct row row = {
		.vaddr = machine->vaddr,
		.line = (uint32_t)machine->line,
		.file = machine->file <= UINT32_MAX ? (uint32_t)machine->file : UINT32_MAX,
	};

	if (last && row.vaddr < last->vaddr) {
		/* Some producers forget to end a sequence before they start another. */
		close_sequence(machine, last->vaddr);
	} else if (last && row.vaddr == last->vaddr) {
		/* Of several rows of one address the last holds. */
		*last = row;
		return;
	} else if (last && row.line == last->line && row.file == last->file) {
		return;
	}
	add_row(machine, &row);
}

static void end_sequence(struct machine *machine)
{
	close_sequence(machine, machine->vaddr);
	machine->vaddr = 0;
	machine->file = machine->line = 1;
}

static void advance(struct machine *machine, uint64_t operations)
{
	machine->vaddr += operations * machine->header->min_instruction_len;
}

static void run_extended(struct machine *machine, struct codectl_reader *reader)
{
	uint64_t len = codectl_reader_uleb128(reader);
	const uint8_t *bytes = codectl_reader_bytes(reader, len);
	struct codectl_reader operands;

	if (!bytes || !len)
		return;
	codectl_reader_init(&operands, bytes + 1, len - 1);
	if (*bytes == DW_LNE_end_sequence)
		end_sequence(machine);
	else if (*bytes == DW_LNE_set_address && len - 1 <= sizeof(uint64_t))
		machine->vaddr = codectl_reader_uint(&operands, len - 1);
	else if (*bytes == DW_LNE_define_file &&
		 codectl_line_files_add(&machine->table->files, &operands) == -ENOMEM)
		machine->error = -ENOMEM;
}

static void run_standard(struct machine *machine, struct codectl_reader *reader, uint8_t opcode)
{
	const struct header *header = machine->header;

	switch (opcode) {
	case DW_LNS_copy:
		emit_row(machine);
		break;
	case DW_LNS_advance_pc:
		advance(machine, codectl_reader_uleb128(reader));
		break;
	case DW_LNS_advance_line:
		machine->line += (uint64_t)codectl_reader_sleb128(reader);
		break;
	case DW_LNS_set_file:
		machine->file = codectl_reader_uleb128(reader);
		break;
	case DW_LNS_const_add_pc:
		advance(machine, (255 - header->opcode_base) / header->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->vaddr += codectl_reader_u16(reader);
		break;
	default:
		/* Columns, statements and opcodes to come: not needed. */
		for (unsigned int i = 0; i < header->operand_counts[opcode - 1]; i++)
			codectl_reader_uleb128(reader);
	}
}

static int run_program(struct machine *machine, struct codectl_reader *reader)
{
	const struct header *header = machine->header;

	while (codectl_reader_left(reader) > 0 && !machine->error) {
		uint8_t opcode = codectl_reader_u8(reader);

		if (opcode >= header->opcode_base) {
			unsigned int step = opcode - header->opcode_base;

			advance(machine, step / header->line_range);
			machine->line += (uint64_t)(int64_t)(header->line_base +
							     (int)(step % header->line_range));
			emit_row(machine);
		} else if (opcode == 0) {
			run_extended(machine, reader);
		} else {
			run_standard(machine, reader, opcode);
		}
	}
	/* Rows of a sequence without end have no end. */
	machine->table->row_count = machine->first;
	return machine->error;
}

int codectl_line_table_create(const struct codectl_line_sections *sections, uint64_t offset,
	const char *comp_dir, const struct codectl_ranges *code, size_t *budget,
	struct codectl_line_table **table)
{
	struct codectl_reader program;
	struct header header;
	struct machine machine = {.header = &header, .code = code, .file = 1, .line = 1};
	int ret;

	*table = machine.table = calloc(1, sizeof(**table));
	if (!*table)
		return -ENOMEM;
	ret = read_header(sections, offset, comp_dir, &header, &(*table)->files, &program);
	if (!ret && program.len <= *budget) {
		*budget -= program.len;
		expect_rows(*table, program.len);
		ret = run_program(&machine, &program);
	}
	if (!ret || ret == -EINVAL)
		ret = codectl_ranges_flatten(&(*table)->ranges);
	if (ret) {
		codectl_line_table_destroy(*table);
		*table = NULL;
	}
	return ret;
}

void codectl_line_table_destroy(struct codectl_line_table *table)
{
	if (!table)
		return;
	codectl_line_files_fini(&table->files);
	codectl_ranges_fini(&table->ranges);
	free(table->rows);
	free(table->sequences);
	free(table);
}

size_t codectl_line_table_size(const struct codectl_line_table *table)
{
	return sizeof(*table) + table->row_capacity * sizeof(*table->rows) +
	       table->sequence_capacity * sizeof(*table->sequences) +
	       table->ranges.capacity * sizeof(*table->ranges.ranges);
}

/* The last row at or below @vaddr. */
static const struct row *find_row(const struct row *rows, size_t count, uint64_t vaddr)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].vaddr <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &rows[low - 1] : NULL;
}

int codectl_line_table_find(
	struct codectl_line_table *table, uint64_t vaddr, const char **path, uint32_t *line)
{
	const struct codectl_range *range = codectl_ranges_find(&table->ranges, vaddr);
	const struct sequence *sequence = range ? &table->sequences[range->value] : NULL;
	const struct row *row =
		sequence ? find_row(table->rows + sequence->first, sequence->count, vaddr) : NULL;
	const char *source = row ? codectl_line_files_path(&table->files, row->file) : NULL;

	if (!source)
		return -ENOENT;
	*path = source;
	*line = row->line;
	return 0;
}

const char *codectl_line_table_path(struct codectl_line_table *table, uint64_t file)
{
	return codectl_line_files_path(&table->files, file);
}
