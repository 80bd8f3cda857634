/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/lttng-decode.h"

#include "comp/bound-fields.h"
#include "trace-ir/class-map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "lttng_ust_"

#define FIELD(field, member, of_kind)                                   \
	{                                                               \
		.name = (field), .kind = CODECTL_DECODE_##of_kind,      \
		.offset = offsetof(struct codectl_lttng_event, member), \
	}
#define END                  \
	{                    \
		.name = NULL \
	}

static const struct codectl_decode_field no_fields[] = {END};

static const struct codectl_decode_field base_fields[] = {
	FIELD("baddr", base, UINT64),
	END,
};

static const struct codectl_decode_field bin_info_fields[] = {
	FIELD("baddr", base, UINT64),
	FIELD("memsz", size, UINT64),
	FIELD("path", path, STRING),
	FIELD("is_pic", is_pic, UINT32),
	END,
};

/* What is loaded while a program runs is always position-independent. */
static const struct codectl_decode_field load_fields[] = {
	FIELD("baddr", base, UINT64),
	FIELD("memsz", size, UINT64),
	FIELD("path", path, STRING),
	END,
};

/* Of LTTng-UST before 2.7. */
static const struct codectl_decode_field soinfo_fields[] = {
	FIELD("baddr", base, UINT64),
	FIELD("size", size, COUNT),
	FIELD("sopath", path, STRING),
	END,
};

static const struct codectl_decode_field build_id_fields[] = {
	FIELD("baddr", base, UINT64),
	{
		.name = "build_id",
		.kind = CODECTL_DECODE_BYTES,
		.offset = offsetof(struct codectl_lttng_event, build_id),
		.count_offset = offsetof(struct codectl_lttng_event, build_id_len),
	},
	END,
};

static const struct codectl_decode_field debug_link_fields[] = {
	FIELD("baddr", base, UINT64),
	FIELD("crc", debug_link_crc, UINT32),
	FIELD("filename", debug_link, STRING),
	END,
};

static const struct kind {
	const char *name;
	enum codectl_lttng_event_type type;
	const struct codectl_decode_field *fields;
} kinds[] = {
	{"lttng_ust_statedump:start", CODECTL_LTTNG_DUMP_BEGIN, no_fields},
	{"lttng_ust_statedump:end", CODECTL_LTTNG_DUMP_END, no_fields},
	{"lttng_ust_statedump:bin_info", CODECTL_LTTNG_OBJECT, bin_info_fields},
	{"lttng_ust_statedump:soinfo", CODECTL_LTTNG_OBJECT, soinfo_fields},
	{"lttng_ust_statedump:build_id", CODECTL_LTTNG_BUILD_ID, build_id_fields},
	{"lttng_ust_statedump:debug_link", CODECTL_LTTNG_DEBUG_LINK, debug_link_fields},
	{"lttng_ust_lib:load", CODECTL_LTTNG_OBJECT, load_fields},
	{"lttng_ust_lib:build_id", CODECTL_LTTNG_BUILD_ID, build_id_fields},
	{"lttng_ust_lib:debug_link", CODECTL_LTTNG_DEBUG_LINK, debug_link_fields},
	{"lttng_ust_lib:unload", CODECTL_LTTNG_UNMAPPED, base_fields},
	{"lttng_ust_dl:dlopen", CODECTL_LTTNG_OPENED, load_fields},
	{"lttng_ust_dl:dlmopen", CODECTL_LTTNG_OPENED, load_fields},
	{"lttng_ust_dl:build_id", CODECTL_LTTNG_BUILD_ID, build_id_fields},
	{"lttng_ust_dl:debug_link", CODECTL_LTTNG_DEBUG_LINK, debug_link_fields},
	{"lttng_ust_dl:dlclose", CODECTL_LTTNG_CLOSED, base_fields},
};

struct decoded_class {
	const struct kind *kind; /* Weak; static; NULL: of another kind. */
	int status;		 /* 0, -ENOENT or -EINVAL. */
	struct codectl_bound_fields fields;
};

struct codectl_lttng_decoder {
	const struct codectl_log *log;	  /* Weak. */
	struct codectl_class_map classes; /* Owned values. */
	struct codectl_sequence_buffers buffers;
	struct codectl_lttng_decoder_stats stats;
};

struct codectl_lttng_decoder *codectl_lttng_decoder_create(const struct codectl_log *log)
{
	struct codectl_lttng_decoder *decoder = calloc(1, sizeof(*decoder));

	if (decoder) {
		decoder->log = log;
		codectl_class_map_init(&decoder->classes, true);
	}
	return decoder;
}

void codectl_lttng_decoder_destroy(struct codectl_lttng_decoder *decoder)
{
	if (!decoder)
		return;
	codectl_class_map_fini(&decoder->classes);
	codectl_sequence_buffers_fini(&decoder->buffers);
	free(decoder);
}

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; name && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

static void bind(struct codectl_lttng_decoder *decoder, struct decoded_class *class,
	const bt_event_class *source)
{
	struct codectl_field_fault fault;

	class->kind = find_kind(bt_event_class_get_name(source));
	class->status = class->kind ? 0 : -ENOENT;
	if (!class->kind || codectl_bound_fields_bind(&class->fields,
				    bt_event_class_borrow_payload_field_class_const(source),
				    class->kind->fields, &fault) == 0)
		return;
	codectl_log_warning(decoder->log,
		"Cannot decode events of this class: event-class-name=\"%s\", "
		"field-name=\"%s\": the field %s",
		class->kind->name, fault.name,
		fault.is_missing ? "is missing" : "has another type");
	decoder->stats.bad_classes++;
	class->status = -EINVAL;
}

static const struct decoded_class *get_class(
	struct codectl_lttng_decoder *decoder, const bt_event_class *source)
{
	struct decoded_class *class = codectl_class_map_find(&decoder->classes, source);

	if (class)
		return class;
	class = calloc(1, sizeof(*class));
	if (!class)
		return NULL;
	bind(decoder, class, source);
	if (codectl_class_map_insert(&decoder->classes,
		    bt_stream_class_borrow_trace_class_const(
			    bt_event_class_borrow_stream_class_const(source)),
		    source, class) < 0) {
		free(class);
		return NULL;
	}
	return class;
}

bool codectl_lttng_decoder_is_of_provider(const char *event_name)
{
	return !strncmp(event_name, PREFIX, strlen(PREFIX));
}

int codectl_lttng_decoder_decode(struct codectl_lttng_decoder *decoder, const bt_event *source,
	struct codectl_lttng_event *event)
{
	const struct decoded_class *class = get_class(decoder, bt_event_borrow_class_const(source));

	if (!class)
		return -ENOMEM;
	if (class->status < 0)
		return class->status;
	*event = (struct codectl_lttng_event){
		.type = class->kind->type, .is_pic = 1, .path = "", .debug_link = ""};
	int ret = codectl_bound_fields_read(&class->fields,
		bt_event_borrow_payload_field_const(source), &decoder->buffers, event);
	/* Old state dumps tell 0 of programs at fixed addresses, and do not tell which they are. */
	if (class->kind->fields == soinfo_fields)
		event->is_pic = event->base != 0;
	decoder->stats.bad_values += ret == -EINVAL;
	decoder->stats.events += ret == 0;
	return ret;
}

const struct codectl_lttng_decoder_stats *codectl_lttng_decoder_borrow_stats(
	const struct codectl_lttng_decoder *decoder)
{
	return &decoder->stats;
}
