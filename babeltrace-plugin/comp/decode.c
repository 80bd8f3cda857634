/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/decode.h"

#include "comp/bound-fields.h"
#include "trace-ir/class-map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct decoded_class {
	int type; /* enum codectl_event_type, or a negative errno. */
	struct codectl_bound_fields fields;
};

struct codectl_decoder {
	const struct codectl_log *log;	  /* Weak. */
	struct codectl_class_map classes; /* Owned values. */
	struct codectl_sequence_buffers buffers;
	struct codectl_decoder_stats stats;
};

struct codectl_decoder *codectl_decoder_create(const struct codectl_log *log)
{
	struct codectl_decoder *decoder = calloc(1, sizeof(*decoder));

	if (decoder) {
		decoder->log = log;
		codectl_class_map_init(&decoder->classes, true);
	}
	return decoder;
}

void codectl_decoder_destroy(struct codectl_decoder *decoder)
{
	if (!decoder)
		return;
	codectl_class_map_fini(&decoder->classes);
	codectl_sequence_buffers_fini(&decoder->buffers);
	free(decoder);
}

/* Finds the members of the table @fields. Returns 0 or -EINVAL. */
static int bind_fields(struct codectl_decoder *decoder, struct decoded_class *class,
	const bt_event_class *source, const struct codectl_decode_field *fields)
{
	struct codectl_field_fault fault;
	int ret = codectl_bound_fields_bind(&class->fields,
		bt_event_class_borrow_payload_field_class_const(source), fields, &fault);

	if (ret < 0) {
		codectl_log_warning(decoder->log,
			"Cannot decode events of this class, they are passed on as they are: "
			"event-class-name=\"%s\", field-name=\"%s\": the field %s",
			bt_event_class_get_name(source), fault.name,
			fault.is_missing ? "is missing" : "has another type");
		decoder->stats.bad_classes++;
	}
	return ret;
}

/* Whether the filter has been there already: the trace was written after it, for example. */
static bool is_annotated(const bt_event_class *event_class)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(
		event_class);

	return payload &&
	       (codectl_bound_fields_find_member(payload, CODECTL_DECODE_APPENDED_FRAMES) >= 0 ||
		       codectl_bound_fields_find_member(
			       payload, CODECTL_DECODE_APPENDED_STACK_END) >= 0);
}

/* Returns the entry of a class of our provider, or NULL without memory. */
static struct decoded_class *get_class(
	struct codectl_decoder *decoder, const bt_event_class *source)
{
	struct decoded_class *class = codectl_class_map_find(&decoder->classes, source);

	if (class)
		return class;
	class = calloc(1, sizeof(*class));
	if (!class)
		return NULL;
	class->type = codectl_event_type_from_name(bt_event_class_get_name(source));
	if (class->type < 0 || is_annotated(source))
		class->type = -ENOENT;
	else if (bind_fields(decoder, class, source, codectl_decode_common_fields) < 0 ||
		 bind_fields(decoder, class, source,
			 codectl_decode_fields((enum codectl_event_type) class->type)) < 0)
		class->type = -EINVAL;
	if (codectl_class_map_insert(&decoder->classes,
		    bt_stream_class_borrow_trace_class_const(
			    bt_event_class_borrow_stream_class_const(source)),
		    source, class) < 0) {
		free(class);
		return NULL;
	}
	return class;
}

bool codectl_decoder_is_of_provider(const char *event_name)
{
	const char prefix[] = CODECTL_PROVIDER_NAME ":";

	return !strncmp(event_name, prefix, strlen(prefix));
}

/* Cheap, because it is asked for every event of every provider. */
static bool is_our_provider(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	return name && codectl_decoder_is_of_provider(name);
}

int codectl_decoder_type(struct codectl_decoder *decoder, const bt_event_class *event_class)
{
	if (!is_our_provider(event_class))
		return -ENOENT;
	const struct decoded_class *class = get_class(decoder, event_class);
	return class ? class->type : -ENOMEM;
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

	/* Negative numbers are for processes that others tell of: see comp/ust-image.h. */
	if (event->vpid < 0)
		return false;
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
	*event = (struct codectl_event){.type = (enum codectl_event_type) class->type};
	int ret = codectl_bound_fields_read(&class->fields,
		bt_event_borrow_payload_field_const(source), &decoder->buffers, event);
	if (ret < 0) {
		decoder->stats.bad_values += ret == -EINVAL;
		return ret;
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
