/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/jitdump.h"

#include "format/reader.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define MAGIC		    0x4a695444
#define HEADER_LEN	    40
#define PREFIX_LEN	    16
#define LOAD_FIXED_LEN	    40
#define MOVE_LEN	    48
#define DEBUG_FIXED_LEN	    16
#define UNWINDING_FIXED_LEN 24
#define FLAG_TSC	    1

/* Of a load, the bytes read in which its name must end; the code behind it is not read. */
#define NAME_MAX_LEN 4096
/* Longer records about a function are skipped: a debugger's detail, not worth the memory. */
#define DETAIL_MAX_LEN (1 << 20)
#define LINE_MAX_COUNT 65536

/*
 * Some writers (V8) give the addresses of lines as they are in the ELF file that
 * perf makes of the function, where its code follows a header of this size.
 */
#define ELF_HEADER_LEN 0x40

enum record_id {
	RECORD_LOAD,
	RECORD_MOVE,
	RECORD_DEBUG_INFO,
	RECORD_CLOSE,
	RECORD_UNWINDING_INFO,
};

struct record {
	uint32_t id;
	uint32_t size; /* With the prefix. */
	uint64_t timestamp;
};

void codectl_jitdump_init(struct codectl_jitdump_reader *reader, int fd)
{
	*reader = (struct codectl_jitdump_reader){.fd = fd};
}

