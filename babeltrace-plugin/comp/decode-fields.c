/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/decode-fields.h"

/* A field has the name of its member; macros, because names and offsets must agree. */
#define COMMON(member, field_kind)                                    \
	{                                                             \
		.name = #member, .kind = CODECTL_DECODE_##field_kind, \
		.offset = offsetof(struct codectl_event, member),     \
	}
#define FIELD(part, member, field_kind)                                \
	{                                                              \
		.name = #member, .kind = CODECTL_DECODE_##field_kind,  \
		.offset = offsetof(struct codectl_event, part.member), \
	}
/* Traces of earlier versions lack it. */
#define OPTIONAL_FIELD(part, member, field_kind)                                            \
	{                                                                                   \
		.name = #member, .kind = CODECTL_DECODE_##field_kind,                       \
		.offset = offsetof(struct codectl_event, part.member), .is_optional = true, \
	}
#define SEQUENCE(part, member, count, field_kind)                           \
	{                                                                   \
		.name = #member, .kind = CODECTL_DECODE_##field_kind,       \
		.offset = offsetof(struct codectl_event, part.member),      \
		.count_offset = offsetof(struct codectl_event, part.count), \
	}
#define END                  \
	{                    \
		.name = NULL \
	}

const struct codectl_decode_field codectl_decode_common_fields[] = {
	COMMON(vpid, INT32),
	COMMON(start_time, UINT64),
	COMMON(timestamp, UINT64),
	{
		.name = "recording",
		.kind = CODECTL_DECODE_UINT64,
		.offset = offsetof(struct codectl_event, recording),
		.is_optional = true,
	},
	END,
};

static const struct codectl_decode_field register_elf_fields[] = {
	FIELD(register_elf, serial, UINT64),
	FIELD(register_elf, elf_start, UINT64),
	FIELD(register_elf, elf_end, UINT64),
	FIELD(register_elf, text_start, UINT64),
	FIELD(register_elf, text_end, UINT64),
	FIELD(register_elf, sframe_start, UINT64),
	FIELD(register_elf, sframe_end, UINT64),
	FIELD(register_elf, pathname, STRING),
	SEQUENCE(register_elf, build_id, build_id_len, BYTES),
	FIELD(register_elf, debug_link_pathname, STRING),
	FIELD(register_elf, debug_link_crc, UINT32),
	END,
};

static const struct codectl_decode_field unregister_fields[] = {
	FIELD(unregister, serial, UINT64),
	FIELD(unregister, registered_serial, UINT64),
	FIELD(unregister, text_start, UINT64),
	FIELD(unregister, text_end, UINT64),
	END,
};

static const struct codectl_decode_field statedump_fields[] = {
	FIELD(statedump, serial, UINT64),
	FIELD(statedump, count, UINT64),
	{
		.name = "rows",
		.kind = CODECTL_DECODE_UINT64,
		.offset = offsetof(struct codectl_event, statedump.rows),
		.is_optional = true,
	},
	END,
};

static const struct codectl_decode_field sample_fields[] = {
	FIELD(sample, vtid, INT32),
	FIELD(sample, cpu, UINT32),
	FIELD(sample, kind, UINT32),
	FIELD(sample, weight, UINT32),
	FIELD(sample, serial, UINT64),
	FIELD(sample, stack_start, UINT64),
	FIELD(sample, stack_len, UINT32),
	SEQUENCE(sample, regs, reg_count, WORDS),
	SEQUENCE(sample, stack_map, stack_map_count, WORDS),
	SEQUENCE(sample, stack, stack_count, WORDS),
	END,
};

static const struct codectl_decode_field thread_stats_fields[] = {
	FIELD(thread_stats, vtid, INT32),
	FIELD(thread_stats, comm, STRING),
	FIELD(thread_stats, taken, UINT64),
	FIELD(thread_stats, lost, UINT64),
	FIELD(thread_stats, cpu_time, UINT64),
	END,
};

static const struct codectl_decode_field elf_image_fields[] = {
	FIELD(elf_image, address, UINT64),
	FIELD(elf_image, offset, UINT64),
	SEQUENCE(elf_image, image, image_count, WORDS),
	FIELD(elf_image, image_len, UINT64),
	OPTIONAL_FIELD(elf_image, image_size, UINT64),
	END,
};

static const struct codectl_decode_field register_jit_fields[] = {
	FIELD(register_jit, serial, UINT64),
	FIELD(register_jit, text_start, UINT64),
	FIELD(register_jit, text_end, UINT64),
	FIELD(register_jit, unwind_head, UINT64),
	FIELD(register_jit, reserved_len, UINT64),
	FIELD(register_jit, format, UINT32),
	END,
};

