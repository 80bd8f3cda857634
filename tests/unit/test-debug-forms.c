/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The forms in which debug information is packed: compressed sections, symbols in
 * .gnu_debugdata, split DWARF and packages of it. The names are the same.
 */
#include "config.h"

#include "lib/fixture.h"
#include "lib/object-query.h"
#include "lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SOURCES "'" TEST_DATA "/symbolize/first.c' '" TEST_DATA "/symbolize/second.c'"
#define BUILD	TEST_CC " -g -O2 -Wl,--build-id "

struct told {
	char text[1024];
};

static void note(void *user, const struct codectl_object_note *told)
{
	struct told *all = user;
	size_t used = strlen(all->text);

	snprintf(all->text + used, sizeof(all->text) - used, "%s: %s: %s\n",
		codectl_object_part_text(told->part), told->what, told->reason);
}

/* Opens "program", for which something may be told. */
static struct codectl_object_file *open_program(struct told *told)
{
	struct object_query query;

	object_query_prepare(&query, "program");
	*told = (struct told){0};
	query.search.tell = note;
	query.search.user = told;
	return object_query_open(&query);
}

/* Checks two functions of "program", in both files. */
static void check_program(uint64_t plain, uint64_t second)
{
	struct told told;
	struct codectl_object_file *file = open_program(&told);

	object_query_check(file, plain + 1, "plain", 1, "first.c");
	object_query_check(file, second, "second_part", 0, "second.c");
	CHECK_STR(told.text, "");
	codectl_object_file_close(file);
}

/* In the program itself, and in a separate debug file. */
static void check_compression(const char *how)
{
	uint64_t plain, second;

	FIXTURE_RUN("rm -f program* && " BUILD SOURCES " -o program");
	plain = object_query_address("program", "plain");
	second = object_query_address("program", "second_part");
	if (!fixture_try("objcopy --compress-debug-sections=%s program && "
			 "readelf -SW program | grep -qE '\\.zdebug_|debug_info.* C '",
		    how))
		tap_skip("objcopy does not compress by %s", how);
	check_program(plain, second);
	object_query_strip();
	check_program(plain, second);
	/* Also without any symbols, and in a file that is not read whole. */
	FIXTURE_RUN("strip --strip-all --keep-section='.*debug_*' program.debug; "
		    "truncate -s 20M program.debug");
	check_program(plain, second);
}

TEST(zlib)
{
	check_compression("zlib");
}

TEST(zlib_in_gnu_style)
{
	check_compression("zlib-gnu");
}

TEST(zstd)
{
#ifdef HAVE_LIBZSTD
	check_compression("zstd");
#else
	struct told told;
	struct codectl_object_file *file;
	uint64_t plain;

	FIXTURE_RUN(BUILD SOURCES " -o program");
	plain = object_query_address("program", "plain");
	if (!fixture_try("objcopy --compress-debug-sections=zstd program"))
		tap_skip("objcopy does not compress by zstd");
	file = open_program(&told);
	object_query_check(file, plain + 1, "plain", 1, "");
	CHECK(strstr(told.text, "built without libzstd"));
	codectl_object_file_close(file);
#endif
}

