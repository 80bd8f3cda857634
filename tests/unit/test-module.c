/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Tables of rows: the same answers from each way to find and compile them.
 */
#include "lib/stack-world.h"
#include "lib/tap.h"

#include "format/dwarf-constants.h"
#include "unwind/page-index.h"
#include "unwind/row-table.h"

#include <errno.h>
#include <stdlib.h>

/* The kind of rule at @vaddr. */
static int kind_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_kind(codectl_unwind_module_find_rule(module, vaddr));
}

static int cfa_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_cfa(codectl_unwind_module_find_rule(module, vaddr));
}

static struct codectl_unwind_module *create(const void *image, size_t len)
{
	struct codectl_unwind_module *module;
	struct codectl_elf elf;

	CHECK_INT(codectl_elf_init(&elf, image, len), 0);
	CHECK_INT(codectl_unwind_module_create(&elf, &module), 0);
	return module;
}

TEST(rules_and_gaps)
{
	struct world *world = world_create();
	const struct codectl_unwind_module *module = world->module;

	CHECK_INT(kind_at(module, 0), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, LEAF - 1), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, LEAF), CODECTL_RULE_SP);
	CHECK_INT(cfa_at(module, LEAF + 0x7f), 8);
	CHECK_INT(cfa_at(module, LEAF + 0x80), 64);
	CHECK_INT(cfa_at(module, LEAF + 0xff), 64);
	CHECK_INT(cfa_at(module, FRAMED), 8);
	CHECK_INT(kind_at(module, FP_BASED), CODECTL_RULE_FP);
	CHECK_INT(kind_at(module, PLT), CODECTL_RULE_PLT);
	CHECK_INT(kind_at(module, REALIGNED), CODECTL_RULE_FP_DEREF);
	CHECK_INT(kind_at(module, START), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(module, BY_RBX), CODECTL_RULE_SLOW_REG);
	/* The trampoline's FDE begins a byte before it, within another. */
	CHECK_INT(kind_at(module, TRAMPOLINE - 1), CODECTL_RULE_SLOW_EXPR);
	CHECK(codectl_rule_is_signal(codectl_unwind_module_find_rule(module, TRAMPOLINE)));
	CHECK_INT(kind_at(module, MALFORMED + 0xff), CODECTL_RULE_SLOW_EXPR);
	CHECK_INT(kind_at(module, GAP), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, GAP + 0xff), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, NO_GROWTH), CODECTL_RULE_SP);
	CHECK_INT(kind_at(module, NO_GROWTH + 0x100), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, UINT32_MAX), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(module, UINT64_MAX), CODECTL_RULE_NONE);
	CHECK_INT(codectl_unwind_module_borrow_stats(module)->fdes, 13);
	CHECK_INT(codectl_unwind_module_borrow_stats(module)->bad_fdes, 0);
	world_destroy(world);
}

/* With and without section headers and search table. */
TEST(ways_to_find_it)
{
	struct world *world = world_create();
	struct cfi_image *image = malloc(sizeof(*image));

	CHECK(image);
	for (int way = 0; way < 4; way++) {
		struct codectl_unwind_module *module;

		cfi_image_make(image, &world->writer, way & 1, way & 2);
		module = create(image, sizeof(*image));
		for (uint64_t vaddr = LEAF - 16; vaddr < NO_GROWTH + 0x110; vaddr++) {
			struct codectl_rule expected = codectl_unwind_module_find_rule(
				world->module, vaddr);
			struct codectl_rule rule = codectl_unwind_module_find_rule(module, vaddr);

			CHECK_HEX(rule.bits, expected.bits);
		}
		codectl_unwind_module_destroy(module);
	}
	free(image);
	world_destroy(world);
}

