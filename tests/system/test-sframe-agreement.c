/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What the compiler's assembler and linker write into .sframe against what
 * they write into .eh_frame, at every address of this project's own sources.
 * One difference is accepted: early SFrame has nothing for functions that
 * realign their stack through another register, in which .eh_frame has rules of
 * kind FP_DEREF or slow ones. Not looked at are PLTs with endbr64 (-z ibtplt), of
 * which ld 2.40 says nothing that is true.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "format/sframe.h"
#include "unwind/module.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* An ELF file, with each kind of information alone. */
struct file {
	void *image;
	struct codectl_elf elf;
	struct codectl_unwind_module *cfi;
	struct codectl_unwind_module *sframe;
};

struct counts {
	size_t same;
	size_t realigned; /* Addresses in functions that SFrame has nothing for. */
	size_t functions;
};

static struct codectl_unwind_module *create(
	const struct codectl_elf *elf, enum codectl_unwind_mode mode)
{
	const struct codectl_unwind_files files = {.own = elf, .mode = mode};
	struct codectl_unwind_module *module;

	CHECK_INT(codectl_unwind_module_create_from(&files, &module), 0);
	return module;
}

static void open_file(struct file *file, const char *name)
{
	size_t len;

	file->image = fixture_read(name, &len);
	CHECK_INT(codectl_elf_init(&file->elf, file->image, len), 0);
	file->cfi = create(&file->elf, CODECTL_UNWIND_EH_FRAME);
	file->sframe = create(&file->elf, CODECTL_UNWIND_SFRAME);
}

static void close_file(struct file *file)
{
	codectl_unwind_module_destroy(file->cfi);
	codectl_unwind_module_destroy(file->sframe);
	free(file->image);
}

/* The rule at @vaddr, without where it is from. */
static struct codectl_rule rule_at(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	return codectl_rule_with_origin(codectl_unwind_module_find_rule(module, vaddr), 0);
}

/* Whether what SFrame hands to the walk with all registers is what its rule says. */
static bool has_same_cfi(const struct codectl_unwind_module *module, uint64_t vaddr)
{
	struct codectl_rule rule = rule_at(module, vaddr);
	struct codectl_unwind_module_cfi cfi;
	struct codectl_cfi_cie cie = {.offset = SIZE_MAX};

	if (codectl_unwind_module_find_cfi(module, vaddr, &cfi) ||
		cfi.via != CODECTL_FRAME_VIA_SFRAME)
		return false;
	cie.ra_reg = cfi.ra_reg;
	cie.is_signal_frame = cfi.is_signal_frame;
	/* That one is for many addresses. */
	return codectl_rule_kind(rule) == CODECTL_RULE_PLT ||
	       codectl_rule_from_cfi(cfi.section, &cie, &cfi.rules).bits == rule.bits;
}

/* Whether the function of CFI around @vaddr has a rule that early SFrame cannot say. */
static bool is_realigned(const struct file *file, uint64_t vaddr)
{
	uint64_t start = vaddr, end = vaddr;

	/* Code between gaps of SFrame: several such functions, which touch, at most. */
	while (codectl_rule_kind(rule_at(file->sframe, start - 1)) == CODECTL_RULE_NONE &&
		codectl_rule_kind(rule_at(file->cfi, start - 1)) != CODECTL_RULE_NONE)
		start--;
	while (codectl_rule_kind(rule_at(file->sframe, end)) == CODECTL_RULE_NONE &&
		codectl_rule_kind(rule_at(file->cfi, end)) != CODECTL_RULE_NONE) {
		enum codectl_rule_kind kind = codectl_rule_kind(rule_at(file->cfi, end));

		if (kind == CODECTL_RULE_FP_DEREF || kind >= CODECTL_RULE_SLOW_REG)
			return true;
		end++;
	}
	for (; start < vaddr; start++) {
		enum codectl_rule_kind kind = codectl_rule_kind(rule_at(file->cfi, start));

		if (kind == CODECTL_RULE_FP_DEREF || kind >= CODECTL_RULE_SLOW_REG)
			return true;
	}
	return false;
}

static void compare_address(const struct file *file, uint64_t vaddr, struct counts *counts)
{
	struct codectl_rule cfi = rule_at(file->cfi, vaddr);
	struct codectl_rule sframe = rule_at(file->sframe, vaddr);

	if (cfi.bits == sframe.bits) {
		if (codectl_rule_kind(sframe) == CODECTL_RULE_NONE)
			return;
		if (!has_same_cfi(file->sframe, vaddr))
			tap_fail(__FILE__, __LINE__, "CFI of 0x%" PRIx64 " differs", vaddr);
		counts->same++;
		return;
	}
	if (codectl_rule_kind(sframe) == CODECTL_RULE_NONE && is_realigned(file, vaddr)) {
		counts->realigned++;
		return;
	}
	tap_fail(__FILE__, __LINE__, "0x%" PRIx64 ": .eh_frame 0x%" PRIx64 ", .sframe 0x%" PRIx64,
		vaddr, cfi.bits, sframe.bits);
}

static void compare_file(const char *name, struct counts *counts)
{
	struct codectl_elf_segment segment;
	struct file file;

	open_file(&file, name);
	for (size_t i = 0; i < file.elf.segment_count; i++) {
		CHECK_INT(codectl_elf_get_segment(&file.elf, i, &segment), 0);
		if (segment.type != PT_LOAD || !(segment.flags & PF_X))
			continue;
		for (uint64_t vaddr = segment.vaddr; vaddr < segment.vaddr + segment.filesz;
			vaddr++)
			compare_address(&file, vaddr, counts);
	}
	counts->functions += codectl_unwind_module_borrow_stats(file.sframe)->fdes;
	CHECK_INT(codectl_unwind_module_borrow_stats(file.sframe)->bad_fdes, 0);
	close_file(&file);
}

