/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/debug-info-field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The appended members, in their order. */
enum { MEMBER_BIN, MEMBER_FUNC, MEMBER_SRC };

/* Traces fire from few places, again and again; a power of two. */
#define ANSWER_COUNT 16384

/* Longer texts are not kept here. */
#define TEXTS_MAX 512

/* What was answered for an address. */
struct answer {
	uint64_t generation; /* 0: empty. */
	uint64_t pc;
	char *texts;   /* Owned; bin, func and src, one after another. */
	uint32_t func; /* Where they begin. */
	uint32_t src;
};

struct codectl_debug_info_field {
	struct codectl_debug_info_options options;
	struct codectl_learner *learner; /* Weak. */
	const bt_message *message;	 /* Weak. */
	struct codectl_ust_moment moment;
	struct codectl_debug_info_field_stats stats;
	struct answer answers[ANSWER_COUNT];
};

struct codectl_debug_info_field *codectl_debug_info_field_create(
	const struct codectl_debug_info_options *options, struct codectl_learner *learner)
{
	struct codectl_debug_info_field *field = calloc(1, sizeof(*field));

	if (field) {
		field->options = *options;
		field->learner = learner;
	}
	return field;
}

void codectl_debug_info_field_rewind(struct codectl_debug_info_field *field)
{
	for (size_t i = 0; i < ANSWER_COUNT; i++)
		free(field->answers[i].texts);
	memset(field->answers, 0, sizeof(field->answers));
}

void codectl_debug_info_field_destroy(struct codectl_debug_info_field *field)
{
	if (!field)
		return;
	codectl_debug_info_field_rewind(field);
	free(field);
}

void codectl_debug_info_field_set_message(
	struct codectl_debug_info_field *field, const bt_message *message, uint64_t position)
{
	field->message = message;
	field->moment.position = position;
}

static bool is_wanted(void *user, const bt_stream_class *stream_class)
{
	struct codectl_debug_info_field *field = user;
	const struct codectl_context *context = codectl_contexts_get(
		field->learner->contexts, stream_class);

	return context && context->vpid >= 0 && context->ip >= 0 && !context->has_debug_info;
}

static int append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	bool is_done = member && bt_field_class_structure_append_member(structure, name, member) ==
					 BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(member);
	return is_done ? 0 : -ENOMEM;
}

