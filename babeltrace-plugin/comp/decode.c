/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/decode.h"

#include "comp/decode-fields.h"
#include "comp/field-text.h"
#include "trace-ir/pointer-map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A field and the payload's member that holds it. */
struct bound_field {
	const struct codectl_decode_field *field; /* Weak; static. */
	uint64_t member_index;
};

struct decoded_class {
	int type; /* enum codectl_event_type, or a negative errno. */
	struct bound_field fields[CODECTL_DECODE_FIELD_MAX];
	size_t field_count;
	const bt_event_class *source; /* Weak. */
	struct decoded_class *next;
};

/* Its end is the end of its event classes. */
struct decoded_trace_class {
	struct codectl_decoder *decoder; /* Weak; owns this. */
	const bt_trace_class *source;	 /* Weak; the listener tells of its end. */
	bt_listener_id listener_id;
	struct decoded_class *classes; /* Owned. */
};

struct sequence_buffer {
	void *bytes; /* Owned. */
	size_t size;
};

struct codectl_decoder {
	const struct codectl_log *log;		  /* Weak. */
	struct codectl_pointer_map classes;	  /* Weak values. */
	struct codectl_pointer_map trace_classes; /* Owned values. */
	/* One per field of an event, since its sequences must last together. */
	struct sequence_buffer buffers[CODECTL_DECODE_FIELD_MAX];
	struct codectl_decoder_stats stats;
};

struct codectl_decoder *codectl_decoder_create(const struct codectl_log *log)
{
	struct codectl_decoder *decoder = calloc(1, sizeof(*decoder));

	if (decoder)
		decoder->log = log;
	return decoder;
}

static void destroy_trace_class(struct decoded_trace_class *trace_class)
{
	struct codectl_decoder *decoder = trace_class->decoder;
	struct decoded_class *class = trace_class->classes;

	while (class) {
		struct decoded_class *next = class->next;
		codectl_pointer_map_remove(&decoder->classes, class->source);
		free(class);
		class = next;
	}
	codectl_pointer_map_remove(&decoder->trace_classes, trace_class->source);
	free(trace_class);
}

static void on_trace_class_destroyed(const bt_trace_class *source, void *user)
{
	(void)source;
	destroy_trace_class(user);
}

void codectl_decoder_destroy(struct codectl_decoder *decoder)
{
	struct decoded_trace_class *trace_class;
	size_t cursor = 0;

	if (!decoder)
		return;
	/* Removing an entry moves others, so each search begins anew. */
	while ((trace_class = codectl_pointer_map_next(&decoder->trace_classes, &cursor))) {
		bt_trace_class_remove_destruction_listener(
			trace_class->source, trace_class->listener_id);
		destroy_trace_class(trace_class);
		cursor = 0;
	}
	codectl_pointer_map_fini(&decoder->classes);
	codectl_pointer_map_fini(&decoder->trace_classes);
	for (size_t i = 0; i < CODECTL_DECODE_FIELD_MAX; i++)
		free(decoder->buffers[i].bytes);
	free(decoder);
}

static struct decoded_trace_class *get_trace_class(
	struct codectl_decoder *decoder, const bt_trace_class *source)
{
	struct decoded_trace_class *trace_class = codectl_pointer_map_find(
		&decoder->trace_classes, source);

	if (trace_class)
		return trace_class;
	trace_class = calloc(1, sizeof(*trace_class));
	if (!trace_class)
		return NULL;
	trace_class->decoder = decoder;
	trace_class->source = source;
	if (codectl_pointer_map_insert(&decoder->trace_classes, source, trace_class) < 0 ||
		bt_trace_class_add_destruction_listener(source, on_trace_class_destroyed,
			trace_class,
			&trace_class->listener_id) != BT_TRACE_CLASS_ADD_LISTENER_STATUS_OK) {
		destroy_trace_class(trace_class);
		return NULL;
	}
	return trace_class;
}

