/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Every seventh byte of code is named as eu-addr2line and llvm-symbolizer name
 * it, for both compilers and several ways to link. Known differences:
 *  - aliases: any name that the symbol table has for the function's start;
 *  - `f.cold`, `f.part.0` …: their DWARF says f, the symbol table more;
 *  - code outside of all units: eu-addr2line takes the unit before it, and
 *    llvm-symbolizer guesses a file from STT_FILE symbols, with line 0.
 * Everything else counts, and at most one in a thousand may differ.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "format/elf.h"
#include "symbolize/object-file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP	       7
#define FUNCTION_COUNT 150

/* Answers of another symbolizer: two lines for each address. */
struct answers {
	char *text; /* Owned. */
	char *next;
};

static const char *next_line(struct answers *answers)
{
	char *line = answers->next;
	char *end = strchr(line, '\n');

	CHECK(end);
	*end = '\0';
	answers->next = end + 1;
	return line;
}

/* A third unit with many functions of different lengths, some inlined. */
static void write_source(void)
{
	FILE *file = fopen(fixture_path("many.c"), "w");

	CHECK(file);
	fprintf(file, "extern volatile int sink;\n");
	for (int i = 0; i < FUNCTION_COUNT; i++) {
		fprintf(file,
			"static inline int step_%d(int value)\n{\n\treturn value * %d + sink;\n}\n",
			i, i + 3);
		fprintf(file, "%sint many_%d(int value)\n{\n", i % 3 ? "" : "static ", i);
		for (int line = 0; line < i % 5; line++)
			fprintf(file, "\tif (sink == %d)\n\t\tvalue += step_%d(value);\n", line, i);
		fprintf(file,
			"\tfor (int i = 0; i < value; i++)\n\t\tsink += step_%d(i);\n"
			"\treturn sink;\n}\n",
			i);
	}
	/* Keeps the static ones alive. */
	fprintf(file, "int (*many[])(int) = {\n");
	for (int i = 0; i < FUNCTION_COUNT; i += 3)
		fprintf(file, "\tmany_%d,\n", i);
	fprintf(file, "};\n");
	CHECK(fclose(file) == 0);
}

/* Lists the addresses to ask for in "addresses". Returns their number. */
static size_t list_addresses(uint64_t *start)
{
	size_t len;
	char *bytes = fixture_read("program", &len);
	struct codectl_elf elf;
	struct codectl_elf_section text;
	FILE *file = fopen(fixture_path("addresses"), "w");

	CHECK(file);
	CHECK_INT(codectl_elf_init(&elf, bytes, len), 0);
	CHECK_INT(codectl_elf_find_section(&elf, ".text", &text), 0);
	for (uint64_t at = 0; at < text.size; at += STEP)
		fprintf(file, "0x%" PRIx64 "\n", text.vaddr + at);
	CHECK(fclose(file) == 0);
	free(bytes);
	*start = text.vaddr;
	return (text.size + STEP - 1) / STEP;
}

/* Whether "symbols" (of nm) has both names with one address. */
static bool are_aliases(const char *symbols, const char *name, const char *other)
{
	size_t len = strlen(name), other_len = strlen(other);

	for (const char *line = symbols; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		/* An address of 16 digits, a letter, the name; sorted by address. */
		if (strlen(line) < 19 || strncmp(line + 19, name, len) != 0 ||
			line[19 + len] != '\n')
			continue;
		for (const char *same = symbols; same; same = strchr(same, '\n')) {
			same += *same == '\n';
			if (!strncmp(same, line, 16) && !strncmp(same + 19, other, other_len) &&
				same[19 + other_len] == '\n')
				return true;
		}
	}
	return false;
}

/* The function of the code itself out of "a inlined at f.c:1 in b inlined at …:2 in c". */
static const char *physical_function(const char *answer)
{
	const char *last = strstr(answer, " inlined at ");

	for (const char *in = last; in; in = strstr(in + 1, " in "))
		last = in;
	return last ? last + strlen(" in ") : !strcmp(answer, "??") ? "" : answer;
}

static bool is_function_agreed(const char *symbols, const char *ours, const char *other)
{
	size_t len = strlen(other);

	return !strcmp(ours, other) || (*other && !strncmp(ours, other, len) && ours[len] == '.') ||
	       are_aliases(symbols, ours, other);
}

/* Compares "path:line", whatever else follows ours in @other. */
static bool is_source_agreed(const struct codectl_symbol *symbol, const char *other)
{
	char ours[PATH_MAX];
	int len = snprintf(ours, sizeof(ours), "%s:%u",
		*symbol->source_path ? symbol->source_path : "??", symbol->source_line);

	return !strncmp(ours, other, (size_t)len) && (other[len] < '0' || other[len] > '9');
}

