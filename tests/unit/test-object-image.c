/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Images of what is loaded here, against the files.
 */
#include "lib/tap.h"

#include "format/eh-frame.h"
#include "format/elf.h"
#include "provider/helper.h"
#include "sampler/object-image.h"
#include "sampler/original.h"
#include "symbolize/symbol-table.h"
#include "unwind/module.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An object that is loaded, and what is in its file. */
struct loaded {
	const char *wanted; /* A part of its name; "" is the program. */
	struct codectl_event_register_elf elf;
	char path[PATH_MAX];
	uint8_t *bytes;
	size_t len;
	struct codectl_elf file;
};

static int describe(struct dl_phdr_info *info, size_t size, void *user)
{
	struct loaded *loaded = user;
	struct codectl_event_register_elf *elf = &loaded->elf;

	(void)size;
	if (*loaded->wanted ? !strstr(info->dlpi_name, loaded->wanted) : *info->dlpi_name)
		return 0;
	CHECK(realpath(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe", loaded->path));
	elf->elf_start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		if (start < elf->elf_start)
			elf->elf_start = start;
		if (start + segment->p_memsz > elf->elf_end)
			elf->elf_end = start + segment->p_memsz;
		if (segment->p_flags & PF_X) {
			elf->text_start = start;
			elf->text_end = start + segment->p_memsz;
		}
	}
	elf->pathname = loaded->path;
	return 1;
}

static void load(struct loaded *loaded, const char *wanted)
{
	struct stat status;

	memset(loaded, 0, sizeof(*loaded));
	loaded->wanted = wanted;
	CHECK_INT(dl_iterate_phdr(describe, loaded), 1);

	int fd = open(loaded->path, O_RDONLY);

	CHECK(fd >= 0 && fstat(fd, &status) == 0);
	loaded->len = (size_t)status.st_size;
	loaded->bytes = malloc(loaded->len);
	CHECK_INT(read(fd, loaded->bytes, loaded->len), loaded->len);
	close(fd);
	CHECK_INT(codectl_elf_init(&loaded->file, loaded->bytes, loaded->len), 0);
}

static void unload(struct loaded *loaded)
{
	free(loaded->bytes);
}

/* All of the image, read in parts. */
static uint8_t *read_image(const struct codectl_object_image *image)
{
	const size_t part = 4096 + 8;
	uint8_t *bytes = malloc(image->skeleton.len);

	CHECK(bytes != NULL);
	CHECK_INT(image->skeleton.len % 8, 0);
	for (uint64_t at = 0; at < image->skeleton.len; at += part) {
		uint64_t left = image->skeleton.len - at;

		CHECK_INT(
			codectl_object_image_read(image, at, bytes + at, left < part ? left : part),
			0);
	}
	return bytes;
}

/* Every function has the same rule at its start and end. */
static void check_rules(const struct codectl_elf *file, const struct codectl_elf *image)
{
	struct codectl_unwind_module *file_module, *image_module;
	struct codectl_elf_segment segment;
	struct codectl_eh_frame_hdr hdr;
	struct codectl_elf_range range;
	size_t count = 0;

	CHECK_INT(codectl_unwind_module_create(file, &file_module), 0);
	CHECK_INT(codectl_unwind_module_create(image, &image_module), 0);
	CHECK_INT(codectl_elf_find_segment(file, PT_GNU_EH_FRAME, &segment), 0);
	CHECK_INT(codectl_elf_vaddr_range(file, segment.vaddr, &range), 0);
	CHECK_INT(codectl_eh_frame_hdr_init(&hdr, range.bytes, range.len, range.vaddr), 0);
	for (size_t i = 0; i < hdr.count; i++) {
		uint64_t start, fde;

		codectl_eh_frame_hdr_entry(&hdr, i, &start, &fde);
		for (uint64_t at = start > 0 ? start - 1 : 0; at < start + 20; at++) {
			struct codectl_rule one = codectl_unwind_module_find_rule(file_module, at);
			struct codectl_rule other = codectl_unwind_module_find_rule(
				image_module, at);

			CHECK_INT(memcmp(&one, &other, sizeof(one)), 0);
		}
		count++;
	}
	CHECK(count > 3);
	codectl_unwind_module_destroy(file_module);
	codectl_unwind_module_destroy(image_module);
}

static void check_tables(
	const struct codectl_symbol_table *one, const struct codectl_symbol_table *other)
{
	CHECK_INT(one->count, other->count);
	CHECK(one->count > 1);
	for (size_t i = 0; i < one->count; i++) {
		Elf64_Sym one_symbol, other_symbol;
		const char *one_name, *other_name;

		codectl_symbol_table_get(one, i, &one_symbol, &one_name);
		codectl_symbol_table_get(other, i, &other_symbol, &other_name);
		CHECK_INT(memcmp(&one_symbol, &other_symbol, sizeof(one_symbol)), 0);
		CHECK_STR(one_name, other_name);
	}
}

static void check_symbols(const struct codectl_elf *file, const struct codectl_elf *image)
{
	struct codectl_symbol_table one, other;

	CHECK_INT(codectl_symbol_table_find_dynamic(file, &one), 0);
	CHECK_INT(codectl_symbol_table_find_dynamic(image, &other), 0);
	check_tables(&one, &other);
}

static void check_image(const struct loaded *loaded)
{
	static struct codectl_object_image image;
	uint64_t file_start, file_end, image_start, image_end;
	const uint8_t *file_id, *image_id;
	size_t file_id_len, image_id_len;
	struct codectl_elf_range range;
	struct codectl_elf elf;

	CHECK_INT(codectl_object_image_open(&image, &loaded->elf), 0);

	uint8_t *bytes = read_image(&image);

	CHECK_INT(codectl_elf_init(&elf, bytes, image.skeleton.len), 0);
	CHECK_INT(elf.type, loaded->file.type);
	CHECK_INT(codectl_elf_load_span(&loaded->file, &file_start, &file_end), 0);
	CHECK_INT(codectl_elf_load_span(&elf, &image_start, &image_end), 0);
	CHECK_HEX(image_start, file_start);
	CHECK_HEX(image_end, file_end);
	if (codectl_elf_build_id(&loaded->file, &file_id, &file_id_len) == 0) {
		CHECK_INT(codectl_elf_build_id(&elf, &image_id, &image_id_len), 0);
		CHECK_INT(image_id_len, file_id_len);
		CHECK_INT(memcmp(image_id, file_id, file_id_len), 0);
	}
	/* Code that is not there is not read as if it were. */
	CHECK_INT(codectl_elf_code_range(
			  &elf, loaded->elf.text_start - loaded->elf.elf_start, &range),
		-ENOENT);
	check_rules(&loaded->file, &elf);
	check_symbols(&loaded->file, &elf);
	codectl_object_image_close(&image);
	free(bytes);
}

TEST(the_c_library)
{
	struct loaded loaded;

	load(&loaded, "/libc.so");
	check_image(&loaded);
	unload(&loaded);
}

TEST(the_dynamic_loader)
{
	struct loaded loaded;

	load(&loaded, "/ld-linux");
	check_image(&loaded);
	unload(&loaded);
}

/* Its file is always to be had, and with it the symbols that are not mapped. */
TEST(the_program_with_all_symbols)
{
	static struct codectl_object_image image;
	struct codectl_symbol_table one, other;
	struct codectl_elf elf;
	struct loaded loaded;

	load(&loaded, "");
	check_image(&loaded);
	CHECK_INT(codectl_object_image_open(&image, &loaded.elf), 0);

	uint8_t *bytes = read_image(&image);

	CHECK_INT(codectl_elf_init(&elf, bytes, image.skeleton.len), 0);
	CHECK_INT(codectl_symbol_table_find_static(&loaded.file, &one), 0);
	CHECK_INT(codectl_symbol_table_find_static(&elf, &other), 0);
	check_tables(&one, &other);
	codectl_object_image_close(&image);
	free(bytes);
	unload(&loaded);
}

TEST(what_is_not_there)
{
	static struct codectl_object_image image;
	struct codectl_event_register_elf elf = {.pathname = "/nowhere"};
	uint64_t number;

	CHECK_INT(codectl_object_image_open(&image, &elf), -ENOENT);
	elf.elf_start = 0x1000;
	elf.elf_end = 0x2000;
	CHECK_INT(codectl_object_image_open(&image, &elf), -ENOENT);
	/* Unmapped after it was opened. */
	image.skeleton.pieces[0] = (struct codectl_skeleton_piece){
		.type = SHT_PROGBITS, .size = 64, .source = 0x1000};
	image.skeleton.piece_count = 1;
	CHECK_INT(codectl_object_image_read(&image, 8, &number, sizeof(number)), -EFAULT);
}

/* A header at the end of a page, with numbers that lead anywhere. */
TEST(headers_that_make_no_sense)
{
	static struct codectl_object_image image;
	uint8_t *page = mmap(
		NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct loaded loaded;
	uint64_t state = 1;

	CHECK(page != MAP_FAILED && munmap(page + 4096, 4096) == 0);
	load(&loaded, "/ld-linux");

	struct codectl_event_register_elf elf = {
		.elf_start = (uintptr_t)page,
		.elf_end = (uintptr_t)page + 4096,
		.text_start = (uintptr_t)page,
		.text_end = (uintptr_t)page + 4096,
		.pathname = "/nowhere",
	};

	for (int round = 0; round < 3000; round++) {
		memcpy(page, loaded.bytes, 4096);
		for (int i = 0; i < 1 + round % 40; i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			page[(state >> 33) % 1200 + 16] = (uint8_t)(state >> 50);
		}
		if (codectl_object_image_open(&image, &elf) == 0) {
			uint8_t bytes[512];

			for (uint64_t at = 0; at < image.skeleton.len && at < 65536; at += 512) {
				if (codectl_object_image_read(&image, at, bytes, sizeof(bytes)))
					break;
			}
			codectl_object_image_close(&image);
		}
	}
	munmap(page, 4096);
	unload(&loaded);
}

static void write_file(const char *path, const uint8_t *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0);
	CHECK_INT(write(fd, bytes, len), len);
	close(fd);
}

TEST(files_that_are_the_original)
{
	struct codectl_original_stamp stamp, other;
	char path[] = "/tmp/codectl-original.XXXXXX";
	struct loaded loaded;
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	load(&loaded, "/libc.so");
	CHECK_INT(codectl_original_look(&loaded.elf, &stamp), CODECTL_ORIGINAL_IN_PLACE);
	CHECK(!codectl_original_has_changed(loaded.path, &stamp));
	CHECK(codectl_original_has_changed(path, &stamp));
	/* A copy is as good, if it has a build-id. */
	CHECK_INT(
		codectl_elf_build_id(&loaded.file, &loaded.elf.build_id, &loaded.elf.build_id_len),
		0);
	loaded.elf.pathname = path;
	write_file(path, loaded.bytes, loaded.len);
	CHECK_INT(codectl_original_look(&loaded.elf, &stamp), CODECTL_ORIGINAL_IN_PLACE);
	loaded.elf.build_id_len = 0;
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	/* Another build; a part of it; nothing. */
	loaded.bytes[1000] ^= 1;
	write_file(path, loaded.bytes, loaded.len);
	CHECK(codectl_original_has_changed(path, &stamp));
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	write_file(path, loaded.bytes, 100);
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	write_file(path, loaded.bytes, 0);
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	unlink(path);
	CHECK(codectl_original_has_changed(path, &stamp));
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	loaded.elf.pathname = "/tmp";
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	loaded.elf.pathname = "";
	CHECK_INT(codectl_original_look(&loaded.elf, &other), CODECTL_ORIGINAL_GONE);
	unload(&loaded);
}
