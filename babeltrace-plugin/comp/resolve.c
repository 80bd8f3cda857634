/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/resolve.h"

#include "comp/file-search.h"
#include "comp/jit-names.h"
#include "comp/jit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* A stack of 128 KiB has room for no more than this. */
#define FRAME_MAX 8192

/* With the inlined functions, whose number is the word of a file: some may be left out. */
#define RESOLVED_MAX (4 * FRAME_MAX)

struct codectl_resolver {
	struct codectl_resolver_options options;
	struct codectl_space *space;		   /* Owned. */
	struct codectl_objects *objects;	   /* Owned. */
	struct codectl_frame_names *names;	   /* Owned; of frames. */
	struct codectl_frame_names *address_names; /* Owned; of single addresses. */
	struct codectl_jit_codes *codes;	   /* Owned. */
	struct codectl_jit_names *jit_names;	   /* Owned. */
	struct codectl_unwinder *unwinder;	   /* Owned. */
	bool has_forgotten_code;		   /* The unwinder may remember it. */
	struct codectl_resolver_stats stats;
	struct codectl_unwind_frame frames[FRAME_MAX];
	struct codectl_resolved_frame resolved[RESOLVED_MAX];
	size_t resolved_count;
};

/* The map at the time of a sample, for the unwinder. */
struct moment {
	struct codectl_resolver *resolver;
	const struct codectl_process *process; /* NULL: unknown. */
	uint64_t time;
	bool is_out_of_memory;
};

/* Frees what knows of registrations: ids and generations mean nothing beyond it. */
static void destroy_parts(struct codectl_resolver *resolver)
{
	if (resolver->unwinder)
		codectl_unwinder_destroy(resolver->unwinder);
	codectl_frame_names_destroy(resolver->names);
	codectl_frame_names_destroy(resolver->address_names);
	codectl_objects_destroy(resolver->objects);
	codectl_jit_names_destroy(resolver->jit_names);
	codectl_jit_codes_destroy(resolver->codes);
	if (resolver->space)
		codectl_space_destroy(resolver->space);
	resolver->unwinder = NULL;
	resolver->names = NULL;
	resolver->address_names = NULL;
	resolver->objects = NULL;
	resolver->jit_names = NULL;
	resolver->codes = NULL;
	resolver->space = NULL;
}

/* What is known of generated code goes with its registration. */
static void forget_code(void *user, const struct codectl_mapping *mapping)
{
	struct codectl_resolver *resolver = user;

	if (!mapping->object && codectl_jit_codes_forget(resolver->codes, mapping->id))
		resolver->has_forgotten_code = true;
}

static int create_parts(struct codectl_resolver *resolver)
{
	const struct codectl_resolver_options *options = &resolver->options;
	const struct codectl_jit_names_options jit_options = {
		.has_full_paths = options->has_full_paths,
		.has_inlines = options->has_inlines,
	};
	struct codectl_frame_names_options name_options = {
		.has_full_paths = options->has_full_paths,
		.has_inlines = options->has_inlines,
		.target_prefix = codectl_file_search_shown_prefix(options->search),
	};

	resolver->space = codectl_space_create();
	resolver->objects = codectl_objects_create(
		options->search, options->mode, options->log, options->archive);
	resolver->names = codectl_frame_names_create(&name_options);
	name_options.has_inlines = true;
	name_options.has_plain_names = !options->has_full_names;
	resolver->address_names = codectl_frame_names_create(&name_options);
	resolver->unwinder = codectl_unwinder_create();
	resolver->codes = codectl_jit_codes_create();
	resolver->jit_names = codectl_jit_names_create(&jit_options);
	if (resolver->space && resolver->objects && resolver->names && resolver->unwinder &&
		resolver->codes && resolver->jit_names && resolver->address_names) {
		codectl_space_set_listener(resolver->space, forget_code, resolver);
		return 0;
	}
	destroy_parts(resolver);
	return -ENOMEM;
}

struct codectl_resolver *codectl_resolver_create(const struct codectl_resolver_options *options)
{
	struct codectl_resolver *resolver = calloc(1, sizeof(*resolver));

	if (!resolver)
		return NULL;
	resolver->options = *options;
	if (create_parts(resolver) < 0) {
		free(resolver);
		return NULL;
	}
	return resolver;
}

void codectl_resolver_destroy(struct codectl_resolver *resolver)
{
	if (!resolver)
		return;
	destroy_parts(resolver);
	free(resolver);
}

