/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * .sframe in a module: how it is found, what it answers, beside CFI and alone,
 * and walks by it.
 */
#include "lib/sframe-writer.h"
#include "lib/stack-world.h"
#include "lib/tap.h"

#include <errno.h>
#include <stdlib.h>

/* An ELF file with .sframe behind what struct cfi_image has. */
struct image {
	struct cfi_image cfi;
	Elf64_Phdr segments[4];
	Elf64_Shdr sections[4];
	char names[32];
	uint8_t sframe[4096];
};

/* Puts .sframe into @image, which has section headers or not. Its code is not in it. */
static void make_image(struct image *image, struct cfi_writer *cfi, struct sframe_writer *writer,
	bool has_sections)
{
	struct cfi_image *head = &image->cfi;

	memset(image, 0, sizeof(*image));
	sframe_finish(writer);
	memcpy(image->sframe, writer->bytes, writer->len);
	cfi_image_make(head, cfi, has_sections, false);
	memcpy(image->segments, head->segments, sizeof(head->segments));
	/* So that there may be functions below the code. */
	image->segments[0].p_vaddr = 0x800;
	image->segments[2] = (Elf64_Phdr){.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_offset = offsetof(struct image, sframe),
		.p_vaddr = writer->vaddr,
		/* Something else follows the section. */
		.p_filesz = writer->len + 16,
		.p_memsz = writer->len + 16};
	image->segments[3] = image->segments[2];
	image->segments[3].p_type = CODECTL_PT_GNU_SFRAME;
	head->header.e_phoff = offsetof(struct image, segments);
	head->header.e_phnum = 4;
	if (!has_sections)
		return;
	memcpy(image->sections, head->sections, sizeof(head->sections));
	memcpy(image->names, head->names, sizeof(head->names));
	image->sections[1].sh_offset = offsetof(struct image, names);
	image->sections[1].sh_size = sizeof(image->names);
	memcpy(image->names + 23, ".sframe", 8);
	image->sections[3] = (Elf64_Shdr){.sh_name = 23,
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC,
		.sh_addr = writer->vaddr,
		.sh_offset = offsetof(struct image, sframe),
		.sh_size = writer->len};
	head->header.e_shoff = offsetof(struct image, sections);
	head->header.e_shnum = 4;
}

static int try_create(const struct image *image, enum codectl_unwind_mode mode,
	struct codectl_unwind_module **module)
{
	struct codectl_unwind_files files = {.mode = mode};
	struct codectl_elf elf;

	CHECK_INT(codectl_elf_init(&elf, image, sizeof(*image)), 0);
	files.own = &elf;
	return codectl_unwind_module_create_from(&files, module);
}

static struct codectl_unwind_module *create(
	const struct image *image, enum codectl_unwind_mode mode)
{
	struct codectl_unwind_module *module;

	CHECK_INT(try_create(image, mode, &module), 0);
	return module;
}

static int kind_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_kind(codectl_unwind_module_find_rule(module, vaddr));
}

static int cfa_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_cfa(codectl_unwind_module_find_rule(module, vaddr));
}

static int via_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return (int)codectl_rule_origin(codectl_unwind_module_find_rule(module, vaddr));
}

#define SFRAME_AT 0x200000

