/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/vdso.h"

#include "format/elf.h"
#include "provider/helper.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

/* Has the program headers; the kernel maps whole pages. */
#define HEADERS_LEN 4096u
/* A record must fit into a small sub-buffer, of 16 KiB. */
#define PART_MAX  12288
#define IMAGE_MAX 65536

static uint64_t vdso_start;
static uint64_t vdso_end;  /* Of its segments; the same as vdso_start if there is none. */
static uint64_t image_len; /* With the section headers behind them. */
static uint64_t image[IMAGE_MAX / 8];
/* Whether it was emitted, and how many state dumps there had been by then. */
static bool is_emitted;
static uint64_t emitted_dumps;

void codectl_vdso_init(void)
{
	const uint64_t address = getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr header;
	struct codectl_elf elf;
	uint64_t span_start, span_end;

	if (!address)
		return;

	const void *mapped = (const void *)(uintptr_t)address;

	memcpy(&header, mapped, sizeof(header));
	if (codectl_elf_init(&elf, mapped, HEADERS_LEN) ||
		codectl_elf_load_span(&elf, &span_start, &span_end) ||
		span_end - span_start > IMAGE_MAX)
		return;

	/* The kernel maps whole pages, and the section headers are in the last one. */
	uint64_t pages_len = (span_end - span_start + HEADERS_LEN - 1) &
			     ~(uint64_t)(HEADERS_LEN - 1);
	uint64_t file_end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;

	image_len = span_end - span_start;
	if (file_end > image_len && file_end <= pages_len && file_end <= IMAGE_MAX)
		image_len = file_end;
	memcpy(image, mapped, image_len);
	vdso_start = address;
	vdso_end = address + (span_end - span_start);
}

static bool is_in_vdso(uint64_t address)
{
	return address >= vdso_start && address < vdso_end;
}

/* An address of @sample in the vDSO, or 0. */
static uint64_t find_address(const struct codectl_event_sample *sample)
{
	if (is_in_vdso(sample->regs[CODECTL_AMD64_RIP]))
		return sample->regs[CODECTL_AMD64_RIP];
	for (size_t i = 0; i < sample->stack_count; i++) {
		if (is_in_vdso(sample->stack[i]))
			return sample->stack[i];
	}
	return 0;
}

static void emit_image(uint64_t timestamp, uint64_t address)
{
	uint64_t len;

	for (uint64_t offset = 0; offset < image_len; offset += len) {
		len = image_len - offset < PART_MAX ? image_len - offset : PART_MAX;

		struct codectl_event event = {
			.type = CODECTL_EVENT_ELF_IMAGE,
			.timestamp = timestamp,
			.elf_image =
				{
					.address = address,
					.offset = offset,
					.image = &image[offset / 8],
					.image_count = (len + 7) / 8,
					.image_len = len,
					.image_size = image_len,
				},
		};
		codectl_provider_emit(&event);
	}
}

void codectl_vdso_precede(const struct codectl_event *sample)
{
	uint64_t dumps = codectl_helper_dump_count();

	if (is_emitted && emitted_dumps == dumps)
		return;

	uint64_t address = find_address(&sample->sample);

	if (!address)
		return;
	is_emitted = true;
	emitted_dumps = dumps;
	emit_image(sample->timestamp, address);
}

void codectl_vdso_after_fork(void)
{
	is_emitted = false;
}
