/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Where the files of an object are looked for, which are taken, and what is said
 * of those that are not.
 */
#include "lib/fixture.h"
#include "lib/object-query.h"
#include "lib/tap.h"

#include "symbolize/elf-contents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SOURCES "'" TEST_DATA "/symbolize/first.c' '" TEST_DATA "/symbolize/second.c'"
/* Shell: the path of a build-id in a .build-id tree. */
#define ID_PATH                                                     \
	"id=$(readelf -n program | sed -n 's/.*Build ID: //p') && " \
	"id=$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)"

/* What was told, one note a line. */
struct told {
	size_t count;
	char text[4096];
};

static void note(void *user, const struct codectl_object_note *told)
{
	struct told *all = user;
	size_t used = strlen(all->text);
	const char *slash = strrchr(told->what, '/');

	all->count++;
	snprintf(all->text + used, sizeof(all->text) - used, "%s: %s: %s%s\n",
		codectl_object_part_text(told->part), slash ? slash + 1 : told->what, told->reason,
		told->is_normal ? " (normal)" : "");
}

static void listen_to(struct object_query *query, struct told *told)
{
	*told = (struct told){0};
	query->search.tell = note;
	query->search.user = told;
}

static enum codectl_object_status status_of(const struct object_query *query)
{
	struct codectl_object_file *file;
	enum codectl_object_status status;

	if (codectl_object_file_open(&query->search, &query->identity, &file, &status) == 0)
		codectl_object_file_close(file);
	return status;
}

TEST(archive)
{
	struct object_query query;
	const char *archives[2];
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	FIXTURE_RUN(ID_PATH " && mkdir -p archive/.build-id/${id%%/*} && "
			    "mv program archive/.build-id/$id && "
			    "mv program.debug archive/.build-id/$id.debug");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_NOT_FOUND);
	archives[0] = fixture_path("none");
	archives[1] = fixture_path("archive");
	query.search.archives = archives;
	query.search.archive_count = 2;
	CHECK_INT(status_of(&query), CODECTL_OBJECT_OK);
	CHECK(object_query_has_lines(&query, vaddr));
	/* Debug directories may have the object as well. */
	query.search.archive_count = 0;
	query.search.debug_dirs = archives;
	query.search.debug_dir_count = 2;
	CHECK_INT(status_of(&query), CODECTL_OBJECT_OK);
	CHECK(object_query_has_lines(&query, vaddr));
	/* What is in the tree must have the build-id itself. */
	FIXTURE_RUN("cp /bin/true archive/.build-id/*/*[0-9a-f]");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_NOT_FOUND);
}

/* Without a build-id the path decides, in the archive alone: here may be another. */
TEST(archive_by_path)
{
	struct object_query query;
	const char *archive = fixture_path("archive");

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id=none " SOURCES " -o program");
	object_query_prepare(&query, "program");
	query.search.archives = &archive;
	query.search.archive_count = 1;
	FIXTURE_RUN("mkdir archive");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_NOT_FOUND);
	FIXTURE_RUN("mkdir -p \"archive/$PWD\" && mv program \"archive/$PWD/\"");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_OK);
}

/* The first that has the right file; the reason is that of the nearest miss. */
TEST(target_prefixes)
{
	struct object_query query;
	const char *prefixes[3];

	FIXTURE_RUN("mkdir -p a/bin b/bin c/bin && " TEST_CC " -g -O2 -Wl,--build-id " SOURCES
		    " -o c/bin/program && cp /bin/true a/bin/program && mkdir b/bin/program");
	object_query_prepare(&query, "c/bin/program");
	query.identity.pathname = "/bin/program";
	prefixes[0] = fixture_path("a");
	prefixes[1] = fixture_path("b");
	prefixes[2] = fixture_path("c");
	query.search.target_prefixes = prefixes;
	query.search.target_prefix_count = 3;
	CHECK_INT(status_of(&query), CODECTL_OBJECT_OK);
	query.identity.pathname = "bin/program";
	CHECK_INT(status_of(&query), CODECTL_OBJECT_OK);
	query.search.target_prefix_count = 2;
	CHECK_INT(status_of(&query), CODECTL_OBJECT_BUILD_ID_MISMATCH);
	query.search.target_prefix_count = 0;
	CHECK_INT(status_of(&query), CODECTL_OBJECT_NOT_FOUND);
}

