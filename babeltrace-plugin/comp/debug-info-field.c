/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/debug-info-field.h"

#include "comp/name-cache.h"
#include "format/likely.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The appended members, in their order. */
enum { MEMBER_BIN, MEMBER_FUNC, MEMBER_SRC, MEMBER_MORE };
enum { INLINE_FUNC, INLINE_SRC };

struct codectl_debug_info_field {
	struct codectl_debug_info_options options;
	struct codectl_learner *learner; /* Weak. */
	const bt_message *message;	 /* Weak. */
	struct codectl_ust_moment moment;
	bool is_patient;
	struct codectl_debug_info_wait wait;
	struct codectl_debug_info_field_stats stats;
	struct codectl_name_cache names;
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
	codectl_name_cache_clear(&field->names);
}

void codectl_debug_info_field_destroy(struct codectl_debug_info_field *field)
{
	if (!field)
		return;
	codectl_debug_info_field_rewind(field);
	free(field);
}

void codectl_debug_info_field_set_message(struct codectl_debug_info_field *field,
	const bt_message *message, uint64_t position, bool is_patient)
{
	field->message = message;
	field->moment.position = position;
	field->is_patient = is_patient;
}

static bool is_wanted(void *user, const bt_stream_class *stream_class)
{
	struct codectl_debug_info_field *field = user;
	const struct codectl_context *context = codectl_contexts_get(
		field->learner->contexts, stream_class);

	return context && codectl_debug_info_field_is_wanted(context);
}

static int append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	bool is_done = member && bt_field_class_structure_append_member(structure, name, member) ==
					 BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(member);
	return is_done ? 0 : -ENOMEM;
}

/* Appends the members that were asked for. Returns 0 or -ENOMEM. */
static int append_more(const struct codectl_debug_info_field *field, bt_trace_class *trace_class,
	bt_field_class *structure)
{
	bt_field_class *call;
	int ret = 0;

	if (field->options.has_reasons)
		ret = append_member(structure, "reason", bt_field_class_string_create(trace_class));
	if (ret < 0 || !field->options.has_inlines)
		return ret;
	call = bt_field_class_structure_create(trace_class);
	if (!call)
		return -ENOMEM;
	ret = append_member(call, "func", bt_field_class_string_create(trace_class));
	if (ret == 0)
		ret = append_member(call, "src", bt_field_class_string_create(trace_class));
	if (ret == 0)
		ret = append_member(
			structure, "inlines", codectl_mip_create_array(trace_class, call));
	bt_field_class_put_ref(call);
	return ret;
}

int codectl_debug_info_field_create_class(const struct codectl_debug_info_field *field,
	bt_trace_class *trace_class, bt_field_class **class)
{
	static const char *const texts[] = {"bin", "func", "src"};
	bt_field_class *structure = bt_field_class_structure_create(trace_class);
	int ret = structure ? 0 : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = append_member(structure, texts[i], bt_field_class_string_create(trace_class));
	if (ret == 0)
		ret = append_more(field, trace_class, structure);
	if (ret < 0)
		BT_FIELD_CLASS_PUT_REF_AND_RESET(structure);
	*class = structure;
	return ret;
}

static int append(void *user, const bt_stream_class *stream_class, bt_trace_class *trace_class,
	bt_field_class *context)
{
	const struct codectl_debug_info_field *field = user;
	bt_field_class *structure;
	int ret = codectl_debug_info_field_create_class(field, trace_class, &structure);

	(void)stream_class;
	return ret ? ret : append_member(context, field->options.field_name, structure);
}

static int refuse(struct codectl_debug_info_field *field, struct codectl_ust_process *process,
	bool is_for_address)
{
	if (!process)
		return -ENOMEM;
	field->wait = (struct codectl_debug_info_wait){
		.process = process,
		.is_for_address = is_for_address,
		.changes = codectl_ust_process_changes(process),
	};
	return -EAGAIN;
}

static struct codectl_name_text text_of(const char *start)
{
	return (struct codectl_name_text){.start = start, .len = strlen(start)};
}

static struct codectl_name_texts texts_of(const struct codectl_frame_name *name, const char *reason)
{
	return (struct codectl_name_texts){
		.bin = text_of(name->bin),
		.func = text_of(name->func),
		.src = text_of(name->src),
		.reason = text_of(reason),
	};
}

/*
 * Names @frame; what is unknown is empty. Returns 0, -ENOMEM or, if it @may_wait,
 * -EAGAIN.
 */
