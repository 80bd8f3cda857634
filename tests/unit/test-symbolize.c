/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Which file is taken, and what is found in it, on small programs compiled here.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/elf-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SOURCES "'" TEST_DATA "/symbolize/first.c' '" TEST_DATA "/symbolize/second.c'"

/* The paths of build-ids and debug links: an object in a directory of the test. */
struct query {
	struct codectl_object_search search;
	struct codectl_object_identity identity;
	const char *debug_dirs[2];
	uint8_t build_id[64];
	char path[PATH_MAX];
};

/* Prepares to ask for @name, with the build-id and debug link it has now. */
static void prepare(struct query *query, const char *name)
{
	struct codectl_elf_file file;
	enum codectl_object_status status;
	const uint8_t *build_id;
	size_t len;

	memset(query, 0, sizeof(*query));
	query->search.debug_dirs = query->debug_dirs;
	query->identity.debug_link_pathname = "";
	query->identity.build_id = query->build_id;
	snprintf(query->path, sizeof(query->path), "%s", fixture_path(name));
	query->identity.pathname = query->path;
	CHECK_INT(codectl_elf_file_open(&file, query->path, &status), 0);
	if (codectl_elf_build_id(&file.elf, &build_id, &len) == 0) {
		CHECK(len <= sizeof(query->build_id));
		memcpy(query->build_id, build_id, len);
		query->identity.build_id_len = len;
	}
	codectl_elf_file_close(&file);
}

static struct codectl_object_file *open_file(const struct query *query)
{
	struct codectl_object_file *file;
	enum codectl_object_status status;

	CHECK_INT(codectl_object_file_open(&query->search, &query->identity, &file, &status), 0);
	return file;
}

/* Moves the debug information of "program" into "program.debug", leaving a link to it. */
static void strip_program(void)
{
	FIXTURE_RUN("objcopy --only-keep-debug program program.debug && strip program && "
		    "objcopy --add-gnu-debuglink=program.debug program");
}

/* The hexadecimal number, not 0, that the shell command prints. */
static uint64_t number_of(const char *command)
{
	char *text;
	uint64_t number;

	FIXTURE_RUN("%s > number", command);
	text = fixture_read("number", NULL);
	number = strtoull(text, NULL, 16);
	free(text);
	CHECK(number);
	return number;
}

/* Where the file @name of the fixture has the symbol, by nm. */
static uint64_t address_of(const char *name, const char *symbol)
{
	char command[256];

	snprintf(command, sizeof(command), "nm '%s' | grep ' %s$'", name, symbol);
	return number_of(command);
}

/* Checks that @vaddr is @function and has a line in @source ("" for none). */
static void check_answer(struct codectl_object_file *file, uint64_t vaddr, const char *function,
	uint64_t offset, const char *source)
{
	struct codectl_symbol symbol;
	const char *slash;

	CHECK_INT(codectl_object_file_symbolize(file, vaddr, &symbol), 0);
	CHECK_STR(symbol.function, function);
	CHECK_HEX(symbol.offset, offset);
	slash = strrchr(symbol.source_path, '/');
	CHECK_STR(slash ? slash + 1 : symbol.source_path, source);
	CHECK_INT(symbol.source_line > 0, *source != '\0');
}

/* Whether asking for "program" finds the debug information of a function in it. */
static bool has_lines(const struct query *query, uint64_t vaddr)
{
	struct codectl_object_file *file;
	enum codectl_object_status status;
	struct codectl_symbol symbol;
	bool is_known;

	if (codectl_object_file_open(&query->search, &query->identity, &file, &status) != 0)
		return false;
	is_known = codectl_object_file_symbolize(file, vaddr, &symbol) == 0 &&
		   symbol.source_line > 0;
	codectl_object_file_close(file);
	return is_known;
}

TEST(names)
{
	struct query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t plain, sizeless, cold, main_start;

	FIXTURE_RUN(TEST_CC " -g -O2 " SOURCES " -o program");
	prepare(&query, "program");
	plain = address_of("program", "plain");
	sizeless = address_of("program", "sizeless_first");
	main_start = address_of("program", "main");
	file = open_file(&query);
	CHECK(codectl_object_file_borrow_elf(file));
	/* Not the weak alias, nor the one with an underscore. */
	check_answer(file, plain, "plain", 0, "first.c");
	check_answer(file, plain + 1, "plain", 1, "first.c");
	check_answer(file, sizeless + 2, "sizeless_first", 2, "");
	check_answer(file, sizeless + 4, "sizeless_second", 1, "");
	check_answer(file, main_start + 3, "main", 3, "first.c");
	check_answer(file, address_of("program", "second_part"), "second_part", 0, "second.c");
	if (fixture_try("nm program | grep -q with_cold_part.cold")) {
		cold = address_of("program", "with_cold_part.cold");
		check_answer(file, cold + 2, "with_cold_part.cold", 2, "first.c");
	}
	/* The same again comes from the cache. */
	check_answer(file, plain + 1, "plain", 1, "first.c");
	CHECK_INT(codectl_object_file_symbolize(file, 0, &symbol), -ENOENT);
	CHECK_STR(symbol.function, "");
	CHECK_STR(symbol.source_path, "");
	codectl_object_file_close(file);
}

