/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What our tables and CFA programs say about every address of real binaries,
 * against elfutils' libdw: the objects loaded into this program, and the
 * compiler, which is large enough to be compiled on demand.
 */
#include "lib/tap.h"

#include "unwind/module.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* From dwarf.h, which shares names with our own list. */
#define OP_REG0		  0x50
#define OP_REG31	  0x6f
#define OP_BREG0	  0x70
#define OP_PLUS_UCONST	  0x23
#define OP_REGX		  0x90
#define OP_BREGX	  0x92
#define OP_CALL_FRAME_CFA 0x9c
#define OP_STACK_VALUE	  0x9f

/* A rule for a register in words both sides have. */
struct description {
	enum codectl_cfi_kind kind;
	int64_t value; /* Of expressions: not compared. */
};

static struct description describe_ours(const struct codectl_cfi_rules *rules, unsigned int reg)
{
	enum codectl_cfi_kind kind = (enum codectl_cfi_kind)rules->kinds[reg];

	if (kind == CODECTL_CFI_EXPRESSION || kind == CODECTL_CFI_VAL_EXPRESSION)
		return (struct description){kind, 0};
	if (kind != CODECTL_CFI_UNSPECIFIED)
		return (struct description){kind, rules->values[reg]};
	/* libdw speaks of what the ABI says in the words of rules. */
	if (reg == CODECTL_AMD64_RSP)
		return (struct description){CODECTL_CFI_VAL_OFFSET, 0};
	if (reg == CODECTL_AMD64_RBP || reg >= CODECTL_AMD64_R12)
		return (struct description){CODECTL_CFI_SAME, 0};
	return (struct description){CODECTL_CFI_UNDEFINED, 0};
}

static struct description describe_libdw(Dwarf_Frame *frame, int reg)
{
	Dwarf_Op memory[3], *ops;
	size_t count;
	bool is_value;

	CHECK_INT(dwarf_frame_register(frame, reg, memory, &ops, &count), 0);
	if (count == 0)
		return (struct description){
			ops == memory ? CODECTL_CFI_UNDEFINED : CODECTL_CFI_SAME, 0};
	if (count == 1 && ops[0].atom >= OP_REG0 && ops[0].atom <= OP_REG31)
		return (struct description){CODECTL_CFI_REGISTER, ops[0].atom - OP_REG0};
	if (count == 1 && ops[0].atom == OP_REGX)
		return (struct description){CODECTL_CFI_REGISTER, (int64_t)ops[0].number};
	is_value = ops[count - 1].atom == OP_STACK_VALUE;
	count -= is_value;
	if (ops[0].atom == OP_CALL_FRAME_CFA &&
		(count == 1 || (count == 2 && ops[1].atom == OP_PLUS_UCONST)))
		return (struct description){is_value ? CODECTL_CFI_VAL_OFFSET : CODECTL_CFI_OFFSET,
			count == 2 ? (int64_t)ops[1].number : 0};
	return (struct description){
		is_value ? CODECTL_CFI_VAL_EXPRESSION : CODECTL_CFI_EXPRESSION, 0};
}

static bool is_same_cfa(const struct codectl_cfi_rules *rules, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || count == 0)
		return false;
	if (rules->cfa_kind == CODECTL_CFA_EXPRESSION)
		return count > 1;
	if (count != 1)
		return false;
	if (ops[0].atom == OP_BREGX)
		return ops[0].number == rules->cfa_reg &&
		       (int64_t)ops[0].number2 == rules->cfa_offset;
	return ops[0].atom == OP_BREG0 + rules->cfa_reg &&
	       (int64_t)ops[0].number == rules->cfa_offset;
}

