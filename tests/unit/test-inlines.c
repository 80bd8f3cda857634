/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The chain of inlined functions at an address, in what both compilers make in
 * all the ways that debug information can be written.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/object-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* What is expected of one function of a chain. */
struct level {
	const char *function;
	uint32_t line;
};

static struct codectl_object_file *open_program(void)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = fixture_path("program"), .debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;

	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), 0);
	return file;
}

static uint64_t address_of(const char *symbol)
{
	char *text;
	uint64_t address;

	FIXTURE_RUN("nm program | grep ' %s$' > address", symbol);
	text = fixture_read("address", NULL);
	address = strtoull(text, NULL, 16);
	free(text);
	CHECK(address);
	return address;
}

/* The chain at @label must be @levels, all in @source. */
static void check_chain(struct codectl_object_file *file, const char *label,
	const struct level *levels, size_t level_count, const char *source)
{
	const struct codectl_symbol *chain;
	struct codectl_symbol symbol;
	uint64_t vaddr = address_of(label);
	size_t count;

	/* The second time it comes from the cache. */
	for (int round = 0; round < 2; round++) {
		CHECK_INT(codectl_object_file_find_chain(file, vaddr, &chain, &count), 0);
		CHECK_INT(count, level_count);
		for (size_t i = 0; i < count; i++) {
			const char *slash = strrchr(chain[i].source_path, '/');

			CHECK_STR(chain[i].function, levels[i].function);
			CHECK_STR(slash ? slash + 1 : chain[i].source_path, source);
			CHECK_INT(chain[i].source_line, levels[i].line);
			CHECK_INT(chain[i].is_inlined, i + 1 < count);
		}
	}
	CHECK_INT(codectl_object_file_symbolize(file, vaddr, &symbol), 0);
	CHECK_STR(symbol.function, levels[level_count - 1].function);
	CHECK_INT(symbol.source_line, levels[0].line);
	CHECK(!symbol.is_inlined);
}

static void check_c(void)
{
	static const struct level innermost[] = {
		{"innermost", 100}, {"middle", 201}, {"outer", 300}};
	static const struct level middle[] = {{"middle", 200}, {"outer", 300}};
	static const struct level outer[] = {{"outer", 400}};
	struct codectl_object_file *file = open_program();
	const struct codectl_symbol *chain;
	size_t count;

	check_chain(file, "in_innermost", innermost, 3, "inlines.c");
	check_chain(file, "in_middle", middle, 2, "inlines.c");
	check_chain(file, "in_outer", outer, 1, "inlines.c");
	/* What was read is freed, and read again. */
	CHECK(codectl_object_file_trim(file, 0));
	CHECK(!codectl_object_file_trim(file, 0));
	check_chain(file, "in_innermost", innermost, 3, "inlines.c");
	CHECK(!codectl_object_file_trim(file, 1 << 20));
	CHECK_INT(codectl_object_file_find_chain(file, 0, &chain, &count), -ENOENT);
	CHECK_INT(count, 0);
	codectl_object_file_close(file);
}

static void check_cpp(void)
{
	static const struct level innermost[] = {
		{"ns::holder::innermost()", 100}, {"ns::holder::middle()", 201}, {"outer", 300}};
	struct codectl_object_file *file = open_program();

	check_chain(file, "in_innermost", innermost, 3, "inlines.c");
	codectl_object_file_close(file);
}

/* Builds and checks with each of the flags, which end with NULL. */
static void check_all(const char *compiler, const char *language, const char *const *flags)
{
	if (!fixture_has_command(compiler))
		tap_skip("no %s", compiler);
	for (; *flags; flags++) {
		printf("# %s %s\n", compiler, *flags);
		FIXTURE_RUN("rm -f *.dwo && %s %s -x %s '%s/symbolize/inlines.c' -o program",
			compiler, *flags, language, TEST_DATA);
		if (!strcmp(language, "c"))
			check_c();
		else
			check_cpp();
	}
}

static const char *const c_flags[] = {
	"-O2 -g -gdwarf-2",
	"-O2 -g -gdwarf-3",
	"-O2 -g -gdwarf-4",
	"-O2 -g -gdwarf-5",
	"-O2 -g -gdwarf-5 -gdwarf64",
	"-O2 -g1",
	"-O0 -g",
	"-O2 -g -gz",
	"-O2 -g -flto",
	"-O2 -g -gdwarf-4 -gsplit-dwarf",
	"-O2 -g -gdwarf-5 -gsplit-dwarf",
	"-O2 -g -no-pie -fno-pie",
	"-O2 -g -Wl,-Ttext-segment=0x10000000",
	"-O2 -g -ffunction-sections -Wl,--gc-sections",
	NULL,
};

static const char *const cpp_flags[] = {
	"-O2 -g -gdwarf-4",
	"-O2 -g -gdwarf-4 -fdebug-types-section",
	"-O2 -g -gdwarf-5",
	"-O2 -g -gdwarf-5 -fdebug-types-section",
	"-O2 -g -gdwarf-5 -gsplit-dwarf",
	"-O2 -g -flto",
	NULL,
};

TEST(gcc)
{
	check_all("gcc", "c", c_flags);
}

TEST(clang)
{
	check_all("clang", "c", c_flags);
}

TEST(gcc_cpp)
{
	check_all("g++", "c++", cpp_flags);
}

TEST(clang_cpp)
{
	check_all("clang++", "c++", cpp_flags);
}

/* What clang keeps for profilers: names without their scope. */
TEST(clang_line_tables_only)
{
	static const char *const flags[] = {"-O2 -gline-tables-only", NULL};

	check_all("clang", "c", flags);
}

