/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/cfi-writer.h"
#include "lib/tap.h"

#include "format/cfa-program.h"
#include "format/dwarf-constants.h"

#include <errno.h>
#include <stdlib.h>

#define ENCODING (DW_EH_PE_pcrel | DW_EH_PE_sdata4)
#define START	 0x1000
#define SIZE	 0x100

/* Each augmentation, version and encoding says the same of the same code. */
TEST(encodings)
{
	static const struct {
		const char *letters;
		uint8_t version;
		uint8_t encoding;
		bool is_debug_frame, is_64;
	} cases[] = {
		{.letters = "R", .encoding = ENCODING},
		{.letters = "R", .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata8},
		{.letters = "R", .encoding = DW_EH_PE_pcrel | DW_EH_PE_absptr},
		{.letters = "R", .encoding = DW_EH_PE_pcrel | DW_EH_PE_sleb128},
		{.letters = "R", .encoding = DW_EH_PE_udata2},
		{.letters = "R", .encoding = DW_EH_PE_sdata2},
		{.letters = "R", .encoding = DW_EH_PE_udata4},
		{.letters = "R", .encoding = DW_EH_PE_udata8},
		{.letters = "R", .encoding = DW_EH_PE_uleb128},
		{.letters = "PLR", .encoding = ENCODING},
		{.letters = "RSB", .encoding = ENCODING, .version = 3},
		{.letters = ""},
		{.letters = NULL},
		{.letters = "R", .encoding = ENCODING, .is_64 = true},
		{.is_debug_frame = true},
		{.is_debug_frame = true, .version = 3},
		{.is_debug_frame = true, .version = 4},
		{.is_debug_frame = true, .version = 4, .is_64 = true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cfi_writer writer;
		struct codectl_cfi_cie cie;
		struct cfi_rows rows;

		cfi_writer_init(&writer);
		writer.is_64 = cases[i].is_64;
		writer.is_debug_frame = cases[i].is_debug_frame;
		cfi_begin_cie(&writer, cases[i].version ? cases[i].version : 1, cases[i].letters,
			cases[i].encoding);
		CFI(&writer, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
		cfi_end(&writer);
		cfi_begin_fde(&writer, START, SIZE);
		CFI(&writer, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16);
		cfi_end(&writer);
		CHECK_INT(cfi_run_first(&writer, &cie, &rows), 0);
		CHECK_INT(rows.count, 2);
		CHECK_HEX(rows.starts[1], START + 1);
		CHECK_HEX(rows.end, START + SIZE);
		CHECK_INT(cie.is_signal_frame,
			cases[i].letters && strchr(cases[i].letters, 'S') ? 1 : 0);
	}
}

TEST(refused_entries)
{
	static const struct {
		const char *letters;
		uint8_t version;
		uint8_t encoding;
	} cases[] = {
		{"R", 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4 | DW_EH_PE_indirect},
		{"R", 1, DW_EH_PE_textrel | DW_EH_PE_udata4},
		{"R", 1, DW_EH_PE_datarel | DW_EH_PE_udata4},
		{"R", 1, DW_EH_PE_funcrel | DW_EH_PE_udata4},
		{"R", 1, DW_EH_PE_aligned},
		{"R", 1, DW_EH_PE_omit},
		{"R", 1, 0x05},
		{"?R", 1, ENCODING},
		{"R", 2, ENCODING},
		{"R", 5, ENCODING},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cfi_writer writer;
		struct codectl_cfi_section section;
		struct codectl_cfi_cie cie;
		struct codectl_cfi_fde fde;
		size_t offset = 0;

		cfi_writer_init(&writer);
		cfi_begin_cie(&writer, cases[i].version, cases[i].letters, cases[i].encoding);
		cfi_end(&writer);
		cfi_begin_fde(&writer, START, SIZE);
		cfi_end(&writer);
		/* A sound one behind it is found. */
		cfi_add_usual_cie(&writer);
		cfi_begin_fde(&writer, 0x2000, 0x10);
		cfi_end(&writer);
		section = cfi_section(&writer);
		codectl_cfi_cie_init(&cie);
		CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), -EINVAL);
		CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), 0);
		CHECK_HEX(fde.start, 0x2000);
		CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), -ENOENT);
	}
}