/* Functions in the order of the list, although the header says that they are sorted. */
static void write_functions(struct sframe_writer *writer, uint8_t version)
{
	sframe_writer_init(writer, version, CODECTL_SFRAME_AMD64, SFRAME_SORTED);
	writer->vaddr = SFRAME_AT;
	sframe_begin_fde(writer, 0x1200, 0x80, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 24);
	sframe_begin_fde(writer, 0x1000, 0x100, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
	SFRAME_ROW(writer, 0x10, SFRAME_SP, 16);
	/* It goes on into the one that is first. */
	sframe_begin_fde(writer, 0x1180, 0x100, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 32);
	SFRAME_ROW(writer, 0x90, SFRAME_SP, 40);
	/* Malformed. */
	sframe_begin_fde(writer, 0x1300, 0x80, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
	SFRAME_ROW(writer, 0, SFRAME_SP, 16);
	/* Out of reach. */
	sframe_begin_fde(writer, 0x10, 0x80, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, 8);
}

/* A writer of .eh_frame without FDEs. */
static void write_no_cfi(struct cfi_writer *cfi)
{
	cfi_writer_init(cfi);
	cfi_add_usual_cie(cfi);
}

TEST(functions_and_gaps)
{
	struct image *image = malloc(sizeof(*image));
	struct sframe_writer writer;
	struct cfi_writer cfi;

	CHECK(image);
	for (int way = 0; way < 6; way++) {
		const struct codectl_unwind_module_stats *stats;
		struct codectl_unwind_module *module;

		write_no_cfi(&cfi);
		write_functions(&writer, (uint8_t)(1 + way / 2));
		make_image(image, &cfi, &writer, way % 2);
		module = create(image, CODECTL_UNWIND_SFRAME);
		stats = codectl_unwind_module_borrow_stats(module);
		CHECK_INT(stats->fdes, 4);
		/* Nothing has been looked up. */
		CHECK_INT(stats->rows, 0);
		CHECK_INT(cfa_at(module, 0x1000), 8);
		CHECK_INT(via_at(module, 0x1000), CODECTL_FRAME_VIA_SFRAME);
		CHECK_INT(cfa_at(module, 0x100f), 8);
		CHECK_INT(cfa_at(module, 0x10ff), 16);
		CHECK_INT(kind_at(module, 0x1100), CODECTL_RULE_NONE);
		CHECK_INT(cfa_at(module, 0x11ff), 32);
		CHECK_INT(cfa_at(module, 0x1200), 24);
		CHECK_INT(cfa_at(module, 0x127f), 24);
		CHECK_INT(kind_at(module, 0x1280), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0x1300), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0x1380), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0xfff), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, UINT32_MAX), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, UINT64_MAX), CODECTL_RULE_NONE);
		stats = codectl_unwind_module_borrow_stats(module);
		CHECK_INT(stats->fdes, 4);
		CHECK_INT(stats->bad_fdes, 2);
		CHECK(stats->rows > 0);
		codectl_unwind_module_destroy(module);
	}
	free(image);
}

/* CFI is asked first, and SFrame where it knows nothing; or one of them alone. */
TEST(order_of_sources)
{
	struct image *image = malloc(sizeof(*image));
	struct codectl_unwind_module_cfi found;
	struct codectl_unwind_module *module;
	struct sframe_writer writer;
	struct cfi_writer cfi;

	CHECK(image);
	cfi_writer_init(&cfi);
	cfi_add_usual_cie(&cfi);
	cfi_begin_fde(&cfi, 0x1000, 0x80);
	CFI(&cfi, 0x0e, 48); /* DW_CFA_def_cfa_offset. */
	cfi_end(&cfi);
	write_functions(&writer, 2);
	make_image(image, &cfi, &writer, true);
	module = create(image, CODECTL_UNWIND_AUTO);
	CHECK_INT(cfa_at(module, 0x1000), 48);
	CHECK_INT(via_at(module, 0x1000), CODECTL_FRAME_VIA_EH_FRAME);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1000, &found), 0);
	CHECK_INT(found.via, CODECTL_FRAME_VIA_EH_FRAME);
	CHECK_INT(cfa_at(module, 0x1080), 16);
	CHECK_INT(via_at(module, 0x1080), CODECTL_FRAME_VIA_SFRAME);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1080, &found), 0);
	CHECK_INT(found.via, CODECTL_FRAME_VIA_SFRAME);
	CHECK_INT(found.rules.cfa_offset, 16);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1100, &found), -ENOENT);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1300, &found), -ENOENT);
	codectl_unwind_module_destroy(module);
	module = create(image, CODECTL_UNWIND_EH_FRAME);
	CHECK_INT(kind_at(module, 0x1080), CODECTL_RULE_NONE);
	codectl_unwind_module_destroy(module);
	module = create(image, CODECTL_UNWIND_SFRAME);
	CHECK_INT(cfa_at(module, 0x1000), 8);
	codectl_unwind_module_destroy(module);
	free(image);
}

