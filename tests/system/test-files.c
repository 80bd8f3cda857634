/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The ways in which files hold unwind information, on programs compiled here:
 * each must give the same rules as the file with all its headers.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/object-file.h"
#include "unwind/module.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define BUILD "%s -g -O2 -o program '" TEST_DATA "/unwind/frames.c' "

struct image {
	char *bytes; /* Owned. */
	size_t len;
	struct codectl_elf elf;
};

static void load(struct image *image, const char *name)
{
	image->bytes = fixture_read(name, &image->len);
	CHECK_INT(codectl_elf_init(&image->elf, image->bytes, image->len), 0);
}

static void unload(struct image *image)
{
	free(image->bytes);
}

/* Without its section headers. */
static void drop_sections(struct image *image)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)image->bytes;

	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	CHECK_INT(codectl_elf_init(&image->elf, image->bytes, image->len), 0);
}

/* Without the segment that tells of .eh_frame_hdr. */
static void drop_hdr(struct image *image)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->bytes;
	Elf64_Phdr *segments = (Elf64_Phdr *)(image->bytes + header->e_phoff);

	for (size_t i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_GNU_EH_FRAME)
			segments[i].p_type = PT_NULL;
	}
}

/* Gives a section another name, so that nobody finds it. */
static void hide_section(struct image *image, const char *name)
{
	struct codectl_elf_section section;

	CHECK_INT(codectl_elf_find_section(&image->elf, name, &section), 0);
	image->bytes[section.name - image->bytes + 1] = '_';
	CHECK(codectl_elf_find_section(&image->elf, name, &section) == -ENOENT);
}

static struct codectl_unwind_module *create(
	const struct codectl_elf *own, const struct codectl_elf *debug)
{
	const struct codectl_unwind_files files = {.own = own, .debug = debug};
	struct codectl_unwind_module *module;

	CHECK_INT(codectl_unwind_module_create_from(&files, &module), 0);
	CHECK_INT(codectl_unwind_module_borrow_stats(module)->bad_fdes, 0);
	return module;
}

/* Where the code of @elf begins and ends. */
static void find_text(const struct codectl_elf *elf, uint64_t *start, uint64_t *end)
{
	struct codectl_elf_section section;

	CHECK_INT(codectl_elf_find_section(elf, ".text", &section), 0);
	*start = section.vaddr;
	*end = section.vaddr + section.size;
}

/* Checks that both modules say the same in [start, end), whichever source they have it from. */
static void check_same(const struct codectl_unwind_module *module,
	const struct codectl_unwind_module *expected, uint64_t start, uint64_t end)
{
	unsigned int known = 0;

	CHECK(start < end);
	for (uint64_t vaddr = start; vaddr < end; vaddr++) {
		struct codectl_rule rule = codectl_unwind_module_find_rule(module, vaddr);
		struct codectl_rule other = codectl_unwind_module_find_rule(expected, vaddr);

		CHECK_HEX(codectl_rule_with_origin(rule, 0).bits,
			codectl_rule_with_origin(other, 0).bits);
		known += codectl_rule_is_fast(rule);
	}
	CHECK(known > 100);
}

/* Where the function @name of "program" begins, by nm. */
static uint64_t address_of(const char *name)
{
	char *text;
	uint64_t address;

	FIXTURE_RUN("nm program | awk '$3 == \"%s\" { print $1 }' > address", name);
	text = fixture_read("address", NULL);
	address = strtoull(text, NULL, 16);
	free(text);
	CHECK(address);
	return address;
}

/* Checks what is known of the first and a later byte of a function of "program". */
static void check_frame(const struct codectl_unwind_module *module, enum codectl_frame_via via)
{
	uint64_t start = address_of("fixed");
	struct codectl_rule rule = codectl_unwind_module_find_rule(module, start);
	struct codectl_unwind_module_cfi cfi;

	CHECK_INT(codectl_rule_kind(rule), CODECTL_RULE_SP);
	CHECK_INT(codectl_rule_cfa(rule), 8);
	CHECK_INT(codectl_rule_origin(rule), via);
	CHECK_INT(codectl_unwind_module_find_cfi(module, start, &cfi), 0);
	CHECK_INT(cfi.via, via);
	CHECK_INT(cfi.rules.cfa_offset, 8);
	CHECK(codectl_unwind_module_has_start(module, start));
	CHECK(!codectl_unwind_module_has_start(module, start + 1));
	rule = codectl_unwind_module_find_rule(module, start + 20);
	CHECK_INT(codectl_rule_kind(rule), CODECTL_RULE_SP);
	CHECK(codectl_rule_cfa(rule) > 8);
	CHECK_INT(codectl_rule_origin(rule), via);
}