static bool is_kind(const bt_field_class *field_class, enum codectl_decode_kind kind)
{
	bt_field_class_type type = bt_field_class_get_type(field_class);

	switch (kind) {
	case CODECTL_DECODE_INT32:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	case CODECTL_DECODE_UINT32:
	case CODECTL_DECODE_UINT64:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	case CODECTL_DECODE_STRING:
	case CODECTL_DECODE_TEXT:
		return type == BT_FIELD_CLASS_TYPE_STRING;
	case CODECTL_DECODE_BYTES:
	case CODECTL_DECODE_WORDS32:
	case CODECTL_DECODE_INTS32:
	case CODECTL_DECODE_WORDS:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY) &&
		       bt_field_class_type_is(
			       bt_field_class_get_type(
				       bt_field_class_array_borrow_element_field_class_const(
					       field_class)),
			       kind == CODECTL_DECODE_INTS32
				       ? BT_FIELD_CLASS_TYPE_SIGNED_INTEGER
				       : BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	}
	return false;
}

/* The member of @payload with @name, or -1. */
static int64_t find_member(const bt_field_class *payload, const char *name)
{
	uint64_t count = bt_field_class_structure_get_member_count(payload);

	for (uint64_t i = 0; i < count; i++) {
		if (!strcmp(name, bt_field_class_structure_member_get_name(
					  bt_field_class_structure_borrow_member_by_index_const(
						  payload, i))))
			return (int64_t)i;
	}
	return -1;
}

/* Finds the members of the table @fields. Returns 0 or -EINVAL. */
static int bind_fields(struct codectl_decoder *decoder, struct decoded_class *class,
	const struct codectl_decode_field *fields)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(
		class->source);

	for (const struct codectl_decode_field *field = fields; field->name; field++) {
		int64_t index = payload ? find_member(payload, field->name) : -1;

		if (index < 0 && field->is_optional)
			continue;
		bool is_right =
			index >= 0 &&
			is_kind(bt_field_class_structure_member_borrow_field_class_const(
					bt_field_class_structure_borrow_member_by_index_const(
						payload, (uint64_t)index)),
				field->kind);
		if (!is_right) {
			codectl_log_warning(decoder->log,
				"Cannot decode events of this class, they are passed on as they "
				"are: "
				"event-class-name=\"%s\", field-name=\"%s\": the field %s",
				bt_event_class_get_name(class->source), field->name,
				index < 0 ? "is missing" : "has another type");
			decoder->stats.bad_classes++;
			return -EINVAL;
		}
		class->fields[class->field_count++] = (struct bound_field){
			.field = field,
			.member_index = (uint64_t)index,
		};
	}
	return 0;
}

/* Whether the filter has been there already: the trace was written after it, for example. */
static bool is_annotated(const bt_event_class *event_class)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(
		event_class);

	return payload && (find_member(payload, CODECTL_DECODE_APPENDED_FRAMES) >= 0 ||
				  find_member(payload, CODECTL_DECODE_APPENDED_STACK_END) >= 0);
}

/* Returns the entry of a class of our provider, or NULL without memory. */
static struct decoded_class *get_class(
	struct codectl_decoder *decoder, const bt_event_class *source)
{
	struct decoded_class *class = codectl_pointer_map_find(&decoder->classes, source);

	if (class)
		return class;
	struct decoded_trace_class *trace_class = get_trace_class(
		decoder, bt_stream_class_borrow_trace_class_const(
				 bt_event_class_borrow_stream_class_const(source)));
	class = trace_class ? calloc(1, sizeof(*class)) : NULL;
	if (!class)
		return NULL;
	class->source = source;
	class->type = codectl_event_type_from_name(bt_event_class_get_name(source));
	if (class->type < 0 || is_annotated(source))
		class->type = -ENOENT;
	else if (bind_fields(decoder, class, codectl_decode_common_fields) < 0 ||
		 bind_fields(decoder, class,
			 codectl_decode_fields((enum codectl_event_type) class->type)) < 0)
		class->type = -EINVAL;
	if (codectl_pointer_map_insert(&decoder->classes, source, class) < 0) {
		free(class);
		return NULL;
	}
	class->next = trace_class->classes;
	trace_class->classes = class;
	return class;
}