/* Sections that are not what they should be are as good as none. */
TEST(sections_refused)
{
	struct image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *module;
	struct sframe_writer writer;
	struct cfi_writer cfi;

	CHECK(image);
	write_no_cfi(&cfi);
	write_functions(&writer, 2);
	writer.abi = CODECTL_SFRAME_AARCH64_LE;
	make_image(image, &cfi, &writer, true);
	CHECK_INT(try_create(image, CODECTL_UNWIND_SFRAME, &module), -ENOENT);
	write_functions(&writer, 2);
	writer.flags = 0x80;
	make_image(image, &cfi, &writer, true);
	CHECK_INT(try_create(image, CODECTL_UNWIND_AUTO, &module), -ENOENT);
	/* No functions, and none that can be used. */
	sframe_writer_init(&writer, 2, CODECTL_SFRAME_AMD64, 0);
	writer.vaddr = SFRAME_AT;
	make_image(image, &cfi, &writer, true);
	CHECK_INT(try_create(image, CODECTL_UNWIND_SFRAME, &module), -ENOENT);
	sframe_begin_fde(&writer, 0x10, 0x80, 0);
	make_image(image, &cfi, &writer, true);
	CHECK_INT(try_create(image, CODECTL_UNWIND_SFRAME, &module), -ENOENT);
	/* Without its contents, as in a debug file. */
	write_functions(&writer, 2);
	make_image(image, &cfi, &writer, true);
	image->sections[3].sh_type = SHT_NOBITS;
	image->segments[3].p_type = PT_NULL;
	CHECK_INT(try_create(image, CODECTL_UNWIND_SFRAME, &module), -ENOENT);
	/* By its type. */
	image->sections[3].sh_type = CODECTL_SHT_GNU_SFRAME;
	image->sections[3].sh_name = 0;
	module = create(image, CODECTL_UNWIND_SFRAME);
	CHECK_INT(cfa_at(module, 0x1000), 8);
	codectl_unwind_module_destroy(module);
	free(image);
}

/* More repeated blocks than there is room for are dropped, and nothing else. */
TEST(too_many_rows)
{
	struct codectl_unwind_module_cfi found;
	struct image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *module;
	struct sframe_writer writer;
	struct cfi_writer cfi;

	CHECK(image);
	write_no_cfi(&cfi);
	sframe_writer_init(&writer, 2, CODECTL_SFRAME_AMD64, SFRAME_SORTED);
	writer.vaddr = SFRAME_AT;
	for (uint32_t i = 0; i < 16; i++) {
		sframe_begin_fde(&writer, 0x10000 + i * 0x10000, 0xffc, SFRAME_BLOCKS)->block = 2;
		SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
		SFRAME_ROW(&writer, 1, SFRAME_SP, 24);
	}
	sframe_begin_fde(&writer, 0x150000, 0x1000, 0);
	SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
	make_image(image, &cfi, &writer, true);
	module = create(image, CODECTL_UNWIND_SFRAME);
	CHECK_INT(cfa_at(module, 0x10001), 24);
	CHECK_INT(cfa_at(module, 0x20ffb), 24);
	CHECK_INT(kind_at(module, 0x20ffc), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, 0x100001), CODECTL_RULE_NONE);
	CHECK_INT(cfa_at(module, 0x150fff), 8);
	/* And for both walks. */
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x10001, &found), 0);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x100001, &found), -ENOENT);
	CHECK_INT(codectl_unwind_module_find_cfi(module, 0x150fff, &found), 0);
	CHECK(codectl_unwind_module_borrow_stats(module)->bad_fdes > 4);
	codectl_unwind_module_destroy(module);
	free(image);
}

