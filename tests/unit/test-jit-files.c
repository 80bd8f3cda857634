/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Perf maps and jitdumps, read while they are written.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "jit/jitdump.h"
#include "jit/line-tail.h"
#include "jit/perf-map.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool parse(const char *line, struct codectl_perf_map_entry *entry)
{
	return codectl_perf_map_parse(line, strlen(line), entry);
}

TEST(perf_map_lines)
{
	struct codectl_perf_map_entry entry;

	CHECK(parse("7f0012345670 1a0 JS:^hot /tmp/a b.js:1:13", &entry));
	CHECK_INT(entry.start, 0x7f0012345670);
	CHECK_INT(entry.size, 0x1a0);
	CHECK_INT(entry.name_len, strlen("JS:^hot /tmp/a b.js:1:13"));
	CHECK(memcmp(entry.name, "JS:^hot", 7) == 0);
	CHECK(parse("0x7F00 0X10 stub", &entry));
	CHECK_INT(entry.start, 0x7f00);
	CHECK_INT(entry.size, 0x10);
	CHECK(parse("1000 0 label", &entry));
	CHECK(parse("ffffffffffffff00 ff top", &entry));
}

TEST(lines_that_are_none)
{
	static const char *const lines[] = {"", " ", "1000", "1000 ", "1000 10", "1000 10 ",
		"name 10 20", "1000 x name", "10000000000000000 10 name", "0x 10 name",
		"ffffffffffffff00 101 wraps", "1000\t10\tname"};
	struct codectl_perf_map_entry entry;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		CHECK(!parse(lines[i], &entry));
}

struct lines {
	size_t count;
	size_t longest;
	char last[64];
};

static void take_line(void *user, const char *text, size_t len)
{
	struct lines *lines = user;

	lines->count++;
	if (len > lines->longest)
		lines->longest = len;
	snprintf(lines->last, sizeof(lines->last), "%.*s", (int)len, text);
}

TEST(lines_while_they_are_written)
{
	struct lines lines = {0};
	struct codectl_line_tail *tail = malloc(sizeof(*tail));
	FILE *file = fopen(fixture_path("map"), "w");
	int fd = open(fixture_path("map"), O_RDONLY | O_CLOEXEC);

	CHECK(tail && file && fd >= 0);
	codectl_line_tail_init(tail, fd);
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 0);
	fputs("first\nsec", file);
	fflush(file);
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 1);
	CHECK_STR(lines.last, "first");
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 0);
	fputs("ond\n\nfourth\n", file);
	fflush(file);
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 3);
	CHECK_STR(lines.last, "fourth");
	/* A line beyond all measure, and more than the buffer holds. */
	for (int i = 0; i < 20000; i++)
		fputs("x", file);
	fputs("\n", file);
	for (int i = 0; i < 5000; i++)
		fprintf(file, "line %d\n", i);
	fflush(file);
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 5001);
	CHECK_INT(lines.longest, CODECTL_LINE_TAIL_MAX);
	CHECK_STR(lines.last, "line 4999");
	/* Written anew. */
	CHECK(ftruncate(fileno(file), 0) == 0);
	rewind(file);
	fputs("again\n", file);
	fclose(file);
	CHECK_INT(codectl_line_tail_read(tail, take_line, &lines), 1);
	CHECK_STR(lines.last, "again");
	close(fd);
	free(tail);
}

/* What a dump told, as text. */
struct told {
	char text[4096];
	size_t len;
};

static void tell_load(void *user, const struct codectl_jitdump_load *load)
{
	struct told *told = user;

	told->len += (size_t)snprintf(told->text + told->len, sizeof(told->text) - told->len,
		"%llu load %llx %llx %s", (unsigned long long)load->timestamp,
		(unsigned long long)load->start, (unsigned long long)load->size, load->name);
	for (size_t i = 0; i < load->line_count; i++)
		told->len += (size_t)snprintf(told->text + told->len,
			sizeof(told->text) - told->len, " %s:%u@%llx", load->lines[i].file,
			load->lines[i].line,
			(unsigned long long)(load->lines[i].address - load->start));
	if (load->eh_frame)
		told->len += (size_t)snprintf(told->text + told->len,
			sizeof(told->text) - told->len, " eh_frame %zu:%02x", load->eh_frame_len,
			load->eh_frame[0]);
	told->len += (size_t)snprintf(told->text + told->len, sizeof(told->text) - told->len, "\n");
}

static void tell_move(void *user, uint64_t timestamp, uint64_t from, uint64_t to, uint64_t size)
{
	struct told *told = user;

	told->len += (size_t)snprintf(told->text + told->len, sizeof(told->text) - told->len,
		"%llu move %llx %llx %llx\n", (unsigned long long)timestamp,
		(unsigned long long)from, (unsigned long long)to, (unsigned long long)size);
}

/* Bytes of a dump. */
struct dump {
	uint8_t bytes[4096];
	size_t len;
	size_t record; /* Where the last record begins. */
};

static void put(struct dump *dump, uint64_t value, size_t size)
{
	memcpy(dump->bytes + dump->len, &value, size);
	dump->len += size;
}

static void put_string(struct dump *dump, const char *text)
{
	memcpy(dump->bytes + dump->len, text, strlen(text) + 1);
	dump->len += strlen(text) + 1;
}

static void begin_record(struct dump *dump, uint32_t id, uint64_t timestamp)
{
	dump->record = dump->len;
	put(dump, id, 4);
	put(dump, 0, 4);
	put(dump, timestamp, 8);
}

static void end_record(struct dump *dump)
{
	uint32_t size = (uint32_t)(dump->len - dump->record);

	memcpy(dump->bytes + dump->record + 4, &size, 4);
}

