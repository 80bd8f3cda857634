/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/images.h"

#include "provider/helper.h"
#include "provider/log.h"
#include "sampler/object-image.h"
#include "sampler/original.h"
#include "sampler/procfs.h"
#include "sampler/sandbox.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Programs have some hundred libraries; a sample touches ten. */
#define TOUCHED_MAX 1024
/* A record must fit into a small sub-buffer, of 16 KiB. */
#define PART_MAX 12288
/* What is emitted at once, before the consumer gets time to empty the buffers. */
#define BURST_MAX 65536
#define BURST_GAP 1000000 /* ns. */

/* A registered range that samples have addresses of. */
struct touched {
	uint64_t text_start;
	uint64_t text_end;
	uint64_t serial;
	uint64_t elf_start;
	struct codectl_original_stamp stamp;
	enum codectl_original_state state;
	bool was_looked_at;
	/* The image was emitted, when there had been so many state dumps. */
	bool is_emitted;
	uint64_t emitted_dumps;
};

static struct touched touched[TOUCHED_MAX]; /* Ascending. */
static size_t touched_count;
/* All are registered as of that serial. */
static uint64_t known_serial;
/* Where the last address was, which is where the next one often is. */
static size_t last_hit;
static struct codectl_object_image image;
static uint64_t part[PART_MAX / 8];