TEST(debug_file_of_another_build)
{
	struct object_query query;
	struct told told;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	listen_to(&query, &told);
	CHECK(object_query_has_lines(&query, vaddr));
	CHECK_STR(told.text, "");
	FIXTURE_RUN(TEST_CC " -g -O0 -Wl,--build-id " SOURCES " -o program.debug");
	CHECK(!object_query_has_lines(&query, vaddr));
	CHECK_STR(told.text, "a debug file: program.debug: its build-id differs\n");
	/* A link that leads back to the object itself is common, and harmless. */
	FIXTURE_RUN("cp program program.debug");
	listen_to(&query, &told);
	CHECK(!object_query_has_lines(&query, vaddr));
	CHECK_STR(told.text, "a debug file: program.debug: there are neither DWARF nor symbols in "
			     "it (normal)\n");
}

TEST(debug_file_with_another_crc)
{
	struct object_query query;
	struct told told;
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id=none " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	/* Large files are not all in memory. */
	FIXTURE_RUN("truncate -s 20M program.debug && objcopy --remove-section=.gnu_debuglink "
		    "program && objcopy --add-gnu-debuglink=program.debug program");
	listen_to(&query, &told);
	CHECK(object_query_has_lines(&query, vaddr));
	FIXTURE_RUN("printf x >> program.debug");
	CHECK(!object_query_has_lines(&query, vaddr));
	CHECK_STR(told.text, "a debug file: program.debug: its CRC differs\n");
}

/* Nothing that is no regular file is opened: a FIFO would never let us go. */
TEST(debug_files_that_are_none)
{
	static const char *const commands[] = {"mkfifo program.debug", "mkdir program.debug",
		"ln -s program.debug program.debug", "ln -s /dev/zero program.debug",
		"echo text >program.debug", "touch program.debug"};
	static const char *const reasons[] = {"not a regular file", "not a regular file",
		"symbolic links lead in a circle", "not a regular file",
		"not an ELF file of a known kind", "not an ELF file of a known kind"};
	struct object_query query;
	struct told told;
	char expected[128];
	uint64_t vaddr;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		FIXTURE_RUN("rm -rf program.debug && %s", commands[i]);
		listen_to(&query, &told);
		CHECK(!object_query_has_lines(&query, vaddr));
		snprintf(expected, sizeof(expected), "a debug file: program.debug: %s\n",
			reasons[i]);
		CHECK_STR(told.text, expected);
	}
}

/* The directory of the object is where its path leads to, too. */
TEST(object_behind_a_link)
{
	struct object_query query;
	uint64_t vaddr;
	const char *root = fixture_path("root");
	const char *debug = "/usr/lib/debug";

	FIXTURE_RUN("mkdir -p root/usr/lib/debug/usr/lib && ln -s usr/lib root/lib && " TEST_CC
		    " -g -O2 -Wl,--build-id=none " SOURCES " -o program");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_strip();
	object_query_prepare(&query, "program");
	FIXTURE_RUN("mv program root/lib/ && mv program.debug root/usr/lib/debug/usr/lib/");
	query.identity.pathname = "/lib/program";
	query.search.target_prefixes = &root;
	query.search.target_prefix_count = 1;
	query.search.debug_dirs = &debug;
	query.search.debug_dir_count = 1;
	CHECK(object_query_has_lines(&query, vaddr));
	FIXTURE_RUN("mv root/usr/lib/debug/usr/lib/program.debug root/usr/lib/");
	CHECK(object_query_has_lines(&query, vaddr));
}

TEST(kinds_of_elf_files)
{
	struct object_query query;

	FIXTURE_RUN(TEST_CC " -g -O2 -Wl,--build-id " SOURCES " -o program");
	object_query_prepare(&query, "program");
	/* EI_DATA and EI_CLASS. */
	FIXTURE_RUN("printf '\\002' | dd of=program bs=1 seek=5 conv=notrunc");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_BIG_ENDIAN);
	FIXTURE_RUN("printf '\\001\\001' | dd of=program bs=1 seek=4 conv=notrunc");
	CHECK_INT(status_of(&query), CODECTL_OBJECT_ELF32);
}

