/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/lttng-decode.h: what LTTng-UST itself tells of the code of a process:
 * its state dump (providers lttng_ust_statedump, of any version), what the
 * loader maps and unmaps (lttng_ust_lib), and calls of dlopen() and dlclose()
 * (lttng_ust_dl). One thread.
 */
#ifndef CODECTL_COMP_LTTNG_DECODE_H
#define CODECTL_COMP_LTTNG_DECODE_H

#include "comp/log.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum codectl_lttng_event_type {
	CODECTL_LTTNG_DUMP_BEGIN,
	CODECTL_LTTNG_DUMP_END,
	CODECTL_LTTNG_OBJECT, /* Is mapped. */
	CODECTL_LTTNG_OPENED, /* The same, because of a dlopen() of its own. */
	CODECTL_LTTNG_BUILD_ID,
	CODECTL_LTTNG_DEBUG_LINK,
	CODECTL_LTTNG_UNMAPPED,
	CODECTL_LTTNG_CLOSED, /* By dlclose(): perhaps it stays mapped. */
	CODECTL_LTTNG_EVENT_TYPE_COUNT
};

/* What a type does not have is 0 or "". */
struct codectl_lttng_event {
	enum codectl_lttng_event_type type;
	uint64_t base;		 /* Where the object begins. */
	uint64_t size;		 /* 0: unknown, as of the vDSO. */
	uint32_t is_pic;	 /* Not 0: addresses in the file are offsets from `base`. */
	const char *path;	 /* Weak; never NULL. */
	const uint8_t *build_id; /* Weak. */
	size_t build_id_len;
	const char *debug_link; /* Weak; never NULL. */
	uint32_t debug_link_crc;
};

struct codectl_lttng_decoder_stats {
	uint64_t events;
	uint64_t bad_classes; /* Classes with a missing or mistyped field. */
	uint64_t bad_values;  /* Events with values out of bounds. */
};

struct codectl_lttng_decoder;

/* @log is weak and outlives the decoder. Returns NULL without memory. The caller owns it. */
struct codectl_lttng_decoder *codectl_lttng_decoder_create(const struct codectl_log *log);

void codectl_lttng_decoder_destroy(struct codectl_lttng_decoder *decoder);

/* Whether the name of an event class may be one of LTTng-UST's own. */
bool codectl_lttng_decoder_is_of_provider(const char *event_name);

/*
 * Decodes an event. Strings point into @source, the build-id into the decoder,
 * until the next call. Returns 0, -ENOENT (an event of another kind), -EINVAL
 * (fields are missing, mistyped or out of bounds) or -ENOMEM.
 */
int codectl_lttng_decoder_decode(struct codectl_lttng_decoder *decoder, const bt_event *source,
	struct codectl_lttng_event *event);

const struct codectl_lttng_decoder_stats *codectl_lttng_decoder_borrow_stats(
	const struct codectl_lttng_decoder *decoder);

#endif /* CODECTL_COMP_LTTNG_DECODE_H */
