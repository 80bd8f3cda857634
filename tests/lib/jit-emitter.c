/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/jit-emitter.h"

#include <stdbool.h>
#include <string.h>

/* Code that is being written, and what holds from the last row's start on. */
struct writer {
	uint8_t *code;
	size_t len;
	uint32_t ip_off;
	struct jit_rows *rows;
	uint32_t row_start;
	int32_t cfa_off;
	bool is_cfa_fp;
	bool is_fp_saved;
};

char jit_shape_letter(enum jit_shape shape)
{
	return "spfr"[shape];
}

static void put(struct writer *writer, const void *bytes, size_t len)
{
	memcpy(writer->code + writer->len, bytes, len);
	writer->len += len;
}

static void put_u32(struct writer *writer, uint32_t value)
{
	put(writer, &value, sizeof(value));
}

/* Ends the row at hand here. */
static void end_row(struct writer *writer)
{
	struct code_jit_unwind_fre *row = &writer->rows->rows[writer->rows->count];
	uint8_t with_fp = writer->is_cfa_fp ? CODE_JIT_INFO_FP_FP : CODE_JIT_INFO_SP_FP;

	if (writer->len == writer->row_start)
		return;
	*row = (struct code_jit_unwind_fre){
		.size = (uint32_t)writer->len - writer->row_start,
		.ip_off = writer->ip_off + writer->row_start,
		.cfa_off = writer->cfa_off,
		.ra_off = -8,
		.fp_off = writer->is_fp_saved ? -16 : 0,
		.info = writer->is_fp_saved ? with_fp : CODE_JIT_INFO_SP,
	};
	writer->rows->count++;
	writer->row_start = (uint32_t)writer->len;
}

/* SP moves by -@bytes from here on. */
static void grow(struct writer *writer, int32_t bytes)
{
	end_row(writer);
	writer->cfa_off += bytes;
}

static void emit_sub_sp(struct writer *writer, uint32_t bytes)
{
	put(writer, "\x48\x81\xec", 3); /* sub $bytes,%rsp */
	put_u32(writer, bytes);
	if (!writer->is_cfa_fp)
		grow(writer, (int32_t)bytes);
}

static void emit_add_sp(struct writer *writer, uint32_t bytes)
{
	put(writer, "\x48\x81\xc4", 3); /* add $bytes,%rsp */
	put_u32(writer, bytes);
	grow(writer, -(int32_t)bytes);
}

static void emit_prologue(struct writer *writer, enum jit_shape shape, uint32_t room)
{
	switch (shape) {
	case JIT_SHAPE_PUSH:
		put(writer, "\x53", 1); /* push %rbx */
		grow(writer, 8);
		put(writer, "\x41\x54", 2); /* push %r12 */
		grow(writer, 8);
		emit_sub_sp(writer, 16 * room + 8);
		break;
	case JIT_SHAPE_FP:
	case JIT_SHAPE_RBP:
		put(writer, "\x55", 1); /* push %rbp */
		grow(writer, 8);
		writer->is_fp_saved = true;
		if (shape == JIT_SHAPE_FP) {
			put(writer, "\x48\x89\xe5", 3); /* mov %rsp,%rbp */
			end_row(writer);
			writer->is_cfa_fp = true;
		} else {
			put(writer, "\xbd\x2a\x00\x00\x00", 5); /* mov $42,%ebp */
		}
		emit_sub_sp(writer, 16 * room);
		break;
	default:
		emit_sub_sp(writer, 16 * room + 8);
	}
}

static void emit_epilogue(struct writer *writer, enum jit_shape shape, uint32_t room)
{
	switch (shape) {
	case JIT_SHAPE_PUSH:
		emit_add_sp(writer, 16 * room + 8);
		put(writer, "\x41\x5c", 2); /* pop %r12 */
		grow(writer, -8);
		put(writer, "\x5b", 1); /* pop %rbx */
		grow(writer, -8);
		break;
	case JIT_SHAPE_FP:
		put(writer, "\xc9", 1); /* leave */
		end_row(writer);
		writer->is_cfa_fp = false;
		writer->is_fp_saved = false;
		writer->cfa_off = 8;
		break;
	case JIT_SHAPE_RBP:
		emit_add_sp(writer, 16 * room);
		put(writer, "\x5d", 1); /* pop %rbp */
		grow(writer, -8);
		writer->is_fp_saved = false;
		break;
	default:
		emit_add_sp(writer, 16 * room + 8);
	}
	put(writer, "\xc3", 1); /* ret */
	end_row(writer);
}

size_t jit_emit(
	uint8_t *code, uint32_t ip_off, const struct jit_function *function, struct jit_rows *rows)
{
	struct writer writer = {.code = code, .ip_off = ip_off, .rows = rows, .cfa_off = 8};

	rows->count = 0;
	emit_prologue(&writer, function->shape, function->room);
	put(&writer, "\xb9", 1); /* mov $loop_count,%ecx */
	put_u32(&writer, function->loop_count);
	put(&writer, "\xff\xc9\x75\xfc", 4); /* 1: dec %ecx; jne 1b */
	if (function->callee) {
		put(&writer, "\x48\xb8", 2); /* movabs $callee,%rax */
		put(&writer, &function->callee, sizeof(function->callee));
		put(&writer, "\xff\xd0", 2); /* call *%rax */
	}
	emit_epilogue(&writer, function->shape, function->room);
	return writer.len;
}