int codectl_resolver_rewind(struct codectl_resolver *resolver)
{
	destroy_parts(resolver);
	return create_parts(resolver);
}

/* The unwinder may remember modules that are gone. */
static int forget_modules(struct codectl_resolver *resolver)
{
	struct codectl_unwinder *unwinder = codectl_unwinder_create();

	if (!unwinder)
		return -ENOMEM;
	codectl_unwinder_destroy(resolver->unwinder);
	resolver->unwinder = unwinder;
	resolver->has_forgotten_code = false;
	return 0;
}

static int add_image(struct codectl_resolver *resolver, const struct codectl_event *event)
{
	const struct codectl_process *process = codectl_space_find_process(
		resolver->space, event->vpid, event->start_time);
	const struct codectl_mapping *mapping =
		process ? codectl_process_find(process, event->elf_image.address, event->timestamp)
			: NULL;

	int ret = codectl_objects_add_image(
		resolver->objects, mapping ? mapping->object : NULL, event);

	if (ret <= 0)
		return ret;
	codectl_frame_names_forget(resolver->names);
	codectl_frame_names_forget(resolver->address_names);
	return forget_modules(resolver);
}

/* The registration of generated code that @event makes or speaks of, or NULL. */
static const struct codectl_mapping *find_jit(
	struct codectl_resolver *resolver, const struct codectl_event *event)
{
	const struct codectl_process *process = codectl_space_find_process(
		resolver->space, event->vpid, event->start_time);
	uint64_t serial = event->register_jit.serial;

	if (event->type == CODECTL_EVENT_JIT_ROWS)
		serial = event->jit_rows.registered_serial;
	else if (event->type == CODECTL_EVENT_JIT_BLOB)
		serial = event->jit_blob.registered_serial;
	return process ? codectl_process_borrow_mapping(process, serial) : NULL;
}

int codectl_resolver_apply(struct codectl_resolver *resolver, const struct codectl_event *event)
{
	if (event->type == CODECTL_EVENT_ELF_IMAGE)
		return add_image(resolver, event);
	if (codectl_space_apply(resolver->space, event) == -ENOMEM)
		return -ENOMEM;
	switch ((unsigned int)event->type) {
	case CODECTL_EVENT_REGISTER_JIT:
	case CODECTL_EVENT_JIT_ROWS:
	case CODECTL_EVENT_JIT_BLOB:
		return codectl_jit_codes_add(resolver->codes, find_jit(resolver, event), event);
	default:
		return 0;
	}
}

/* The file of a registration. Returns 0, -ENOENT (it is of no file) or -ENOMEM. */
static int get_object(const struct moment *moment, const struct codectl_mapping *mapping,
	const struct codectl_object **object)
{
	if (!mapping || !mapping->object)
		return -ENOENT;
	*object = codectl_objects_get(moment->resolver->objects, mapping->object);
	return *object ? 0 : -ENOMEM;
}

/* The registration at @pc, and its file. Returns as get_object(). */
static int find_object(const struct moment *moment, uint64_t pc,
	const struct codectl_mapping **mapping, const struct codectl_object **object)
{
	*mapping = moment->process ? codectl_process_find(moment->process, pc, moment->time) : NULL;
	return get_object(moment, *mapping, object);
}

static int find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	struct moment *moment = user;
	const struct codectl_mapping *mapping;
	const struct codectl_object *object;

	*code = (struct codectl_unwind_code){.module = NULL};

	int ret = find_object(moment, lookup_pc, &mapping, &object);
	if (ret == 0) {
		if (codectl_object_is_located(object, mapping))
			code->module = object->module;
		code->bias = codectl_object_bias(object, mapping);
		return 0;
	}
	if (ret == -ENOMEM) {
		moment->is_out_of_memory = true;
		return -ENOENT;
	}
	code->is_generated = true;
	if (mapping) {
		/* The one source that takes part in it, where others are wanted alone. */
		if (moment->resolver->options.mode == CODECTL_UNWIND_AUTO)
			code->module = codectl_jit_codes_find(
				moment->resolver->codes, mapping, &code->bias);
		return 0;
	}
	/* Code that has a name is code. */
	return moment->process &&
			       codectl_process_find_symbol(moment->process, lookup_pc, moment->time)
		       ? 0
		       : -ENOENT;
}

