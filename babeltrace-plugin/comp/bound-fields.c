/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/bound-fields.h"

#include "comp/decode.h"
#include "comp/field-text.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_kind(const bt_field_class *field_class, enum codectl_decode_kind kind)
{
	bt_field_class_type type = bt_field_class_get_type(field_class);

	switch (kind) {
	case CODECTL_DECODE_INT32:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	case CODECTL_DECODE_UINT32:
	case CODECTL_DECODE_UINT64:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	case CODECTL_DECODE_COUNT:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER);
	case CODECTL_DECODE_STRING:
	case CODECTL_DECODE_TEXT:
		return type == BT_FIELD_CLASS_TYPE_STRING;
	case CODECTL_DECODE_BYTES:
		if (codectl_mip_is_blob(type))
			return true;
		/* fallthrough */
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

int64_t codectl_bound_fields_find_member(const bt_field_class *payload, const char *name)
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

int codectl_bound_fields_bind(struct codectl_bound_fields *bound, const bt_field_class *payload,
	const struct codectl_decode_field *fields, struct codectl_field_fault *fault)
{
	for (const struct codectl_decode_field *field = fields; field->name; field++) {
		int64_t index = payload ? codectl_bound_fields_find_member(payload, field->name)
					: -1;

		if (index < 0 && field->is_optional)
			continue;
		bool is_right =
			index >= 0 &&
			is_kind(bt_field_class_structure_member_borrow_field_class_const(
					bt_field_class_structure_borrow_member_by_index_const(
						payload, (uint64_t)index)),
				field->kind);
		if (!is_right) {
			*fault = (struct codectl_field_fault){
				.name = field->name, .is_missing = index < 0};
			return -EINVAL;
		}
		bound->fields[bound->count].field = field;
		bound->fields[bound->count].member_index = (uint64_t)index;
		bound->count++;
	}
	return 0;
}

/* Makes room for @count elements of @size bytes; the count is bounded already. */
static int reserve(struct codectl_sequence_buffer *buffer, uint64_t count, size_t size)
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
	struct codectl_sequence_buffer *buffer, char *target)
{
	const bool is_blob = codectl_mip_is_blob(bt_field_get_class_type(source));
	const uint8_t *bytes = NULL;
	uint64_t length;

	if (is_blob)
		bytes = codectl_mip_borrow_blob(source, &length);
	else
		length = bt_field_array_get_length(source);
	if (length > CODECTL_DECODE_SEQUENCE_MAX)
		return -EINVAL;
	int ret = reserve(buffer, length, element_size(field->kind));
	if (ret == 0 && is_blob && length > 0)
		memcpy(buffer->bytes, bytes, (size_t)length);
	for (uint64_t i = 0; ret == 0 && !is_blob && i < length; i++)
		ret = read_element(bt_field_array_borrow_element_field_by_index_const(source, i),
			field->kind, buffer->bytes, i);
	if (ret < 0)
		return ret;
	/* All object pointers look alike: POSIX wants it so. */
	*(void **)(void *)(target + field->offset) = length ? buffer->bytes : NULL;
	*(size_t *)(void *)(target + field->count_offset) = (size_t)length;
	return 0;
}

static int read_string(const bt_field *source, uint64_t len_max, const char **text)
{
	if (bt_field_string_get_length(source) > len_max)
		return -EINVAL;
	*text = codectl_field_text(source);
	return 0;
}

/* Old tracers have signed sizes. */
static int read_count(const bt_field *source, uint64_t *count)
{
	int64_t number;

	if (bt_field_class_type_is(
		    bt_field_get_class_type(source), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		*count = bt_field_integer_unsigned_get_value(source);
		return 0;
	}
	number = bt_field_integer_signed_get_value(source);
	if (number < 0)
		return -EINVAL;
	*count = (uint64_t)number;
	return 0;
}

static int read_field(const bt_field *source, const struct codectl_decode_field *field,
	struct codectl_sequence_buffer *buffer, char *target)
{
	void *member = target + field->offset;
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
	case CODECTL_DECODE_COUNT:
		return read_count(source, member);
	case CODECTL_DECODE_STRING:
		return read_string(source, CODECTL_DECODE_STRING_MAX, member);
	case CODECTL_DECODE_TEXT:
		return read_string(source, CODECTL_DECODE_TEXT_MAX, member);
	case CODECTL_DECODE_BYTES:
	case CODECTL_DECODE_WORDS32:
	case CODECTL_DECODE_INTS32:
	case CODECTL_DECODE_WORDS:
		return read_sequence(source, field, buffer, target);
	}
	return -EINVAL;
}

int codectl_bound_fields_read(const struct codectl_bound_fields *bound, const bt_field *payload,
	struct codectl_sequence_buffers *buffers, void *target)
{
	for (size_t i = 0; i < bound->count; i++) {
		int ret = read_field(bt_field_structure_borrow_member_field_by_index_const(
					     payload, bound->fields[i].member_index),
			bound->fields[i].field, &buffers->buffers[i], target);
		if (ret < 0)
			return ret;
	}
	return 0;
}

void codectl_sequence_buffers_fini(struct codectl_sequence_buffers *buffers)
{
	for (size_t i = 0; i < CODECTL_DECODE_FIELD_MAX; i++)
		free(buffers->buffers[i].bytes);
}
