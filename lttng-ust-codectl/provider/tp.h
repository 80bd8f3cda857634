/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/tp.h: the tracepoints of the provider `codectl`. Each takes one
 * struct codectl_event, whose strings are never NULL; doc/trace-format.md
 * describes the fields. A field of a released event never changes, new ones go
 * to the end. Included several times by LTTng-UST; not for clang-format.
 */
/* clang-format off */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER codectl

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "provider/tp.h"

#if !defined(CODECTL_PROVIDER_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define CODECTL_PROVIDER_TP_H

#include "format/event.h"

#include <lttng/tracepoint.h>

/* What every event begins with. */
#undef CODECTL_TP_COMMON_FIELDS
#define CODECTL_TP_COMMON_FIELDS \
	lttng_ust_field_integer(int32_t, vpid, event->vpid) \
	lttng_ust_field_integer(uint64_t, start_time, event->start_time) \
	lttng_ust_field_integer(uint64_t, timestamp, event->timestamp) \
	lttng_ust_field_integer(uint64_t, recording, event->recording)

LTTNG_UST_TRACEPOINT_EVENT(codectl, register_elf,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->register_elf.serial)
		lttng_ust_field_integer_hex(uint64_t, elf_start, event->register_elf.elf_start)
		lttng_ust_field_integer_hex(uint64_t, elf_end, event->register_elf.elf_end)
		lttng_ust_field_integer_hex(uint64_t, text_start, event->register_elf.text_start)
		lttng_ust_field_integer_hex(uint64_t, text_end, event->register_elf.text_end)
		lttng_ust_field_integer_hex(uint64_t, sframe_start, event->register_elf.sframe_start)
		lttng_ust_field_integer_hex(uint64_t, sframe_end, event->register_elf.sframe_end)
		lttng_ust_field_string(pathname, event->register_elf.pathname)
		lttng_ust_field_sequence_hex(uint8_t, build_id, event->register_elf.build_id,
			size_t, event->register_elf.build_id_len)
		lttng_ust_field_string(debug_link_pathname, event->register_elf.debug_link_pathname)
		lttng_ust_field_integer_hex(uint32_t, debug_link_crc, event->register_elf.debug_link_crc)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, register_elf, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, unregister,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->unregister.serial)
		lttng_ust_field_integer(uint64_t, registered_serial, event->unregister.registered_serial)
		lttng_ust_field_integer_hex(uint64_t, text_start, event->unregister.text_start)
		lttng_ust_field_integer_hex(uint64_t, text_end, event->unregister.text_end)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, unregister, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(codectl, statedump,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->statedump.serial)
		lttng_ust_field_integer(uint64_t, count, event->statedump.count)
	)
)
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(codectl, statedump, codectl, statedump_begin,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event))
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, statedump_begin, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(codectl, statedump, codectl, statedump_end,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event))
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, statedump_end, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, sample,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(int32_t, vtid, event->sample.vtid)
		lttng_ust_field_integer(uint32_t, cpu, event->sample.cpu)
		lttng_ust_field_integer(uint32_t, kind, event->sample.kind)
		lttng_ust_field_integer(uint32_t, weight, event->sample.weight)
		lttng_ust_field_integer(uint64_t, serial, event->sample.serial)
		lttng_ust_field_sequence_hex(uint64_t, regs, event->sample.regs,
			size_t, event->sample.reg_count)
		lttng_ust_field_integer_hex(uint64_t, stack_start, event->sample.stack_start)
		lttng_ust_field_integer(uint32_t, stack_len, event->sample.stack_len)
		lttng_ust_field_sequence_hex(uint64_t, stack_map, event->sample.stack_map,
			size_t, event->sample.stack_map_count)
		lttng_ust_field_sequence_hex(uint64_t, stack, event->sample.stack,
			size_t, event->sample.stack_count)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, sample, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION)

LTTNG_UST_TRACEPOINT_EVENT(codectl, thread_stats,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(int32_t, vtid, event->thread_stats.vtid)
		lttng_ust_field_string(comm, event->thread_stats.comm)
		lttng_ust_field_integer(uint64_t, taken, event->thread_stats.taken)
		lttng_ust_field_integer(uint64_t, lost, event->thread_stats.lost)
		lttng_ust_field_integer(uint64_t, cpu_time, event->thread_stats.cpu_time)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, thread_stats, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, elf_image,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer_hex(uint64_t, address, event->elf_image.address)
		lttng_ust_field_integer(uint64_t, offset, event->elf_image.offset)
		lttng_ust_field_sequence_hex(uint64_t, image, event->elf_image.image,
			size_t, event->elf_image.image_count)
		lttng_ust_field_integer(uint64_t, image_len, event->elf_image.image_len)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, elf_image, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

#endif /* CODECTL_PROVIDER_TP_H */

#include <lttng/tracepoint-event.h>
/* clang-format on */
