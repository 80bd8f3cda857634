/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/internal.h"

#include <errno.h>
#include <stdlib.h>

#define PROCESS_BUCKETS 1024

struct codectl_space {
	struct codectl_process *buckets[PROCESS_BUCKETS]; /* Owned. */
	struct codectl_object_table objects;
	uint64_t last_generation;
	uint64_t last_dump;
	struct codectl_space_stats stats;
};

struct codectl_space *codectl_space_create(void)
{
	return calloc(1, sizeof(struct codectl_space));
}

void codectl_space_destroy(struct codectl_space *space)
{
	if (!space)
		return;
	for (size_t i = 0; i < PROCESS_BUCKETS; i++) {
		struct codectl_process *process = space->buckets[i];

		while (process) {
			struct codectl_process *next = process->next;

			codectl_process_destroy(process);
			process = next;
		}
	}
	codectl_object_table_fini(&space->objects);
	free(space);
}

static struct codectl_process **bucket_of(
	struct codectl_space *space, int32_t vpid, uint64_t start_time)
{
	uint64_t hash = ((uint64_t)(uint32_t)vpid ^ start_time) * 0x9e3779b97f4a7c15;

	return &space->buckets[hash >> 54];
}

struct codectl_process *codectl_space_find_process(
	struct codectl_space *space, int32_t vpid, uint64_t start_time)
{
	for (struct codectl_process *process = *bucket_of(space, vpid, start_time); process;
		process = process->next) {
		if (process->vpid == vpid && process->start_time == start_time)
			return process;
	}
	return NULL;
}

/* Gives the answers of @process, which changed, a new run of numbers. */
static void renew_generation(struct codectl_space *space, struct codectl_process *process)
{
	process->generation = space->last_generation + 1;
	space->last_generation = process->generation + process->time_count;
}

static struct codectl_process *get_process(
	struct codectl_space *space, int32_t vpid, uint64_t start_time)
{
	struct codectl_process *process = codectl_space_find_process(space, vpid, start_time);

	if (process)
		return process;
	process = codectl_process_create(vpid, start_time);
	if (process) {
		struct codectl_process **bucket = bucket_of(space, vpid, start_time);

		process->next = *bucket;
		*bucket = process;
		renew_generation(space, process);
	}
	return process;
}

static bool is_sound(const struct codectl_event_register_elf *elf)
{
	if (elf->text_start >= elf->text_end)
		return false;
	/* Without an ELF range (0, 0) only the text range counts. */
	if (!elf->elf_start && !elf->elf_end)
		return true;
	return elf->elf_start <= elf->text_start && elf->text_end <= elf->elf_end;
}

/* A state dump tells again what is known, or what was lost. */
static void note_in_dump(struct codectl_process *process, struct codectl_mapping *mapping)
{
	if (process->dump.is_open && mapping->serial <= process->dump.serial &&
		mapping->dump_number != process->dump.number) {
		mapping->dump_number = process->dump.number;
		process->dump.seen++;
	}
}

static int apply_register(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_register_elf *elf = &event->register_elf;
	struct codectl_mapping *mapping = codectl_process_find_serial(process, elf->serial);

	if (mapping) {
		space->stats.repeated++;
		note_in_dump(process, mapping);
		return 0;
	}
	/* A registration that makes no sense is still one that was seen. */
	if (codectl_process_saw_serial(process, elf->serial))
		return -ENOMEM;
	if (!is_sound(elf)) {
		space->stats.bad_ranges++;
		return -EINVAL;
	}

	const struct codectl_code_object *object = codectl_object_table_get(&space->objects, elf);

	mapping = object ? calloc(1, sizeof(*mapping)) : NULL;
	if (!mapping)
		return -ENOMEM;
	*mapping = (struct codectl_mapping){
		.object = object,
		.serial = elf->serial,
		.elf_start = elf->elf_start,
		.elf_end = elf->elf_end,
		.text_start = elf->text_start,
		.text_end = elf->text_end,
		.sframe_start = elf->sframe_start,
		.sframe_end = elf->sframe_end,
		.begin = event->timestamp,
		.end = UINT64_MAX,
	};
	if (codectl_process_add(process, mapping)) {
		free(mapping);
		return -ENOMEM;
	}
	note_in_dump(process, mapping);
	space->stats.registrations++;
	renew_generation(space, process);
	return 0;
}

static int apply_unregister(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_unregister *unregister = &event->unregister;
	struct codectl_mapping *mapping = codectl_process_find_serial(
		process, unregister->registered_serial);

	if (codectl_process_saw_serial(process, unregister->serial))
		return -ENOMEM;
	if (!mapping || mapping->end != UINT64_MAX ||
		mapping->text_start != unregister->text_start) {
		space->stats.unknown_unregisters++;
		return -EINVAL;
	}
	if (codectl_process_end_mapping(process, mapping, event->timestamp))
		return -ENOMEM;
	space->stats.unregistrations++;
	renew_generation(space, process);
	return 0;
}

static int begin_dump(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	if (process->dump.is_open)
		space->stats.incomplete_dumps++;
	process->dump.is_open = true;
	process->dump.serial = event->statedump.serial;
	process->dump.count = event->statedump.count;
	process->dump.seen = 0;
	process->dump.timestamp = event->timestamp;
	process->dump.number = ++space->last_dump;
	return 0;
}

static int end_dump(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	if (!process->dump.is_open || event->statedump.serial != process->dump.serial ||
		process->dump.seen != process->dump.count) {
		process->dump.is_open = false;
		space->stats.incomplete_dumps++;
		return -EINVAL;
	}
	process->dump.is_open = false;
	/* What lives in our map but not in the dump ended without our seeing it. */
	for (size_t i = 0; i < process->mapping_count; i++) {
		struct codectl_mapping *mapping = process->mappings[i];

		if (mapping->end != UINT64_MAX || mapping->serial > process->dump.serial ||
			mapping->dump_number == process->dump.number)
			continue;
		if (codectl_process_end_mapping(process, mapping, process->dump.timestamp))
			return -ENOMEM;
		space->stats.closed_by_dump++;
		renew_generation(space, process);
	}
	codectl_process_set_complete(process, process->dump.serial);
	return 0;
}

int codectl_space_apply(struct codectl_space *space, const struct codectl_event *event)
{
	static int (*const apply[CODECTL_EVENT_TYPE_COUNT])(
		struct codectl_space *, struct codectl_process *, const struct codectl_event *) = {
		[CODECTL_EVENT_REGISTER_ELF] = apply_register,
		[CODECTL_EVENT_UNREGISTER] = apply_unregister,
		[CODECTL_EVENT_STATEDUMP_BEGIN] = begin_dump,
		[CODECTL_EVENT_STATEDUMP_END] = end_dump,
	};

	if ((unsigned int)event->type >= CODECTL_EVENT_TYPE_COUNT || !apply[event->type])
		return 0;

	struct codectl_process *process = get_process(space, event->vpid, event->start_time);

	return process ? apply[event->type](space, process, event) : -ENOMEM;
}

const struct codectl_space_stats *codectl_space_borrow_stats(const struct codectl_space *space)
{
	return &space->stats;
}