/* Empty FDEs are stepped over, an entry without length ends the section. */
TEST(end_of_section)
{
	struct cfi_writer writer;
	struct codectl_cfi_section section;
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	size_t offset = 0;

	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, 0, 0);
	cfi_end(&writer);
	cfi_begin_fde(&writer, START, SIZE);
	cfi_end(&writer);
	cfi_write_uint(&writer, 0, 4);
	cfi_begin_fde(&writer, 0x9000, 1);
	cfi_end(&writer);
	section = cfi_section(&writer);
	codectl_cfi_cie_init(&cie);
	CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), 0);
	CHECK_HEX(fde.start, START);
	CHECK_INT(codectl_cfi_read_fde(&section, fde.offset, &cie, &fde), 0);
	CHECK_HEX(fde.start, START);
	CHECK_INT(codectl_cfi_read_fde(&section, 0, &cie, &fde), -EINVAL);
	CHECK_INT(codectl_cfi_next_fde(&section, &offset, &cie, &fde), -ENOENT);
}

/* Everything that a reader does with a section. */
static void read_all(const struct codectl_cfi_section *section)
{
	struct codectl_cfi_cie cie;
	struct codectl_cfi_fde fde;
	size_t offset = 0;
	int ret;

	codectl_cfi_cie_init(&cie);
	for (unsigned int i = 0;
		(ret = codectl_cfi_next_fde(section, &offset, &cie, &fde)) != -ENOENT; i++) {
		struct cfi_rows rows = {.count = 0};

		CHECK(i < section->len);
		if (ret)
			continue;
		CHECK(fde.size);
		ret = codectl_cfa_program_run(section, &cie, &fde, cfi_collect, &rows);
		for (size_t row = 0; ret == 0 && row < rows.count; row++)
			codectl_rule_from_cfi(section, &cie, &rows.rules[row]);
	}
}

/* Every prefix, and each byte set to extremes, in an allocation of just that size. */
TEST(damaged_sections)
{
	static const uint8_t extremes[] = {0x00, 0x7f, 0x80, 0xff};
	struct cfi_writer writer;

	cfi_writer_init(&writer);
	cfi_begin_cie(&writer, 1, "PLRS", ENCODING);
	CFI(&writer, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
	cfi_end(&writer);
	cfi_begin_fde(&writer, START, SIZE);
	CFI(&writer, DW_CFA_remember_state, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_expression, 3,
		DW_OP_breg0 + 6, 0x78, DW_OP_deref, DW_CFA_expression, 6, 2, DW_OP_breg0 + 6, 0,
		DW_CFA_advance_loc1, 4, DW_CFA_restore_state);
	cfi_end(&writer);
	for (size_t len = 0; len <= writer.len; len++) {
		for (size_t change = 0; change <= sizeof(extremes); change++) {
			for (size_t place = 0; place < (change ? len : 1); place++) {
				uint8_t *copy = malloc(len ? len : 1);
				struct codectl_cfi_section section = cfi_section(&writer);

				CHECK(copy);
				memcpy(copy, writer.bytes, len);
				if (change)
					copy[place] = extremes[change - 1];
				section.bytes = copy;
				section.len = len;
				read_all(&section);
				free(copy);
			}
		}
	}
}

TEST(search_table)
{
	struct cfi_writer writer;
	struct cfi_image *image = calloc(1, sizeof(*image));
	struct codectl_eh_frame_hdr hdr;
	uint64_t start, fde_vaddr;

	CHECK(image);
	cfi_writer_init(&writer);
	cfi_add_usual_cie(&writer);
	cfi_begin_fde(&writer, 0x3000, 0x10);
	cfi_end(&writer);
	cfi_begin_fde(&writer, 0x2000, 0x10);
	cfi_end(&writer);
	cfi_image_make(image, &writer, false, true);
	CHECK_INT(codectl_eh_frame_hdr_init(&hdr, image->hdr, 28, CFI_IMAGE_HDR_VADDR), 0);
	CHECK_HEX(hdr.eh_frame_vaddr, CFI_IMAGE_EH_FRAME_VADDR);
	CHECK_INT(hdr.count, 2);
	codectl_eh_frame_hdr_entry(&hdr, 0, &start, &fde_vaddr);
	CHECK_HEX(start, 0x2000);
	CHECK(fde_vaddr > CFI_IMAGE_EH_FRAME_VADDR);
	/* More entries than bytes: no table, but .eh_frame is still found. */
	CHECK_INT(codectl_eh_frame_hdr_init(&hdr, image->hdr, 27, CFI_IMAGE_HDR_VADDR), 0);
	CHECK(!hdr.table);
	CHECK_HEX(hdr.eh_frame_vaddr, CFI_IMAGE_EH_FRAME_VADDR);
	CHECK_INT(codectl_eh_frame_hdr_init(&hdr, image->hdr, 7, CFI_IMAGE_HDR_VADDR), -EINVAL);
	image->hdr[0] = 2;
	CHECK_INT(codectl_eh_frame_hdr_init(&hdr, image->hdr, 28, CFI_IMAGE_HDR_VADDR), -EINVAL);
	free(image);
}