/* Where a process begins there is no caller, even without an FDE. */
TEST(entry_without_fde)
{
	struct world *world = world_create();
	struct codectl_unwind_module *sound = world->module;

	world->image.header.e_entry = GAP + 0xc0;
	world->module = create(&world->image, sizeof(world->image));
	CHECK_INT(kind_at(world->module, GAP + 0xbf), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(world->module, GAP + 0xc0), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(world->module, GAP + 0xff), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(world->module, NO_GROWTH), CODECTL_RULE_SP);
	/* In the slow walk too. */
	world->regs[CODECTL_AMD64_RIP] = AT(RA_IN_RDI);
	world->regs[CODECTL_AMD64_RDI] = AT(GAP + 0xd0);
	world_unwind(world);
	CHECK_CHAIN(world, CODECTL_STACK_END_OUTERMOST, AT(RA_IN_RDI), AT(GAP + 0xd0));
	CHECK_INT(world_slow_samples(world), 1);
	codectl_unwind_module_destroy(world->module);

	/* It ends somewhere, also without a next FDE. */
	world->image.header.e_entry = NO_GROWTH + 0x200;
	world->module = create(&world->image, sizeof(world->image));
	CHECK_INT(kind_at(world->module, NO_GROWTH + 0x1ff), CODECTL_RULE_NONE);
	CHECK_INT(kind_at(world->module, NO_GROWTH + 0x200), CODECTL_RULE_OUTERMOST);
	CHECK_INT(kind_at(world->module, NO_GROWTH + 0x300), CODECTL_RULE_NONE);
	codectl_unwind_module_destroy(world->module);

	/* An FDE knows better. */
	world->image.header.e_entry = LEAF;
	world->module = create(&world->image, sizeof(world->image));
	CHECK_INT(kind_at(world->module, LEAF), CODECTL_RULE_SP);
	codectl_unwind_module_destroy(world->module);
	world->module = sound;
	world_destroy(world);
}

TEST(nothing_to_find)
{
	struct cfi_writer writer;
	struct cfi_image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *module;
	struct codectl_elf elf;

	CHECK(image);
	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_image_make(image, &writer, true, false);
	CHECK_INT(codectl_elf_init(&elf, image, sizeof(*image)), 0);
	CHECK_INT(codectl_unwind_module_create(&elf, &module), -ENOENT);
	CHECK(!module);
	/* A debug file has the section's header only. */
	image->sections[2].sh_type = SHT_NOBITS;
	CHECK_INT(codectl_unwind_module_create(&elf, &module), -ENOENT);
	image->header.e_machine = EM_AARCH64;
	CHECK_INT(codectl_elf_init(&elf, image, sizeof(*image)), 0);
	CHECK_INT(codectl_unwind_module_create(&elf, &module), -EINVAL);
	CHECK(!module);
	free(image);
}

/* A file of two sections with that name: each is a source, and the linker's table is of both. */
TEST(sections_of_the_same_name)
{
	struct {
		struct cfi_image image;
		Elf64_Shdr sections[4];
	} *file = calloc(1, sizeof(*file));
	struct cfi_writer writer;
	struct codectl_unwind_module *module;
	const size_t half = sizeof(file->image.eh_frame) / 2;

	CHECK(file);
	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, 0x1100, 0x100);
	cfi_end(&writer);
	cfi_image_make(&file->image, &writer, true, true);
	memcpy(file->sections, file->image.sections, sizeof(file->image.sections));
	cfi_writer_init(&writer);
	writer.vaddr += half;
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, 0x1000, 0x200);
	CFI(&writer, DW_CFA_def_cfa_offset, 32);
	cfi_end(&writer);
	memcpy(file->image.eh_frame + half, writer.bytes, writer.len);
	file->sections[3] = file->sections[2];
	file->sections[3].sh_addr += half;
	file->sections[3].sh_offset += half;
	file->sections[3].sh_size = writer.len;
	file->image.header.e_shoff = offsetof(__typeof__(*file), sections);
	file->image.header.e_shnum = 4;
	module = create(file, sizeof(*file));
	CHECK_INT(codectl_unwind_module_borrow_stats(module)->fdes, 2);
	CHECK_INT(cfa_at(module, 0x10ff), 32);
	CHECK_INT(cfa_at(module, 0x1100), 8);
	CHECK_INT(cfa_at(module, 0x11ff), 8);
	CHECK_INT(kind_at(module, 0x1200), CODECTL_RULE_NONE);
	CHECK(codectl_unwind_module_has_start(module, 0x1000));
	CHECK(codectl_unwind_module_has_start(module, 0x1100));
	CHECK(!codectl_unwind_module_has_start(module, 0x1200));
	codectl_unwind_module_destroy(module);
	free(file);
}

