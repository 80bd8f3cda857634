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
#include "provider/emission.h"

#include <lttng/tracepoint.h>

/* What every event begins with; see provider/emission.h. */
#undef CODECTL_TP_COMMON_FIELDS
#define CODECTL_TP_COMMON_FIELDS \
	lttng_ust_field_integer(int32_t, vpid, codectl_emission_evaluate(event)) \
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
		lttng_ust_field_integer(uint64_t, rows, event->statedump.rows)
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
		lttng_ust_field_integer(uint64_t, image_size, event->elf_image.image_size)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, elf_image, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, register_jit,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->register_jit.serial)
		lttng_ust_field_integer_hex(uint64_t, text_start, event->register_jit.text_start)
		lttng_ust_field_integer_hex(uint64_t, text_end, event->register_jit.text_end)
		lttng_ust_field_integer_hex(uint64_t, unwind_head, event->register_jit.unwind_head)
		lttng_ust_field_integer(uint64_t, reserved_len, event->register_jit.reserved_len)
		lttng_ust_field_integer(uint32_t, format, event->register_jit.format)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, register_jit, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_rows,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->jit_rows.serial)
		lttng_ust_field_integer(uint64_t, registered_serial, event->jit_rows.registered_serial)
		lttng_ust_field_integer(uint32_t, table, event->jit_rows.table)
		lttng_ust_field_integer(uint64_t, first, event->jit_rows.first)
		lttng_ust_field_sequence_hex(uint32_t, ip_off, event->jit_rows.ip_off,
			size_t, event->jit_rows.ip_off_count)
		lttng_ust_field_sequence(uint32_t, size, event->jit_rows.size,
			size_t, event->jit_rows.size_count)
		lttng_ust_field_sequence(int32_t, cfa_off, event->jit_rows.cfa_off,
			size_t, event->jit_rows.cfa_off_count)
		lttng_ust_field_sequence(int32_t, ra_off, event->jit_rows.ra_off,
			size_t, event->jit_rows.ra_off_count)
		lttng_ust_field_sequence(int32_t, fp_off, event->jit_rows.fp_off,
			size_t, event->jit_rows.fp_off_count)
		lttng_ust_field_sequence_hex(uint8_t, info, event->jit_rows.info,
			size_t, event->jit_rows.info_count)
		lttng_ust_field_sequence_hex(uint8_t, flags, event->jit_rows.flags,
			size_t, event->jit_rows.flags_count)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_rows, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_blob,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, registered_serial, event->jit_blob.registered_serial)
		lttng_ust_field_integer(uint64_t, offset, event->jit_blob.offset)
		lttng_ust_field_sequence_hex(uint64_t, blob, event->jit_blob.blob,
			size_t, event->jit_blob.blob_count)
		lttng_ust_field_integer(uint64_t, blob_len, event->jit_blob.blob_len)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_blob, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_symbol,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->jit_symbol.serial)
		lttng_ust_field_integer_hex(uint64_t, start, event->jit_symbol.start)
		lttng_ust_field_integer(uint64_t, size, event->jit_symbol.size)
		lttng_ust_field_integer_hex(uint64_t, id, event->jit_symbol.id)
		lttng_ust_field_string(name, event->jit_symbol.name)
		lttng_ust_field_integer(uint32_t, inline_count, event->jit_symbol.inline_count)
		lttng_ust_field_integer(uint32_t, line_count, event->jit_symbol.line_count)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_symbol, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_inlines,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, registered_serial, event->jit_inlines.registered_serial)
		lttng_ust_field_integer(uint64_t, first, event->jit_inlines.first)
		lttng_ust_field_sequence(uint32_t, parent, event->jit_inlines.parent,
			size_t, event->jit_inlines.parent_count)
		lttng_ust_field_sequence(uint32_t, name, event->jit_inlines.name,
			size_t, event->jit_inlines.name_count)
		lttng_ust_field_sequence(uint32_t, call_file, event->jit_inlines.call_file,
			size_t, event->jit_inlines.call_file_count)
		lttng_ust_field_sequence(uint32_t, call_line, event->jit_inlines.call_line,
			size_t, event->jit_inlines.call_line_count)
		lttng_ust_field_string(texts, event->jit_inlines.texts)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_inlines, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_lines,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, registered_serial, event->jit_lines.registered_serial)
		lttng_ust_field_integer(uint64_t, first, event->jit_lines.first)
		lttng_ust_field_sequence_hex(uint32_t, offset, event->jit_lines.offset,
			size_t, event->jit_lines.offset_count)
		lttng_ust_field_sequence(uint32_t, scope, event->jit_lines.scope,
			size_t, event->jit_lines.scope_count)
		lttng_ust_field_sequence(uint32_t, file, event->jit_lines.file,
			size_t, event->jit_lines.file_count)
		lttng_ust_field_sequence(uint32_t, line, event->jit_lines.line,
			size_t, event->jit_lines.line_count)
		lttng_ust_field_string(texts, event->jit_lines.texts)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_lines, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, jit_symbol_unload,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_integer(uint64_t, serial, event->jit_symbol_unload.serial)
		lttng_ust_field_integer(uint64_t, registered_serial, event->jit_symbol_unload.registered_serial)
		lttng_ust_field_integer_hex(uint64_t, start, event->jit_symbol_unload.start)
		lttng_ust_field_integer(uint64_t, size, event->jit_symbol_unload.size)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, jit_symbol_unload, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

LTTNG_UST_TRACEPOINT_EVENT(codectl, unrecorded_program,
	LTTNG_UST_TP_ARGS(const struct codectl_event *, event),
	LTTNG_UST_TP_FIELDS(
		CODECTL_TP_COMMON_FIELDS
		lttng_ust_field_string(pathname, event->unrecorded_program.pathname)
		lttng_ust_field_integer(uint32_t, reason, event->unrecorded_program.reason)
		lttng_ust_field_integer(uint32_t, count, event->unrecorded_program.count)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(codectl, unrecorded_program, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS)

#endif /* CODECTL_PROVIDER_TP_H */

#include <lttng/tracepoint-event.h>
/* clang-format on */