static void put_header(struct dump *dump, uint32_t machine)
{
	put(dump, 0x4a695444, 4);
	put(dump, 1, 4);
	put(dump, 40, 4);
	put(dump, machine, 4);
	put(dump, 0, 4);
	put(dump, 77, 4);
	put(dump, 1, 8);
	put(dump, 0, 8);
}

static void put_load(
	struct dump *dump, uint64_t timestamp, uint64_t start, uint64_t size, const char *name)
{
	begin_record(dump, 0, timestamp);
	put(dump, 77, 4);
	put(dump, 78, 4);
	put(dump, start, 8);
	put(dump, start, 8);
	put(dump, size, 8);
	put(dump, 1, 8);
	put_string(dump, name);
	for (uint64_t i = 0; i < size && i < 64; i++)
		put(dump, 0x90, 1);
	end_record(dump);
}

static void put_lines(struct dump *dump, uint64_t start, uint64_t bias)
{
	begin_record(dump, 2, 5);
	put(dump, start, 8);
	put(dump, 2, 8);
	put(dump, start + bias, 8);
	put(dump, 10, 4);
	put(dump, 0, 4);
	put_string(dump, "a.js");
	put(dump, start + bias + 8, 8);
	put(dump, 11, 4);
	put(dump, 0, 4);
	put_string(dump, "\xff");
	end_record(dump);
}

static void put_unwinding(struct dump *dump)
{
	begin_record(dump, 4, 6);
	put(dump, 12, 8);
	put(dump, 4, 8);
	put(dump, 12, 8);
	put(dump, 0x1122334455667788, 8);
	put(dump, 0, 4);
	end_record(dump);
}

static void make_dump(struct dump *dump)
{
	dump->len = 0;
	put_header(dump, EM_X86_64);
	put_lines(dump, 0x1000, 0);
	put_load(dump, 100, 0x1000, 0x20, "first");
	put_lines(dump, 0x2000, 0x40);
	put_unwinding(dump);
	put_load(dump, 200, 0x2000, 0x20, "second");
	put_load(dump, 250, 0x3000, 0x20, "third");
	begin_record(dump, 1, 300);
	put(dump, 77, 4);
	put(dump, 78, 4);
	put(dump, 0, 8);
	put(dump, 0x3000, 8);
	put(dump, 0x4000, 8);
	put(dump, 0x20, 8);
	put(dump, 1, 8);
	end_record(dump);
	begin_record(dump, 99, 301);
	end_record(dump);
	begin_record(dump, 3, 400);
	end_record(dump);
}

static const char whole[] = "100 load 1000 20 first a.js:10@0 a.js:11@8\n"
			    "200 load 2000 20 second a.js:10@0 a.js:11@8 eh_frame 8:88\n"
			    "250 load 3000 20 third\n"
			    "300 move 3000 4000 20\n";

TEST(jitdump_while_it_is_written)
{
	struct dump dump;
	struct told told = {0};
	const struct codectl_jitdump_callbacks callbacks = {tell_load, tell_move, &told};
	struct codectl_jitdump_reader reader;
	int fd = open(fixture_path("dump"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int records = 0;

	CHECK(fd >= 0);
	make_dump(&dump);
	codectl_jitdump_init(&reader, fd);
	for (size_t i = 0; i < dump.len; i++) {
		int count;

		CHECK_INT(pwrite(fd, dump.bytes + i, 1, (off_t)i), 1);
		count = codectl_jitdump_read(&reader, &callbacks);
		CHECK(count >= 0);
		records += count;
	}
	CHECK_STR(told.text, whole);
	CHECK_INT(records, 9);
	CHECK_INT(reader.state, CODECTL_JITDUMP_CLOSED);
	CHECK_INT(reader.skipped, 1);
	codectl_jitdump_finish(&reader);
	close(fd);
}

static enum codectl_jitdump_state read_dump(const struct dump *dump, struct told *told)
{
	const struct codectl_jitdump_callbacks callbacks = {tell_load, tell_move, told};
	struct codectl_jitdump_reader reader;
	int fd;

	fixture_write("dump", dump->bytes, dump->len);
	fd = open(fixture_path("dump"), O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	codectl_jitdump_init(&reader, fd);
	CHECK(codectl_jitdump_read(&reader, &callbacks) >= 0);
	codectl_jitdump_finish(&reader);
	close(fd);
	return reader.state;
}

TEST(dumps_of_others)
{
	struct dump dump = {.len = 0};
	struct told told = {0};

	put_header(&dump, EM_S390);
	CHECK_INT(read_dump(&dump, &told), CODECTL_JITDUMP_BAD);
	dump.len = 0;
	put_header(&dump, 0);
	CHECK_INT(read_dump(&dump, &told), CODECTL_JITDUMP_RECORDS);
	begin_record(&dump, 0, 1);
	dump.bytes[dump.record + 4] = 15;
	CHECK_INT(read_dump(&dump, &told), CODECTL_JITDUMP_BAD);
	memset(dump.bytes, 'x', sizeof(dump.bytes));
	CHECK_INT(read_dump(&dump, &told), CODECTL_JITDUMP_BAD);
}

/* Every byte of a dump in turn is any of some others. */
TEST(damaged_dumps)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	struct dump dump;

	make_dump(&dump);
	for (size_t i = 0; i < dump.len; i++) {
		for (size_t j = 0; j < sizeof(values); j++) {
			struct told told = {0};
			uint8_t saved = dump.bytes[i];

			dump.bytes[i] = values[j];
			read_dump(&dump, &told);
			dump.bytes[i] = saved;
		}
	}
}
