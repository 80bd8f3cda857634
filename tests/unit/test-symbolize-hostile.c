/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Files that no compiler made: whatever is in them, the reader goes on.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/object-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static enum codectl_object_status open_status(const char *path)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = path, .debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;

	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), -ENOENT);
	CHECK(!file);
	return status;
}

TEST(not_an_elf_file)
{
	fixture_write("text", "int main;\n", 10);
	fixture_write("empty", "", 0);
	fixture_write("magic", "\177ELF", 4);
	CHECK(mkfifo(fixture_path("fifo"), 0600) == 0);
	CHECK(symlink("fifo", fixture_path("link")) == 0);
	CHECK_INT(open_status(fixture_path("text")), CODECTL_OBJECT_NOT_ELF);
	CHECK_INT(open_status(fixture_path("empty")), CODECTL_OBJECT_NOT_ELF);
	CHECK_INT(open_status(fixture_path("magic")), CODECTL_OBJECT_NOT_ELF);
	CHECK_INT(open_status(fixture_path("none")), CODECTL_OBJECT_NOT_FOUND);
	CHECK_INT(open_status(fixture_path("text/none")), CODECTL_OBJECT_NOT_FOUND);
	CHECK_INT(open_status(fixture_path("fifo")), CODECTL_OBJECT_NOT_REGULAR);
	CHECK_INT(open_status(fixture_path("link")), CODECTL_OBJECT_NOT_REGULAR);
	CHECK_INT(open_status(fixture_dir()), CODECTL_OBJECT_NOT_REGULAR);
	CHECK_INT(open_status("/dev/zero"), CODECTL_OBJECT_NOT_REGULAR);
	CHECK_INT(open_status(""), CODECTL_OBJECT_NO_PATH);
	CHECK_INT(open_status("[heap]"), CODECTL_OBJECT_NO_PATH);
	CHECK_INT(open_status("[vdso]"), CODECTL_OBJECT_NO_PATH);
}

/* Asks for the addresses of the file, if it can be opened. Returns how many have a line. */
static size_t ask(const char *path)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = path, .debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;
	struct codectl_symbol symbol;
	size_t lines = 0;

	if (codectl_object_file_open(&search, &identity, &file, &status) != 0)
		return 0;
	for (uint64_t vaddr = 0; vaddr < 0x800; vaddr += 13) {
		if (codectl_object_file_symbolize(file, vaddr, &symbol) == 0)
			CHECK(strlen(symbol.function) + strlen(symbol.source_path) > 0);
		lines += symbol.source_line > 0;
	}
	codectl_object_file_symbolize(file, 0, &symbol);
	codectl_object_file_symbolize(file, UINT64_MAX, &symbol);
	codectl_object_file_close(file);
	return lines;
}

/* A small shared object with DWARF of two units, the same wherever the test runs. */
static char *make_object(const char *flags, size_t *len)
{
	FIXTURE_RUN("%s %s -fdebug-prefix-map='%s'=/data -fdebug-prefix-map='%s'=/work -fPIC "
		    "-shared -nostdlib -Wl,-z,noseparate-code '%s/symbolize/first.c' "
		    "'%s/symbolize/second.c' -o object",
		TEST_CC, flags, TEST_DATA, fixture_dir(), TEST_DATA, TEST_DATA);
	return fixture_read("object", len);
}

TEST(truncated)
{
	size_t len;

	free(make_object("-g -O2", &len));
	CHECK(ask(fixture_path("object")) > 10);
	for (size_t cut = len; cut-- > 0;) {
		CHECK(truncate(fixture_path("object"), (off_t)cut) == 0);
		ask(fixture_path("object"));
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Changes a few bytes, again and again, always the same way. */
static void mutate(const char *flags, size_t rounds)
{
	static const uint8_t extremes[] = {0, 1, 0x7f, 0x80, 0xff};
	uint64_t state = 0x9e3779b97f4a7c15;
	size_t len;
	char *bytes = make_object(flags, &len);
	char *copy = malloc(len);

	CHECK(copy);
	for (size_t i = 0; i < rounds; i++) {
		size_t count = 1 + next_random(&state) % 8;

		memcpy(copy, bytes, len);
		while (count-- > 0) {
			size_t at = next_random(&state) % len;
			uint64_t value = next_random(&state);

			copy[at] = (char)(value & 1 ? (uint8_t)(value >> 8)
						    : extremes[value % sizeof(extremes)]);
		}
		fixture_write("object", copy, len);
		ask(fixture_path("object"));
	}
	free(copy);
	free(bytes);
}

TEST(mutated_dwarf_5)
{
	mutate("-g -gdwarf-5 -O2", 2000);
}

TEST(mutated_dwarf_4)
{
	mutate("-g -gdwarf-4 -O2", 2000);
}

TEST(mutated_without_symbols)
{
	mutate("-g -O2 -s", 500);
}