static int read_code(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	struct moment *moment = user;
	const struct codectl_mapping *mapping;
	const struct codectl_object *object;
	int ret = find_object(moment, address, &mapping, &object);

	moment->is_out_of_memory |= ret == -ENOMEM;
	if (ret < 0 || !codectl_object_is_located(object, mapping))
		return -ENOENT;
	return codectl_object_read_code(
		object, address - codectl_object_bias(object, mapping), bytes, len);
}

/*
 * Names @frame by what is registered there; @file_names has the form of names of
 * files' code. Returns 0, -ENOENT (nothing is) or -ENOMEM.
 */
static int find_names(const struct moment *moment, const struct codectl_unwind_frame *frame,
	struct codectl_frame_names *file_names, const struct codectl_frame_name **names,
	size_t *count)
{
	uint64_t lookup_pc = codectl_unwind_frame_lookup_pc(frame);
	const struct codectl_process *process = moment->process;
	const struct codectl_mapping *mapping, *file;
	const struct codectl_jit_symbol *symbol;
	const struct codectl_object *object;

	if (!process)
		return -ENOENT;
	mapping = file = codectl_process_find(process, lookup_pc, moment->time);
	symbol = codectl_process_find_symbol(process, lookup_pc, moment->time);
	/* How to unwind a file's code may have been told beside the file. */
	if (mapping && !mapping->object)
		file = codectl_process_find_file(process, lookup_pc, moment->time);
	if (symbol || (mapping && !file))
		return codectl_jit_names_get(moment->resolver->jit_names, symbol, frame->pc,
			frame->is_exact, names, count);

	int ret = get_object(moment, file, &object);

	return ret ? ret
		   : codectl_frame_names_get(
			     file_names, object, file, frame->pc, frame->is_exact, names, count);
}

/*
 * Appends @frame, after those of the functions that were inlined there; @later
 * frames must find room after it. Returns 0 or -ENOMEM.
 */
static int name_frame(
	const struct moment *moment, const struct codectl_unwind_frame *frame, size_t later)
{
	static const struct codectl_frame_name unknown = {.bin = "", .func = "", .src = ""};
	struct codectl_resolver *resolver = moment->resolver;
	const struct codectl_frame_name *names = &unknown;
	size_t count = 1;
	int ret = find_names(moment, frame, resolver->names, &names, &count);

	if (ret == -ENOMEM)
		return ret;

	size_t room = RESOLVED_MAX - resolver->resolved_count - later;
	size_t first = count > room ? count - room : 0;

	for (size_t i = first; i < count; i++)
		resolver->resolved[resolver->resolved_count++] = (struct codectl_resolved_frame){
			.pc = frame->pc,
			.name = names[i],
			.via = i + 1 < count ? codectl_frame_via_name(CODECTL_FRAME_VIA_INLINE)
					     : codectl_frame_via_name(frame->via),
		};
	return 0;
}

/* Frees what has grown too much, between two samples. */
static int trim(struct codectl_resolver *resolver)
{
	codectl_frame_names_trim(resolver->names);
	codectl_frame_names_trim(resolver->address_names);
	codectl_jit_names_reset(resolver->jit_names);
	return codectl_objects_trim(resolver->objects) || resolver->has_forgotten_code
		       ? forget_modules(resolver)
		       : 0;
}

int codectl_resolver_resolve(struct codectl_resolver *resolver, const struct codectl_event *event,
	struct codectl_resolved_stack *stack)
{
	struct moment moment = {
		.resolver = resolver,
		.process = codectl_space_find_process(
			resolver->space, event->vpid, event->start_time),
		.time = event->timestamp,
	};
	struct codectl_unwind_ops ops = {
		.find_code = find_code,
		.user = &moment,
		/* Where nothing is known the answers are always the same. */
		.generation = moment.process
				      ? codectl_process_generation(moment.process, moment.time)
				      : UINT64_MAX,
		.mode = resolver->options.mode,
		.read_code = read_code,
	};

	int ret = trim(resolver);
	if (ret < 0)
		return ret;
	if (!moment.process)
		resolver->stats.unknown_processes++;
	else if (!codectl_process_is_complete(moment.process, event->sample.serial))
		resolver->stats.incomplete_maps++;
	stack->frames = resolver->resolved;
	size_t count;
	enum codectl_stack_end end = codectl_unwind(
		resolver->unwinder, &ops, &event->sample, resolver->frames, FRAME_MAX, &count);
	if (moment.is_out_of_memory)
		return -ENOMEM;
	resolver->stats.ends[end]++;
	stack->end = codectl_stack_end_name(end);
	resolver->resolved_count = 0;
	for (size_t i = 0; i < count; i++) {
		ret = name_frame(&moment, &resolver->frames[i], count - 1 - i);
		if (ret < 0)
			return ret;
	}
	stack->frame_count = resolver->resolved_count;
	return 0;
}