/* A file moved by prelink since its debug file was made: addresses are its own. */
TEST(debug_file_at_another_address)
{
	struct world *world = world_create();
	struct cfi_image *moved = malloc(sizeof(*moved));
	struct codectl_unwind_module *module;
	struct codectl_unwind_module_cfi cfi;
	struct codectl_elf elf;
	struct codectl_unwind_files files = {.own = &elf, .debug = &world->elf};
	const uint64_t shift = 0x30000000;

	CHECK(moved);
	memcpy(moved, &world->image, sizeof(*moved));
	moved->header.e_shnum = 0;
	moved->header.e_phnum = 2;
	for (size_t i = 0; i < 2; i++)
		moved->segments[i].p_vaddr += shift;
	CHECK_INT(codectl_elf_init(&elf, moved, sizeof(*moved)), 0);
	CHECK_INT(codectl_unwind_module_create_from(&files, &module), 0);
	for (uint64_t vaddr = LEAF - 16; vaddr < NO_GROWTH + 0x110; vaddr++)
		CHECK_HEX(codectl_unwind_module_find_rule(module, vaddr + shift).bits,
			codectl_unwind_module_find_rule(world->module, vaddr).bits);
	CHECK_INT(codectl_unwind_module_find_cfi(module, LEAF + shift, &cfi), 0);
	CHECK_INT(codectl_unwind_module_find_cfi(module, LEAF, &cfi), -ENOENT);
	CHECK(codectl_unwind_module_has_start(module, LEAF + shift));
	CHECK(!codectl_unwind_module_has_start(module, LEAF));
	codectl_unwind_module_destroy(module);
	free(moved);
	world_destroy(world);
}

/* A malformed FDE is counted and leaves a gap; the others hold. */
TEST(malformed_fde)
{
	struct cfi_writer writer;
	struct cfi_image *image = malloc(sizeof(*image));

	CHECK(image);
	for (int has_table = 0; has_table < 2; has_table++) {
		struct codectl_unwind_module_cfi cfi;
		struct codectl_unwind_module *module;

		cfi_writer_init(&writer);
		cfi_add_usual_cie(&writer);
		cfi_begin_fde(&writer, 0x1000, 0x100);
		cfi_end(&writer);
		cfi_begin_fde(&writer, 0x1100, 0x100);
		CFI(&writer, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 16,
			DW_CFA_advance_loc | 8, DW_CFA_restore_state);
		cfi_end(&writer);
		cfi_begin_fde(&writer, 0x1200, 0x100);
		cfi_end(&writer);
		cfi_image_make(image, &writer, true, has_table);
		module = create(image, sizeof(*image));
		CHECK_INT(codectl_unwind_module_borrow_stats(module)->fdes, 3);
		CHECK_INT(codectl_unwind_module_borrow_stats(module)->bad_fdes, 1);
		CHECK_INT(kind_at(module, 0x10ff), CODECTL_RULE_SP);
		CHECK_INT(kind_at(module, 0x1100), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0x11ff), CODECTL_RULE_NONE);
		CHECK_INT(kind_at(module, 0x1200), CODECTL_RULE_SP);
		CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1180, &cfi), -ENOENT);
		CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1280, &cfi), 0);
		CHECK_INT(codectl_unwind_module_find_cfi(module, 0x1300, &cfi), -ENOENT);
		codectl_unwind_module_destroy(module);
	}
	free(image);
}