/* Index of the first range that ends above @address. */
static size_t find_above(uint64_t address)
{
	size_t low = 0;
	size_t high = touched_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (touched[middle].text_end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Drops the ranges that are not registered any more, or anew. */
static void drop_ended(void)
{
	uint64_t serial = codectl_provider_last_serial();
	size_t kept = 0;

	if (serial == known_serial)
		return;
	known_serial = serial;
	for (size_t i = 0; i < touched_count; i++) {
		struct codectl_event_register_elf elf;

		if (codectl_provider_find_elf(touched[i].text_start, &elf) &&
			elf.serial == touched[i].serial)
			touched[kept++] = touched[i];
	}
	touched_count = kept;
	last_hit = 0;
}

static struct touched *touch(size_t at, const struct codectl_event_register_elf *elf)
{
	if (touched_count == TOUCHED_MAX)
		return NULL;
	memmove(&touched[at + 1], &touched[at], (touched_count - at) * sizeof(touched[0]));
	touched_count++;
	touched[at] = (struct touched){
		.text_start = elf->text_start,
		.text_end = elf->text_end,
		.serial = elf->serial,
		.elf_start = elf->elf_start,
	};
	return &touched[at];
}

/* The range of an address; NULL: it is not in an ELF object, or in one too many. */
static struct touched *find(uint64_t address)
{
	struct codectl_event_register_elf elf;

	if (last_hit < touched_count && address >= touched[last_hit].text_start &&
		address < touched[last_hit].text_end)
		return &touched[last_hit];

	size_t at = find_above(address);

	if (at < touched_count && address >= touched[at].text_start) {
		last_hit = at;
		return &touched[at];
	}
	return codectl_provider_find_elf(address, &elf) ? touch(at, &elf) : NULL;
}

/*
 * Under a filter of system calls, those for looking at files and memory may be the
 * end of the process.
 */
static bool may_look(void)
{
	struct codectl_thread_status status;

	return !codectl_sandbox_is_for_all() &&
	       codectl_procfs_read_status(codectl_helper_tid(), &status) == 0 &&
	       !status.has_seccomp;
}

static void pause_for_consumer(void)
{
	struct timespec gap = {.tv_nsec = BURST_GAP};

	nanosleep(&gap, NULL);
}

static void emit_parts(uint64_t timestamp, uint64_t address)
{
	uint64_t burst = 0;

	for (uint64_t offset = 0; offset < image.skeleton.len; offset += PART_MAX) {
		uint64_t left = image.skeleton.len - offset;
		size_t len = left < PART_MAX ? (size_t)left : PART_MAX;
		struct codectl_event event = {
			.type = CODECTL_EVENT_ELF_IMAGE,
			.timestamp = timestamp,
			.elf_image =
				{
					.address = address,
					.offset = offset,
					.image = part,
					.image_count = len / 8,
					.image_len = len,
					.image_size = image.skeleton.len,
				},
		};

		/* Unloaded meanwhile: the reader sees that the rest is missing. */
		if (codectl_object_image_read(&image, offset, part, len))
			return;
		codectl_provider_emit(&event);
		burst += len;
		if (burst >= BURST_MAX && offset + len < image.skeleton.len) {
			pause_for_consumer();
			burst = 0;
		}
	}
}

/* Whether another range of the same object has just brought the image into the trace. */
static bool is_emitted_already(const struct touched *range)
{
	for (size_t i = 0; i < touched_count; i++) {
		if (touched[i].elf_start == range->elf_start && touched[i].is_emitted &&
			touched[i].emitted_dumps == codectl_helper_dump_count())
			return true;
	}
	return false;
}

static void emit_image(
	struct touched *range, const struct codectl_event_register_elf *elf, uint64_t timestamp)
{
	bool is_done = is_emitted_already(range);

	range->is_emitted = true;
	range->emitted_dumps = codectl_helper_dump_count();
	if (is_done)
		return;

	int ret = codectl_object_image_open(&image, elf);

	codectl_log_debug(ret ? "No image of an object without its file"
			      : "Image of an object without its file",
		ret ? "error" : "bytes", ret ? -ret : (int64_t)image.skeleton.len);
	if (ret)
		return;
	emit_parts(timestamp, elf->text_start);
	codectl_object_image_close(&image);
}

static bool needs_work(const struct touched *range)
{
	return !range->was_looked_at ||
	       (range->state == CODECTL_ORIGINAL_GONE &&
		       !(range->is_emitted && range->emitted_dumps == codectl_helper_dump_count()));
}

static void look_at(struct touched *range, uint64_t timestamp)
{
	struct codectl_event_register_elf elf;

	if (!codectl_provider_find_elf(range->text_start, &elf) || elf.serial != range->serial)
		return;
	/* The vDSO has a module of its own. Without a place nothing can be read. */
	if (elf.pathname[0] == '[' || elf.elf_start == 0) {
		range->was_looked_at = true;
		range->state = CODECTL_ORIGINAL_UNKNOWN;
		return;
	}
	if (!range->was_looked_at) {
		range->state = codectl_original_look(&elf, &range->stamp);
		range->was_looked_at = true;
	}
	if (range->state == CODECTL_ORIGINAL_GONE)
		emit_image(range, &elf, timestamp);
}

static void precede_address(uint64_t address, uint64_t timestamp)
{
	struct touched *range = find(address);

	if (!range || !needs_work(range))
		return;
	if (may_look()) {
		look_at(range, timestamp);
	} else {
		range->was_looked_at = true;
		range->state = CODECTL_ORIGINAL_UNKNOWN;
	}
}

void codectl_images_precede(const struct codectl_event *event)
{
	const struct codectl_event_sample *sample = &event->sample;
	uint64_t stack_end = sample->stack_start + sample->stack_len;

	drop_ended();
	precede_address(sample->regs[CODECTL_AMD64_RIP], event->timestamp);
	for (size_t i = 0; i < sample->stack_count; i++) {
		if (sample->stack[i] < sample->stack_start || sample->stack[i] >= stack_end)
			precede_address(sample->stack[i], event->timestamp);
	}
}

void codectl_images_recheck(void)
{
	struct codectl_event_register_elf elf;

	drop_ended();
	if (touched_count == 0 || !may_look())
		return;
	for (size_t i = 0; i < touched_count; i++) {
		struct touched *range = &touched[i];

		if (range->state != CODECTL_ORIGINAL_IN_PLACE || !range->was_looked_at ||
			!codectl_provider_find_elf(range->text_start, &elf) ||
			!codectl_original_has_changed(elf.pathname, &range->stamp))
			continue;
		range->was_looked_at = false;
		look_at(range, codectl_provider_now());
	}
}

void codectl_images_after_fork(void)
{
	touched_count = 0;
	known_serial = 0;
}
