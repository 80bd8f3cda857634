/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/callstacks.h"

#include "comp/callstack-sets.h"
#include "format/likely.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer stacks are named up to there. The kernel tracer's have 128 addresses at most. */
#define FRAME_MAX 8192

/* Longer names of the kernel's functions do not exist. */
#define FUNC_MAX 600

struct codectl_callstacks {
	struct codectl_callstacks_parts parts;
	struct codectl_context_extension names; /* What else is done to common contexts. */
	struct codectl_callstack_sets *sets;	/* Owned. */
	uint64_t stacks;
	uint64_t frames;
	uint64_t cut; /* Of the stacks: too long. */
};

struct codectl_callstacks *codectl_callstacks_create(const struct codectl_callstacks_parts *parts)
{
	struct codectl_callstacks *callstacks = calloc(1, sizeof(*callstacks));

	if (!callstacks)
		return NULL;
	callstacks->parts = *parts;
	callstacks->names = codectl_debug_info_field_extension(parts->names);
	callstacks->sets = codectl_callstack_sets_create(
		parts->options, parts->learner->contexts, parts->field_name);
	if (!callstacks->sets) {
		free(callstacks);
		return NULL;
	}
	return callstacks;
}

void codectl_callstacks_destroy(struct codectl_callstacks *callstacks)
{
	if (!callstacks)
		return;
	codectl_callstack_sets_destroy(callstacks->sets);
	free(callstacks);
}

/* Appends the array of frames for the call stack @member of @source to its @copy. */
static int append_array(struct codectl_callstacks *callstacks,
	const struct codectl_callstack_member *member, const bt_field_class *source,
	bt_trace_class *trace_class, bt_field_class *copy)
{
	char *name = codectl_callstack_sets_make_name(
		callstacks->sets, bt_field_class_structure_member_get_name(
					  bt_field_class_structure_borrow_member_by_index_const(
						  source, member->index)));
	bt_field_class *structure = NULL, *array = NULL;
	int ret = codectl_debug_info_field_create_class(
		callstacks->parts.names, trace_class, &structure);

	if (ret == 0)
		array = codectl_mip_create_array(trace_class, structure);
	if (!name || !array ||
		bt_field_class_structure_append_member(copy, name, array) !=
			BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
		ret = -ENOMEM;
	bt_field_class_put_ref(array);
	bt_field_class_put_ref(structure);
	free(name);
	return ret;
}

/* Appends an array of frames for each call stack of @set, in @source, to its @copy. */
static int append_arrays(struct codectl_callstacks *callstacks,
	const struct codectl_callstack_set *set, const bt_field_class *source,
	bt_trace_class *trace_class, bt_field_class *copy)
{
	int ret = set ? 0 : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < set->count; i++)
		ret = append_array(callstacks, &set->members[i], source, trace_class, copy);
	return ret;
}

/* Names @frame of the kernel. Returns 0 or -ENOMEM. */
static int fill_kernel_frame(const struct codectl_callstacks *callstacks,
	const struct codectl_unwind_frame *frame, bt_field *structure)
{
	struct codectl_frame_name name = {.bin = "", .func = "", .src = ""};
	struct codectl_kernel_symbol symbol;
	char func[FUNC_MAX];

	if (codectl_kernel_symbols_find(callstacks->parts.options->kernel_symbols,
		    codectl_unwind_frame_lookup_pc(frame), &symbol) < 0)
		return codectl_debug_info_field_fill_texts(callstacks->parts.names, &name,
			"no function of the kernel is known to be there", structure);
	/* What was looked up is the byte before a return address; shown is the address. */
	snprintf(func, sizeof(func), "%s+%#" PRIx64, symbol.name, symbol.offset + !frame->is_exact);
	name.bin = *symbol.module ? symbol.module : "[kernel]";
	name.func = func;
	return codectl_debug_info_field_fill_texts(callstacks->parts.names, &name, "", structure);
}