static int find_name(struct codectl_debug_info_field *field, struct codectl_ust_process *process,
	const struct codectl_unwind_frame *frame, bool may_wait, struct codectl_name_texts *texts)
{
	const uint64_t lookup_pc = codectl_unwind_frame_lookup_pc(frame);
	const struct codectl_frame_name unknown = {.bin = "", .func = "", .src = ""};
	const struct codectl_frame_name *chain = &unknown;
	const char *reason = "nothing is known to be there";
	struct codectl_ust_place place;
	size_t count = 1;

	int ret = codectl_ust_process_find(process, lookup_pc, &field->moment, &place);
	/* The constructors of a library run before it is told of. */
	if (ret == -ENOENT && may_wait && field->is_patient && frame->pc)
		return refuse(field, process, true);
	if (ret == 0)
		ret = codectl_resolver_name(
			field->learner->resolver, place.process, place.time, frame, &chain, &count);
	/* The function that has the code; where it has inlined others, its line is the call. */
	const struct codectl_frame_name *name = &chain[count - 1];
	if (ret == 0)
		reason = *name->func ? ""
				     : codectl_resolver_reason(field->learner->resolver,
					       place.process, place.time, lookup_pc);
	if (!reason || ret == -ENOMEM)
		return -ENOMEM;
	*texts = texts_of(name, reason);
	field->stats.no_mapping += ret == -ENOENT;
	return 0;
}

static int set_text(bt_field *structure, uint64_t index, const struct codectl_name_text *text)
{
	bt_field *member = bt_field_structure_borrow_member_field_by_index(structure, index);

	/* One call would do, but it would count the characters. */
	bt_field_string_clear(member);
	return bt_field_string_append_with_length(member, text->start, text->len) ==
			       BT_FIELD_STRING_APPEND_STATUS_OK
		       ? 0
		       : -ENOMEM;
}

/* Fills all members but `inlines`. Returns 0 or -ENOMEM. */
static int fill_texts(const struct codectl_debug_info_field *field,
	const struct codectl_name_texts *texts, bt_field *structure)
{
	if (set_text(structure, MEMBER_BIN, &texts->bin) < 0 ||
		set_text(structure, MEMBER_FUNC, &texts->func) < 0 ||
		set_text(structure, MEMBER_SRC, &texts->src) < 0)
		return -ENOMEM;
	return field->options.has_reasons ? set_text(structure, MEMBER_MORE, &texts->reason) : 0;
}

/* The same for @frame of @process, NULL if unknown. As find_name(). */
static inline int fill_name(struct codectl_debug_info_field *field,
	struct codectl_ust_process *process, const struct codectl_unwind_frame *frame,
	bool may_wait, bt_field *structure)
{
	const struct codectl_frame_name unknown = {.bin = "", .func = "", .src = ""};
	const struct codectl_cached_texts *known;
	struct codectl_name_texts texts;

	if (CODECTL_UNLIKELY(!process)) {
		texts = texts_of(&unknown, "nothing is told of the process");
		return fill_texts(field, &texts, structure);
	}
	const struct codectl_cached_place place = {
		.generation = codectl_ust_process_generation(process, &field->moment),
		.pc = frame->pc,
		.is_exact = frame->is_exact,
	};
	known = codectl_name_cache_find(&field->names, &place);
	if (CODECTL_LIKELY(known)) {
		field->stats.cached++;
		texts = codectl_cached_texts_read(known);
		return fill_texts(field, &texts, structure);
	}
	int ret = find_name(field, process, frame, may_wait, &texts);
	if (ret < 0)
		return ret;
	codectl_name_cache_keep(&field->names, &place, &texts);
	return fill_texts(field, &texts, structure);
}

static void *open_stream(void *user, const bt_stream *stream)
{
	const struct codectl_debug_info_field *field = user;

	return codectl_contexts_get_stream(field->learner->contexts, stream);
}

/* Whether an event of @process may be named now. Returns 0, -EAGAIN or -ENOMEM. */
static inline int ask(struct codectl_debug_info_field *field,
	const struct codectl_known_stream *stream, struct codectl_ust_process *process)
{
	if (CODECTL_LIKELY(
		    !field->is_patient || (process && codectl_ust_process_is_settled(process))))
		return 0;
	/* Of most processes of a machine nobody but the kernel will ever tell. */
	if (!process && stream->hostname)
		return 0;
	return refuse(field,
		process ? process
			: codectl_ust_map_expect(field->learner->ust_map, &stream->last_key),
		false);
}