/* Cheap, because it is asked for every event of every provider. */
static bool is_our_provider(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	return name && !strncmp(name, CODECTL_PROVIDER_NAME ":", strlen(CODECTL_PROVIDER_NAME ":"));
}

int codectl_decoder_type(struct codectl_decoder *decoder, const bt_event_class *event_class)
{
	if (!is_our_provider(event_class))
		return -ENOENT;
	const struct decoded_class *class = get_class(decoder, event_class);
	return class ? class->type : -ENOMEM;
}

/* Makes room for @count elements of @size bytes; the count is bounded already. */
static int reserve(struct sequence_buffer *buffer, uint64_t count, size_t size)
{
	if (count * size <= buffer->size)
		return 0;
	void *bytes = realloc(buffer->bytes, count * size);
	if (!bytes)
		return -ENOMEM;
	buffer->bytes = bytes;
	buffer->size = count * size;
	return 0;
}

/* Bytes of an element of a sequence. */
static size_t element_size(enum codectl_decode_kind kind)
{
	switch (kind) {
	case CODECTL_DECODE_BYTES:
		return sizeof(uint8_t);
	case CODECTL_DECODE_WORDS32:
	case CODECTL_DECODE_INTS32:
		return sizeof(uint32_t);
	default:
		return sizeof(uint64_t);
	}
}

/* Puts a number where the elements of a sequence are. Returns 0 or -EINVAL: it does not fit. */
static int read_element(
	const bt_field *source, enum codectl_decode_kind kind, void *elements, uint64_t i)
{
	if (kind == CODECTL_DECODE_INTS32) {
		int64_t number = bt_field_integer_signed_get_value(source);

		if (number < INT32_MIN || number > INT32_MAX)
			return -EINVAL;
		((int32_t *)elements)[i] = (int32_t)number;
		return 0;
	}

	uint64_t value = bt_field_integer_unsigned_get_value(source);

	if (kind == CODECTL_DECODE_WORDS)
		((uint64_t *)elements)[i] = value;
	else if (kind == CODECTL_DECODE_WORDS32 && value <= UINT32_MAX)
		((uint32_t *)elements)[i] = (uint32_t)value;
	else if (kind == CODECTL_DECODE_BYTES && value <= UINT8_MAX)
		((uint8_t *)elements)[i] = (uint8_t)value;
	else
		return -EINVAL;
	return 0;
}

static int read_sequence(const bt_field *source, const struct codectl_decode_field *field,
	struct sequence_buffer *buffer, char *event)
{
	uint64_t length = bt_field_array_get_length(source);

	if (length > CODECTL_DECODE_SEQUENCE_MAX)
		return -EINVAL;
	int ret = reserve(buffer, length, element_size(field->kind));
	for (uint64_t i = 0; ret == 0 && i < length; i++)
		ret = read_element(bt_field_array_borrow_element_field_by_index_const(source, i),
			field->kind, buffer->bytes, i);
	if (ret < 0)
		return ret;
	/* All object pointers look alike: POSIX wants it so. */
	*(void **)(void *)(event + field->offset) = length ? buffer->bytes : NULL;
	*(size_t *)(void *)(event + field->count_offset) = (size_t)length;
	return 0;
}

static int read_string(const bt_field *source, uint64_t len_max, const char **text)
{
	if (bt_field_string_get_length(source) > len_max)
		return -EINVAL;
	*text = codectl_field_text(source);
	return 0;
}

static int read_field(const bt_field *source, const struct codectl_decode_field *field,
	struct sequence_buffer *buffer, char *event)
{
	void *member = event + field->offset;
	int64_t number;

