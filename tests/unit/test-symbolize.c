/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Which file is taken, and what is found in it, on small programs compiled here.
 */
#include "lib/fixture.h"
#include "lib/object-query.h"
#include "lib/tap.h"

#include "symbolize/elf-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SOURCES "'" TEST_DATA "/symbolize/first.c' '" TEST_DATA "/symbolize/second.c'"

TEST(names)
{
	struct object_query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t plain, sizeless, cold, start, main_start;

	FIXTURE_RUN(TEST_CC " -g -O2 " SOURCES " -o program");
	object_query_prepare(&query, "program");
	plain = object_query_address("program", "plain");
	sizeless = object_query_address("program", "sizeless_first");
	main_start = object_query_address("program", "main");
	file = object_query_open(&query);
	CHECK(codectl_object_file_borrow_elf(file));
	/* Not the weak alias, nor the one with an underscore. */
	object_query_check(file, plain, "plain", 0, "first.c");
	object_query_check(file, plain + 1, "plain", 1, "first.c");
	object_query_check(file, sizeless + 2, "sizeless_first", 2, "");
	object_query_check(file, sizeless + 4, "sizeless_second", 1, "");
	object_query_check(file, main_start + 3, "main", 3, "first.c");
	object_query_check(
		file, object_query_address("program", "second_part"), "second_part", 0, "second.c");
	if (fixture_try("nm program | grep -q with_cold_part.cold")) {
		cold = object_query_address("program", "with_cold_part.cold");
		start = object_query_address("program", "with_cold_part");
		object_query_check(file, cold + 2, "with_cold_part", cold + 2 - start, "first.c");
	}
	/* The same again comes from the cache. */
	object_query_check(file, plain + 1, "plain", 1, "first.c");
	CHECK_INT(codectl_object_file_symbolize(file, 0, &symbol), -ENOENT);
	CHECK_STR(symbol.function, "");
	CHECK_STR(symbol.source_path, "");
	codectl_object_file_close(file);
}

/* Files this long are mapped, not copied; libelf unpacks sections in the mapping. */
TEST(large_file)
{
	static const char *const flags[] = {"", "-Wl,--compress-debug-sections=zlib"};
	struct object_query query;
	struct codectl_object_file *file;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		FIXTURE_RUN(TEST_CC " -g -O2 %s " SOURCES " -o program && truncate -s 20M program",
			flags[i]);
		object_query_prepare(&query, "program");
		file = object_query_open(&query);
		object_query_check(
			file, object_query_address("program", "plain") + 1, "plain", 1, "first.c");
		codectl_object_file_close(file);
	}
}

/* Directories that the line table has relative to that of the compiler. */
TEST(relative_sources)
{
	static const char *const flags[] = {"-gdwarf-4", "-gdwarf-5"};
	struct object_query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		FIXTURE_RUN("mkdir -p below && cp " SOURCES " below && " TEST_CC
			    " -g %s -O2 below/first.c below/second.c -o program",
			flags[i]);
		object_query_prepare(&query, "program");
		file = object_query_open(&query);
		CHECK_INT(codectl_object_file_symbolize(
				  file, object_query_address("program", "plain"), &symbol),
			0);
		CHECK_STR(symbol.source_path, fixture_path("below/first.c"));
		codectl_object_file_close(file);
	}
}

/* Data, padding and whatever else is no function has no name. */
TEST(gaps_have_no_name)
{
	struct object_query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t sink, end;

	FIXTURE_RUN("printf '.text\\n.globl padded\\n.type padded,@function\\npadded: nop\\nret\\n"
		    ".size padded,.-padded\\n.p2align 6\\n.globl after\\n.type after,@function\\n"
		    "after: nop\\n.size after,.-after\\n' > padded.s && " TEST_CC
		    " -c padded.s && " TEST_CC " -g -O2 " SOURCES " padded.o -o program");
	object_query_prepare(&query, "program");
	end = object_query_address("program", "padded") + 2;
	sink = object_query_address("program", "sink");
	file = object_query_open(&query);
	object_query_check(file, end - 1, "padded", 1, "");
	CHECK_INT(codectl_object_file_symbolize(file, end, &symbol), -ENOENT);
	CHECK_INT(codectl_object_file_symbolize(file, end + 20, &symbol), -ENOENT);
	CHECK_INT(codectl_object_file_symbolize(file, sink, &symbol), -ENOENT);
	object_query_check(file, object_query_address("program", "after"), "after", 0, "");
	codectl_object_file_close(file);
}

