/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/internal.h"
#include "space/processes.h"

#include <errno.h>
#include <stdlib.h>

/* What a process counts for, beside its registrations and symbols. */
#define PROCESS_KEPT 4

/*
 * How much later than it was taken a sample may come, in ns, and still have the names of
 * generated code that is gone since: the helper thread that emits it may be held up.
 */
#define SAMPLE_DELAY_MAX UINT64_C(60000000000)

struct codectl_space {
	struct codectl_processes processes;
	uint64_t kept_max;
	void (*on_forgotten)(void *user, const struct codectl_mapping *mapping);
	void *user; /* Weak. */
	struct codectl_object_table objects;
	uint64_t last_generation;
	uint64_t last_dump;
	uint64_t last_mapping;
	uint64_t last_symbol;
	struct codectl_space_stats stats;
};

struct codectl_space *codectl_space_create(void)
{
	struct codectl_space *space = calloc(1, sizeof(*space));

	if (space)
		space->kept_max = CODECTL_SPACE_KEPT_MAX;
	return space;
}

void codectl_space_set_kept_max(struct codectl_space *space, uint64_t kept_max)
{
	space->kept_max = kept_max;
}

void codectl_space_set_listener(struct codectl_space *space,
	void (*on_forgotten)(void *user, const struct codectl_mapping *mapping), void *user)
{
	space->on_forgotten = on_forgotten;
	space->user = user;
}

void codectl_space_destroy(struct codectl_space *space)
{
	if (!space)
		return;
	codectl_processes_fini(&space->processes);
	codectl_object_table_fini(&space->objects);
	free(space);
}

struct codectl_process *codectl_space_find_process(
	struct codectl_space *space, int32_t vpid, uint64_t start_time)
{
	return codectl_processes_find(&space->processes, vpid, start_time);
}

static void forget_process(struct codectl_space *space, struct codectl_process *process)
{
	codectl_processes_remove(&space->processes, process);
	for (size_t i = 0; space->on_forgotten && i < process->mapping_count; i++)
		space->on_forgotten(space->user, process->mappings[i]);
	space->stats.kept -= process->kept;
	space->stats.forgotten++;
	codectl_process_destroy(process);
}

