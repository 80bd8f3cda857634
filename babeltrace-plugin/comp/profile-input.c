/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/profile-input.h"

#include "comp/field-text.h"
#include "format/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_MEMBER UINT64_MAX

enum class_kind {
	CLASS_OTHER, /* None of ours. */
	CLASS_SAMPLE,
	CLASS_RAW_SAMPLE,
	CLASS_THREAD_STATS,
	CLASS_BAD, /* Ours by name, not by members. */
};

enum member {
	MEMBER_VPID,
	MEMBER_VTID,
	MEMBER_START_TIME,
	MEMBER_WEIGHT,
	MEMBER_KIND,
	MEMBER_STACK_END,
	MEMBER_FRAMES,
	MEMBER_COMM,
	MEMBER_TAKEN,
	MEMBER_LOST,
	MEMBER_CPU_TIME,
	MEMBER_COUNT
};

static const struct {
	const char *name;
	bt_field_class_type type;
} members[MEMBER_COUNT] = {
	[MEMBER_VPID] = {"vpid", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_VTID] = {"vtid", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_START_TIME] = {"start_time", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_WEIGHT] = {"weight", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_KIND] = {"kind", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_STACK_END] = {"stack_end", BT_FIELD_CLASS_TYPE_STRING},
	[MEMBER_FRAMES] = {"frames", BT_FIELD_CLASS_TYPE_ARRAY},
	[MEMBER_COMM] = {"comm", BT_FIELD_CLASS_TYPE_STRING},
	[MEMBER_TAKEN] = {"taken", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_LOST] = {"lost", BT_FIELD_CLASS_TYPE_INTEGER},
	[MEMBER_CPU_TIME] = {"cpu_time", BT_FIELD_CLASS_TYPE_INTEGER},
};

/* What an event class is to us, found out once. */
struct layout {
	const bt_event_class *event_class; /* Owned: keeps the address from being used again. */
	enum class_kind kind;
	uint64_t index[MEMBER_COUNT]; /* In the payload, or NO_MEMBER. */
	uint64_t func, bin;	      /* In a frame. */
};

struct codectl_profile_input {
	struct codectl_profile *profile; /* Weak; owned by the caller. */
	struct layout *layouts;		 /* Owned. */
	size_t layout_count, layout_capacity;
	struct codectl_index layout_index;
	struct codectl_profile_frame *frames; /* Owned; scratch. */
	size_t frame_capacity;
	struct codectl_profile_input_stats stats;
};

struct codectl_profile_input *codectl_profile_input_create(struct codectl_profile *profile)
{
	struct codectl_profile_input *input = calloc(1, sizeof(*input));

	if (input)
		input->profile = profile;
	return input;
}

void codectl_profile_input_destroy(struct codectl_profile_input *input)
{
	if (!input)
		return;
	for (size_t i = 0; i < input->layout_count; i++)
		bt_event_class_put_ref(input->layouts[i].event_class);
	free(input->layouts);
	codectl_index_fini(&input->layout_index);
	free(input->frames);
	free(input);
}

const struct codectl_profile_input_stats *codectl_profile_input_borrow_stats(
	const struct codectl_profile_input *input)
{
	return &input->stats;
}

/* The position of a member of that name and type, or NO_MEMBER. */
static uint64_t find_member(
	const bt_field_class *structure, const char *name, bt_field_class_type type)
{
	const uint64_t count = bt_field_class_structure_get_member_count(structure);

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(structure, i);
		const bt_field_class *class =
			bt_field_class_structure_member_borrow_field_class_const(member);

		if (!strcmp(bt_field_class_structure_member_get_name(member), name))
			return bt_field_class_type_is(bt_field_class_get_type(class), type)
				       ? i
				       : NO_MEMBER;
	}
	return NO_MEMBER;
}

static bool has_frames(struct layout *layout, const bt_field_class *payload)
{
	const bt_field_class *array, *frame;

	if (layout->index[MEMBER_FRAMES] == NO_MEMBER)
		return false;
	array = bt_field_class_structure_member_borrow_field_class_const(
		bt_field_class_structure_borrow_member_by_index_const(
			payload, layout->index[MEMBER_FRAMES]));
	frame = bt_field_class_array_borrow_element_field_class_const(array);
	if (!bt_field_class_type_is(bt_field_class_get_type(frame), BT_FIELD_CLASS_TYPE_STRUCTURE))
		return false;
	layout->func = find_member(frame, "func", BT_FIELD_CLASS_TYPE_STRING);
	layout->bin = find_member(frame, "bin", BT_FIELD_CLASS_TYPE_STRING);
	return layout->func != NO_MEMBER && layout->bin != NO_MEMBER;
}