TEST(plt_stubs)
{
	/* With -z now the stubs are in .plt.got, with -z ibtplt in .plt.sec. */
	static const char *const flags[] = {
		"-Wl,-z,lazy", "-Wl,-z,now", "-fcf-protection=full -Wl,-z,ibtplt"};
	struct object_query query;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct codectl_object_file *file;
		uint64_t vaddr;

		FIXTURE_RUN(TEST_CC " -O2 %s " SOURCES " -o program && strip program", flags[i]);
		vaddr = object_query_number("objdump -d program | grep '<puts@plt>:'");
		object_query_prepare(&query, "program");
		file = object_query_open(&query);
		object_query_check(file, vaddr, "puts@plt", 0, "");
		object_query_check(file, vaddr + 5, "puts@plt", 5, "");
		codectl_object_file_close(file);
	}
}

TEST(dynamic_symbols_only)
{
	struct object_query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t plain, complain;

	FIXTURE_RUN(TEST_CC " -O2 -fPIC -shared " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	complain = object_query_address("program", "complain");
	FIXTURE_RUN("strip program");
	object_query_prepare(&query, "program");
	file = object_query_open(&query);
	object_query_check(file, plain + 1, "plain", 1, "");
	/* A static function: no other may be named in its place. */
	CHECK_INT(codectl_object_file_symbolize(file, complain, &symbol), -ENOENT);
	codectl_object_file_close(file);
}

TEST(no_section_headers)
{
	struct object_query query;
	struct codectl_object_file *file;
	uint64_t plain;

	FIXTURE_RUN(TEST_CC " -O2 -fPIC -shared " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	/* e_shoff, e_shnum and e_shstrndx of the ELF header become 0. */
	FIXTURE_RUN("strip program && printf '\\0\\0\\0\\0\\0\\0\\0\\0' | "
		    "dd of=program bs=1 seek=40 conv=notrunc && printf '\\0\\0\\0\\0' | "
		    "dd of=program bs=1 seek=60 conv=notrunc");
	object_query_prepare(&query, "program");
	file = object_query_open(&query);
	object_query_check(file, plain + 1, "plain", 1, "");
	codectl_object_file_close(file);
}

/* Functions come from the DWARF where there are no symbols, in all their parts. */
TEST(dwarf_without_symbols)
{
	struct object_query query;
	struct codectl_object_file *file;
	uint64_t plain, hidden;

	FIXTURE_RUN(TEST_CC " -g -O2 " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	hidden = object_query_address("program", "hidden");
	FIXTURE_RUN("strip --strip-all --keep-section='.debug_*' program");
	object_query_prepare(&query, "program");
	file = object_query_open(&query);
	object_query_check(file, plain + 1, "plain", 1, "first.c");
	object_query_check(file, hidden, "hidden", 0, "first.c");
	codectl_object_file_close(file);
}

/*
 * The linker leaves the lines of dropped functions at address 0 and following,
 * where the lines of a long one reach into those of real code.
 */
TEST(lines_of_dropped_functions)
{
	struct object_query query;
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
	start = object_query_address("program", "kept");
	/* Or else there is nothing to mix up. */
	CHECK(start < 0x4000);
	object_query_prepare(&query, "program");
	file = object_query_open(&query);
	for (uint64_t offset = 0; offset < 12; offset++) {
		CHECK_INT(codectl_object_file_symbolize(file, start + offset, &symbol), 0);
		CHECK_STR(symbol.function, "kept");
		CHECK(symbol.source_line >= 2 && symbol.source_line <= 6);
	}
	codectl_object_file_close(file);
}

TEST(debug_link)
{
	struct object_query query;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id=none " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	CHECK_INT(query.identity.build_id_len, 0);
	CHECK(object_query_has_lines(&query, vaddr));
	FIXTURE_RUN("mkdir .debug && mv program.debug .debug/");
	CHECK(object_query_has_lines(&query, vaddr));
	FIXTURE_RUN("mkdir -p \"debug/$PWD\" && mv .debug/program.debug \"debug/$PWD\"");
	CHECK(!object_query_has_lines(&query, vaddr));
	query.debug_dirs[0] = "/nonexistent";
	query.debug_dirs[1] = fixture_path("debug");
	query.search.debug_dir_count = 2;
	CHECK(object_query_has_lines(&query, vaddr));
	/* Another byte, another CRC. */
	FIXTURE_RUN("printf x >> \"debug/$PWD/program.debug\"");
	CHECK(!object_query_has_lines(&query, vaddr));
}

TEST(build_id_tree)
{
	struct object_query query;
	struct codectl_object_file *file;
	enum codectl_object_status status;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	FIXTURE_RUN("id=$(readelf -n program | sed -n 's/.*Build ID: //p') && "
		    "dir=debug/.build-id/$(echo $id | cut -c1-2) && mkdir -p $dir && "
		    "mv program.debug $dir/$(echo $id | cut -c3-).debug");
	object_query_prepare(&query, "program");
	CHECK(query.identity.build_id_len >= 16);
	CHECK(!object_query_has_lines(&query, vaddr));
	query.debug_dirs[0] = fixture_path("debug");
	query.search.debug_dir_count = 1;
	CHECK(object_query_has_lines(&query, vaddr));

	/* The debug file alone still names; the status says what is missing. */
	FIXTURE_RUN("mv program elsewhere");
	CHECK_INT(codectl_object_file_open(&query.search, &query.identity, &file, &status), 0);
	CHECK_INT(status, CODECTL_OBJECT_NOT_FOUND);
	CHECK(!codectl_object_file_borrow_elf(file));
	object_query_check(file, vaddr, "plain", 1, "first.c");
	codectl_object_file_close(file);

	/* A debug file of another build does not count, wherever it is. */
	FIXTURE_RUN("mv elsewhere program && " TEST_CC " -g -O0 -Wl,--build-id " SOURCES
		    " -o other && cp other debug/.build-id/*/*.debug");
	CHECK(!object_query_has_lines(&query, vaddr));
}

/* A prelinked file has moved; its debug file has not. */
TEST(debug_file_at_other_addresses)
{
	struct object_query query;
	struct codectl_object_file *file;
	uint64_t vaddr, other;

	FIXTURE_RUN("build() { " TEST_CC " -g -O2 -no-pie -Wl,--build-id=0xabcdef0123 "
		    "-Wl,-Ttext-segment=$1 " SOURCES " -o $2; } && build 0x400000 program && "
		    "mkdir -p debug/.build-id/ab && build 0x800000 other && "
		    "cp other debug/.build-id/ab/cdef0123.debug");
	vaddr = object_query_address("program", "plain");
	other = object_query_address("other", "plain");
	CHECK_HEX(other - vaddr, 0x400000);
	FIXTURE_RUN("strip program");
	object_query_prepare(&query, "program");
	query.debug_dirs[0] = fixture_path("debug");
	query.search.debug_dir_count = 1;
	file = object_query_open(&query);
	object_query_check(file, vaddr + 1, "plain", 1, "first.c");
	codectl_object_file_close(file);
}

TEST(build_id_decides)
{
	struct object_query query;
	struct codectl_object_file *file;
	enum codectl_object_status status;

	FIXTURE_RUN(TEST_CC " -O2 -Wl,--build-id " SOURCES " -o program");
	object_query_prepare(&query, "program");
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
	struct object_query query;
	const char *prefixes[2];
	uint64_t vaddr;

	FIXTURE_RUN("mkdir -p root/bin root/usr/lib/debug && " TEST_CC
		    " -g -O2 -Wl,--build-id=none " SOURCES " -o root/bin/program && "
		    "objcopy --only-keep-debug root/bin/program root/bin/program.debug");
	object_query_prepare(&query, "root/bin/program");
	vaddr = object_query_address("root/bin/program", "plain") + 1;
	FIXTURE_RUN("strip root/bin/program && cd root/bin && "
		    "objcopy --add-gnu-debuglink=program.debug program && "
		    "mkdir -p ../usr/lib/debug/bin && mv program.debug ../usr/lib/debug/bin");
	query.identity.pathname = "/bin/program";
	prefixes[0] = fixture_path("nowhere");
	prefixes[1] = fixture_path("root");
	query.search.target_prefixes = prefixes;
	query.search.target_prefix_count = 2;
	query.debug_dirs[0] = "/usr/lib/debug";
	query.search.debug_dir_count = 1;
	CHECK(object_query_has_lines(&query, vaddr));
	query.search.debug_dir_count = 0;
	CHECK(!object_query_has_lines(&query, vaddr));
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