/* Counts anew what @process keeps, and makes room for it. */
static void keep_within_bounds(struct codectl_space *space, struct codectl_process *process)
{
	uint64_t kept = PROCESS_KEPT + process->mapping_count + process->symbols.count;

	space->stats.kept += kept - process->kept;
	process->kept = kept;
	while (space->stats.kept > space->kept_max && space->processes.oldest != process)
		forget_process(space, space->processes.oldest);
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
		codectl_processes_add(&space->processes, process);
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

/*
 * Whether the registration with @serial is news. What makes no sense (not
 * @is_right) has been seen, too. Returns 0, -EEXIST (it is known), -EINVAL or -ENOMEM.
 */
static int check_news(struct codectl_space *space, struct codectl_process *process, uint64_t serial,
	bool is_right)
{
	struct codectl_mapping *known = codectl_process_find_serial(process, serial);

	if (known) {
		space->stats.repeated++;
		note_in_dump(process, known);
		return -EEXIST;
	}
	/* A registration that makes no sense is still one that was seen. */
	if (codectl_process_saw_serial(process, serial))
		return -ENOMEM;
	if (!is_right) {
		space->stats.bad_ranges++;
		return -EINVAL;
	}
	return 0;
}

/* Adds a copy of @registered to the map. Returns 0 or -ENOMEM. */
static int add_mapping(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_mapping *registered)
{
	struct codectl_mapping *mapping = malloc(sizeof(*mapping));

	if (!mapping)
		return -ENOMEM;
	*mapping = *registered;
	mapping->id = ++space->last_mapping;
	if (codectl_process_add(process, mapping)) {
		free(mapping);
		return -ENOMEM;
	}
	note_in_dump(process, mapping);
	space->stats.registrations++;
	renew_generation(space, process);
	return 0;
}

static int apply_register(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_register_elf *elf = &event->register_elf;
	int ret = check_news(space, process, elf->serial, is_sound(elf));

	if (ret)
		return ret == -EEXIST ? 0 : ret;

	const struct codectl_code_object *object = codectl_object_table_get(&space->objects, elf);

	if (!object)
		return -ENOMEM;
	return add_mapping(space, process,
		&(struct codectl_mapping){
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
		});
}

/* Offsets in tables have 32 bits. */
static bool is_jit_sound(const struct codectl_event_register_jit *jit)
{
	return jit->text_start < jit->text_end && jit->format < CODECTL_JIT_FORMAT_COUNT &&
	       (!codectl_jit_format_has_rows(jit->format) ||
		       jit->text_end - jit->text_start <= UINT64_C(1) << 32);
}

static int apply_register_jit(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_register_jit *jit = &event->register_jit;
	int ret = check_news(space, process, jit->serial, is_jit_sound(jit));

	if (ret)
		return ret == -EEXIST ? 0 : ret;
	return add_mapping(space, process,
		&(struct codectl_mapping){
			.serial = jit->serial,
			.text_start = jit->text_start,
			.text_end = jit->text_end,
			.unwind_head = jit->unwind_head,
			.reserved_len = jit->reserved_len,
			.jit_format = jit->format,
			.begin = event->timestamp,
			.end = UINT64_MAX,
		});
}

/* Only that it was seen; what it says is unwind/'s business. It changes answers about code. */
static int apply_rows(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	if (event->type == CODECTL_EVENT_JIT_ROWS) {
		/* 0: in a state dump. */
		if (event->jit_rows.serial &&
			codectl_process_saw_serial(process, event->jit_rows.serial))
			return -ENOMEM;
		if (!event->jit_rows.serial && process->dump.is_open)
			process->dump.rows_seen += event->jit_rows.ip_off_count;
	}
	renew_generation(space, process);
	return 0;
}

static void note_symbol_in_dump(
	struct codectl_process *process, struct codectl_jit_symbol_entry *entry)
{
	if (process->dump.is_open && entry->symbol.serial <= process->dump.serial &&
		entry->dump_number != process->dump.number) {
		entry->dump_number = process->dump.number;
		process->dump.seen++;
	}
}

static int apply_symbol(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_jit_symbol *jit = &event->jit_symbol;
	struct codectl_jit_symbol_entry *entry = codectl_jit_symbols_find_serial(
		&process->symbols, jit->serial);

	if (entry) {
		space->stats.repeated++;
		note_symbol_in_dump(process, entry);
		return 0;
	}
	if (codectl_process_saw_serial(process, jit->serial))
		return -ENOMEM;

	int ret = codectl_jit_symbols_add(
		&process->symbols, jit, event->timestamp, space->last_symbol + 1, &entry);

	if (ret) {
		space->stats.bad_jit += ret == -EINVAL;
		return ret;
	}
	space->last_symbol++;
	space->stats.jit_symbols++;
	if (event->timestamp > SAMPLE_DELAY_MAX)
		codectl_jit_symbols_trim(&process->symbols, event->timestamp - SAMPLE_DELAY_MAX);
	note_symbol_in_dump(process, entry);
	/* Outside of registered code it tells that there is code at all. */
	if (codectl_process_find(process, jit->start, event->timestamp))
		return 0;
	ret = codectl_process_add_time(process, event->timestamp);
	renew_generation(space, process);
	return ret;
}

/* The inlined functions and the lines of a symbol. */
static int apply_symbol_part(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	bool is_inlines = event->type == CODECTL_EVENT_JIT_INLINES;
	uint64_t serial = is_inlines ? event->jit_inlines.registered_serial
				     : event->jit_lines.registered_serial;
	struct codectl_jit_symbol_entry *entry = codectl_jit_symbols_find_serial(
		&process->symbols, serial);
	int ret = -EINVAL;

	if (entry && is_inlines)
		ret = codectl_jit_symbol_add_inlines(entry, &event->jit_inlines);
	else if (entry)
		ret = codectl_jit_symbol_add_lines(entry, &event->jit_lines);
	space->stats.bad_jit += ret == -EINVAL;
	return ret;
}

static int apply_unload(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	const struct codectl_event_jit_symbol_unload *unload = &event->jit_symbol_unload;
	struct codectl_jit_symbol_entry *entry = codectl_jit_symbols_find_serial(
		&process->symbols, unload->registered_serial);

	if (codectl_process_saw_serial(process, unload->serial))
		return -ENOMEM;
	if (!entry || entry->symbol.end != UINT64_MAX || entry->symbol.start != unload->start) {
		space->stats.unknown_unregisters++;
		return -EINVAL;
	}
	/* An end before the begin is a lie; the epoch is empty then. */
	entry->symbol.end = event->timestamp > entry->symbol.begin ? event->timestamp
								   : entry->symbol.begin;
	space->stats.jit_unloads++;
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
	process->dump.rows = event->statedump.rows;
	process->dump.rows_seen = 0;
	process->dump.timestamp = event->timestamp;
	process->dump.number = ++space->last_dump;
	return 0;
}

/* Ends the symbols that live in our map but not in the dump. */
static void end_symbols(struct codectl_space *space, struct codectl_process *process)
{
	for (size_t i = 0; i < process->symbols.count; i++) {
		struct codectl_jit_symbol_entry *entry = process->symbols.entries[i];

		if (entry->symbol.end != UINT64_MAX ||
			entry->symbol.serial > process->dump.serial ||
			entry->dump_number == process->dump.number)
			continue;
		entry->symbol.end = process->dump.timestamp > entry->symbol.begin
					    ? process->dump.timestamp
					    : entry->symbol.begin;
		space->stats.closed_by_dump++;
	}
}

static int end_dump(struct codectl_space *space, struct codectl_process *process,
	const struct codectl_event *event)
{
	if (!process->dump.is_open || event->statedump.serial != process->dump.serial ||
		process->dump.seen != process->dump.count ||
		process->dump.rows_seen < process->dump.rows) {
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
	end_symbols(space, process);
	/* The map as of then is known again, but not what came and went since it was last. */
	if (process->dump.serial > process->complete_serial)
		process->complete_from = process->dump.serial;
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
		[CODECTL_EVENT_REGISTER_JIT] = apply_register_jit,
		[CODECTL_EVENT_JIT_ROWS] = apply_rows,
		[CODECTL_EVENT_JIT_BLOB] = apply_rows,
		[CODECTL_EVENT_JIT_SYMBOL] = apply_symbol,
		[CODECTL_EVENT_JIT_INLINES] = apply_symbol_part,
		[CODECTL_EVENT_JIT_LINES] = apply_symbol_part,
		[CODECTL_EVENT_JIT_SYMBOL_UNLOAD] = apply_unload,
	};

	if ((unsigned int)event->type >= CODECTL_EVENT_TYPE_COUNT || !apply[event->type])
		return 0;

	struct codectl_process *process = get_process(space, event->vpid, event->start_time);

	if (!process)
		return -ENOMEM;

	int ret = apply[event->type](space, process, event);

	keep_within_bounds(space, process);
	return ret;
}

int codectl_space_identify(struct codectl_space *space, struct codectl_process *process,
	uint64_t serial, const struct codectl_event_register_elf *identity)
{
	struct codectl_mapping *mapping = codectl_process_find_serial(process, serial);
	const struct codectl_code_object *object;

	if (!mapping)
		return -ENOENT;
	object = codectl_object_table_get(&space->objects, identity);
	if (!object)
		return -ENOMEM;
	mapping->object = object;
	renew_generation(space, process);
	return 0;
}

const struct codectl_space_stats *codectl_space_borrow_stats(const struct codectl_space *space)
{
	return &space->stats;
}