/* Walks the world's stack by @writer's functions instead of its own. */
static void walk(struct world *world, struct sframe_writer *writer, const struct image *image)
{
	struct codectl_unwind_module *own = world->module;
	struct cfi_writer cfi;

	write_no_cfi(&cfi);
	writer->vaddr = SFRAME_AT;
	make_image((struct image *)image, &cfi, writer, true);
	world->module = create(image, CODECTL_UNWIND_SFRAME);
	/* What was asked before was another world. */
	world->ops.generation++;
	world_unwind(world);
	codectl_unwind_module_destroy(world->module);
	world->module = own;
}

/* CFA = *(rbp - 8), as in functions that realign their stack. */
static void add_realigned(struct sframe_writer *writer, uint64_t start)
{
	sframe_begin_fde(writer, start, 0x100, 0)->is_flexible = true;
	SFRAME_ROW(writer, 0, SFRAME_SP, AT_REG(6), -8, 0, AT_REG(6), 0);
}

/* CFA = rbx + 16. */
static void add_by_rbx(struct sframe_writer *writer, uint64_t start)
{
	sframe_begin_fde(writer, start, 0x100, 0)->is_flexible = true;
	SFRAME_ROW(writer, 0, SFRAME_SP, REG(3), 16);
}

static void add_plain(struct sframe_writer *writer, uint64_t start, int32_t cfa)
{
	sframe_begin_fde(writer, start, 0x100, 0);
	SFRAME_ROW(writer, 0, SFRAME_SP, cfa);
}

TEST(fast_walk)
{
	struct image *image = malloc(sizeof(*image));
	struct world *world = world_create();
	struct sframe_writer writer;

	CHECK(image);
	sframe_writer_init(&writer, 3, CODECTL_SFRAME_AMD64, SFRAME_SORTED | SFRAME_START_PCREL);
	add_plain(&writer, LEAF, 8);
	add_realigned(&writer, REALIGNED);
	sframe_begin_fde(&writer, START, 0x100, 0);
	sframe_add_row(&writer, 0, SFRAME_SP, NULL, 0);
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world->regs[CODECTL_AMD64_RBP] = world_slot(4);
	world_put(world, 0, AT(REALIGNED + 5));
	world_put(world, 3, world_slot(8));
	world_put(world, 4, 0);
	world_put(world, 7, AT(START + 5));
	walk(world, &writer, image);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(REALIGNED + 5), AT(START + 5));
	CHECK_INT(world->frames[1].via, CODECTL_FRAME_VIA_SFRAME);
	CHECK_INT(world_slow_samples(world), 0);
	world_destroy(world);
	free(image);
}

/* Other registers are known in the topmost frame, and then no more. */
TEST(slow_walk)
{
	struct image *image = malloc(sizeof(*image));
	struct world *world = world_create();
	struct sframe_writer writer;

	CHECK(image);
	sframe_writer_init(&writer, 3, CODECTL_SFRAME_AMD64, SFRAME_SORTED | SFRAME_START_PCREL);
	add_plain(&writer, LEAF, 8);
	add_realigned(&writer, REALIGNED);
	add_by_rbx(&writer, BY_RBX);
	sframe_begin_fde(&writer, START, 0x100, 0);
	sframe_add_row(&writer, 0, SFRAME_SP, NULL, 0);
	world->regs[CODECTL_AMD64_RIP] = AT(BY_RBX);
	world->regs[CODECTL_AMD64_RBX] = world_slot(1);
	world->regs[CODECTL_AMD64_RBP] = world_slot(6);
	world_put(world, 2, AT(REALIGNED + 5));
	world_put(world, 5, world_slot(10));
	world_put(world, 6, 0);
	world_put(world, 9, AT(START + 5));
	walk(world, &writer, image);
	CHECK_CHAIN(
		world, CODECTL_STACK_END_OUTERMOST, AT(BY_RBX), AT(REALIGNED + 5), AT(START + 5));
	CHECK_INT(world->frames[2].via, CODECTL_FRAME_VIA_SFRAME);
	CHECK_INT(world_slow_samples(world), 1);
	/* rbx of the caller of a leaf may be anything. */
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(BY_RBX + 5));
	walk(world, &writer, image);
	CHECK_CHAIN(world, CODECTL_STACK_END_TRUNCATED, AT(LEAF), AT(BY_RBX + 5));
	world_destroy(world);
	free(image);
}

