/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/annotate.h"

#include "comp/decode-fields.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <string.h>

/* The appended members, and those of one element of `frames`, in their order. */
enum { APPENDED_FRAMES, APPENDED_STACK_END };
enum { FRAME_PC, FRAME_BIN, FRAME_FUNC, FRAME_SRC, FRAME_VIA };

static bool is_wanted(void *user, const bt_event_class *event_class)
{
	struct codectl_annotator *annotator = user;

	return codectl_decoder_type(annotator->decoder, event_class) == CODECTL_EVENT_SAMPLE;
}

/* LTTng puts the length of sequence `x` into a member `_x_length` before it. */
static bool is_dropped(void *user, const bt_event_class *event_class, uint64_t index)
{
	static const char *const names[] = {
		"_regs_length",
		"regs",
		"_stack_map_length",
		"stack_map",
		"_stack_length",
		"stack",
	};
	const struct codectl_annotator *annotator = user;
	const char *name = bt_field_class_structure_member_get_name(
		bt_field_class_structure_borrow_member_by_index_const(
			bt_event_class_borrow_payload_field_class_const(event_class), index));

	if (annotator->keeps_raw_stack)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Appends @member, whose reference it takes; NULL counts as no memory. */
static int append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	if (!member)
		return -ENOMEM;
	bool is_done = bt_field_class_structure_append_member(structure, name, member) ==
		       BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
	bt_field_class_put_ref(member);
	return is_done ? 0 : -ENOMEM;
}

/* Fills the empty class of one frame. */
static int append_frame_members(bt_trace_class *trace_class, bt_field_class *frame)
{
	static const char *const texts[] = {"bin", "func", "src", "via"};
	bt_field_class *pc = bt_field_class_integer_unsigned_create(trace_class);

	if (pc) {
		bt_field_class_integer_set_field_value_range(pc, 64);
		bt_field_class_integer_set_preferred_display_base(
			pc, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	}
	int ret = append_member(frame, "pc", pc);
	for (size_t i = 0; ret == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = append_member(frame, texts[i], bt_field_class_string_create(trace_class));
	return ret;
}

static int append(void *user, const bt_event_class *event_class, bt_trace_class *trace_class,
	bt_field_class *payload)
{
	bt_field_class *frame = bt_field_class_structure_create(trace_class);
	int ret = -ENOMEM;

	(void)user;
	(void)event_class;
	if (frame)
		ret = append_frame_members(trace_class, frame);
	if (ret == 0)
		ret = append_member(payload, CODECTL_DECODE_APPENDED_FRAMES,
			codectl_mip_create_array(trace_class, frame));
	bt_field_class_put_ref(frame);
	if (ret == 0)
		ret = append_member(payload, CODECTL_DECODE_APPENDED_STACK_END,
			bt_field_class_string_create(trace_class));
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

static int fill_frame(bt_field *field, const struct codectl_resolved_frame *frame)
{
	bt_field_integer_unsigned_set_value(
		bt_field_structure_borrow_member_field_by_index(field, FRAME_PC), frame->pc);
	if (set_text(field, FRAME_BIN, frame->name.bin) < 0 ||
		set_text(field, FRAME_FUNC, frame->name.func) < 0 ||
		set_text(field, FRAME_SRC, frame->name.src) < 0 ||
		set_text(field, FRAME_VIA, frame->via) < 0)
		return -ENOMEM;
	return 0;
}

static int fill_stack(
	bt_field *payload, uint64_t first_index, const struct codectl_resolved_stack *stack)
{
	bt_field *frames = bt_field_structure_borrow_member_field_by_index(
		payload, first_index + APPENDED_FRAMES);

	if (bt_field_array_dynamic_set_length(frames, stack->frame_count) !=
		BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return -ENOMEM;
	for (size_t i = 0; i < stack->frame_count; i++) {
		int ret = fill_frame(
			bt_field_array_borrow_element_field_by_index(frames, i), &stack->frames[i]);
		if (ret < 0)
			return ret;
	}
	return set_text(payload, first_index + APPENDED_STACK_END, stack->end);
}

static int fill(void *user, const bt_event *source, bt_field *payload, uint64_t first_index)
{
	struct codectl_annotator *annotator = user;
	/* Values out of bounds: what the unwinder says of a sample that makes no sense. */
	struct codectl_resolved_stack stack = {
		.end = codectl_stack_end_name(CODECTL_STACK_END_BAD_RULE),
	};
	struct codectl_event event;

	int ret = codectl_decoder_decode(annotator->decoder, source, &event);
	if (ret == 0)
		ret = codectl_resolver_resolve(annotator->resolver, &event, &stack);
	if (ret == -ENOMEM)
		return ret;
	annotator->samples++;
	return fill_stack(payload, first_index, &stack);
}

struct codectl_payload_extension codectl_annotator_extension(struct codectl_annotator *annotator)
{
	return (struct codectl_payload_extension){
		.user = annotator,
		.is_wanted = is_wanted,
		.is_dropped = is_dropped,
		.append = append,
		.fill = fill,
	};
}
