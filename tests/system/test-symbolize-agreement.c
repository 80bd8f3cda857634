/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Addresses all over the code of many kinds of files are named, with the
 * functions inlined there, as eu-addr2line -i and llvm-symbolizer name them. A
 * chain agrees if each of its functions, files and lines is that of one of the
 * two; they do not always agree with each other. At most one in a thousand may
 * differ from both, and these are printed. What differs for a reason:
 *  - of the function itself any name that the symbol table has for it (aliases);
 *  - `f.part.0`, `f.constprop.0` …: their DWARF says f, the symbol table more;
 *  - code of line 0: elfutils takes the line of the row before;
 *  - code outside of all units: elfutils takes the unit before it, and llvm
 *    guesses a file from STT_FILE symbols.
 *
 * CODECTL_TESTS_EVERY_PC=1 asks for all addresses instead of some, and takes
 * larger inputs.
 */
#include "lib/fixture.h"
#include "lib/peers.h"
#include "lib/tap.h"

#include "format/elf.h"
#include "symbolize/name.h"
#include "symbolize/object-file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOWN_MAX 12

/* A line of nm: a name of an address. */
struct alias {
	uint64_t vaddr;
	const char *name; /* Weak. */
};

struct comparison {
	struct codectl_object_file *file;
	char *symbols;	       /* Owned. */
	struct alias *aliases; /* Owned; sorted by address. */
	size_t alias_count;
	struct peer peers[PEER_COUNT];
	size_t agreed_with[PEER_COUNT];
	size_t addresses;
	size_t inlined;
	size_t with_source;
	size_t wrong;
	int first_peer; /* Those before it are not asked. */
};