/* A signal's frame: CFA, RA and FP from SP, and the interrupted pc is exact. */
TEST(signal_frame)
{
	struct image *image = malloc(sizeof(*image));
	struct world *world = world_create();
	struct sframe_writer writer;

	CHECK(image);
	sframe_writer_init(&writer, 3, CODECTL_SFRAME_AMD64, SFRAME_SORTED);
	add_plain(&writer, LEAF, 8);
	sframe_begin_fde(&writer, START, 0x100, 0);
	sframe_add_row(&writer, 0, SFRAME_SP, NULL, 0);
	sframe_begin_fde(&writer, TRAMPOLINE, 0x100, SFRAME_SIGNAL)->is_flexible = true;
	SFRAME_ROW(&writer, 0, SFRAME_SP, AT_REG(7), 16, AT_REG(7), 24, AT_REG(7), 8);
	world->regs[CODECTL_AMD64_RIP] = AT(LEAF);
	world_put(world, 0, AT(TRAMPOLINE + 1));
	/* The handler has returned here: SP is word 1. */
	world_put(world, 2, 0);
	world_put(world, 3, world_slot(10));
	/* The first instruction of a function. */
	world_put(world, 4, AT(LEAF));
	world_put(world, 10, AT(START + 5));
	walk(world, &writer, image);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(LEAF), AT(TRAMPOLINE + 1), AT(LEAF),
		AT(START + 5));
	CHECK(world->frames[2].is_exact);
	CHECK(!world->frames[3].is_exact);
	world_destroy(world);
	free(image);
}

/* Where a process begins: early versions have a plain rule there, but know where it ends. */
TEST(entry)
{
	struct image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *module;
	struct sframe_writer writer;
	struct cfi_writer cfi;

	CHECK(image);
	write_no_cfi(&cfi);
	sframe_writer_init(&writer, 1, CODECTL_SFRAME_AMD64, SFRAME_SORTED);
	writer.vaddr = SFRAME_AT;
	sframe_begin_fde(&writer, 0x1000, 0x22, 0);
	SFRAME_ROW(&writer, 0, SFRAME_SP, 8);
	add_plain(&writer, 0x1100, 32);
	make_image(image, &cfi, &writer, true);
	image->cfi.header.e_entry = 0x1000;
	module = create(image, CODECTL_UNWIND_AUTO);
	CHECK_INT(kind_at(module, 0x1000), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(module, 0x1021), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(module, 0x1022), CODECTL_RULE_NONE);
	CHECK_INT(cfa_at(module, 0x1100), 32);
	codectl_unwind_module_destroy(module);
	/* Code of which nothing is known ends at the next function at the latest. */
	image->cfi.header.e_entry = 0x10e0;
	module = create(image, CODECTL_UNWIND_AUTO);
	CHECK_INT(cfa_at(module, 0x1000), 8);
	CHECK_INT(kind_at(module, 0x10df), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, 0x10ff), CODECTL_RULE_OUTERMOST);
	CHECK_INT(cfa_at(module, 0x1100), 32);
	codectl_unwind_module_destroy(module);
	free(image);
}