/* Bytes of the compressed contents are changed: lines are lost, and that is told. */
TEST(damaged_section)
{
	struct told told;
	struct codectl_object_file *file;
	uint64_t plain, offset;

	FIXTURE_RUN(BUILD "-gz " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	offset = object_query_number("readelf -SW program | sed 's/.*\\]//' | "
				     "awk '$1 == \".debug_info\" { print $4 }'");
	FIXTURE_RUN("printf '\\377\\377\\377\\377' | dd of=program bs=1 conv=notrunc "
		    "seek=%lu",
		(unsigned long)offset + 60);
	file = open_program(&told);
	object_query_check(file, plain + 1, "plain", 1, "");
	CHECK_STR(told.text, "a section: .debug_info: its compressed contents are damaged\n");
	codectl_object_file_close(file);
}

/* A claim of a terabyte is not believed. */
TEST(boastful_section)
{
	struct told told;
	struct codectl_object_file *file;
	uint64_t plain, offset;

	FIXTURE_RUN(BUILD "-gz " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	offset = object_query_number("readelf -SW program | sed 's/.*\\]//' | "
				     "awk '$1 == \".debug_info\" { print $4 }'");
	FIXTURE_RUN("printf '\\001' | dd of=program bs=1 conv=notrunc seek=%lu",
		(unsigned long)offset + 13);
	file = open_program(&told);
	object_query_check(file, plain + 1, "plain", 1, "");
	CHECK_STR(told.text,
		"a section: .debug_info: its compressed contents claim to be too large\n");
	codectl_object_file_close(file);
}

/* As Fedora makes it: the symbols that .dynsym lacks, by xz. */
TEST(gnu_debugdata)
{
	struct told told;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	uint64_t plain, hidden;

	FIXTURE_RUN(TEST_CC " -O2 -Wl,--build-id -rdynamic " SOURCES " -o program");
	plain = object_query_address("program", "plain");
	hidden = object_query_address("program", "complain");
	FIXTURE_RUN("nm program --format=posix --defined-only | "
		    "awk '{ if ($2 == \"T\" || $2 == \"t\") print $1 }' | sort > names && "
		    "objcopy --only-keep-debug program mini && "
		    "objcopy -S --remove-section .gdb_index --remove-section .comment "
		    "--keep-symbols=names mini mini && xz mini && strip program && "
		    "objcopy --add-section .gnu_debugdata=mini.xz program");
	file = open_program(&told);
	object_query_check(file, plain + 1, "plain", 1, "");
#ifdef HAVE_LIBLZMA
	object_query_check(file, hidden, "complain", 0, "");
	CHECK_STR(told.text, "");
	codectl_object_file_close(file);
	FIXTURE_RUN("xz -d mini.xz && objcopy --update-section .gnu_debugdata=mini program");
	file = open_program(&told);
	codectl_object_file_symbolize(file, hidden, &symbol);
	CHECK_STR(symbol.function, "");
	CHECK_STR(told.text, "a section: .gnu_debugdata: its compressed contents are damaged\n");
#else
	codectl_object_file_symbolize(file, hidden, &symbol);
	CHECK_STR(symbol.function, "");
	CHECK_STR(told.text, "a section: .gnu_debugdata: this was built without liblzma\n");
#endif
	codectl_object_file_close(file);
}

/* Functions that only the DWARF knows, since all symbols are stripped. */
static void check_split(void)
{
	struct told told;
	struct codectl_object_file *file = open_program(&told);
	char *text = fixture_read("addresses", NULL);
	uint64_t plain, second;
	char *end;

	plain = strtoull(text, &end, 16);
	second = strtoull(end, NULL, 16);
	free(text);
	object_query_check(file, plain + 1, "plain", 1, "first.c");
	object_query_check(file, second, "second_part", 0, "second.c");
	CHECK_STR(told.text, "");
	codectl_object_file_close(file);
}

/* Builds "program" with .dwo files beside it. Returns whether that works. */
static bool build_split(const char *compiler, const char *flags)
{
	return fixture_try("rm -rf program* *.o *.dwo *.dwp && for i in first second; do %s -g -O2 "
			   "-gsplit-dwarf %s -c '%s/symbolize/'$i.c -o $i.o || exit 1; done && %s "
			   "-Wl,--build-id first.o second.o -o program && for i in plain "
			   "second_part; do nm program | awk -v n=$i '$3 == n { print $1 }'; done "
			   "> addresses && strip --strip-all --keep-section='.debug_*' program",
		compiler, flags, TEST_DATA, compiler);
}

static const char *const split_flags[] = {
	"-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gz", "-gdwarf-4 -ffunction-sections", NULL};

TEST(split_files)
{
	for (size_t i = 0; split_flags[i]; i++) {
		printf("# %s\n", split_flags[i]);
		CHECK(build_split(TEST_CC, split_flags[i]));
		check_split();
	}
	/* The link to them is the skeleton's; where they are compressed, too. */
	if (fixture_try("for i in *.dwo; do objcopy --compress-debug-sections=zlib $i; done"))
		check_split();
	/* The tree was moved, with what is in it. */
	CHECK(build_split(TEST_CC, "-gdwarf-5"));
	FIXTURE_RUN("mkdir elsewhere && mv *.dwo program elsewhere/");
	FIXTURE_RUN("ln -s elsewhere/program program");
	check_split();
}

TEST(split_file_under_a_prefix)
{
	struct object_query query;
	struct codectl_object_file *file;
	struct told told = {0};
	const char *prefix = fixture_path("root");
	char *text;

	CHECK(build_split(TEST_CC, "-gdwarf-5"));
	object_query_prepare(&query, "program");
	FIXTURE_RUN("mkdir -p \"root$PWD/bin\" && cp program \"root$PWD/bin\" && "
		    "mv *.dwo \"root$PWD\"");
	query.identity.pathname = fixture_path("bin/program");
	query.search.target_prefixes = &prefix;
	query.search.target_prefix_count = 1;
	query.search.tell = note;
	query.search.user = &told;
	text = fixture_read("addresses", NULL);
	file = object_query_open(&query);
	object_query_check(file, strtoull(text, NULL, 16) + 1, "plain", 1, "first.c");
	CHECK_STR(told.text, "");
	codectl_object_file_close(file);
	free(text);
}

TEST(split_file_that_is_gone)
{
	struct told told;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	char *text;

	CHECK(build_split(TEST_CC, "-gdwarf-5"));
	FIXTURE_RUN("rm *.dwo");
	text = fixture_read("addresses", NULL);
	file = open_program(&told);
	CHECK_INT(codectl_object_file_symbolize(file, strtoull(text, NULL, 16), &symbol), 0);
	CHECK(symbol.source_line > 0);
	CHECK(strstr(told.text, "a file of split DWARF: "));
	CHECK(strstr(told.text, "first.dwo: no such file\n"));
	codectl_object_file_close(file);
	free(text);
}

/* Makes "program" and a package for it. Returns whether that works. */
static bool build_package(const char *compiler, const char *flags, const char *tool)
{
	/* What the tools cannot do they may do without end. */
	return build_split(compiler, flags) && fixture_try("timeout 5 %s && rm *.dwo", tool);
}

TEST(packages)
{
	static const char gnu[] = "dwp -e program -o program.dwp";
	static const char llvm[] = "llvm-dwp -e program -o program.dwp";
	/* Only these go together. */
	static const char *const ways[][3] = {{"gcc", "-gdwarf-4", gnu}, {"gcc", "-gdwarf-4", llvm},
		{"clang", "-gdwarf-4", gnu}, {"clang", "-gdwarf-5", llvm},
		{"clang", "-gdwarf-5 -gz", llvm}, {"clang", "-gdwarf-5 -ffunction-sections", llvm}};
	unsigned int count = 0;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!build_package(ways[i][0], ways[i][1], ways[i][2]))
			continue;
		printf("# %s %s: %s\n", ways[i][0], ways[i][1], ways[i][2]);
		check_split();
		count++;
	}
	if (!count)
		tap_skip("nothing makes packages");
}

/* Every byte of the index is changed once: names may be lost, and nothing else. */
TEST(damaged_package)
{
	struct told told;
	size_t len;
	char *package;
	uint64_t start;
	char *text;

	if (!build_package("clang", "-gdwarf-5", "llvm-dwp -e program -o program.dwp"))
		tap_skip("no llvm-dwp");
	text = fixture_read("addresses", NULL);
	package = fixture_read("program.dwp", &len);
	start = object_query_number("readelf -SW program.dwp | sed 's/.*\\]//' | "
				    "awk '$1 == \".debug_cu_index\" { print $4 }'");
	for (size_t at = start; at < start + 96 && at < len; at += 1) {
		struct codectl_object_file *file;
		struct codectl_symbol symbol;

		package[at] ^= 0x5a;
		fixture_write("program.dwp", package, len);
		package[at] ^= 0x5a;
		file = open_program(&told);
		CHECK_INT(
			codectl_object_file_symbolize(file, strtoull(text, NULL, 16), &symbol), 0);
		CHECK(symbol.source_line > 0);
		codectl_object_file_close(file);
	}
	free(package);
	free(text);
}