/* Whether both say the same from @vaddr on; libdw holds it to be so until *@end. */
static bool is_same(const struct codectl_unwind_module *module, uint64_t vaddr, Dwarf_Frame *frame,
	Dwarf_Addr *end)
{
	struct codectl_unwind_module_cfi cfi;
	struct codectl_cfi_cie cie = {.offset = SIZE_MAX};
	struct codectl_rule expected;
	Dwarf_Addr start;
	bool is_signal;

	CHECK(dwarf_frame_info(frame, &start, end, &is_signal) >= 0);
	if (codectl_unwind_module_find_cfi(module, vaddr, &cfi) ||
		is_signal != cfi.is_signal_frame || !is_same_cfa(&cfi.rules, frame))
		return false;
	for (unsigned int reg = 0; reg < CODECTL_AMD64_REG_COUNT; reg++) {
		struct description ours = describe_ours(&cfi.rules, reg);
		struct description libdw = describe_libdw(frame, (int)reg);

		/* libdw 0.188 takes rax, not rbx, for the one that callees save. */
		if (cfi.rules.kinds[reg] == CODECTL_CFI_UNSPECIFIED &&
			(reg == CODECTL_AMD64_RAX || reg == CODECTL_AMD64_RBX))
			continue;
		if (ours.kind != libdw.kind || ours.value != libdw.value)
			return false;
	}
	/* The table has the rule that these make, at both ends. */
	cie.ra_reg = cfi.ra_reg;
	cie.is_signal_frame = cfi.is_signal_frame;
	expected = codectl_rule_with_origin(
		codectl_rule_from_cfi(cfi.section, &cie, &cfi.rules), CODECTL_FRAME_VIA_EH_FRAME);
	return codectl_unwind_module_find_rule(module, vaddr).bits == expected.bits &&
	       codectl_unwind_module_find_rule(module, *end - 1).bits == expected.bits;
}

/* Every address of an executable segment. */
static void compare_segment(const struct codectl_unwind_module *module, Dwarf_CFI *libdw,
	const struct codectl_elf_segment *segment, size_t *row_count)
{
	uint64_t end = segment->vaddr + segment->filesz;

	for (uint64_t vaddr = segment->vaddr; vaddr < end;) {
		Dwarf_Addr next = vaddr + 1;
		Dwarf_Frame *frame;

		if (dwarf_cfi_addrframe(libdw, vaddr, &frame)) {
			/* But for what an ELF header alone says. */
			if (codectl_rule_is_fast(codectl_unwind_module_find_rule(module, vaddr)) ||
				codectl_rule_is_slow(
					codectl_unwind_module_find_rule(module, vaddr)))
				tap_fail(__FILE__, __LINE__, "only we know 0x%" PRIx64, vaddr);
		} else {
			if (!is_same(module, vaddr, frame, &next))
				tap_fail(__FILE__, __LINE__, "0x%" PRIx64 " differs", vaddr);
			free(frame);
			(*row_count)++;
		}
		vaddr = next;
	}
}

/* Compares the file at @path; it must have unwind information. */
static void compare_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct codectl_unwind_module *module;
	struct codectl_elf_segment segment;
	struct codectl_elf elf;
	struct stat status;
	size_t row_count = 0;
	Dwarf_CFI *libdw;
	void *image;
	Elf *file;

	CHECK(fd >= 0);
	CHECK_INT(fstat(fd, &status), 0);
	image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(image != MAP_FAILED);
	CHECK_INT(codectl_elf_init(&elf, image, (size_t)status.st_size), 0);
	CHECK_INT(codectl_unwind_module_create(&elf, &module), 0);
	elf_version(EV_CURRENT);
	file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	libdw = dwarf_getcfi_elf(file);
	CHECK(libdw);
	for (size_t i = 0; i < elf.segment_count; i++) {
		CHECK_INT(codectl_elf_get_segment(&elf, i, &segment), 0);
		if (segment.type == PT_LOAD && (segment.flags & PF_X))
			compare_segment(module, libdw, &segment, &row_count);
	}
	printf("# %s: %zu rows of libdw, %" PRIu64 " of ours\n", path, row_count,
		codectl_unwind_module_borrow_stats(module)->rows);
	CHECK(row_count > 0);
	CHECK_INT(codectl_unwind_module_borrow_stats(module)->bad_fdes, 0);
	dwarf_cfi_end(libdw);
	elf_end(file);
	codectl_unwind_module_destroy(module);
	munmap(image, (size_t)status.st_size);
	close(fd);
}

static int compare_object(struct dl_phdr_info *info, size_t size, void *user)
{
	unsigned int *count = user;

	(void)size;
	/* The vDSO has no path. */
	if (info->dlpi_name[0] == '/') {
		compare_file(info->dlpi_name);
		(*count)++;
	}
	return 0;
}

TEST(loaded_objects)
{
	unsigned int count = 0;

	compare_file("/proc/self/exe");
	dl_iterate_phdr(compare_object, &count);
	/* At least libc and libdw. */
	CHECK(count >= 2);
}

TEST(compiler)
{
	char path[4096] = "";
	FILE *pipe = popen("gcc -print-prog-name=cc1 2>&1", "r");

	CHECK(pipe);
	if (fgets(path, sizeof(path), pipe))
		path[strcspn(path, "\n")] = '\0';
	pclose(pipe);
	if (path[0] != '/' || access(path, R_OK))
		tap_skip("there is no cc1 of gcc");
	compare_file(path);
}