/* Reads @len bytes at @offset. Returns whether all are there; sets *error if reading failed. */
static bool read_at(int fd, void *to, size_t len, uint64_t offset, int *error)
{
	for (size_t done = 0; done < len;) {
		ssize_t got = pread(fd, (uint8_t *)to + done, len - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			*error = -errno;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static bool is_this_machine(uint32_t elf_mach)
{
	/* Some writers leave it 0. */
#if defined(__x86_64__)
	return !elf_mach || elf_mach == EM_X86_64;
#elif defined(__aarch64__)
	return !elf_mach || elf_mach == EM_AARCH64;
#else
	return !elf_mach;
#endif
}

/* Returns whether the header was read (the state says with which result). */
static bool read_header(struct codectl_jitdump_reader *reader, int *error)
{
	uint8_t bytes[HEADER_LEN];
	struct codectl_reader fields;
	uint32_t magic;
	uint32_t version;
	uint32_t len;
	uint32_t elf_mach;

	if (!read_at(reader->fd, bytes, sizeof(bytes), 0, error))
		return false;
	codectl_reader_init(&fields, bytes, sizeof(bytes));
	magic = codectl_reader_u32(&fields);
	version = codectl_reader_u32(&fields);
	len = codectl_reader_u32(&fields);
	elf_mach = codectl_reader_u32(&fields);
	codectl_reader_seek(&fields, HEADER_LEN - sizeof(uint64_t));
	reader->has_tsc = codectl_reader_u64(&fields) & FLAG_TSC;
	if (magic != MAGIC || !version || len < HEADER_LEN || !is_this_machine(elf_mach)) {
		reader->state = CODECTL_JITDUMP_BAD;
		return true;
	}
	reader->offset = len;
	reader->state = CODECTL_JITDUMP_RECORDS;
	return true;
}

/* Reads the prefix of the next record if the whole record is there. */
static bool read_prefix(struct codectl_jitdump_reader *reader, struct record *record, int *error)
{
	uint8_t bytes[PREFIX_LEN];
	struct codectl_reader fields;
	uint8_t last;

	if (!read_at(reader->fd, bytes, sizeof(bytes), reader->offset, error))
		return false;
	codectl_reader_init(&fields, bytes, sizeof(bytes));
	record->id = codectl_reader_u32(&fields);
	record->size = codectl_reader_u32(&fields);
	record->timestamp = codectl_reader_u64(&fields);
	if (record->size < PREFIX_LEN) {
		/* Where the next one begins cannot be known. */
		reader->state = CODECTL_JITDUMP_BAD;
		return false;
	}
	return read_at(reader->fd, &last, 1, reader->offset + record->size - 1, error);
}

/* The first @len bytes of the record's content, which the caller frees; NULL if that failed. */
static uint8_t *read_content(struct codectl_jitdump_reader *reader, size_t len, int *error)
{
	uint8_t *bytes = malloc(len + 1);

	if (!bytes)
		*error = -ENOMEM;
	else if (!read_at(reader->fd, bytes, len, reader->offset + PREFIX_LEN, error)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

static void drop_details(struct codectl_jitdump_reader *reader)
{
	free(reader->debug);
	free(reader->unwinding);
	reader->debug = reader->unwinding = NULL;
	reader->debug_len = reader->unwinding_len = 0;
}

/*
 * Makes the addresses those of the code. Returns whether all are in it: V8 does
 * not end the names of some files, and what is read after one is no entry.
 */
static bool settle_addresses(
	struct codectl_jitdump_line *lines, size_t count, uint64_t start, uint64_t size)
{
	uint64_t bias = ELF_HEADER_LEN;

	for (size_t i = 0; i < count; i++) {
		if (lines[i].address - start < ELF_HEADER_LEN)
			bias = 0;
	}
	for (size_t i = 0; i < count; i++) {
		lines[i].address -= bias;
		if (lines[i].address - start >= size)
			return false;
	}
	return true;
}

/*
 * Parses the lines that are known of the function at @start. Returns an array
 * which the caller frees, NULL for none.
 */
static struct codectl_jitdump_line *parse_lines(
	const struct codectl_jitdump_reader *reader, uint64_t start, uint64_t size, size_t *count)
{
	struct codectl_reader fields;
	struct codectl_jitdump_line *lines;
	const char *file = "";
	uint64_t entries;

	*count = 0;
	if (!reader->debug)
		return NULL;
	codectl_reader_init(&fields, reader->debug, reader->debug_len);
	if (codectl_reader_u64(&fields) != start)
		return NULL;
	entries = codectl_reader_u64(&fields);
	/* Each has 17 bytes at least. */
	if (!entries || entries > LINE_MAX_COUNT || entries > codectl_reader_left(&fields) / 17)
		return NULL;
	lines = calloc(entries, sizeof(*lines));
	while (lines && *count < entries) {
		struct codectl_jitdump_line *line = &lines[*count];
		const char *name;

		line->address = codectl_reader_u64(&fields);
		line->line = codectl_reader_u32(&fields);
		codectl_reader_u32(&fields);
		name = codectl_reader_string(&fields);
		if (!name)
			break;
		/* The same file as before is written as one byte. */
		if (strcmp(name, "\xff") != 0)
			file = name;
		line->file = file;
		++*count;
	}
	if (lines && !settle_addresses(lines, *count, start, size))
		*count = 0;
	return lines;
}

static void read_load(struct codectl_jitdump_reader *reader, const struct record *record,
	const struct codectl_jitdump_callbacks *callbacks, int *error)
{
	size_t content = record->size - PREFIX_LEN;
	size_t len = content < LOAD_FIXED_LEN + NAME_MAX_LEN ? content
							     : LOAD_FIXED_LEN + NAME_MAX_LEN;
	uint8_t *bytes = read_content(reader, len, error);
	struct codectl_jitdump_load load = {.timestamp = record->timestamp};
	struct codectl_jitdump_line *lines = NULL;
	struct codectl_reader fields;

	if (!bytes)
		return;
	codectl_reader_init(&fields, bytes, len);
	codectl_reader_u32(&fields);
	codectl_reader_u32(&fields);
	codectl_reader_u64(&fields);
	load.start = codectl_reader_u64(&fields);
	load.size = codectl_reader_u64(&fields);
	codectl_reader_u64(&fields);
	load.name = codectl_reader_string(&fields);
	if (load.name && load.size && load.start + load.size > load.start) {
		load.lines = lines = parse_lines(reader, load.start, load.size, &load.line_count);
		load.eh_frame = reader->unwinding;
		load.eh_frame_len = reader->unwinding_len;
		callbacks->load(callbacks->user, &load);
	} else {
		reader->skipped++;
	}
	free(lines);
	free(bytes);
	drop_details(reader);
}

static void read_move(struct codectl_jitdump_reader *reader, const struct record *record,
	const struct codectl_jitdump_callbacks *callbacks, int *error)
{
	uint8_t bytes[MOVE_LEN];
	struct codectl_reader fields;
	uint64_t from;
	uint64_t to;
	uint64_t size;

	if (record->size < PREFIX_LEN + MOVE_LEN) {
		reader->skipped++;
		return;
	}
	if (!read_at(reader->fd, bytes, sizeof(bytes), reader->offset + PREFIX_LEN, error))
		return;
	codectl_reader_init(&fields, bytes, sizeof(bytes));
	codectl_reader_seek(&fields, 16);
	from = codectl_reader_u64(&fields);
	to = codectl_reader_u64(&fields);
	size = codectl_reader_u64(&fields);
	if (size && to + size > to && from + size > from)
		callbacks->move(callbacks->user, record->timestamp, from, to, size);
	else
		reader->skipped++;
}

static void read_debug_info(
	struct codectl_jitdump_reader *reader, const struct record *record, int *error)
{
	size_t len = record->size - PREFIX_LEN;

	free(reader->debug);
	reader->debug = NULL;
	reader->debug_len = 0;
	if (len < DEBUG_FIXED_LEN || len > DETAIL_MAX_LEN) {
		reader->skipped++;
		return;
	}
	reader->debug = read_content(reader, len, error);
	if (reader->debug)
		reader->debug_len = len;
}

/* Keeps .eh_frame alone: the table that leads into it is not needed for one function. */
static void read_unwinding_info(
	struct codectl_jitdump_reader *reader, const struct record *record, int *error)
{
	size_t len = record->size - PREFIX_LEN;
	struct codectl_reader fields;
	uint64_t size;
	uint64_t header_size;
	uint8_t *bytes;

	free(reader->unwinding);
	reader->unwinding = NULL;
	reader->unwinding_len = 0;
	if (len < UNWINDING_FIXED_LEN || len > DETAIL_MAX_LEN) {
		reader->skipped++;
		return;
	}
	bytes = read_content(reader, len, error);
	if (!bytes)
		return;
	codectl_reader_init(&fields, bytes, len);
	size = codectl_reader_u64(&fields);
	header_size = codectl_reader_u64(&fields);
	codectl_reader_u64(&fields);
	/* V8 writes an empty one, of a header alone, for a function without. */
	if (size <= codectl_reader_left(&fields) && size > header_size) {
		reader->unwinding_len = size - header_size;
		memmove(bytes, bytes + UNWINDING_FIXED_LEN, reader->unwinding_len);
		reader->unwinding = bytes;
	} else {
		free(bytes);
	}
}

int codectl_jitdump_read(
	struct codectl_jitdump_reader *reader, const struct codectl_jitdump_callbacks *callbacks)
{
	struct record record;
	int count = 0;
	int error = 0;

	if (reader->state == CODECTL_JITDUMP_HEADER && !read_header(reader, &error))
		return error;
	while (reader->state == CODECTL_JITDUMP_RECORDS && read_prefix(reader, &record, &error)) {
		switch (record.id) {
		case RECORD_LOAD:
			read_load(reader, &record, callbacks, &error);
			break;
		case RECORD_MOVE:
			read_move(reader, &record, callbacks, &error);
			break;
		case RECORD_DEBUG_INFO:
			read_debug_info(reader, &record, &error);
			break;
		case RECORD_CLOSE:
			reader->state = CODECTL_JITDUMP_CLOSED;
			break;
		case RECORD_UNWINDING_INFO:
			read_unwinding_info(reader, &record, &error);
			break;
		default:
			reader->skipped++;
			break;
		}
		reader->offset += record.size;
		count++;
	}
	return error && !count ? error : count;
}

void codectl_jitdump_finish(struct codectl_jitdump_reader *reader)
{
	drop_details(reader);
}