/* Fills the element of the array of frames for the address @frame. Returns 0 or -ENOMEM. */
static int fill_frame(struct codectl_callstacks *callstacks,
	const struct codectl_callstack_member *member, struct codectl_ust_process *process,
	const struct codectl_unwind_frame *frame, bt_field *structure)
{
	static const struct codectl_frame_name unknown = {.bin = "", .func = "", .src = ""};

	if (frame->pc == member->marker)
		return codectl_debug_info_field_fill_texts(callstacks->parts.names, &unknown,
			"no address: the rest of the stack was not recorded", structure);
	if (member->is_of_kernel)
		return fill_kernel_frame(callstacks, frame, structure);
	return codectl_debug_info_field_fill_frame(
		callstacks->parts.names, process, frame, structure);
}

/* Fills @frames for the addresses in @stack. Returns 0 or -ENOMEM. */
static int fill_array(struct codectl_callstacks *callstacks,
	const struct codectl_callstack_member *member, struct codectl_ust_process *process,
	const bt_field *stack, bt_field *frames)
{
	uint64_t length = bt_field_array_get_length(stack);
	int ret = 0;

	callstacks->stacks++;
	callstacks->cut += length > FRAME_MAX;
	length = length > FRAME_MAX ? FRAME_MAX : length;
	callstacks->frames += length;
	if (bt_field_array_dynamic_set_length(frames, length) !=
		BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return -ENOMEM;
	for (uint64_t i = 0; ret == 0 && i < length; i++) {
		const struct codectl_unwind_frame frame = {
			.pc = bt_field_integer_unsigned_get_value(
				bt_field_array_borrow_element_field_by_index_const(stack, i)),
			.is_exact = i == 0,
		};
		ret = fill_frame(callstacks, member, process, &frame,
			bt_field_array_borrow_element_field_by_index(frames, i));
	}
	return ret;
}

/* Fills the arrays of a structure. Returns 0, -EAGAIN or -ENOMEM. */
static int fill_arrays(struct codectl_callstacks *callstacks,
	const struct codectl_callstack_set *set, struct codectl_known_stream *stream,
	const bt_event *event, const bt_field *source, bt_field *copy, uint64_t first_index)
{
	struct codectl_ust_process *process = NULL;
	int ret = 0;

	/* Nothing keeps two classes of streams from having the same structure. */
	if (set->has_user && stream->context->vpid >= 0)
		ret = codectl_debug_info_field_ask(
			callstacks->parts.names, stream, event, &process);
	for (size_t i = 0; ret == 0 && i < set->count; i++)
		ret = fill_array(callstacks, &set->members[i], process,
			bt_field_structure_borrow_member_field_by_index_const(
				source, set->members[i].index),
			bt_field_structure_borrow_member_field_by_index(copy, first_index + i));
	return ret;
}

/* The common context; then what others add to it. */

static bool is_common_context_wanted(void *user, const bt_stream_class *stream_class)
{
	struct codectl_callstacks *callstacks = user;
	const struct codectl_context_extension *other = &callstacks->names;
	const struct codectl_callstack_set *set = codectl_callstack_sets_of_common_context(
		callstacks->sets, stream_class);

	return (set && set->count > 0) || other->is_wanted(other->user, stream_class);
}

static int append_to_common_context(void *user, const bt_stream_class *stream_class,
	bt_trace_class *trace_class, bt_field_class *context)
{
	struct codectl_callstacks *callstacks = user;
	const struct codectl_context_extension *other = &callstacks->names;
	const struct codectl_callstack_set *set = codectl_callstack_sets_of_common_context(
		callstacks->sets, stream_class);
	int ret = append_arrays(callstacks, set,
		bt_stream_class_borrow_event_common_context_field_class_const(stream_class),
		trace_class, context);

	if (ret == 0 && other->is_wanted(other->user, stream_class))
		ret = other->append(other->user, stream_class, trace_class, context);
	return ret;
}

static void *open_stream(void *user, const bt_stream *source)
{
	struct codectl_callstacks *callstacks = user;
	struct codectl_known_stream *stream = codectl_contexts_get_stream(
		callstacks->parts.learner->contexts, source);

	if (stream)
		stream->stacks = codectl_callstack_sets_of_common_context(
			callstacks->sets, bt_stream_borrow_class_const(source));
	return stream && stream->stacks ? stream : NULL;
}

static int fill_stacks_and_others(struct codectl_callstacks *callstacks,
	struct codectl_known_stream *stream, const bt_event *source, const uint64_t *values,
	bt_field *context, uint64_t first_index)
{
	const struct codectl_context_extension *other = &callstacks->names;
	int ret = fill_arrays(callstacks, stream->stacks, stream, source,
		bt_event_borrow_common_context_field_const(source), context, first_index);

	if (ret == 0 && codectl_debug_info_field_is_wanted(stream->context))
		ret = other->fill(other->user, stream, source, values, context,
			first_index + stream->stacks->count);
	return ret;
}

static int fill_common_context(void *user, void *opened, const bt_event *source,
	const uint64_t *values, bt_field *context, uint64_t first_index)
{
	struct codectl_callstacks *callstacks = user;
	struct codectl_known_stream *stream = opened;

	/* As most streams are; then it is the others who wanted it. */
	if (CODECTL_LIKELY(stream->stacks->count == 0))
		return callstacks->names.fill(
			callstacks->names.user, opened, source, values, context, first_index);
	return fill_stacks_and_others(callstacks, stream, source, values, context, first_index);
}

/* The specific context. */

static bool is_specific_context_wanted(void *user, const bt_event_class *event_class)
{
	struct codectl_callstacks *callstacks = user;
	const struct codectl_callstack_set *set = codectl_callstack_sets_of_specific_context(
		callstacks->sets, event_class);

	return set && set->count > 0;
}

static int append_to_specific_context(void *user, const bt_event_class *event_class,
	bt_trace_class *trace_class, bt_field_class *context)
{
	struct codectl_callstacks *callstacks = user;

	return append_arrays(callstacks,
		codectl_callstack_sets_of_specific_context(callstacks->sets, event_class),
		bt_event_class_borrow_specific_context_field_class_const(event_class), trace_class,
		context);
}

static int fill_specific_context(
	void *user, const bt_event *source, bt_field *context, uint64_t first_index)
{
	struct codectl_callstacks *callstacks = user;
	struct codectl_known_stream *stream = codectl_contexts_get_stream(
		callstacks->parts.learner->contexts, bt_event_borrow_stream_const(source));
	const struct codectl_callstack_set *set = codectl_callstack_sets_of_specific_context(
		callstacks->sets, bt_event_borrow_class_const(source));

	return stream && set ? fill_arrays(callstacks, set, stream, source,
				       bt_event_borrow_specific_context_field_const(source),
				       context, first_index)
			     : -ENOMEM;
}

/* The payload. What others change is theirs: the stack of a sample is none of addresses. */

static bool is_of_others(
	const struct codectl_callstacks *callstacks, const bt_event_class *event_class)
{
	const struct codectl_payload_extension *other = &callstacks->parts.payload;

	return other->is_wanted(other->user, event_class);
}

static bool is_payload_wanted(void *user, const bt_event_class *event_class)
{
	struct codectl_callstacks *callstacks = user;

	if (is_of_others(callstacks, event_class))
		return true;

	const struct codectl_callstack_set *set = codectl_callstack_sets_of_payload(
		callstacks->sets, event_class);

	return set && set->count > 0;
}

static bool is_dropped(void *user, const bt_event_class *event_class, uint64_t index)
{
	const struct codectl_callstacks *callstacks = user;
	const struct codectl_payload_extension *other = &callstacks->parts.payload;

	return is_of_others(callstacks, event_class) &&
	       other->is_dropped(other->user, event_class, index);
}

static int append_to_payload(void *user, const bt_event_class *event_class,
	bt_trace_class *trace_class, bt_field_class *payload)
{
	struct codectl_callstacks *callstacks = user;
	const struct codectl_payload_extension *other = &callstacks->parts.payload;

	if (is_of_others(callstacks, event_class))
		return other->append(other->user, event_class, trace_class, payload);
	return append_arrays(callstacks,
		codectl_callstack_sets_of_payload(callstacks->sets, event_class),
		bt_event_class_borrow_payload_field_class_const(event_class), trace_class, payload);
}

static int fill_payload(void *user, const bt_event *source, bt_field *payload, uint64_t first_index)
{
	struct codectl_callstacks *callstacks = user;
	const struct codectl_payload_extension *other = &callstacks->parts.payload;
	const bt_event_class *event_class = bt_event_borrow_class_const(source);

	if (is_of_others(callstacks, event_class))
		return other->fill(other->user, source, payload, first_index);

	const struct codectl_callstack_set *set = codectl_callstack_sets_of_payload(
		callstacks->sets, event_class);
	struct codectl_known_stream *stream = codectl_contexts_get_stream(
		callstacks->parts.learner->contexts, bt_event_borrow_stream_const(source));

	return set && stream
		       ? fill_arrays(callstacks, set, stream, source,
				 bt_event_borrow_payload_field_const(source), payload, first_index)
		       : -ENOMEM;
}

int codectl_callstacks_ask(struct codectl_callstacks *callstacks, const bt_event *event)
{
	const bt_event_class *event_class = bt_event_borrow_class_const(event);
	struct codectl_known_stream *stream = codectl_contexts_get_stream(
		callstacks->parts.learner->contexts, bt_event_borrow_stream_const(event));
	const struct codectl_callstack_set *common_context =
		codectl_callstack_sets_of_common_context(
			callstacks->sets, bt_event_class_borrow_stream_class_const(event_class));
	const struct codectl_callstack_set *specific_context =
		codectl_callstack_sets_of_specific_context(callstacks->sets, event_class);
	const struct codectl_callstack_set *payload = codectl_callstack_sets_of_payload(
		callstacks->sets, event_class);
	struct codectl_ust_process *process;

	if (!stream || !common_context || !specific_context || !payload)
		return -ENOMEM;
	if (stream->context->vpid < 0)
		return 0;
	if (!codectl_debug_info_field_is_wanted(stream->context) && !common_context->has_user &&
		!specific_context->has_user && !payload->has_user)
		return 0;
	return codectl_debug_info_field_ask(callstacks->parts.names, stream, event, &process);
}

struct codectl_copy_extension codectl_callstacks_extension(struct codectl_callstacks *callstacks)
{
	return (struct codectl_copy_extension){
		.payload = {.user = callstacks,
			.is_wanted = is_payload_wanted,
			.is_dropped = is_dropped,
			.append = append_to_payload,
			.fill = fill_payload},
		.specific_context = {.user = callstacks,
			.is_wanted = is_specific_context_wanted,
			.append = append_to_specific_context,
			.fill = fill_specific_context},
		.context = {.user = callstacks,
			.is_wanted = is_common_context_wanted,
			.append = append_to_common_context,
			.open = open_stream,
			.fill = fill_common_context},
	};
}

void codectl_callstacks_log_stats(const struct codectl_callstacks *callstacks)
{
	const struct codectl_log *log = callstacks->parts.learner->log;

	codectl_log_info(log, "Call stacks: count=%" PRIu64 ", frames=%" PRIu64, callstacks->stacks,
		callstacks->frames);
	codectl_callstack_sets_log_missing(callstacks->sets, log);
	if (callstacks->cut)
		codectl_log_warning(log,
			"Some call stacks have more addresses than are named: max=%d, "
			"count=%" PRIu64,
			FRAME_MAX, callstacks->cut);
}