/* Large files are read in parts, and may be gone or others by then. */
TEST(large_file_that_changes)
{
	static const char *const changes[] = {"truncate -s 1000 program", "rm program",
		"cp program copy && mv copy program", "printf x >> program"};
	struct object_query query;
	struct codectl_object_file *file;
	struct codectl_symbol symbol;
	struct told told;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		FIXTURE_RUN("echo 'char zeros[10000000] = {1}; char more[300000] = {1};' > zeros.c "
			    "&& " TEST_CC " -g -O2 -Wl,--build-id " SOURCES
			    " zeros.c -o program && objcopy --add-section .first=zeros.c "
			    "--add-section .debug_big=/bin/bash program");
		object_query_prepare(&query, "program");
		listen_to(&query, &told);
		file = object_query_open(&query);
		FIXTURE_RUN("%s", changes[i]);
		/* Whatever it says, it says it. */
		codectl_object_file_symbolize(
			file, codectl_object_file_borrow_elf(file)->entry, &symbol);
		CHECK_STR(told.text,
			"the file of an object: program: the file changed while it was read\n");
		codectl_object_file_close(file);
	}
}

/* Code is read where it is asked for. */
TEST(code_of_a_large_file)
{
	struct object_query query;
	struct codectl_object_file *file;
	uint8_t code[4], last;
	uint64_t middle;

	FIXTURE_RUN(
		"printf '.globl middle\\n.text\\n.skip 12000000, 0x90\\nmiddle: .byte 1,2,3,4\\n"
		".skip 4000000, 0x90\\n' > big.s && " TEST_CC " -g -O2 -Wl,--build-id " SOURCES
		" big.s -o program");
	object_query_prepare(&query, "program");
	middle = object_query_address("program", "middle");
	file = object_query_open(&query);
	CHECK_INT(codectl_object_file_read_code(file, middle, code, 4), 0);
	CHECK(!memcmp(code, "\1\2\3\4", 4));
	CHECK_INT(codectl_object_file_read_code(file, middle - 6000000, &last, 1), 0);
	CHECK_INT(last, 0x90);
	CHECK_INT(codectl_object_file_read_code(file, UINT64_MAX - 1, code, 4), -ENOENT);
	CHECK_INT(codectl_object_file_read_code(file, 1, code, 4), -ENOENT);
	codectl_object_file_close(file);
}

/* Asks for a line in "program", whose names are in part in a supplementary file. */
static void check_supplementary(struct object_query *query, uint64_t vaddr, const char *expected)
{
	struct codectl_object_file *file;
	struct told told;
	struct codectl_symbol symbol;

	listen_to(query, &told);
	file = object_query_open(query);
	CHECK_INT(codectl_object_file_symbolize(file, vaddr, &symbol), 0);
	CHECK_STR(told.text, expected);
	codectl_object_file_close(file);
}

TEST(supplementary_file)
{
	static const char gone[] = "a supplementary debug file: names: no such file\n";
	struct object_query query;
	const char *debug_dir = fixture_path("debug"), *root = fixture_path("root");
	uint64_t vaddr;

	if (!fixture_has_command("dwz"))
		tap_skip("dwz is not installed");
	FIXTURE_RUN("mkdir common root && for i in program other; do " TEST_CC
		    " -g -gdwarf-4 -O2 -Wl,--build-id " SOURCES " -o $i || exit 1; done && "
		    "cp program whole && dwz -m common/names -r program other");
	vaddr = object_query_address("program", "plain") + 1;
	object_query_prepare(&query, "program");
	check_supplementary(&query, vaddr, "");
	FIXTURE_RUN("mv common elsewhere");
	check_supplementary(&query, vaddr, gone);
	query.search.debug_dirs = &debug_dir;
	query.search.debug_dir_count = 1;
	FIXTURE_RUN("id=$(readelf -n elsewhere/names | sed -n 's/.*Build ID: //p') && "
		    "mkdir -p debug/.build-id/$(echo $id | cut -c1-2) && cp elsewhere/names "
		    "debug/.build-id/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-).debug");
	check_supplementary(&query, vaddr, "");
	/* What has another build-id is not used, be it where it should. */
	FIXTURE_RUN("rm -r debug && mkdir common && cp whole common/names");
	check_supplementary(
		&query, vaddr, "a supplementary debug file: names: its build-id differs\n");
	/* An absolute path holds under the prefix. */
	FIXTURE_RUN("cp whole program && cp whole other && rm -r common && "
		    "dwz -m elsewhere/names -M /abs/names program other && mkdir root/abs && "
		    "mkdir -p \"root$PWD\" && cp program \"root$PWD/\"");
	object_query_prepare(&query, "program");
	query.search.target_prefixes = &root;
	query.search.target_prefix_count = 1;
	check_supplementary(&query, vaddr, gone);
	FIXTURE_RUN("mv elsewhere/names root/abs/");
	check_supplementary(&query, vaddr, "");
}