/* Files this long are mapped, not copied; libelf unpacks sections in the mapping. */
TEST(large_file)
{
	static const char *const flags[] = {"", "-Wl,--compress-debug-sections=zlib"};
	struct query query;
	struct codectl_object_file *file;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		FIXTURE_RUN(TEST_CC " -g -O2 %s " SOURCES " -o program && truncate -s 20M program",
			flags[i]);
		prepare(&query, "program");
		file = open_file(&query);
		check_answer(file, address_of("program", "plain") + 1, "plain", 1, "first.c");
		codectl_object_file_close(file);
	}
}

/* Data, padding and whatever else is no function has no name. */
TEST(gaps_have_no_name)
{
	struct query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t sink, end;

	FIXTURE_RUN("printf '.text\\n.globl padded\\n.type padded,@function\\npadded: nop\\nret\\n"
		    ".size padded,.-padded\\n.p2align 6\\n.globl after\\n.type after,@function\\n"
		    "after: nop\\n.size after,.-after\\n' > padded.s && " TEST_CC
		    " -c padded.s && " TEST_CC " -g -O2 " SOURCES " padded.o -o program");
	prepare(&query, "program");
	end = address_of("program", "padded") + 2;
	sink = address_of("program", "sink");
	file = open_file(&query);
	check_answer(file, end - 1, "padded", 1, "");
	CHECK_INT(codectl_object_file_symbolize(file, end, &symbol), -ENOENT);
	CHECK_INT(codectl_object_file_symbolize(file, end + 20, &symbol), -ENOENT);
	CHECK_INT(codectl_object_file_symbolize(file, sink, &symbol), -ENOENT);
	check_answer(file, address_of("program", "after"), "after", 0, "");
	codectl_object_file_close(file);
}

TEST(plt_stubs)
{
	/* With -z now the stubs are in .plt.got, with -z ibtplt in .plt.sec. */
	static const char *const flags[] = {
		"-Wl,-z,lazy", "-Wl,-z,now", "-fcf-protection=full -Wl,-z,ibtplt"};
	struct query query;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct codectl_object_file *file;
		uint64_t vaddr;

		FIXTURE_RUN(TEST_CC " -O2 %s " SOURCES " -o program && strip program", flags[i]);
		vaddr = number_of("objdump -d program | grep '<puts@plt>:'");
		prepare(&query, "program");
		file = open_file(&query);
		check_answer(file, vaddr, "puts@plt", 0, "");
		check_answer(file, vaddr + 5, "puts@plt", 5, "");
		codectl_object_file_close(file);
	}
}

TEST(dynamic_symbols_only)
{
	struct query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t plain, complain;

	FIXTURE_RUN(TEST_CC " -O2 -fPIC -shared " SOURCES " -o program");
	plain = address_of("program", "plain");
	complain = address_of("program", "complain");
	FIXTURE_RUN("strip program");
	prepare(&query, "program");
	file = open_file(&query);
	check_answer(file, plain + 1, "plain", 1, "");
	/* A static function: no other may be named in its place. */
	CHECK_INT(codectl_object_file_symbolize(file, complain, &symbol), -ENOENT);
	codectl_object_file_close(file);
}

TEST(no_section_headers)
{
	struct query query;
	struct codectl_object_file *file;
	uint64_t plain;

	FIXTURE_RUN(TEST_CC " -O2 -fPIC -shared " SOURCES " -o program");
	plain = address_of("program", "plain");
	/* e_shoff, e_shnum and e_shstrndx of the ELF header become 0. */
	FIXTURE_RUN("strip program && printf '\\0\\0\\0\\0\\0\\0\\0\\0' | "
		    "dd of=program bs=1 seek=40 conv=notrunc && printf '\\0\\0\\0\\0' | "
		    "dd of=program bs=1 seek=60 conv=notrunc");
	prepare(&query, "program");
	file = open_file(&query);
	check_answer(file, plain + 1, "plain", 1, "");
	codectl_object_file_close(file);
}