/* Gives the process @key, NULL if nothing is known of it, if events of it may be named now. */
static inline int find_process(struct codectl_debug_info_field *field,
	struct codectl_known_stream *stream, const struct codectl_ust_key *key,
	struct codectl_ust_process **process)
{
	*process = codectl_contexts_find_process(
		field->learner->contexts, field->learner->ust_map, stream, key);
	int ret = ask(field, stream, *process);
	field->moment.clock = 0;
	if (CODECTL_UNLIKELY(
		    ret == 0 && *process && codectl_ust_process_has_registrations(*process)))
		field->moment.clock = codectl_contexts_get_clock(field->message);
	return ret;
}

int codectl_debug_info_field_ask(struct codectl_debug_info_field *field,
	struct codectl_known_stream *stream, const bt_event *event,
	struct codectl_ust_process **process)
{
	const struct codectl_ust_key key = codectl_contexts_read_key(
		stream, bt_event_borrow_common_context_field_const(event));

	return find_process(field, stream, &key, process);
}

static int set_call_text(bt_field *call, uint64_t index, const char *start)
{
	const struct codectl_name_text text = text_of(start);

	return set_text(call, index, &text);
}

/* Fills the array `inlines` for @frame of @process, NULL if unknown. Returns 0 or -ENOMEM. */
static int fill_inlines(struct codectl_debug_info_field *field,
	const struct codectl_ust_process *process, const struct codectl_unwind_frame *frame,
	bt_field *array)
{
	const struct codectl_frame_name *chain;
	struct codectl_ust_place place;
	size_t count = 1;

	int ret = process ? codectl_ust_process_find(process, codectl_unwind_frame_lookup_pc(frame),
				    &field->moment, &place)
			  : -ENOENT;
	if (ret == 0)
		ret = codectl_resolver_name(
			field->learner->resolver, place.process, place.time, frame, &chain, &count);
	if (ret == -ENOMEM || bt_field_array_dynamic_set_length(array, count - 1) !=
				      BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < count; i++) {
		bt_field *call = bt_field_array_borrow_element_field_by_index(array, i);

		if (set_call_text(call, INLINE_FUNC, chain[i].func) < 0 ||
			set_call_text(call, INLINE_SRC, chain[i].src) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bt_field *borrow_inlines(const struct codectl_debug_info_field *field, bt_field *structure)
{
	return bt_field_structure_borrow_member_field_by_index(
		structure, MEMBER_MORE + field->options.has_reasons);
}

/* Fills @structure for @frame of @process, NULL if unknown. As find_name(). */
static inline int fill_structure(struct codectl_debug_info_field *field,
	struct codectl_ust_process *process, const struct codectl_unwind_frame *frame,
	bool may_wait, bt_field *structure)
{
	int ret = fill_name(field, process, frame, may_wait, structure);

	if (CODECTL_UNLIKELY(field->options.has_inlines) && ret == 0)
		ret = fill_inlines(field, process, frame, borrow_inlines(field, structure));
	return ret;
}

int codectl_debug_info_field_fill_frame(struct codectl_debug_info_field *field,
	struct codectl_ust_process *process, const struct codectl_unwind_frame *frame,
	bt_field *structure)
{
	return fill_structure(field, process, frame, false, structure);
}

int codectl_debug_info_field_fill_texts(const struct codectl_debug_info_field *field,
	const struct codectl_frame_name *name, const char *reason, bt_field *structure)
{
	const struct codectl_name_texts texts = texts_of(name, reason);
	int ret = fill_texts(field, &texts, structure);

	if (ret == 0 && field->options.has_inlines &&
		bt_field_array_dynamic_set_length(borrow_inlines(field, structure), 0) !=
			BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		ret = -ENOMEM;
	return ret;
}

static int fill(void *user, void *opened, const bt_event *source, const uint64_t *values,
	bt_field *context, uint64_t first_index)
{
	struct codectl_debug_info_field *field = user;
	struct codectl_known_stream *stream = opened;
	const struct codectl_ust_key key = codectl_contexts_make_key(stream, values);
	const struct codectl_unwind_frame frame = {
		.pc = values[stream->context->ip], .is_exact = true};
	struct codectl_ust_process *process;

	(void)source;
	int ret = find_process(field, stream, &key, &process);
	if (CODECTL_LIKELY(ret == 0))
		ret = fill_structure(field, process, &frame, true,
			bt_field_structure_borrow_member_field_by_index(context, first_index));
	field->stats.events += ret == 0;
	field->stats.no_process += ret == 0 && !process;
	return ret;
}

const struct codectl_debug_info_wait *codectl_debug_info_field_borrow_wait(
	const struct codectl_debug_info_field *field)
{
	return &field->wait;
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
