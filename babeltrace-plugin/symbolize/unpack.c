/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "symbolize/unpack.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif

/* Newer than some elf.h. */
#define COMPRESS_ZSTD 2

/* A header may claim anything. Large sections do not shrink more than this. */
#define UNPACKED_SMALL ((uint64_t)256 << 20)
#define UNPACKED_MAX   ((uint64_t)8 << 30)
#define RATIO_LARGE    32
/* The best that deflate can do is 1032 to 1. */
#define RATIO_MAX 1032

/* Of the .zdebug_ sections: "ZLIB" and the length, big-endian. */
#define GNU_HEADER_LEN 12

static const char damaged[] = "its compressed contents are damaged";
static const char too_large[] = "its compressed contents claim to be too large";
static const char no_method[] = "it is compressed in a way that is not known";
#ifndef HAVE_LIBZSTD
static const char no_zstd[] = "it is compressed by zstd, and this was built without libzstd";
#endif

static bool is_gnu_packed(const struct codectl_elf_section *section)
{
	return !strncmp(section->name, ".zdebug_", 8);
}

bool codectl_unpack_is_packed(const struct codectl_elf_section *section)
{
	return section->flags & SHF_COMPRESSED || is_gnu_packed(section);
}

bool codectl_unpack_find(
	const struct codectl_elf_file *file, const char *name, struct codectl_elf_section *section)
{
	for (size_t i = 0; i < file->elf.section_count; i++) {
		if (codectl_elf_get_section(&file->elf, i, section) == 0 &&
			(section->flags & SHF_COMPRESSED) && !strcmp(section->name, name))
			return true;
	}
	return false;
}

static bool is_credible(uint64_t len, size_t packed_len)
{
	return len > 0 && len <= UNPACKED_MAX && len / RATIO_MAX <= packed_len &&
	       (len <= UNPACKED_SMALL || len / RATIO_LARGE <= packed_len);
}

/* Returns whether all of @packed came to @len bytes at @to. */
static bool unpack_zlib(const struct codectl_elf_range *packed, void *to, size_t len)
{
	uLongf unpacked_len = len;

	return uncompress(to, &unpacked_len, packed->bytes, packed->len) == Z_OK &&
	       unpacked_len == len;
}

#ifdef HAVE_LIBZSTD
static bool unpack_zstd(const struct codectl_elf_range *packed, void *to, size_t len)
{
	return ZSTD_decompress(to, len, packed->bytes, packed->len) == len;
}
#endif

typedef bool unpack_function(const struct codectl_elf_range *packed, void *to, size_t len);

/* Takes the header off @packed. Returns what unpacks it, or NULL with *@reason. */
static unpack_function *read_header(const struct codectl_elf_section *section,
	struct codectl_elf_range *packed, uint64_t *len, const char **reason)
{
	Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB};
	size_t header_len = is_gnu_packed(section) ? GNU_HEADER_LEN : sizeof(header);

	*reason = damaged;
	if (packed->len < header_len)
		return NULL;
	if (header_len == sizeof(header)) {
		memcpy(&header, packed->bytes, sizeof(header));
	} else if (memcmp(packed->bytes, "ZLIB", 4) != 0) {
		return NULL;
	} else {
		for (size_t i = 4; i < GNU_HEADER_LEN; i++)
			header.ch_size = header.ch_size << 8 | packed->bytes[i];
	}
	packed->bytes += header_len;
	packed->len -= header_len;
	*len = header.ch_size;
	if (header.ch_type == ELFCOMPRESS_ZLIB)
		return unpack_zlib;
#ifdef HAVE_LIBZSTD
	if (header.ch_type == COMPRESS_ZSTD)
		return unpack_zstd;
	*reason = no_method;
#else
	*reason = header.ch_type == COMPRESS_ZSTD ? no_zstd : no_method;
#endif
	return NULL;
}

int codectl_unpack_section(const struct codectl_elf_file *file,
	const struct codectl_elf_section *section, void **bytes, size_t *len, const char **reason)
{
	struct codectl_elf_range packed;
	unpack_function *unpack;
	uint64_t unpacked_len;

	*bytes = NULL;
	*reason = damaged;
	if (codectl_elf_section_range(&file->elf, section, &packed))
		return -ENOENT;
	unpack = read_header(section, &packed, &unpacked_len, reason);
	if (!unpack)
		return -ENOENT;
	*reason = too_large;
	if (!is_credible(unpacked_len, packed.len))
		return -ENOENT;
	*bytes = malloc(unpacked_len + CODECTL_UNPACK_SLACK);
	if (!*bytes)
		return -ENOENT;
	*reason = damaged;
	if (!unpack(&packed, *bytes, unpacked_len)) {
		free(*bytes);
		*bytes = NULL;
		return -ENOENT;
	}
	*len = unpacked_len;
	return 0;
}

#ifdef HAVE_LIBLZMA
/* Memory for the dictionary; xz -9 needs 64 MiB. */
#define LZMA_MEMORY_MAX ((uint64_t)128 << 20)
#define DEBUGDATA_MAX	((size_t)256 << 20)

/* Doubles *@bytes until all is in there. Returns the length, 0 if it is damaged or too long. */
static size_t unpack_xz(const struct codectl_elf_range *packed, uint8_t **bytes)
{
	size_t capacity = packed->len < DEBUGDATA_MAX / 4 ? 4 * packed->len : DEBUGDATA_MAX;

	for (; capacity <= DEBUGDATA_MAX; capacity *= 2) {
		uint64_t memory = LZMA_MEMORY_MAX;
		size_t in = 0, out = 0;
		uint8_t *larger = realloc(*bytes, capacity);
		lzma_ret ret;

		if (!larger)
			return 0;
		*bytes = larger;
		ret = lzma_stream_buffer_decode(
			&memory, 0, NULL, packed->bytes, &in, packed->len, larger, &out, capacity);
		if (ret != LZMA_BUF_ERROR)
			return ret == LZMA_OK ? out : 0;
	}
	return 0;
}

static int open_debugdata(
	const struct codectl_elf_range *packed, struct codectl_elf_file *inner, const char **reason)
{
	enum codectl_object_status status;
	uint8_t *bytes = NULL;
	size_t len = packed->len ? unpack_xz(packed, &bytes) : 0;
	int ret = len ? codectl_elf_file_open_image(inner, bytes, len, &status) : -ENOENT;

	free(bytes);
	*reason = damaged;
	return ret;
}
#else
static int open_debugdata(
	const struct codectl_elf_range *packed, struct codectl_elf_file *inner, const char **reason)
{
	(void)packed;
	(void)inner;
	*reason = "this was built without liblzma";
	return -ENOENT;
}
#endif

int codectl_unpack_debugdata(
	const struct codectl_elf_file *file, struct codectl_elf_file *inner, const char **reason)
{
	struct codectl_elf_section section;
	struct codectl_elf_range packed;

	*reason = NULL;
	memset(inner, 0, sizeof(*inner));
	if (codectl_elf_find_section(&file->elf, ".gnu_debugdata", &section) ||
		codectl_elf_section_range(&file->elf, &section, &packed))
		return -ENOENT;
	return open_debugdata(&packed, inner, reason);
}