static bool takes_all(void)
{
	return getenv("CODECTL_TESTS_EVERY_PC") != NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int compare_aliases(const void *left, const void *right)
{
	const struct alias *a = left, *b = right;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

/* Reads "symbols": an address, a type, a name. */
static void read_aliases(struct comparison *all)
{
	size_t capacity = 0;

	all->symbols = fixture_read("symbols", NULL);
	for (char *line = strtok(all->symbols, "\n"); line; line = strtok(NULL, "\n")) {
		char *end;
		uint64_t vaddr = strtoull(line, &end, 16);

		if (end == line || strlen(end) < 4)
			continue;
		if (all->alias_count == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			all->aliases = reallocarray(all->aliases, capacity, sizeof(*all->aliases));
			CHECK(all->aliases);
		}
		all->aliases[all->alias_count++] = (struct alias){.vaddr = vaddr, .name = end + 3};
	}
	if (all->alias_count)
		qsort(all->aliases, all->alias_count, sizeof(*all->aliases), compare_aliases);
}

/* The name to show for a mangled one; to be freed. */
static char *show(const char *mangled)
{
	struct codectl_name name = {.text = mangled};
	char *text = strdup(codectl_name_show(&name));

	CHECK(text);
	codectl_name_fini(&name);
	return text;
}

/* Whether the shown name is one of the function at @vaddr, as the symbol table has it. */
static bool is_alias(const struct comparison *all, uint64_t vaddr, const char *shown)
{
	const struct alias key = {.vaddr = vaddr};
	const struct alias *found = all->alias_count ? bsearch(&key, all->aliases, all->alias_count,
							       sizeof(key), compare_aliases)
						     : NULL;
	bool is_found = false;

	while (found && found > all->aliases && found[-1].vaddr == vaddr)
		found--;
	for (; found && !is_found && found < all->aliases + all->alias_count &&
		found->vaddr == vaddr;
		found++) {
		char *name = show(found->name);

		is_found = !strcmp(name, shown);
		free(name);
	}
	return is_found;
}

/*
 * Whether @theirs is @ours without its scope and arguments: elfutils does not look
 * for the linkage name in the declaration.
 */
static bool is_plain(const char *ours, const char *theirs)
{
	size_t len = strlen(theirs);

	for (const char *at = strstr(ours, theirs); len && at; at = strstr(at + 1, theirs)) {
		if ((at == ours || at[-1] == ':' || at[-1] == ' ') && strchr("(<[.", at[len]))
			return true;
	}
	return false;
}

/* Whether @theirs is the symbol of the part of @ours that is seldom run. */
static bool is_cold_part(const char *ours, const char *theirs)
{
	size_t len = strlen(ours);

	return !strncmp(ours, theirs, len) &&
	       (!strcmp(theirs + len, ".cold") || !strcmp(theirs + len, " [clone .cold]"));
}

/* Whether @ours is @theirs with what compilers append to copies and parts of functions. */
static bool is_clone(const char *ours, const char *theirs)
{
	size_t len = strlen(theirs);

	return *theirs && !strncmp(ours, theirs, len) &&
	       (ours[len] == '.' || !strncmp(ours + len, " [clone ", 8));
}

static bool is_function_agreed(const struct comparison *all, uint64_t vaddr,
	const struct codectl_symbol *ours, const char *mangled)
{
	char *theirs = show(mangled);
	bool is_agreed = !strcmp(ours->function, theirs) || is_plain(ours->function, theirs);

	if (!is_agreed && !ours->is_inlined)
		is_agreed = is_clone(ours->function, theirs) ||
			    is_cold_part(ours->function, theirs) ||
			    is_alias(all, vaddr - (uint64_t)ours->offset, theirs);
	free(theirs);
	return is_agreed;
}

static bool is_source_agreed(const struct codectl_symbol *ours, const struct peer_level *theirs)
{
	return ours->source_line == theirs->line &&
	       (!theirs->line || !strcmp(base_name(ours->source_path), base_name(theirs->path)));
}

static bool is_agreed(const struct comparison *all, uint64_t vaddr,
	const struct codectl_symbol *chain, size_t count, const struct peer_level *levels,
	size_t level_count)
{
	const struct codectl_symbol unknown = {.function = "", .source_path = ""};

	if (!count) {
		chain = &unknown;
		count = 1;
	}
	if (count != level_count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!is_function_agreed(all, vaddr, &chain[i], levels[i].function) ||
			!is_source_agreed(&chain[i], &levels[i]))
			return false;
	}
	return true;
}

static void print_difference(uint64_t vaddr, const struct codectl_symbol *chain, size_t count,
	struct peer_level levels[][PEER_LEVELS_MAX], const size_t *level_counts)
{
	printf("# 0x%" PRIx64 " is", vaddr);
	for (size_t i = 0; i < count; i++)
		printf(" %s %s:%u", chain[i].function, base_name(chain[i].source_path),
			chain[i].source_line);
	for (int kind = 0; kind < PEER_COUNT; kind++) {
		if (!level_counts[kind])
			continue;
		printf("\n#   for %s", peer_command((enum peer_kind)kind));
		for (size_t i = 0; i < level_counts[kind]; i++)
			printf(" %s %s:%u", levels[kind][i].function,
				base_name(levels[kind][i].path), levels[kind][i].line);
	}
	printf("\n");
}

static void compare(struct comparison *all, uint64_t vaddr)
{
	struct peer_level levels[PEER_COUNT][PEER_LEVELS_MAX];
	size_t level_counts[PEER_COUNT] = {0};
	const struct codectl_symbol *chain;
	size_t count;
	bool is_right = false;

	codectl_object_file_find_chain(all->file, vaddr, &chain, &count);
	all->addresses++;
	all->inlined += count > 1;
	all->with_source += count && chain->source_line;
	for (int kind = all->first_peer; kind < PEER_COUNT; kind++) {
		level_counts[kind] = peer_next(&all->peers[kind], levels[kind]);
		if (is_agreed(all, vaddr, chain, count, levels[kind], level_counts[kind])) {
			all->agreed_with[kind]++;
			is_right = true;
		}
	}
	if (!is_right && all->wrong++ < SHOWN_MAX)
		print_difference(vaddr, chain, count, levels, level_counts);
}

/* Lists addresses of the code of @elf, @step apart, in "addresses" and @addresses. */
static uint64_t *list_addresses(const struct codectl_elf *elf, uint64_t step, size_t *count)
{
	struct codectl_elf_section text;
	FILE *file = fopen(fixture_path("addresses"), "w");
	uint64_t *addresses;

	CHECK(file);
	CHECK_INT(codectl_elf_find_section(elf, ".text", &text), 0);
	addresses = calloc(text.size / step + 1, sizeof(*addresses));
	CHECK(addresses);
	*count = 0;
	for (uint64_t at = 0; at < text.size; at += step) {
		addresses[*count] = text.vaddr + at;
		fprintf(file, "0x%" PRIx64 "\n", addresses[(*count)++]);
	}
	CHECK(fclose(file) == 0);
	return addresses;
}

/*
 * Compares what we say of the code of @path with what @first_peer and those after
 * it say of @original: the same, or what they can read better.
 */
static void check_as(
	const char *path, const char *original, uint64_t step, enum peer_kind first_peer)
{
	static const char *const debug_dirs[] = {"/usr/lib/debug"};
	const struct codectl_object_search search = {
		.debug_dirs = debug_dirs, .debug_dir_count = 1};
	const struct codectl_object_identity identity = {
		.pathname = path, .debug_link_pathname = ""};
	enum codectl_object_status status;
	struct comparison all = {.first_peer = (int)first_peer};
	size_t count;

	CHECK_INT(codectl_object_file_open(&search, &identity, &all.file, &status), 0);

	const struct codectl_elf *debug = codectl_object_file_borrow_debug_elf(all.file);
	uint64_t *addresses = list_addresses(
		codectl_object_file_borrow_elf(all.file), takes_all() ? 1 : step, &count);

	if (debug)
		fixture_write("debug", debug->image, debug->len);
	FIXTURE_RUN("nm '%s' > symbols || nm -D '%s' > symbols", debug ? "debug" : path, path);
	read_aliases(&all);
	for (int kind = first_peer; kind < PEER_COUNT; kind++)
		peer_ask(&all.peers[kind], (enum peer_kind)kind, original);
	for (size_t i = 0; i < count; i++)
		compare(&all, addresses[i]);
	printf("# %zu addresses, %zu with a line, %zu in inlined code; as elfutils: %zu, as llvm: "
	       "%zu, as neither: %zu\n",
		count, all.with_source, all.inlined, all.agreed_with[PEER_ELFUTILS],
		all.agreed_with[PEER_LLVM], all.wrong);
	codectl_object_file_close(all.file);
	for (int kind = first_peer; kind < PEER_COUNT; kind++)
		peer_fini(&all.peers[kind]);
	free(all.aliases);
	free(all.symbols);
	free(addresses);
	CHECK(count > 300 && all.with_source > count / 2);
	CHECK(all.wrong <= count / 1000);
}

static void check_file(const char *path, uint64_t step, enum peer_kind first_peer)
{
	check_as(path, path, step, first_peer);
}

/* Skips without one of the commands. */
static void need(const char *compiler)
{
	for (int kind = 0; kind < PEER_COUNT; kind++) {
		if (!fixture_has_command(peer_command((enum peer_kind)kind)))
			tap_skip("no %s to compare with", peer_command((enum peer_kind)kind));
	}
	if (compiler && !fixture_has_command(compiler))
		tap_skip("no %s", compiler);
	/* All addresses take their time. */
	if (takes_all())
		alarm(0);
}

/* A file with @count functions of different lengths, in which others are inlined. */
static void write_functions(int count)
{
	FILE *file = fopen(fixture_path("many.c"), "w");

	CHECK(file);
	fprintf(file, "extern volatile int sink;\n");
	for (int i = 0; i < count; i++) {
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
	for (int i = 0; i < count; i += 3)
		fprintf(file, "\tmany_%d,\n", i);
	fprintf(file, "};\n");
	CHECK(fclose(file) == 0);
}

static void check_c(const char *compiler, const char *flags, int count, uint64_t step)
{
	/* Without .debug_aranges, which clang does not write, elfutils knows no lines. */
	bool has_aranges = strcmp(compiler, "clang") != 0;

	need(compiler);
	write_functions(count);
	FIXTURE_RUN("%s %s '%s/symbolize/first.c' '%s/symbolize/second.c' many.c -o program",
		compiler, flags, TEST_DATA, TEST_DATA);
	check_file(fixture_path("program"), step, has_aranges ? PEER_ELFUTILS : PEER_LLVM);
}

/* elfutils takes milliseconds for an address of C++. */
static void check_cpp(
	const char *compiler, const char *flags, uint64_t step, enum peer_kind first_peer)
{
	need(compiler);
	FIXTURE_RUN("%s %s '%s/symbolize/templates.cc' -o program", compiler, flags, TEST_DATA);
	check_file(fixture_path("program"), step, first_peer);
}

TEST(gcc_dwarf_5)
{
	check_c("gcc", "-g -gdwarf-5 -O2", 150, 7);
}

TEST(gcc_dwarf_4_static_position)
{
	check_c("gcc", "-g -gdwarf-4 -O2 -no-pie -fno-pie", 150, 7);
}

TEST(gcc_dwarf_3)
{
	check_c("gcc", "-g -gdwarf-3 -O2", 150, 7);
}

TEST(gcc_unoptimized_compressed)
{
	check_c("gcc", "-g -O0 -gz", 150, 7);
}

TEST(gcc_sections_collected)
{
	check_c("gcc", "-g -O2 -ffunction-sections -Wl,--gc-sections -Wl,-u,many", 150, 7);
}

TEST(gcc_link_time_optimized)
{
	check_c("gcc", "-g -O2 -flto -Wl,-u,many", 150, 7);
}

/* Large: one unit of many functions. */
TEST(gcc_many_functions)
{
	check_c("gcc", "-g -O1", takes_all() ? 20000 : 1000, 97);
}

TEST(clang_dwarf_5)
{
	check_c("clang", "-g -gdwarf-5 -O2", 150, 7);
}

TEST(clang_dwarf_4_static_position)
{
	check_c("clang", "-g -gdwarf-4 -O2 -no-pie -fno-pie", 150, 7);
}

TEST(clang_sections_collected)
{
	check_c("clang", "-g -O1 -ffunction-sections -Wl,--gc-sections -Wl,-u,many", 150, 7);
}

TEST(clang_line_tables_only)
{
	check_c("clang", "-gline-tables-only -O2", 150, 7);
}

TEST(gcc_cpp_dwarf_5)
{
	check_cpp("g++", "-g -O2", 31, PEER_ELFUTILS);
}

TEST(gcc_cpp_dwarf_4_split)
{
	check_cpp("g++", "-g -O2 -gdwarf-4 -gsplit-dwarf", 7, PEER_LLVM);
}

TEST(gcc_cpp_types_apart)
{
	check_cpp("g++", "-g -O1 -fdebug-types-section", 7, PEER_LLVM);
}

TEST(clang_cpp_dwarf_5)
{
	check_cpp("clang++", "-g -O2", 7, PEER_LLVM);
}

TEST(clang_cpp_dwarf_5_split)
{
	check_cpp("clang++", "-g -O2 -gsplit-dwarf", 7, PEER_LLVM);
}

/* What both files have is moved to a third one, where llvm does not look: it gets the first. */
TEST(gcc_cpp_dwz)
{
	need("g++");
	if (!fixture_has_command("dwz"))
		tap_skip("no dwz");
	FIXTURE_RUN("for level in 1 2; do g++ -g -O$level -Wl,--build-id "
		    "'%s/symbolize/templates.cc' -o program$level || exit 1; done && "
		    "cp program1 original && "
		    "dwz -m common program1 program2 && readelf -S program1 | grep -q altlink",
		TEST_DATA);
	check_as(fixture_path("program1"), fixture_path("original"), 7, PEER_LLVM);
}

TEST(clang_thin_lto)
{
	need("clang");
	if (!fixture_has_command("ld.lld"))
		tap_skip("no lld");
	check_cpp("clang++", "-g -O2 -flto=thin -fuse-ld=lld", 7, PEER_LLVM);
}

/* The C library with its separate debug file: dwz, compressed, assembly, aliases. */
TEST(c_library)
{
	char *path;

	need(NULL);
	FIXTURE_RUN("ldd /bin/sh | awk '/libc\\.so/ { printf \"%%s\", $3 }' > libc");
	path = fixture_read("libc", NULL);
	check_file(path, 131, PEER_ELFUTILS);
	free(path);
}

TEST(rust)
{
	need(NULL);
	if (!fixture_try("rustc -g -O '%s/../system/edge-rust.rs' -o program", TEST_DATA)) {
		printf("# no rustc: not compared\n");
		return;
	}
	check_file(fixture_path("program"), 397, PEER_LLVM);
}
