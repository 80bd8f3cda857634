/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Adapters that look at the memory of the process:
 *
 * `v8`: all code that V8 (node and others) generates keeps frame pointers, and
 * lies in ranges of memory that it has reserved for code: they are registered
 * whole, so that stacks are complete without a perf map as well.
 *
 * `unknown`: other memory that is executable and of no file holds code of a JIT
 * compiler that tells nobody. Frames in it are said to be that, and their callers
 * are guessed.
 *
 * V8 also maps a second time, there, the part of its own file with its builtins,
 * to have them near. That is code of the file at another address.
 */
#include "jit/adapters.h"
#include "jit/maps.h"
#include "jit/symbol-lookup.h"

#include "provider/helper.h"
#include "provider/jit.h"
#include "provider/loader-counts.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

/* How often the memory is looked at, ns: the ranges are reserved early, if not at once. */
#define LOOK_MIN_NS ((uint64_t)5 * 1000 * 1000)
#define LOOK_MAX_NS ((uint64_t)320 * 1000 * 1000)

/* For so long, V8's first region is waited for at any price. */
#define EARLY_NS ((uint64_t)2 * 1000 * 1000 * 1000)

#define REGION_MAX 64
/* Mappings of files that hold code, of which others may be copies. */
#define FILE_MAX 1024

/* Of every V8, also in a library. */
static const char v8_function[] = "_ZN2v87Isolate10GetCurrentEv";

struct region {
	uint64_t start;
	uint64_t end;
};

struct file_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
};

/* Helper thread only. */
static struct {
	bool is_v8;
	struct codectl_loader_counts seen; /* When we looked for it last. */
	uint64_t first_look;
	uint64_t next_look;
	uint64_t interval;
	struct region regions[REGION_MAX]; /* Registered. */
	size_t region_count;
} state;

/* One look at the memory. */
struct look {
	struct region run; /* Neighbours that belong to one reservation; empty if end is 0. */
	bool has_code;
	struct file_mapping files[FILE_MAX];
	size_t file_count;
};

static int find_v8(struct dl_phdr_info *info, size_t size, void *user)
{
	bool *found = user;

	(void)size;
	*found = codectl_symbol_lookup(info, v8_function) != NULL;
	return *found;
}

static bool is_v8(void)
{
	if (!state.is_v8 && codectl_loader_counts_update(&state.seen))
		dl_iterate_phdr(find_v8, &state.is_v8);
	return state.is_v8;
}

/* Whether there is an adapter for this program. */
static bool is_wanted(void)
{
	if (codectl_jit_adapter_is_on(CODECTL_JIT_ADAPTER_V8) && is_v8())
		return true;
	return codectl_jit_adapter_is_on(CODECTL_JIT_ADAPTER_UNKNOWN);
}

static int register_region(const struct region *region)
{
	const struct code_jit_info info = {
		.text_start = region->start,
		.text_end = region->end,
		.format = CODE_JIT_FORMAT_FP,
	};

	return state.is_v8 ? codectl_jit_add(&info, NULL)
			   : codectl_jit_add_unknown(region->start, region->end);
}

static void add_region(const struct region *region)
{
	size_t count = 0;

	for (size_t i = 0; i < state.region_count; i++) {
		struct region *old = &state.regions[i];

		if (old->start <= region->start && old->end >= region->end)
			return;
	}
	/* It has grown: what it was is a part of it. */
	for (size_t i = 0; i < state.region_count; i++) {
		struct region *old = &state.regions[i];

		if (old->start < region->end && region->start < old->end)
			codectl_jit_remove(old->start, old->end);
		else
			state.regions[count++] = *old;
	}
	state.region_count = count;
	if (count < REGION_MAX && register_region(region) == 0) {
		state.regions[state.region_count++] = *region;
	}
}

static void end_run(struct look *look)
{
	if (look->run.end && look->has_code)
		add_region(&look->run);
	look->run = (struct region){0, 0};
	look->has_code = false;
}

static void add_file(struct look *look, const struct codectl_jit_mapping *mapping)
{
	if (look->file_count < FILE_MAX)
		look->files[look->file_count++] = (struct file_mapping){
			mapping->start, mapping->end, mapping->offset, mapping->inode};
}