static const struct codectl_decode_field jit_rows_fields[] = {
	FIELD(jit_rows, serial, UINT64),
	FIELD(jit_rows, registered_serial, UINT64),
	FIELD(jit_rows, table, UINT32),
	FIELD(jit_rows, first, UINT64),
	SEQUENCE(jit_rows, ip_off, ip_off_count, WORDS32),
	SEQUENCE(jit_rows, size, size_count, WORDS32),
	SEQUENCE(jit_rows, cfa_off, cfa_off_count, INTS32),
	SEQUENCE(jit_rows, ra_off, ra_off_count, INTS32),
	SEQUENCE(jit_rows, fp_off, fp_off_count, INTS32),
	SEQUENCE(jit_rows, info, info_count, BYTES),
	SEQUENCE(jit_rows, flags, flags_count, BYTES),
	END,
};

static const struct codectl_decode_field jit_blob_fields[] = {
	FIELD(jit_blob, registered_serial, UINT64),
	FIELD(jit_blob, offset, UINT64),
	SEQUENCE(jit_blob, blob, blob_count, WORDS),
	FIELD(jit_blob, blob_len, UINT64),
	END,
};

static const struct codectl_decode_field jit_symbol_fields[] = {
	FIELD(jit_symbol, serial, UINT64),
	FIELD(jit_symbol, start, UINT64),
	FIELD(jit_symbol, size, UINT64),
	FIELD(jit_symbol, id, UINT64),
	FIELD(jit_symbol, name, STRING),
	FIELD(jit_symbol, inline_count, UINT32),
	FIELD(jit_symbol, line_count, UINT32),
	END,
};

static const struct codectl_decode_field jit_inlines_fields[] = {
	FIELD(jit_inlines, registered_serial, UINT64),
	FIELD(jit_inlines, first, UINT64),
	SEQUENCE(jit_inlines, parent, parent_count, WORDS32),
	SEQUENCE(jit_inlines, name, name_count, WORDS32),
	SEQUENCE(jit_inlines, call_file, call_file_count, WORDS32),
	SEQUENCE(jit_inlines, call_line, call_line_count, WORDS32),
	FIELD(jit_inlines, texts, TEXT),
	END,
};

static const struct codectl_decode_field jit_lines_fields[] = {
	FIELD(jit_lines, registered_serial, UINT64),
	FIELD(jit_lines, first, UINT64),
	SEQUENCE(jit_lines, offset, offset_count, WORDS32),
	SEQUENCE(jit_lines, scope, scope_count, WORDS32),
	SEQUENCE(jit_lines, file, file_count, WORDS32),
	SEQUENCE(jit_lines, line, line_count, WORDS32),
	FIELD(jit_lines, texts, TEXT),
	END,
};

static const struct codectl_decode_field jit_symbol_unload_fields[] = {
	FIELD(jit_symbol_unload, serial, UINT64),
	FIELD(jit_symbol_unload, registered_serial, UINT64),
	FIELD(jit_symbol_unload, start, UINT64),
	FIELD(jit_symbol_unload, size, UINT64),
	END,
};

static const struct codectl_decode_field unrecorded_program_fields[] = {
	FIELD(unrecorded_program, pathname, STRING),
	FIELD(unrecorded_program, reason, UINT32),
	FIELD(unrecorded_program, count, UINT32),
	END,
};

_Static_assert(sizeof(codectl_decode_common_fields) / sizeof(codectl_decode_common_fields[0]) +
			       sizeof(register_elf_fields) / sizeof(register_elf_fields[0]) <=
		       CODECTL_DECODE_FIELD_MAX,
	"the longest table must fit");

const struct codectl_decode_field *codectl_decode_fields(enum codectl_event_type type)
{
	static const struct codectl_decode_field *const tables[CODECTL_EVENT_TYPE_COUNT] = {
		[CODECTL_EVENT_REGISTER_ELF] = register_elf_fields,
		[CODECTL_EVENT_UNREGISTER] = unregister_fields,
		[CODECTL_EVENT_STATEDUMP_BEGIN] = statedump_fields,
		[CODECTL_EVENT_STATEDUMP_END] = statedump_fields,
		[CODECTL_EVENT_SAMPLE] = sample_fields,
		[CODECTL_EVENT_THREAD_STATS] = thread_stats_fields,
		[CODECTL_EVENT_ELF_IMAGE] = elf_image_fields,
		[CODECTL_EVENT_REGISTER_JIT] = register_jit_fields,
		[CODECTL_EVENT_JIT_ROWS] = jit_rows_fields,
		[CODECTL_EVENT_JIT_BLOB] = jit_blob_fields,
		[CODECTL_EVENT_JIT_SYMBOL] = jit_symbol_fields,
		[CODECTL_EVENT_JIT_INLINES] = jit_inlines_fields,
		[CODECTL_EVENT_JIT_LINES] = jit_lines_fields,
		[CODECTL_EVENT_JIT_SYMBOL_UNLOAD] = jit_symbol_unload_fields,
		[CODECTL_EVENT_UNRECORDED_PROGRAM] = unrecorded_program_fields,
	};

	return tables[type];
}