/* Whatever stands where the file of a split unit should be, nobody waits for it. */
TEST(split_unit_without_file)
{
	static const struct level outer[] = {{"outer", 100}};
	struct codectl_object_file *file;

	if (!fixture_has_command("gcc"))
		tap_skip("no gcc");
	FIXTURE_RUN("gcc -O2 -g -gsplit-dwarf '%s/symbolize/inlines.c' -o program && "
		    "for name in *.dwo; do rm $name && mkfifo $name; done",
		TEST_DATA);
	file = open_program();
	check_chain(file, "in_innermost", outer, 1, "inlines.c");
	codectl_object_file_close(file);
}

/* A file of another build: it has another id. */
TEST(split_unit_with_wrong_file)
{
	static const struct level outer[] = {{"outer", 100}};
	struct codectl_object_file *file;

	if (!fixture_has_command("gcc"))
		tap_skip("no gcc");
	FIXTURE_RUN("gcc -O2 -g -gsplit-dwarf '%s/symbolize/inlines.c' -o program && "
		    "mkdir other && cd other && "
		    "gcc -O1 -g -gsplit-dwarf '%s/symbolize/first.c' "
		    "'%s/symbolize/second.c' -o other && "
		    "for name in ../*.dwo; do cp *first.dwo $name; done",
		TEST_DATA, TEST_DATA, TEST_DATA);
	file = open_program();
	check_chain(file, "in_innermost", outer, 1, "inlines.c");
	codectl_object_file_close(file);
}

/* Many functions, in each of which another one is inlined, in two units. */
static void write_many(const char *name, int first, int count)
{
	FILE *source = fopen(fixture_path(name), "w");

	CHECK(source);
	fprintf(source, "extern volatile int sink;\n");
	for (int i = first; i < first + count; i++)
		fprintf(source,
			"static inline int step_%d(int x)\n{\n\treturn x * %d + sink;\n}\n"
			"int many_%d(int x)\n{\n\tsink += step_%d(x);\n\treturn sink;\n}\n",
			i, i + 3, i, i);
	CHECK(fclose(source) == 0);
}

static struct codectl_object_file *open_named(const char *name)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = fixture_path(name), .debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;

	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), 0);
	return file;
}

/* What is said of @vaddr by both. Returns the length of the chain. */
static size_t check_same(
	struct codectl_object_file *left, struct codectl_object_file *right, uint64_t vaddr)
{
	const struct codectl_symbol *a, *b;
	size_t a_count, b_count;

	codectl_object_file_find_chain(left, vaddr, &a, &a_count);
	codectl_object_file_find_chain(right, vaddr, &b, &b_count);
	CHECK_INT(a_count, b_count);
	for (size_t i = 0; i < a_count; i++) {
		CHECK_STR(a[i].function, b[i].function);
		CHECK_STR(a[i].plain_function, b[i].plain_function);
		CHECK_STR(a[i].source_path, b[i].source_path);
		CHECK_INT(a[i].source_line, b[i].source_line);
		CHECK_INT(a[i].offset, b[i].offset);
	}
	return a_count;
}

/* Of a large file what an address needs is read; that is what is in the same file when it is small. */
TEST(read_in_parts)
{
	static const char *const flags[] = {"-g -gdwarf-4 -O1", "-g -O1 -flto"};

	write_many("many.c", 0, 1200);
	write_many("more.c", 1200, 1200);
	FIXTURE_RUN("echo 'volatile int sink;' > sink.c");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct codectl_elf_section text;
		size_t inlined = 0;

		FIXTURE_RUN("gcc %s -shared -fPIC many.c more.c sink.c -o small && cp small large "
			    "&& truncate -s 20M large",
			flags[i]);

		struct codectl_object_file *small = open_named("small"), *large;

		CHECK_INT(codectl_elf_find_section(
				  codectl_object_file_borrow_elf(small), ".text", &text),
			0);
		/* Each file anew: what the first address needs is all that is there. */
		for (uint64_t at = 100; at < text.size; at += text.size / 5) {
			large = open_named("large");
			for (uint64_t more = 0; more < 500; more += 7)
				inlined += check_same(small, large, text.vaddr + at + more) > 1;
			codectl_object_file_close(large);
		}
		CHECK(inlined > 50);
		codectl_object_file_close(small);
	}
}

/* What dwz moves away in the way of DWARF 5 is unknown, never something else. */
TEST(dwz_dwarf_5)
{
	struct codectl_object_file *original, *packed;
	struct codectl_elf_section text;
	const struct codectl_symbol *a, *b;
	size_t a_count, b_count, same = 0;

	if (!fixture_has_command("g++") || !fixture_has_command("dwz"))
		tap_skip("no g++ or no dwz");
	FIXTURE_RUN("for level in 1 2; do g++ -g -gdwarf-5 -O$level '%s/symbolize/templates.cc' -o "
		    "program$level || exit 1; done; cp program1 original; "
		    "dwz -5 -m common program1 program2 && "
		    "readelf -S program1 | grep -q debug_sup",
		TEST_DATA);
	original = open_named("original");
	packed = open_named("program1");
	CHECK_INT(
		codectl_elf_find_section(codectl_object_file_borrow_elf(original), ".text", &text),
		0);
	for (uint64_t at = 0; at < text.size; at += 3) {
		codectl_object_file_find_chain(original, text.vaddr + at, &a, &a_count);
		codectl_object_file_find_chain(packed, text.vaddr + at, &b, &b_count);
		CHECK_INT(a_count, b_count);
		for (size_t i = 0; i < a_count; i++) {
			CHECK(!*b[i].function || !strcmp(a[i].function, b[i].function));
			CHECK_INT(a[i].source_line, b[i].source_line);
			same += !strcmp(a[i].function, b[i].function);
		}
	}
	CHECK(same > 300);
	codectl_object_file_close(original);
	codectl_object_file_close(packed);
}