static void take_mapping(void *user, const struct codectl_jit_mapping *mapping)
{
	struct look *look = user;

	if (state.is_v8 && mapping->inode && mapping->is_executable)
		add_file(look, mapping);
	/* Only of V8 is it known that what is reserved beside code is for code. */
	if (mapping->inode || *mapping->path ||
		(!mapping->is_executable && (mapping->is_accessible || !state.is_v8))) {
		end_run(look);
		return;
	}
	if (look->run.end != mapping->start) {
		end_run(look);
		look->run.start = mapping->start;
	}
	look->run.end = mapping->end;
	look->has_code |= mapping->is_executable;
}

/*
 * The object whose code @copy has, which is where @file maps it: *@shift is by how
 * much the copy is above that. Returns whether there is one.
 */
static bool find_original(const struct file_mapping *file, const struct file_mapping *copy,
	struct codectl_event_register_elf *elf, uint64_t *shift)
{
	uint64_t start;
	uint64_t end;

	if (file == copy || file->inode != copy->inode)
		return false;
	*shift = (copy->start - copy->offset) - (file->start - file->offset);
	start = file->start;
	end = file->end;
	if (copy->offset > file->offset)
		start += copy->offset - file->offset;
	if (copy->offset + (copy->end - copy->start) < file->offset + (file->end - file->start))
		end = copy->end - *shift;
	return start < end && codectl_provider_find_elf_within(start, end, elf);
}

static void register_copy(const struct file_mapping *copy,
	const struct codectl_event_register_elf *elf, uint64_t shift)
{
	uint64_t start = elf->text_start + shift;
	uint64_t end = elf->text_end + shift;
	const struct code_elf_info info = {
		.elf_start = elf->elf_start + shift,
		.elf_end = elf->elf_end + shift,
		.text_start = start > copy->start ? start : copy->start,
		.text_end = end < copy->end ? end : copy->end,
		.pathname = (uint64_t)(uintptr_t)elf->pathname,
		.build_id = (uint64_t)(uintptr_t)elf->build_id,
		.build_id_len = (uint32_t)elf->build_id_len,
		.debug_link_pathname = (uint64_t)(uintptr_t)elf->debug_link_pathname,
		.debug_link_crc = elf->debug_link_crc,
	};

	/* Without that, its frames are unknown: nothing else is to be done about an error. */
	codectl(CODE_REGISTER_ELF, &info, sizeof(info), 0);
}

/*
 * Code of a file that is mapped where no object is registered, while the same code is
 * mapped where one is. Which of the two has the lower address says nothing.
 */
static void add_copies(const struct look *look)
{
	for (size_t i = 0; i < look->file_count; i++) {
		const struct file_mapping *copy = &look->files[i];
		struct codectl_event_register_elf elf;
		uint64_t shift;

		if (codectl_provider_find_elf_within(copy->start, copy->end, &elf))
			continue;
		for (size_t j = 0; j < look->file_count; j++) {
			if (find_original(&look->files[j], copy, &elf, &shift)) {
				register_copy(copy, &elf, shift);
				break;
			}
		}
	}
}

void codectl_jit_regions_round(void)
{
	static struct look look;
	uint64_t now = codectl_provider_now();

	if (!codectl_provider_wants_samples() || now < state.next_look || !is_wanted())
		return;
	memset(&look, 0, sizeof(look));
	codectl_jit_maps_each(take_mapping, &look);
	end_run(&look);
	add_copies(&look);
	if (!state.first_look)
		state.first_look = now;
	if (state.is_v8 && !state.region_count && now - state.first_look < EARLY_NS) {
		/* Any sample may be the first one in its region, which is there soon. */
		state.next_look = now + LOOK_MIN_NS;
		return;
	}
	state.interval = state.interval ? 2 * state.interval : LOOK_MIN_NS;
	if (state.interval > LOOK_MAX_NS)
		state.interval = LOOK_MAX_NS;
	state.next_look = codectl_jit_maps_next_look(now, state.interval);
}