/* A compiler whose assembler writes .sframe; skips the test if there is none. */
static const char *sframe_compiler(void)
{
	static const char *const compilers[] = {TEST_CC, "gcc"};

	fixture_write("empty.c", "", 0);
	for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		if (fixture_try("%s -Wa,--gsframe -c empty.c", compilers[i]))
			return compilers[i];
	}
	tap_skip("no assembler here makes .sframe");
}

/* All of the pure rooms in one library, without code that is not ours. */
static void compare_sources(const char *options)
{
	struct counts counts = {0};

	FIXTURE_RUN("%s -w %s -fPIC -shared -nostdlib -Wa,--gsframe -std=gnu11 -D_GNU_SOURCE "
		    "-I%s/lttng-ust-codectl -I%s/babeltrace-plugin -o lib.so "
		    "%s/lttng-ust-codectl/format/*.c %s/babeltrace-plugin/unwind/*.c "
		    "%s/babeltrace-plugin/profile/*.c %s/babeltrace-plugin/space/*.c",
		sframe_compiler(), options, TEST_SOURCE, TEST_SOURCE, TEST_SOURCE, TEST_SOURCE,
		TEST_SOURCE, TEST_SOURCE);
	compare_file("lib.so", &counts);
	printf("# %s: %zu functions, %zu bytes the same, %zu in realigned functions\n", options,
		counts.functions, counts.same, counts.realigned);
	CHECK(counts.functions > 100);
	CHECK(counts.same > 30000);
	CHECK_INT(counts.realigned, 0);
}

TEST(optimized)
{
	compare_sources("-O2");
}

TEST(small)
{
	compare_sources("-Os");
}

TEST(with_frame_pointer)
{
	compare_sources("-O1 -fno-omit-frame-pointer");
}

/* Stubs of the PLT of all kinds. */
TEST(lazy_binding)
{
	compare_sources("-O2 -Wl,-z,lazy");
	compare_sources("-O2 -fno-plt");
}

/* Frames of many shapes, and the code that starts a program. */
TEST(chain)
{
	struct counts counts = {0};
	struct file file;
	uint64_t entry;

	FIXTURE_RUN("sh %s/tests/system/gen-chain.sh >chain.c", TEST_SOURCE);
	FIXTURE_RUN("%s -O2 -w -fPIC -shared -nostdlib -Wa,--gsframe -o lib.so chain.c",
		sframe_compiler());
	compare_file("lib.so", &counts);
	CHECK(counts.same > 2000);
	FIXTURE_RUN("%s -O2 -w -Wa,--gsframe -o chain chain.c", sframe_compiler());
	open_file(&file, "chain");
	entry = file.elf.entry;
	CHECK_INT(codectl_rule_kind(rule_at(file.sframe, entry)), CODECTL_RULE_OUTERMOST);
	CHECK_INT(codectl_rule_kind(rule_at(file.sframe, entry + 0x20)), CODECTL_RULE_OUTERMOST);
	close_file(&file);
}

/* A function with arguments on the stack, which it realigns: of early versions there is nothing. */
TEST(realigned)
{
	static const char source[] =
		"void take(void *);\n"
		"void plain(int n) { take(&n); }\n"
		"long realigned(long a, long b, long c, long d, long e, long f, long g, int n)\n"
		"{\n"
		"	char aligned[64] __attribute__((aligned(64)));\n"
		"	take(aligned);\n"
		"	take(__builtin_alloca(n));\n"
		"	return a + g + aligned[0];\n"
		"}\n";
	struct counts counts = {0};

	fixture_write("realigned.c", source, sizeof(source) - 1);
	FIXTURE_RUN("%s -O2 -w -fPIC -shared -nostdlib -Wa,--gsframe -o lib.so realigned.c",
		sframe_compiler());
	compare_file("lib.so", &counts);
	printf("# %zu bytes the same, %zu in realigned functions\n", counts.same, counts.realigned);
	CHECK(counts.same + counts.realigned > 50);
}

/* A file as strip and others leave it: found by its segment. */
TEST(without_section_headers)
{
	struct file file, bare;
	Elf64_Ehdr *header;
	size_t compared = 0;

	FIXTURE_RUN("sh %s/tests/system/gen-chain.sh >chain.c", TEST_SOURCE);
	FIXTURE_RUN("%s -O2 -w -Wa,--gsframe -o chain chain.c && cp chain bare", sframe_compiler());
	open_file(&file, "chain");
	open_file(&bare, "bare");
	codectl_unwind_module_destroy(bare.sframe);
	header = bare.image;
	header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
	CHECK_INT(codectl_elf_init(&bare.elf, bare.image, file.elf.len), 0);
	CHECK_INT(bare.elf.section_count, 0);
	bare.sframe = create(&bare.elf, CODECTL_UNWIND_SFRAME);
	for (uint64_t vaddr = file.elf.entry; vaddr < file.elf.entry + 0x1000; vaddr++) {
		CHECK_HEX(rule_at(bare.sframe, vaddr).bits, rule_at(file.sframe, vaddr).bits);
		compared += codectl_rule_is_fast(rule_at(bare.sframe, vaddr));
	}
	CHECK(compared > 1000);
	close_file(&file);
	close_file(&bare);
}