/* Where FDEs overlap, the one that starts later holds. */
TEST(overlapping_fdes)
{
	struct cfi_writer writer;
	struct cfi_image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *module;

	CHECK(image);
	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, 0x1080, 0x10);
	CFI(&writer, DW_CFA_def_cfa_offset, 32);
	cfi_end(&writer);
	cfi_begin_fde(&writer, 0x1000, 0x100);
	CFI(&writer, DW_CFA_advance_loc1, 0x88, DW_CFA_def_cfa_offset, 16);
	cfi_end(&writer);
	cfi_image_make(image, &writer, true, false);
	module = create(image, sizeof(*image));
	CHECK_INT(cfa_at(module, 0x107f), 8);
	CHECK_INT(cfa_at(module, 0x1080), 32);
	CHECK_INT(cfa_at(module, 0x108f), 32);
	CHECK_INT(kind_at(module, 0x1090), CODECTL_RULE_NONE);
	codectl_unwind_module_destroy(module);
	free(image);
}

#define MANY_FDES 50000
#define FDE_SIZE  24

/* More than is compiled at once: function i has CFA = rsp + 16 + 8 * (i % 1000). */
static uint8_t *make_large_image(size_t *len)
{
	struct cfi_writer writer;
	struct cfi_image head;
	uint8_t *image;

	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_image_make(&head, &writer, true, false);
	*len = offsetof(struct cfi_image, eh_frame) + writer.len + MANY_FDES * FDE_SIZE;
	head.segments[1].p_filesz = head.segments[1].p_memsz = *len - head.segments[1].p_offset;
	head.sections[2].sh_size = *len - offsetof(struct cfi_image, eh_frame);
	image = malloc(*len);
	CHECK(image);
	memcpy(image, &head, offsetof(struct cfi_image, eh_frame) + writer.len);
	for (size_t i = 0; i < MANY_FDES; i++) {
		size_t offset = 24 + i * FDE_SIZE;
		uint32_t back;

		/* One entry at a time, as if it were behind all the others. */
		writer.len = 24;
		writer.vaddr = CFI_IMAGE_EH_FRAME_VADDR;
		cfi_begin_fde(&writer, 0x1000000 + i * 16 - i * FDE_SIZE, 12);
		CFI(&writer, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset);
		cfi_write_uleb128(&writer, 16 + 8 * (i % 1000));
		cfi_end(&writer);
		CHECK_INT(writer.len, 24 + FDE_SIZE);
		/* Its way back to the CIE is longer, and it is at its place. */
		memcpy(image + offsetof(struct cfi_image, eh_frame) + offset, writer.bytes + 24,
			FDE_SIZE);
		back = (uint32_t)(offset + 4);
		memcpy(image + offsetof(struct cfi_image, eh_frame) + offset + 4, &back, 4);
	}
	return image;
}

TEST(compiled_on_demand)
{
	size_t len;
	uint8_t *image = make_large_image(&len);
	struct codectl_unwind_module *module = create(image, len);
	const struct codectl_unwind_module_stats *stats = codectl_unwind_module_borrow_stats(
		module);

	CHECK_INT(stats->fdes, MANY_FDES);
	CHECK_INT(stats->rows, 0);
	CHECK_INT(cfa_at(module, 0x1000000 + 7 * 16 + 1), 16 + 56);
	stats = codectl_unwind_module_borrow_stats(module);
	CHECK_INT(stats->rows, 3);
	CHECK_INT(kind_at(module, 0xffffff), CODECTL_RULE_NONE);
	for (int round = 0; round < 2; round++) {
		for (size_t i = MANY_FDES; i-- > 0;) {
			uint64_t start = 0x1000000 + i * 16;

			CHECK_INT(cfa_at(module, start), 8);
			CHECK_INT(cfa_at(module, start + 11), 16 + 8 * (i % 1000));
			CHECK_INT(kind_at(module, start + 12), CODECTL_RULE_NONE);
		}
	}
	stats = codectl_unwind_module_borrow_stats(module);
	CHECK_INT(stats->rows, 3 * MANY_FDES);
	/* None, CFA = rsp + 8, and a thousand more. */
	CHECK_INT(stats->rules, 1002);
	CHECK_INT(stats->bad_fdes, 0);
	codectl_unwind_module_destroy(module);
	free(image);
}

