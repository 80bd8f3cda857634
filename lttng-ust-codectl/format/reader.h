/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/reader.h: reads little-endian integers from a bounded buffer, in
 * whatever alignment. A read beyond the end returns 0 and marks the reader as
 * failed; the mark stays, so that a decoder may read several fields and check
 * once. Owns nothing; async-signal-safe.
 */
#ifndef CODECTL_FORMAT_READER_H
#define CODECTL_FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct codectl_reader {
	const uint8_t *start; /* Weak. */
	size_t len;
	size_t offset;
	bool is_failed;
};

static inline void codectl_reader_init(struct codectl_reader *reader, const void *start, size_t len)
{
	reader->start = start;
	reader->len = len;
	reader->offset = 0;
	reader->is_failed = false;
}

static inline size_t codectl_reader_left(const struct codectl_reader *reader)
{
	return reader->is_failed ? 0 : reader->len - reader->offset;
}

/* Marks the reader as failed; every later read fails too. */
static inline void codectl_reader_fail(struct codectl_reader *reader)
{
	reader->is_failed = true;
}

/* Returns the next @len bytes and steps over them, or NULL. */
static inline const uint8_t *codectl_reader_bytes(struct codectl_reader *reader, size_t len)
{
	if (len > codectl_reader_left(reader)) {
		codectl_reader_fail(reader);
		return NULL;
	}
	const uint8_t *bytes = reader->start + reader->offset;
	reader->offset += len;
	return bytes;
}

static inline void codectl_reader_seek(struct codectl_reader *reader, size_t offset)
{
	if (offset > reader->len)
		codectl_reader_fail(reader);
	else
		reader->offset = offset;
}

static inline uint64_t codectl_reader_uint(struct codectl_reader *reader, size_t size)
{
	uint64_t value = 0;
	const uint8_t *bytes = codectl_reader_bytes(reader, size);

	if (bytes)
		memcpy(&value, bytes, size);
	return value;
}

static inline uint8_t codectl_reader_u8(struct codectl_reader *reader)
{
	return (uint8_t)codectl_reader_uint(reader, 1);
}

static inline uint16_t codectl_reader_u16(struct codectl_reader *reader)
{
	return (uint16_t)codectl_reader_uint(reader, 2);
}

static inline uint32_t codectl_reader_u32(struct codectl_reader *reader)
{
	return (uint32_t)codectl_reader_uint(reader, 4);
}

static inline uint64_t codectl_reader_u64(struct codectl_reader *reader)
{
	return codectl_reader_uint(reader, 8);
}

/* DWARF 5 section 7.6. Bits beyond 64 fail unless they are 0. */
static inline uint64_t codectl_reader_uleb128(struct codectl_reader *reader)
{
	uint64_t value = 0;

	/* Most have one byte. */
	if (codectl_reader_left(reader) > 0 && !(reader->start[reader->offset] & 0x80))
		return reader->start[reader->offset++];

	for (unsigned int shift = 0;; shift += 7) {
		uint8_t byte = codectl_reader_u8(reader);
		uint64_t bits = byte & 0x7f;

		if (reader->is_failed)
			return 0;
		if (shift < 64 && (bits << shift) >> shift == bits)
			value |= bits << shift;
		else if (bits)
			codectl_reader_fail(reader);
		if (!(byte & 0x80))
			return reader->is_failed ? 0 : value;
	}
}

/* DWARF 5 section 7.6. Bits beyond 64 are ignored: they repeat the sign. */
static inline int64_t codectl_reader_sleb128(struct codectl_reader *reader)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = codectl_reader_u8(reader);
		if (reader->is_failed)
			return 0;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

/* The next NUL-terminated string, stepping over it, or NULL. */
static inline const char *codectl_reader_string(struct codectl_reader *reader)
{
	size_t left = codectl_reader_left(reader);
	const char *text = left ? (const char *)reader->start + reader->offset : NULL;
	const void *nul = left ? memchr(text, '\0', left) : NULL;

	if (!nul) {
		codectl_reader_fail(reader);
		return NULL;
	}
	reader->offset += (size_t)((const char *)nul - text) + 1;
	return text;
}

#endif /* CODECTL_FORMAT_READER_H */
