/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/decode-fields.h: which fields of a trace's event go where in struct
 * codectl_event. Constant tables, any thread.
 */
#ifndef CODECTL_COMP_DECODE_FIELDS_H
#define CODECTL_COMP_DECODE_FIELDS_H

#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>

enum codectl_decode_kind {
	CODECTL_DECODE_INT32,
	CODECTL_DECODE_UINT32,
	CODECTL_DECODE_UINT64,
	CODECTL_DECODE_COUNT, /* A uint64_t; signed in some traces. */
	CODECTL_DECODE_STRING,
	CODECTL_DECODE_TEXT,	/* A string that may be long. */
	CODECTL_DECODE_BYTES,	/* A sequence of numbers up to 255. */
	CODECTL_DECODE_WORDS32, /* The same up to UINT32_MAX. */
	CODECTL_DECODE_INTS32,	/* The same with a sign. */
	CODECTL_DECODE_WORDS,	/* A sequence of numbers. */
};

struct codectl_decode_field {
	const char *name; /* NULL ends a table. */
	enum codectl_decode_kind kind;
	size_t offset;	     /* Of the member in struct codectl_event. */
	size_t count_offset; /* Of the member with the length of a sequence. */
	bool is_optional;    /* Traces of earlier versions lack it; 0 then. */
};

/* What the filter appends to a sample; such a class needs no stack any more. */
#define CODECTL_DECODE_APPENDED_FRAMES	  "frames"
#define CODECTL_DECODE_APPENDED_STACK_END "stack_end"

/* The most fields that a table has. */
#define CODECTL_DECODE_FIELD_MAX 20

/* Those of every event. */
extern const struct codectl_decode_field codectl_decode_common_fields[];

/* Those of one type beside them. */
const struct codectl_decode_field *codectl_decode_fields(enum codectl_event_type type);

#endif /* CODECTL_COMP_DECODE_FIELDS_H */