/* Functions come from the DWARF where there are no symbols, in all their parts. */
TEST(dwarf_without_symbols)
{
	struct query query;
	struct codectl_object_file *file;
	uint64_t plain, hidden;

	FIXTURE_RUN(TEST_CC " -g -O2 " SOURCES " -o program");
	plain = address_of("program", "plain");
	hidden = address_of("program", "hidden");
	FIXTURE_RUN("strip --strip-all --keep-section='.debug_*' program");
	prepare(&query, "program");
	file = open_file(&query);
	check_answer(file, plain + 1, "plain", 1, "first.c");
	check_answer(file, hidden, "hidden", 0, "first.c");
	codectl_object_file_close(file);
}

/*
 * The linker leaves the lines of dropped functions at address 0 and following,
 * where the lines of a long one reach into those of real code.
 */
TEST(lines_of_dropped_functions)
{
	struct query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	FILE *source = fopen(fixture_path("dropping.c"), "w");
	uint64_t start;

	CHECK(source);
	fprintf(source, "volatile int sink;\n"
			"__attribute__((noinline)) int kept(int x)\n"
			"{\n\tsink += x;\n\treturn sink * 2;\n}\n"
			"int main(int argc, char **argv)\n"
			"{\n\treturn kept(argc) + !argv;\n}\n"
			"int dropped(int x)\n{\n");
	for (int i = 0; i < 3000; i++)
		fprintf(source, "\tsink += x * %d + sink;\n", i);
	fprintf(source, "\treturn x;\n}\n");
	CHECK(fclose(source) == 0);
	FIXTURE_RUN(TEST_CC " -g -O2 -ffunction-sections -Wl,--gc-sections dropping.c -o program");
	FIXTURE_RUN("! nm program | grep dropped");
	start = address_of("program", "kept");
	/* Or else there is nothing to mix up. */
	CHECK(start < 0x4000);
	prepare(&query, "program");
	file = open_file(&query);
	for (uint64_t offset = 0; offset < 12; offset++) {
		CHECK_INT(codectl_object_file_symbolize(file, start + offset, &symbol), 0);
		CHECK_STR(symbol.function, "kept");
		CHECK(symbol.source_line >= 2 && symbol.source_line <= 6);
	}
	codectl_object_file_close(file);
}

TEST(debug_link)
{
	struct query query;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id=none " SOURCES " -o program");
	vaddr = address_of("program", "plain") + 1;
	strip_program();
	prepare(&query, "program");
	CHECK_INT(query.identity.build_id_len, 0);
	CHECK(has_lines(&query, vaddr));
	FIXTURE_RUN("mkdir .debug && mv program.debug .debug/");
	CHECK(has_lines(&query, vaddr));
	FIXTURE_RUN("mkdir -p \"debug/$PWD\" && mv .debug/program.debug \"debug/$PWD\"");
	CHECK(!has_lines(&query, vaddr));
	query.debug_dirs[0] = "/nonexistent";
	query.debug_dirs[1] = fixture_path("debug");
	query.search.debug_dir_count = 2;
	CHECK(has_lines(&query, vaddr));
	/* Another byte, another CRC. */
	FIXTURE_RUN("printf x >> \"debug/$PWD/program.debug\"");
	CHECK(!has_lines(&query, vaddr));
}

TEST(build_id_tree)
{
	struct query query;
	struct codectl_object_file *file;
	enum codectl_object_status status;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	vaddr = address_of("program", "plain") + 1;
	strip_program();
	FIXTURE_RUN("id=$(readelf -n program | sed -n 's/.*Build ID: //p') && "
		    "dir=debug/.build-id/$(echo $id | cut -c1-2) && mkdir -p $dir && "
		    "mv program.debug $dir/$(echo $id | cut -c3-).debug");
	prepare(&query, "program");
	CHECK(query.identity.build_id_len >= 16);
	CHECK(!has_lines(&query, vaddr));
	query.debug_dirs[0] = fixture_path("debug");
	query.search.debug_dir_count = 1;
	CHECK(has_lines(&query, vaddr));

	/* The debug file alone still names; the status says what is missing. */
	FIXTURE_RUN("mv program elsewhere");
	CHECK_INT(codectl_object_file_open(&query.search, &query.identity, &file, &status), 0);
	CHECK_INT(status, CODECTL_OBJECT_NOT_FOUND);
	CHECK(!codectl_object_file_borrow_elf(file));
	check_answer(file, vaddr, "plain", 1, "first.c");
	codectl_object_file_close(file);

	/* A debug file of another build does not count, wherever it is. */
	FIXTURE_RUN("mv elsewhere program && " TEST_CC " -g -O0 -Wl,--build-id " SOURCES
		    " -o other && cp other debug/.build-id/*/*.debug");
	CHECK(!has_lines(&query, vaddr));
}