static int append(void *user, const bt_stream_class *stream_class, bt_trace_class *trace_class,
	bt_field_class *context)
{
	static const char *const texts[] = {"bin", "func", "src"};
	const struct codectl_debug_info_field *field = user;
	bt_field_class *structure = bt_field_class_structure_create(trace_class);
	int ret = structure ? 0 : -ENOMEM;

	(void)stream_class;
	for (size_t i = 0; ret == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = append_member(structure, texts[i], bt_field_class_string_create(trace_class));
	if (ret < 0) {
		bt_field_class_put_ref(structure);
		return ret;
	}
	return append_member(context, field->options.field_name, structure);
}

/* Names @pc; what is unknown is empty. Returns 0 or -ENOMEM. */
static int find_name(struct codectl_debug_info_field *field,
	const struct codectl_ust_process *process, uint64_t pc, struct codectl_frame_name *name)
{
	const struct codectl_unwind_frame frame = {.pc = pc, .is_exact = true};
	const struct codectl_frame_name *chain;
	struct codectl_ust_place place;
	size_t count;

	*name = (struct codectl_frame_name){.bin = "", .func = "", .src = ""};
	int ret = codectl_ust_process_find(process, pc, &field->moment, &place);
	if (ret == 0)
		ret = codectl_resolver_name(field->learner->resolver, place.process, place.time,
			&frame, &chain, &count);
	if (ret == 0)
		/* The function that has the code; where it has inlined others, its line is the call. */
		*name = chain[count - 1];
	field->stats.no_mapping += ret == -ENOENT;
	return ret == -ENOENT ? 0 : ret;
}

static struct answer *place_of(
	struct codectl_debug_info_field *field, uint64_t generation, uint64_t pc)
{
	uint64_t hash = (pc + generation * UINT64_C(0xd6e8feb86659fd93)) *
			UINT64_C(0x9e3779b97f4a7c15);

	return &field->answers[hash >> 50];
}

_Static_assert(ANSWER_COUNT == UINT64_C(1) << (64 - 50), "a hash must be a place");

/* Keeps @name in @answer, as far as there is room. */
static void keep(struct answer *answer, uint64_t generation, uint64_t pc,
	const struct codectl_frame_name *name)
{
	size_t func = strlen(name->bin) + 1;
	size_t src = func + strlen(name->func) + 1;
	size_t len = src + strlen(name->src) + 1;
	char *texts = len <= TEXTS_MAX ? realloc(answer->texts, len) : NULL;

	if (!texts)
		return;
	memcpy(texts, name->bin, func);
	memcpy(texts + func, name->func, src - func);
	memcpy(texts + src, name->src, len - src);
	*answer = (struct answer){
		.generation = generation,
		.pc = pc,
		.texts = texts,
		.func = (uint32_t)func,
		.src = (uint32_t)src,
	};
}

static int get_name(struct codectl_debug_info_field *field, struct codectl_ust_process *process,
	uint64_t pc, struct codectl_frame_name *name)
{
	uint64_t generation = codectl_ust_process_generation(process, &field->moment);
	struct answer *answer = place_of(field, generation, pc);

	if (answer->generation == generation && answer->pc == pc) {
		field->stats.cached++;
		*name = (struct codectl_frame_name){
			.bin = answer->texts,
			.func = answer->texts + answer->func,
			.src = answer->texts + answer->src,
		};
		return 0;
	}
	int ret = find_name(field, process, pc, name);
	if (ret == 0)
		keep(answer, generation, pc, name);
	return ret;
}

static int set_text(bt_field *structure, uint64_t index, const char *text)
{
	return bt_field_string_set_value(
		       bt_field_structure_borrow_member_field_by_index(structure, index), text) ==
			       BT_FIELD_STRING_SET_VALUE_STATUS_OK
		       ? 0
		       : -ENOMEM;
}

/* The process of an event, or NULL if nothing is known of it. */
static struct codectl_ust_process *find_process(const struct codectl_debug_info_field *field,
	struct codectl_known_stream *stream, const bt_field *context)
{
	const struct codectl_ust_key key = codectl_contexts_read_key(stream, context);

	if (!stream->last_process || !codectl_ust_key_is_equal(&stream->last_key, &key)) {
		stream->last_process = codectl_ust_map_find(field->learner->ust_map, &key);
		stream->last_key = key;
	}
	return stream->last_process;
}

static void *open_stream(void *user, const bt_stream *stream)
{
	const struct codectl_debug_info_field *field = user;

	return codectl_contexts_get_stream(field->learner->contexts, stream);
}

static int fill(
	void *user, void *opened, const bt_event *source, bt_field *context, uint64_t first_index)
{
	struct codectl_debug_info_field *field = user;
	struct codectl_known_stream *stream = opened;
	struct codectl_frame_name name = {.bin = "", .func = "", .src = ""};
	const bt_field *source_context = bt_event_borrow_common_context_field_const(source);
	struct codectl_ust_process *process;
	int ret = 0;

	field->stats.events++;
	process = find_process(field, stream, source_context);
	if (process) {
		field->moment.clock = 0;
		if (codectl_ust_process_has_registrations(process))
			field->moment.clock = codectl_contexts_get_clock(field->message);
		ret = get_name(field, process,
			bt_field_integer_unsigned_get_value(
				bt_field_structure_borrow_member_field_by_index_const(
					source_context, (uint64_t)stream->context->ip)),
			&name);
	} else {
		field->stats.no_process++;
	}
	if (ret < 0)
		return ret;
	bt_field *structure = bt_field_structure_borrow_member_field_by_index(context, first_index);
	if (set_text(structure, MEMBER_BIN, name.bin) < 0 ||
		set_text(structure, MEMBER_FUNC, name.func) < 0 ||
		set_text(structure, MEMBER_SRC, name.src) < 0)
		return -ENOMEM;
	return 0;
}

struct codectl_context_extension codectl_debug_info_field_extension(
	struct codectl_debug_info_field *field)
{
	return (struct codectl_context_extension){
		.user = field,
		.is_wanted = is_wanted,
		.append = append,
		.open = open_stream,
		.fill = fill,
	};
}

const struct codectl_debug_info_field_stats *codectl_debug_info_field_borrow_stats(
	const struct codectl_debug_info_field *field)
{
	return &field->stats;
}