/* More rules than there are numbers: what is left over becomes slow, not wrong. */
TEST(too_many_rules)
{
	struct codectl_row_table table;

	CHECK_INT(codectl_row_table_init(&table, 4), 0);
	for (int round = 0; round < 2; round++) {
		for (int32_t cfa = 1; cfa < 70000; cfa++) {
			struct codectl_rule rule = codectl_rule_make(
				CODECTL_RULE_SP, cfa, CODECTL_RULE_FP_SAME, 0);
			uint16_t id = codectl_row_table_intern(&table, rule);
			struct codectl_rule found = codectl_row_table_rule(&table, id);

			if (cfa < CODECTL_RULE_ID_OVERFLOW)
				CHECK_HEX(found.bits, rule.bits);
			else
				CHECK(codectl_rule_is_slow(found));
		}
	}
	CHECK_INT(table.rule_count, CODECTL_RULE_ID_OVERFLOW);
	for (uint32_t pc = 0; pc < 4; pc++)
		CHECK_INT(codectl_row_table_append(&table, pc, CODECTL_RULE_ID_OVERFLOW), 0);
	CHECK_INT(codectl_row_table_append(&table, 4, 1), -ENOMEM);
	CHECK_INT(table.slow_count, 4);
	codectl_row_table_fini(&table);
}

/* Below the first value, at each one, around it, and beyond the last one. */
TEST(page_index)
{
	enum { COUNT = 500, STRIDE = 3 };
	uint32_t values[COUNT * STRIDE] = {0};
	struct codectl_column column = {values, STRIDE, COUNT};
	struct codectl_page_index index;

	for (uint32_t gap = 1; gap < 8000000; gap *= 7) {
		/* Values close together, some of them equal, and far apart. */
		for (uint32_t i = 0; i < COUNT; i++)
			values[i * STRIDE] = 1000 + i / 2 * 2 * gap;
		CHECK_INT(codectl_page_index_init(&index, &column), 0);
		CHECK_INT(codectl_page_index_search(&index, &column, 0), 0);
		CHECK_INT(codectl_page_index_search(&index, &column, 999), 0);
		for (uint32_t i = 1; i < COUNT; i += 2) {
			uint32_t value = values[i * STRIDE];

			CHECK_INT(codectl_page_index_search(&index, &column, value), i);
			CHECK_INT(codectl_page_index_search(&index, &column, value + 1), i);
			CHECK_INT(codectl_page_index_search(&index, &column, value - 1),
				i == 1 ? 0 : i - 2);
		}
		CHECK_INT(codectl_page_index_search(&index, &column, UINT32_MAX), COUNT - 1);
		codectl_page_index_fini(&index);
	}
}

/* Each byte of a module set to extremes: look-ups and walks end, within bounds. */
TEST(damaged_modules)
{
	static const uint8_t extremes[] = {0x00, 0x7f, 0x80, 0xff};
	struct world *world = world_create();
	struct cfi_image *image = malloc(sizeof(*image));
	struct codectl_unwind_module *sound = world->module;

	CHECK(image);
	world->regs[CODECTL_AMD64_RBP] = world_slot(10);
	for (size_t i = 0; i < WORDS; i++)
		world_put(world, i, i % 2 ? AT(LEAF + 0x7a * i % 0xd00) : world_slot(i + 3));
	for (size_t place = 0; place < 512 + world->writer.len; place++) {
		for (size_t i = 0; i < sizeof(extremes); i++) {
			struct codectl_elf elf;
			uint8_t *byte;

			cfi_image_make(image, &world->writer, true, true);
			byte = place < 512 ? &image->hdr[place] : &image->eh_frame[place - 512];
			*byte = extremes[i];
			CHECK_INT(codectl_elf_init(&elf, image, sizeof(*image)), 0);
			if (codectl_unwind_module_create(&elf, &world->module))
				continue;
			world->ops.generation++;
			for (uint64_t vaddr = LEAF + 3; vaddr < NO_GROWTH; vaddr += 0x80) {
				world->regs[CODECTL_AMD64_RIP] = AT(vaddr);
				world_unwind(world);
			}
			codectl_unwind_module_destroy(world->module);
		}
	}
	world->module = sound;
	free(image);
	world_destroy(world);
}