struct codectl_space *codectl_resolver_borrow_space(struct codectl_resolver *resolver)
{
	return resolver->space;
}

int codectl_resolver_name(struct codectl_resolver *resolver, const struct codectl_process *process,
	uint64_t time, const struct codectl_unwind_frame *frame,
	const struct codectl_frame_name **chain, size_t *count)
{
	const struct moment moment = {.resolver = resolver, .process = process, .time = time};
	int ret = trim(resolver);

	return ret ? ret : find_names(&moment, frame, resolver->address_names, chain, count);
}

const char *codectl_resolver_reason(struct codectl_resolver *resolver,
	const struct codectl_process *process, uint64_t time, uint64_t pc)
{
	const struct moment moment = {.resolver = resolver, .process = process, .time = time};
	const struct codectl_mapping *mapping;
	const struct codectl_object *object;
	int ret = find_object(&moment, pc, &mapping, &object);

	if (ret < 0)
		return ret == -ENOMEM ? NULL : "";
	return object->status == CODECTL_OBJECT_OK ? "no symbol"
						   : codectl_object_status_text(object->status);
}

void codectl_resolver_log_stats(const struct codectl_resolver *resolver)
{
	const struct codectl_log *log = resolver->options.log;
	const struct codectl_space_stats *space = codectl_space_borrow_stats(resolver->space);
	const struct codectl_objects_stats *objects = codectl_objects_borrow_stats(
		resolver->objects);
	const struct codectl_frame_names_stats *names = codectl_frame_names_borrow_stats(
		resolver->names);
	const struct codectl_unwind_stats *unwind = codectl_unwinder_borrow_stats(
		resolver->unwinder);

	if (resolver->stats.incomplete_maps)
		codectl_log_warning(log,
			"Registrations are missing from the trace, frames may be unknown or wrong: "
			"samples=%" PRIu64,
			resolver->stats.incomplete_maps);
	codectl_log_info(log,
		"Registrations: count=%" PRIu64 ", unregistrations=%" PRIu64 ", repeated=%" PRIu64
		", bad-ranges=%" PRIu64 ", unknown-unregistrations=%" PRIu64
		", closed-by-state-dump=%" PRIu64 ", incomplete-state-dumps=%" PRIu64,
		space->registrations, space->unregistrations, space->repeated, space->bad_ranges,
		space->unknown_unregisters, space->closed_by_dump, space->incomplete_dumps);
	codectl_log_info(log,
		"Process images that were forgotten, since nobody had told of them for long: "
		"count=%" PRIu64,
		space->forgotten);
	codectl_log_info(log,
		"Symbols of generated code: count=%" PRIu64 ", unloaded=%" PRIu64
		", bad-events=%" PRIu64,
		space->jit_symbols, space->jit_unloads, space->bad_jit);
	codectl_jit_codes_log_stats(resolver->codes, log);
	codectl_log_info(log,
		"Objects: opened=%" PRIu64 ", without-file=%" PRIu64
		", without-unwind-information=%" PRIu64 ", named-addresses=%" PRIu64
		", found-again=%" PRIu64 ", images=%" PRIu64 ", image-parts=%" PRIu64
		", bad-image-parts=%" PRIu64,
		objects->opened, objects->failed, objects->no_unwind_info, names->misses,
		names->hits, objects->images, objects->image_parts, objects->bad_image_parts);
	codectl_log_info(log,
		"Stacks: samples=%" PRIu64 ", frames=%" PRIu64 ", slow-samples=%" PRIu64
		", cache-hits=%" PRIu64 ", incomplete-maps=%" PRIu64 ", unknown-processes=%" PRIu64,
		unwind->samples, unwind->frames, unwind->slow_samples, unwind->cache_hits,
		resolver->stats.incomplete_maps, resolver->stats.unknown_processes);
	for (int end = 0; end < CODECTL_STACK_END_COUNT; end++) {
		if (resolver->stats.ends[end])
			codectl_log_info(log, "Stacks that ended: reason=%s, count=%" PRIu64,
				codectl_stack_end_name((enum codectl_stack_end)end),
				resolver->stats.ends[end]);
	}
}
