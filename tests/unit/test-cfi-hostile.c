/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * CFI that no assembler writes, in a module: what is unsound is unsound for both
 * walks, and no file makes compiling take much longer than its length.
 */
#include "lib/cfi-writer.h"
#include "lib/tap.h"

#include "format/dwarf-constants.h"
#include "unwind/module.h"

#include <errno.h>
#include <stdlib.h>

struct file {
	struct cfi_writer writer;
	struct cfi_image image;
	struct codectl_unwind_module *module;
};

static struct file *file_create(void)
{
	struct file *file = calloc(1, sizeof(*file));

	CHECK(file);
	cfi_writer_init(&file->writer);
	cfi_add_usual_cie(&file->writer);
	return file;
}

static void make_module(struct file *file)
{
	struct codectl_elf elf;

	CHECK_INT(codectl_elf_init(&elf, &file->image, sizeof(file->image)), 0);
	CHECK_INT(codectl_unwind_module_create(&elf, &file->module), 0);
}

static void file_destroy(struct file *file)
{
	codectl_unwind_module_destroy(file->module);
	free(file);
}

static int kind_at(const struct file *file, uint64_t vaddr)
{
	return codectl_rule_kind(codectl_unwind_module_find_rule(file->module, vaddr));
}

/* Makes entry @i of the search table, which is the last one. */
static void list_fde(struct file *file, uint32_t i, uint64_t start, size_t offset)
{
	const int32_t entry[] = {(int32_t)(start - CFI_IMAGE_HDR_VADDR),
		(int32_t)(CFI_IMAGE_EH_FRAME_VADDR - CFI_IMAGE_HDR_VADDR + offset)};
	const uint32_t count = i + 1;

	memcpy(file->image.hdr + 8, &count, sizeof(count));
	memcpy(file->image.hdr + 12 + i * sizeof(entry), entry, sizeof(entry));
}

/* Also what is before the place in the program that makes no sense. */
TEST(malformed_further_on)
{
	struct codectl_unwind_module_cfi cfi;
	struct file *file = file_create();

	cfi_begin_fde(&file->writer, 0x1000, 0x100);
	CFI(&file->writer, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 16,
		DW_CFA_advance_loc | 8, DW_CFA_restore_state);
	cfi_end(&file->writer);
	cfi_image_make(&file->image, &file->writer, true, true);
	make_module(file);
	CHECK_INT(kind_at(file, 0x1004), CODECTL_RULE_NONE);
	CHECK_INT(codectl_unwind_module_find_cfi(file->module, 0x1004, &cfi), -ENOENT);
	file_destroy(file);
}

/* The table has an FDE that begins elsewhere. */
TEST(table_lies)
{
	struct codectl_unwind_module_cfi cfi;
	struct file *file = file_create();
	size_t offset = file->writer.len;

	cfi_begin_fde(&file->writer, 0x1000, 0x100);
	cfi_end(&file->writer);
	cfi_image_make(&file->image, &file->writer, true, true);
	list_fde(file, 0, 0x1010, offset);
	make_module(file);
	CHECK_INT(kind_at(file, 0x1020), CODECTL_RULE_NONE);
	CHECK_INT(codectl_unwind_module_find_cfi(file->module, 0x1020, &cfi), -ENOENT);
	file_destroy(file);
}

/* It would be run for each FDE. */
TEST(long_program_of_cie)
{
	struct file *file = file_create();

	cfi_begin_fde(&file->writer, 0x1000, 0x100);
	cfi_end(&file->writer);
	cfi_begin_cie(&file->writer, 1, "R", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	CFI(&file->writer, DW_CFA_def_cfa, CODECTL_AMD64_RSP, 8);
	CFI(&file->writer, DW_CFA_offset | CODECTL_AMD64_RIP, 1);
	for (int i = 0; i < 1024; i++)
		CFI(&file->writer, DW_CFA_nop);
	cfi_end(&file->writer);
	cfi_begin_fde(&file->writer, 0x1100, 0x100);
	cfi_end(&file->writer);
	cfi_image_make(&file->image, &file->writer, true, true);
	make_module(file);
	CHECK_INT(kind_at(file, 0x1000), CODECTL_RULE_SP);
	CHECK_INT(kind_at(file, 0x1100), CODECTL_RULE_NONE);
	file_destroy(file);
}

/* FDEs within the program of another one: all would be run over and over. */
TEST(programs_within_programs)
{
	struct file *file = file_create();
	struct cfi_writer *writer = &file->writer;
	size_t outer = writer->len;
	size_t inner, inner_entry;
	uint32_t len;

	cfi_begin_fde(writer, 0x1000, 0x100);
	CFI(writer, DW_CFA_expression, 3, 0xe8, 0x07);
	inner = writer->len;
	cfi_begin_fde(writer, 0x1100, 0x100);
	inner_entry = writer->entry;
	while (writer->len < inner + 1000)
		CFI(writer, DW_CFA_nop);
	len = (uint32_t)(writer->len - inner_entry - 4);
	memcpy(writer->bytes + inner_entry, &len, sizeof(len));
	writer->entry = outer;
	cfi_end(writer);
	cfi_image_make(&file->image, writer, true, true);
	list_fde(file, 0, 0x1000, outer);
	list_fde(file, 1, 0x1100, inner);
	make_module(file);
	CHECK_INT(codectl_unwind_module_borrow_stats(file->module)->bad_fdes, 1);
	CHECK_INT(kind_at(file, 0x1000), CODECTL_RULE_SP);
	CHECK_INT(kind_at(file, 0x1100), CODECTL_RULE_NONE);
	file_destroy(file);
}

/* One that is listed often is run once. */
TEST(listed_often)
{
	struct file *file = file_create();
	size_t offset = file->writer.len;

	cfi_begin_fde(&file->writer, 0x1000, 0x100);
	for (int i = 0; i < 1000; i++)
		CFI(&file->writer, DW_CFA_nop);
	cfi_end(&file->writer);
	cfi_image_make(&file->image, &file->writer, true, true);
	for (uint32_t i = 0; i < 20; i++)
		list_fde(file, i, 0x1000, offset);
	make_module(file);
	CHECK_INT(codectl_unwind_module_borrow_stats(file->module)->bad_fdes, 0);
	CHECK_INT(kind_at(file, 0x1000), CODECTL_RULE_SP);
	CHECK_INT(kind_at(file, 0x1100), CODECTL_RULE_NONE);
	file_destroy(file);
}