static enum class_kind find_layout(struct layout *layout, const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(
		event_class);
	const int type = name ? codectl_event_type_from_name(name) : -1;
	bool is_named;

	if (type != CODECTL_EVENT_SAMPLE && type != CODECTL_EVENT_THREAD_STATS)
		return CLASS_OTHER;
	if (!payload)
		return CLASS_BAD;
	for (size_t i = 0; i < MEMBER_COUNT; i++)
		layout->index[i] = find_member(payload, members[i].name, members[i].type);
	is_named = layout->index[MEMBER_VPID] != NO_MEMBER &&
		   layout->index[MEMBER_VTID] != NO_MEMBER;
	if (type == CODECTL_EVENT_THREAD_STATS)
		return is_named && layout->index[MEMBER_COMM] != NO_MEMBER ? CLASS_THREAD_STATS
									   : CLASS_BAD;
	if (find_member(payload, "stack", BT_FIELD_CLASS_TYPE_ARRAY) != NO_MEMBER &&
		layout->index[MEMBER_FRAMES] == NO_MEMBER)
		return CLASS_RAW_SAMPLE;
	return is_named && has_frames(layout, payload) ? CLASS_SAMPLE : CLASS_BAD;
}

static bool layout_is_equal(const void *user, uint32_t position, const void *key)
{
	const struct codectl_profile_input *input = user;

	return input->layouts[position].event_class == key;
}

static int get_layout(struct codectl_profile_input *input, const bt_event_class *event_class,
	const struct layout **found)
{
	const uint64_t hash = codectl_index_hash_u64(
		CODECTL_INDEX_HASH_INIT, (uintptr_t)event_class);
	uint32_t position = codectl_index_find(
		&input->layout_index, hash, layout_is_equal, input, event_class);
	struct layout *layouts;
	int ret;

	if (position == CODECTL_INDEX_NONE) {
		layouts = codectl_array_reserve(input->layouts, &input->layout_capacity,
			input->layout_count, sizeof(*layouts));
		if (!layouts)
			return -ENOMEM;
		input->layouts = layouts;
		position = (uint32_t)input->layout_count;
		ret = codectl_index_add(&input->layout_index, hash, position);
		if (ret < 0)
			return ret;
		layouts[position] = (struct layout){.event_class = event_class};
		bt_event_class_get_ref(event_class);
		layouts[position].kind = find_layout(&layouts[position], event_class);
		input->layout_count++;
	}
	*found = &input->layouts[position];
	return 0;
}

