/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/decode.h: from a Babeltrace event of provider codectl to struct
 * codectl_event. The members of a class are found by name and checked once,
 * then read by index. A class that is not as it should be is reported once,
 * its events are counted. One thread.
 */
#ifndef CODECTL_COMP_DECODE_H
#define CODECTL_COMP_DECODE_H

#include "comp/log.h"
#include "format/event.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

/* Bounds of what is read out of one event. */
#define CODECTL_DECODE_SEQUENCE_MAX (UINT64_C(1) << 17)
#define CODECTL_DECODE_STRING_MAX   4096  /* As paths are. */
#define CODECTL_DECODE_TEXT_MAX	    65536 /* Many texts in one. */

struct codectl_decoder;

struct codectl_decoder_stats {
	uint64_t events[CODECTL_EVENT_TYPE_COUNT]; /* Decoded. */
	uint64_t bad_classes;			   /* Classes with a missing or mistyped field. */
	uint64_t bad_values;			   /* Events with values out of bounds. */
};

/* @log is weak and outlives the decoder. Returns NULL without memory. The caller owns it. */
struct codectl_decoder *codectl_decoder_create(const struct codectl_log *log);

void codectl_decoder_destroy(struct codectl_decoder *decoder);

/* Whether the name of an event class is one of provider codectl. */
bool codectl_decoder_is_of_provider(const char *event_name);

/*
 * What the events of @event_class are: an enum codectl_event_type, -ENOENT (not
 * of this provider, of a type that is unknown here, or annotated already),
 * -EINVAL (a field is missing or mistyped) or -ENOMEM. The answer stays the
 * same, but for -ENOMEM.
 */
int codectl_decoder_type(struct codectl_decoder *decoder, const bt_event_class *event_class);

/*
 * Decodes an event. Its strings point into @source, its sequences into buffers
 * of the decoder, until the next call. Returns 0, or as
 * codectl_decoder_type(); also -EINVAL if a value is out of bounds.
 */
int codectl_decoder_decode(
	struct codectl_decoder *decoder, const bt_event *source, struct codectl_event *event);

const struct codectl_decoder_stats *codectl_decoder_borrow_stats(
	const struct codectl_decoder *decoder);

#endif /* CODECTL_COMP_DECODE_H */