/* Loads "program" with and without its headers: the rules are the same. */
static void check_headers(void)
{
	struct image whole, bare;
	struct codectl_unwind_module *expected, *module;
	struct codectl_elf_segment segment;
	uint64_t start, end;

	load(&whole, "program");
	find_text(&whole.elf, &start, &end);
	expected = create(&whole.elf, NULL);
	check_frame(expected, CODECTL_FRAME_VIA_EH_FRAME);

	load(&bare, "program");
	drop_hdr(&bare);
	module = create(&bare.elf, NULL);
	check_same(module, expected, start, end);
	codectl_unwind_module_destroy(module);
	unload(&bare);

	/* Linkers may leave it out of static programs; then nothing else tells. */
	if (codectl_elf_find_segment(&whole.elf, PT_GNU_EH_FRAME, &segment)) {
		codectl_unwind_module_destroy(expected);
		unload(&whole);
		return;
	}
	load(&bare, "program");
	drop_sections(&bare);
	module = create(&bare.elf, NULL);
	check_same(module, expected, start, end);
	check_frame(module, CODECTL_FRAME_VIA_EH_FRAME);
	codectl_unwind_module_destroy(module);
	unload(&bare);
	codectl_unwind_module_destroy(expected);
	unload(&whole);
}

TEST(headers)
{
	FIXTURE_RUN(BUILD, TEST_CC);
	check_headers();
	FIXTURE_RUN(BUILD "-no-pie", TEST_CC);
	check_headers();
}

TEST(stripped)
{
	struct image whole, stripped;
	struct codectl_unwind_module *expected, *module;
	uint64_t start, end;

	FIXTURE_RUN(BUILD "&& strip -o stripped program", TEST_CC);
	load(&whole, "program");
	load(&stripped, "stripped");
	find_text(&whole.elf, &start, &end);
	expected = create(&whole.elf, NULL);
	module = create(&stripped.elf, NULL);
	check_same(module, expected, start, end);
	codectl_unwind_module_destroy(expected);
	codectl_unwind_module_destroy(module);
	unload(&whole);
	unload(&stripped);
}

TEST(linkers)
{
	static const char *const linkers[] = {"gold", "lld", "mold"};
	unsigned int count = 0;

	for (size_t i = 0; i < sizeof(linkers) / sizeof(linkers[0]); i++) {
		char command[16];

		snprintf(command, sizeof(command), "ld.%s", linkers[i]);
		if (!fixture_has_command(command) ||
			!fixture_try(BUILD "-fuse-ld=%s", TEST_CC, linkers[i]))
			continue;
		check_headers();
		count++;
	}
	if (!count)
		tap_skip("no other linker is installed");
}

TEST(static_programs)
{
	if (!fixture_try(BUILD "-static", TEST_CC))
		tap_skip("there are no static libraries");
	check_headers();
	if (fixture_try(BUILD "-static-pie", TEST_CC))
		check_headers();
}

/* With both sections, either gives the same rules. */
TEST(debug_frame_says_the_same)
{
	struct image whole, bare;
	struct codectl_unwind_module *eh_frame, *debug_frame;
	uint64_t start, end;

	FIXTURE_RUN(BUILD "-DBOTH_SECTIONS", TEST_CC);
	load(&whole, "program");
	load(&bare, "program");
	drop_hdr(&bare);
	hide_section(&bare, ".eh_frame");
	eh_frame = create(&whole.elf, NULL);
	debug_frame = create(&bare.elf, NULL);
	check_frame(eh_frame, CODECTL_FRAME_VIA_EH_FRAME);
	check_frame(debug_frame, CODECTL_FRAME_VIA_DEBUG_FRAME);
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = {"variable", "fixed", "main"};

		start = address_of(names[i]);
		end = start + 16;
		for (uint64_t vaddr = start; vaddr < end; vaddr++)
			CHECK_HEX(codectl_rule_with_origin(
					  codectl_unwind_module_find_rule(debug_frame, vaddr), 0)
					  .bits,
				codectl_rule_with_origin(
					codectl_unwind_module_find_rule(eh_frame, vaddr), 0)
					.bits);
	}
	codectl_unwind_module_destroy(eh_frame);
	codectl_unwind_module_destroy(debug_frame);
	unload(&whole);
	unload(&bare);
}