	switch (field->kind) {
	case CODECTL_DECODE_INT32:
		number = bt_field_integer_signed_get_value(source);
		if (number < INT32_MIN || number > INT32_MAX)
			return -EINVAL;
		*(int32_t *)member = (int32_t)number;
		return 0;
	case CODECTL_DECODE_UINT32:
		if (bt_field_integer_unsigned_get_value(source) > UINT32_MAX)
			return -EINVAL;
		*(uint32_t *)member = (uint32_t)bt_field_integer_unsigned_get_value(source);
		return 0;
	case CODECTL_DECODE_UINT64:
		*(uint64_t *)member = bt_field_integer_unsigned_get_value(source);
		return 0;
	case CODECTL_DECODE_STRING:
		return read_string(source, CODECTL_DECODE_STRING_MAX, member);
	case CODECTL_DECODE_TEXT:
		return read_string(source, CODECTL_DECODE_TEXT_MAX, member);
	case CODECTL_DECODE_BYTES:
	case CODECTL_DECODE_WORDS32:
	case CODECTL_DECODE_INTS32:
	case CODECTL_DECODE_WORDS:
		return read_sequence(source, field, buffer, event);
	}
	return -EINVAL;
}

static bool are_rows_consistent(const struct codectl_event_jit_rows *rows)
{
	size_t count = rows->ip_off_count;

	return rows->size_count == count && rows->cfa_off_count == count &&
	       rows->ra_off_count == count && rows->fp_off_count == count &&
	       rows->info_count == count && (rows->flags_count == count || rows->flags_count == 0);
}

/* Whether the fields agree with each other; those of a sample are the unwinder's to check. */
static bool is_consistent(const struct codectl_event *event)
{
	const struct codectl_event_jit_inlines *inlines = &event->jit_inlines;
	const struct codectl_event_jit_lines *lines = &event->jit_lines;

	switch ((unsigned int)event->type) {
	case CODECTL_EVENT_ELF_IMAGE:
		return event->elf_image.image_len <=
		       event->elf_image.image_count * sizeof(uint64_t);
	case CODECTL_EVENT_JIT_ROWS:
		return are_rows_consistent(&event->jit_rows);
	case CODECTL_EVENT_JIT_BLOB:
		return event->jit_blob.blob_len <= event->jit_blob.blob_count * sizeof(uint64_t);
	case CODECTL_EVENT_JIT_INLINES:
		return inlines->name_count == inlines->parent_count &&
		       inlines->call_file_count == inlines->parent_count &&
		       inlines->call_line_count == inlines->parent_count;
	case CODECTL_EVENT_JIT_LINES:
		return lines->scope_count == lines->offset_count &&
		       lines->file_count == lines->offset_count &&
		       lines->line_count == lines->offset_count;
	default:
		return true;
	}
}

int codectl_decoder_decode(
	struct codectl_decoder *decoder, const bt_event *source, struct codectl_event *event)
{
	const bt_event_class *event_class = bt_event_borrow_class_const(source);

	if (!is_our_provider(event_class))
		return -ENOENT;
	const struct decoded_class *class = get_class(decoder, event_class);
	if (!class)
		return -ENOMEM;
	if (class->type < 0)
		return class->type;
	const bt_field *payload = bt_event_borrow_payload_field_const(source);
	*event = (struct codectl_event){.type = (enum codectl_event_type) class->type};
	for (size_t i = 0; i < class->field_count; i++) {
		int ret = read_field(bt_field_structure_borrow_member_field_by_index_const(
					     payload, class->fields[i].member_index),
			class->fields[i].field, &decoder->buffers[i], (char *)event);
		if (ret < 0) {
			if (ret == -EINVAL)
				decoder->stats.bad_values++;
			return ret;
		}
	}
	if (!is_consistent(event)) {
		decoder->stats.bad_values++;
		return -EINVAL;
	}
	decoder->stats.events[event->type]++;
	return 0;
}

const struct codectl_decoder_stats *codectl_decoder_borrow_stats(
	const struct codectl_decoder *decoder)
{
	return &decoder->stats;
}