/* An integer of either sign, as bits; @fallback if the event has none. */
static uint64_t read_integer(
	const bt_field *payload, const struct layout *layout, enum member member, uint64_t fallback)
{
	const bt_field *field;

	if (layout->index[member] == NO_MEMBER)
		return fallback;
	field = bt_field_structure_borrow_member_field_by_index_const(
		payload, layout->index[member]);
	if (bt_field_class_type_is(
		    bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return (uint64_t)bt_field_integer_signed_get_value(field);
	return bt_field_integer_unsigned_get_value(field);
}

static const char *read_string(
	const bt_field *payload, const struct layout *layout, enum member member)
{
	if (layout->index[member] == NO_MEMBER)
		return "";
	return codectl_field_text(bt_field_structure_borrow_member_field_by_index_const(
		payload, layout->index[member]));
}

/* The length of `main+0x12` or `app@0x401136` without the offset. */
static size_t length_without_offset(const char *text, const char *marks)
{
	const size_t len = strlen(text);
	size_t start = len;

	while (start > 0 && strchr("0123456789abcdef", text[start - 1]))
		start--;
	if (start == len)
		return len;
	/* `+0` has no prefix. */
	if (start >= 2 && text[start - 1] == 'x' && text[start - 2] == '0')
		start -= 2;
	return start > 0 && strchr(marks, text[start - 1]) ? start - 1 : len;
}

static int reserve_frames(struct codectl_profile_input *input, uint64_t count)
{
	while (count > input->frame_capacity) {
		struct codectl_profile_frame *frames = codectl_array_reserve(input->frames,
			&input->frame_capacity, input->frame_capacity, sizeof(*frames));

		if (!frames)
			return -ENOMEM;
		input->frames = frames;
	}
	return 0;
}

static struct codectl_profile_thread_key read_thread(
	const bt_field *payload, const struct layout *layout)
{
	return (struct codectl_profile_thread_key){
		.start_time = read_integer(payload, layout, MEMBER_START_TIME, 0),
		.vpid = (int32_t)read_integer(payload, layout, MEMBER_VPID, 0),
		.vtid = (int32_t)read_integer(payload, layout, MEMBER_VTID, 0),
	};
}

static int add_sample(
	struct codectl_profile_input *input, const bt_field *payload, const struct layout *layout)
{
	const bt_field *array = bt_field_structure_borrow_member_field_by_index_const(
		payload, layout->index[MEMBER_FRAMES]);
	const uint64_t count = bt_field_array_get_length(array);
	struct codectl_profile_sample sample = {
		.thread = read_thread(payload, layout),
		.weight = read_integer(payload, layout, MEMBER_WEIGHT, 1),
		.is_wall = read_integer(payload, layout, MEMBER_KIND, CODECTL_SAMPLE_CPU) ==
			   CODECTL_SAMPLE_WALL,
		.stack_end = read_string(payload, layout, MEMBER_STACK_END),
	};
	int ret = reserve_frames(input, count);

	if (ret < 0)
		return ret;
	for (uint64_t i = 0; i < count; i++) {
		const bt_field *frame = bt_field_array_borrow_element_field_by_index_const(
			array, i);
		const char *func = codectl_field_text(
			bt_field_structure_borrow_member_field_by_index_const(frame, layout->func));
		const char *bin = codectl_field_text(
			bt_field_structure_borrow_member_field_by_index_const(frame, layout->bin));

		input->frames[i] = (struct codectl_profile_frame){
			.func = func,
			.func_len = length_without_offset(func, "+-"),
			.bin = bin,
			.bin_len = length_without_offset(bin, "+@"),
		};
	}
	sample.frames = input->frames;
	sample.frame_count = count;
	return codectl_profile_add_sample(input->profile, &sample);
}

static int add_thread_stats(
	struct codectl_profile_input *input, const bt_field *payload, const struct layout *layout)
{
	const struct codectl_profile_thread_stats stats = {
		.thread = read_thread(payload, layout),
		.comm = read_string(payload, layout, MEMBER_COMM),
		.taken = read_integer(payload, layout, MEMBER_TAKEN, 0),
		.lost = read_integer(payload, layout, MEMBER_LOST, 0),
		.cpu_time = read_integer(payload, layout, MEMBER_CPU_TIME, 0),
	};

	return codectl_profile_set_thread_stats(input->profile, &stats);
}

static int add_event(struct codectl_profile_input *input, const bt_event *event)
{
	const struct layout *layout;
	int ret = get_layout(input, bt_event_borrow_class_const(event), &layout);

	if (ret < 0)
		return ret;
	switch (layout->kind) {
	case CLASS_OTHER:
		return 0;
	case CLASS_RAW_SAMPLE:
		input->stats.raw_samples++;
		return 0;
	case CLASS_BAD:
		input->stats.bad_events++;
		return 0;
	case CLASS_SAMPLE:
		return add_sample(input, bt_event_borrow_payload_field_const(event), layout);
	case CLASS_THREAD_STATS:
		return add_thread_stats(input, bt_event_borrow_payload_field_const(event), layout);
	}
	return 0;
}

static void add_discarded(struct codectl_profile *profile, uint64_t *sum,
	bt_property_availability availability, uint64_t count)
{
	if (availability == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		*sum = codectl_saturating_add(*sum, count);
	else
		profile->has_uncounted_discards = true;
}

int codectl_profile_input_add(struct codectl_profile_input *input, const bt_message *message)
{
	struct codectl_profile *profile = input->profile;
	bt_property_availability availability;
	uint64_t count = 0;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return add_event(input, bt_message_event_borrow_event_const(message));
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		availability = bt_message_discarded_events_get_count(message, &count);
		add_discarded(profile, &profile->discarded_events, availability, count);
		return 0;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		availability = bt_message_discarded_packets_get_count(message, &count);
		add_discarded(profile, &profile->discarded_packets, availability, count);
		return 0;
	default:
		return 0;
	}
}