static bool has_line_zero(const char *answer)
{
	const char *zero = strrchr(answer, ':');

	return zero && !strcmp(zero, ":0");
}

struct comparison {
	char *symbols; /* Owned; what nm says. */
	struct answers elfutils;
	struct answers llvm;
	size_t wrong_functions;
	size_t wrong_sources;
	size_t with_source;
};

static void compare(struct comparison *all, uint64_t vaddr, const struct codectl_symbol *symbol)
{
	const char *function = physical_function(next_line(&all->elfutils));
	const char *source = next_line(&all->elfutils);
	const char *llvm_function = next_line(&all->llvm);
	const char *llvm_source = next_line(&all->llvm);

	if (!is_function_agreed(all->symbols, symbol->function, function)) {
		printf("# 0x%" PRIx64 " is %s, for elfutils %s, for llvm %s\n", vaddr,
			symbol->function, function, llvm_function);
		all->wrong_functions++;
	}
	all->with_source += symbol->source_line > 0;
	if (is_source_agreed(symbol, source) || is_source_agreed(symbol, llvm_source) ||
		(!*symbol->source_path && has_line_zero(llvm_source)))
		return;
	printf("# 0x%" PRIx64 " is at %s:%u, for elfutils %s, for llvm %s\n", vaddr,
		symbol->source_path, symbol->source_line, source, llvm_source);
	all->wrong_sources++;
}

static void open_answers(struct answers *answers, const char *name)
{
	answers->text = answers->next = fixture_read(name, NULL);
}

/* Builds "program" with @command, and compares what is said of its code. */
static void check_agreement(const char *compiler, const char *flags)
{
	const struct codectl_object_search search = {0};
	struct codectl_object_identity identity = {.debug_link_pathname = ""};
	struct codectl_object_file *file;
	enum codectl_object_status status;
	struct codectl_symbol symbol;
	struct comparison all = {0};
	uint64_t start;

	if (!fixture_has_command("eu-addr2line") || !fixture_has_command("llvm-symbolizer"))
		tap_skip("no eu-addr2line or no llvm-symbolizer to compare with");
	if (!fixture_has_command(compiler))
		tap_skip("no %s", compiler);
	write_source();
	FIXTURE_RUN("%s %s '%s/symbolize/first.c' '%s/symbolize/second.c' many.c -o program",
		compiler, flags, TEST_DATA, TEST_DATA);

	size_t count = list_addresses(&start);

	CHECK(count > 300);
	FIXTURE_RUN("nm program > symbols && eu-addr2line -f -e program < addresses > eu && "
		    "llvm-symbolizer --functions=linkage --no-inlines --output-style=GNU "
		    "--obj=program < addresses > llvm");
	all.symbols = fixture_read("symbols", NULL);
	open_answers(&all.elfutils, "eu");
	open_answers(&all.llvm, "llvm");
	identity.pathname = fixture_path("program");
	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), 0);
	for (size_t i = 0; i < count; i++) {
		codectl_object_file_symbolize(file, start + i * STEP, &symbol);
		compare(&all, start + i * STEP, &symbol);
	}
	codectl_object_file_close(file);
	free(all.symbols);
	free(all.elfutils.text);
	free(all.llvm.text);
	printf("# %s %s: %zu addresses, %zu with a line, %zu functions and %zu lines differ\n",
		compiler, flags, count, all.with_source, all.wrong_functions, all.wrong_sources);
	CHECK(all.with_source > count / 2);
	CHECK(all.wrong_functions <= count / 1000);
	CHECK(all.wrong_sources <= count / 1000);
}

TEST(gcc_dwarf_5)
{
	check_agreement("gcc", "-g -gdwarf-5 -O2");
}

TEST(gcc_dwarf_4_static_position)
{
	check_agreement("gcc", "-g -gdwarf-4 -O2 -no-pie -fno-pie");
}

TEST(gcc_unoptimized_compressed)
{
	check_agreement("gcc", "-g -O0 -gz");
}

TEST(gcc_sections_collected)
{
	check_agreement("gcc", "-g -O2 -ffunction-sections -Wl,--gc-sections -Wl,-u,many");
}

TEST(gcc_link_time_optimized)
{
	check_agreement("gcc", "-g -O2 -flto -Wl,-u,many");
}

TEST(clang_dwarf_5)
{
	check_agreement("clang", "-g -gdwarf-5 -O2");
}

TEST(clang_dwarf_4_static_position)
{
	check_agreement("clang", "-g -gdwarf-4 -O2 -no-pie -fno-pie");
}

TEST(clang_sections_collected)
{
	check_agreement("clang", "-g -O1 -ffunction-sections -Wl,--gc-sections -Wl,-u,many");
}

TEST(clang_line_tables_only)
{
	check_agreement("clang", "-gline-tables-only -O2");
}