/* A prelinked file has moved; its debug file has not. */
TEST(debug_file_at_other_addresses)
{
	struct query query;
	struct codectl_object_file *file;
	uint64_t vaddr, other;

	FIXTURE_RUN("build() { " TEST_CC " -g -O2 -no-pie -Wl,--build-id=0xabcdef0123 "
		    "-Wl,-Ttext-segment=$1 " SOURCES " -o $2; } && build 0x400000 program && "
		    "mkdir -p debug/.build-id/ab && build 0x800000 other && "
		    "cp other debug/.build-id/ab/cdef0123.debug");
	vaddr = address_of("program", "plain");
	other = address_of("other", "plain");
	CHECK_HEX(other - vaddr, 0x400000);
	FIXTURE_RUN("strip program");
	prepare(&query, "program");
	query.debug_dirs[0] = fixture_path("debug");
	query.search.debug_dir_count = 1;
	file = open_file(&query);
	check_answer(file, vaddr + 1, "plain", 1, "first.c");
	codectl_object_file_close(file);
}

TEST(build_id_decides)
{
	struct query query;
	struct codectl_object_file *file;
	enum codectl_object_status status;

	FIXTURE_RUN(TEST_CC " -O2 -Wl,--build-id " SOURCES " -o program");
	prepare(&query, "program");
	query.build_id[query.identity.build_id_len - 1] ^= 1;
	CHECK_INT(
		codectl_object_file_open(&query.search, &query.identity, &file, &status), -ENOENT);
	CHECK_INT(status, CODECTL_OBJECT_BUILD_ID_MISMATCH);
	query.build_id[query.identity.build_id_len - 1] ^= 1;
	/* A prefix of the right one is another one. */
	query.identity.build_id_len = 4;
	CHECK_INT(
		codectl_object_file_open(&query.search, &query.identity, &file, &status), -ENOENT);
	CHECK_INT(status, CODECTL_OBJECT_BUILD_ID_MISMATCH);
	FIXTURE_RUN(TEST_CC " -O2 -Wl,--build-id=none " SOURCES " -o program");
	query.identity.build_id_len = 20;
	CHECK_INT(
		codectl_object_file_open(&query.search, &query.identity, &file, &status), -ENOENT);
	CHECK_INT(status, CODECTL_OBJECT_BUILD_ID_MISMATCH);
}

TEST(target_prefix)
{
	struct query query;
	uint64_t vaddr;

	FIXTURE_RUN("mkdir -p root/bin root/usr/lib/debug && " TEST_CC
		    " -g -O2 -Wl,--build-id=none " SOURCES " -o root/bin/program && "
		    "objcopy --only-keep-debug root/bin/program root/bin/program.debug");
	prepare(&query, "root/bin/program");
	vaddr = address_of("root/bin/program", "plain") + 1;
	FIXTURE_RUN("strip root/bin/program && cd root/bin && "
		    "objcopy --add-gnu-debuglink=program.debug program && "
		    "mkdir -p ../usr/lib/debug/bin && mv program.debug ../usr/lib/debug/bin");
	query.identity.pathname = "/bin/program";
	query.search.target_prefix = fixture_path("root");
	query.debug_dirs[0] = "/usr/lib/debug";
	query.search.debug_dir_count = 1;
	CHECK(has_lines(&query, vaddr));
	query.search.debug_dir_count = 0;
	CHECK(!has_lines(&query, vaddr));
}

TEST(own_vdso)
{
	struct codectl_elf_file vdso;
	struct codectl_object_identity identity = {.pathname = "[vdso]", .debug_link_pathname = ""};
	const struct codectl_object_search search = {0};
	struct codectl_object_file *file;
	enum codectl_object_status status;
	uint8_t other[64] = {0};

	if (codectl_elf_file_open_vdso(&vdso) != 0)
		tap_skip("this kernel has no vDSO");
	CHECK_INT(codectl_elf_build_id(&vdso.elf, &identity.build_id, &identity.build_id_len), 0);
	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), 0);
	CHECK_INT(status, CODECTL_OBJECT_OK);

	size_t named = 0;
	struct codectl_symbol symbol;

	for (uint64_t vaddr = 0; vaddr < vdso.len; vaddr += 8) {
		if (codectl_object_file_symbolize(file, vaddr, &symbol) == 0)
			named += strstr(symbol.function, "clock_gettime") != NULL;
	}
	CHECK(named > 0);
	codectl_object_file_close(file);
	identity.build_id = other;
	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), -ENOENT);
	CHECK_INT(status, CODECTL_OBJECT_NO_PATH);
}

TEST(status_texts)
{
	for (int i = 0; i < CODECTL_OBJECT_STATUS_COUNT; i++) {
		const char *text = codectl_object_status_text((enum codectl_object_status)i);

		CHECK(*text && strcmp(text, "unknown status") != 0);
		for (int j = 0; j < i; j++)
			CHECK(strcmp(text, codectl_object_status_text(
						   (enum codectl_object_status)j)) != 0);
	}
}