#define DEBUG_FRAME_ONLY "-fno-asynchronous-unwind-tables -fno-unwind-tables"

TEST(debug_frame_alone)
{
	struct image image;
	struct codectl_unwind_module *module;

	FIXTURE_RUN(BUILD DEBUG_FRAME_ONLY, TEST_CC);
	load(&image, "program");
	module = create(&image.elf, NULL);
	check_frame(module, CODECTL_FRAME_VIA_DEBUG_FRAME);
	codectl_unwind_module_destroy(module);
	unload(&image);
}

/* Opens "stripped" as a trace would name it, with what it links to. */
static struct codectl_object_file *open_stripped(void)
{
	const struct codectl_object_search search = {0};
	const struct codectl_object_identity identity = {
		.pathname = fixture_path("stripped"), .debug_link_pathname = ""};
	enum codectl_object_status status;
	struct codectl_object_file *file;

	CHECK_INT(codectl_object_file_open(&search, &identity, &file, &status), 0);
	return file;
}

/* In a separate debug file, as it is or compressed with @compression. */
static void check_separate(const char *compression)
{
	struct codectl_unwind_files files = {.own = NULL};
	struct codectl_object_file *file;
	struct codectl_unwind_module *module;
	bool is_compressed = *compression;

	FIXTURE_RUN("rm -f stripped && objcopy --only-keep-debug %s program program.debug && "
		    "objcopy --strip-all --add-gnu-debuglink=program.debug program stripped",
		compression);
	file = open_stripped();
	files.own = codectl_object_file_borrow_elf(file);
	files.debug = codectl_object_file_borrow_debug_elf(file);
	CHECK(files.own && files.debug);
	CHECK_INT(codectl_object_file_unpack(file, ".debug_frame", &files.debug_frame),
		is_compressed ? 0 : -ENOENT);
	CHECK_INT(codectl_unwind_module_create_from(&files, &module), 0);
	check_frame(module, CODECTL_FRAME_VIA_DEBUG_FRAME);
	codectl_unwind_module_destroy(module);
	/* Also if that is all there is. */
	files.own = NULL;
	CHECK_INT(codectl_unwind_module_create_from(&files, &module), 0);
	check_frame(module, CODECTL_FRAME_VIA_DEBUG_FRAME);
	codectl_unwind_module_destroy(module);
	/* A compressed section that nobody unpacks is no source. */
	files.debug_frame = (struct codectl_elf_range){.bytes = NULL};
	if (is_compressed && codectl_unwind_module_create_from(&files, &module) == 0) {
		struct codectl_unwind_module_cfi cfi;

		CHECK_INT(
			codectl_unwind_module_find_cfi(module, address_of("fixed"), &cfi), -ENOENT);
		codectl_unwind_module_destroy(module);
	}
	codectl_object_file_close(file);
}

TEST(separate_debug_file)
{
	FIXTURE_RUN(BUILD DEBUG_FRAME_ONLY, TEST_CC);
	check_separate("");
	if (!fixture_try("objcopy --compress-debug-sections=zlib program compressed && "
			 "readelf -SW compressed | grep -q 'debug_frame.* C '"))
		tap_skip("objcopy does not compress");
	check_separate("--compress-debug-sections=zlib");
}

/* A file whose .debug_frame is compressed and damaged: it is as if there were none. */
TEST(damaged_compression)
{
	struct image image;
	struct codectl_elf_section section;

	FIXTURE_RUN(BUILD DEBUG_FRAME_ONLY " -Wl,--compress-debug-sections=zlib", TEST_CC);
	for (size_t place = 0; place < 48; place++) {
		struct codectl_elf_range range = {.bytes = NULL};
		struct codectl_object_file *file;

		load(&image, "program");
		CHECK_INT(codectl_elf_find_section(&image.elf, ".debug_frame", &section), 0);
		CHECK(section.flags & SHF_COMPRESSED);
		image.bytes[section.offset + place] ^= 0xff;
		fixture_write("stripped", image.bytes, image.len);
		file = open_stripped();
		/* Of the header, some bits mean nothing. */
		if (codectl_object_file_unpack(file, ".debug_frame", &range) == 0)
			CHECK(range.bytes && range.len < 4096);
		else
			CHECK(!range.bytes);
		codectl_object_file_close(file);
		unload(&image);
	}
}
