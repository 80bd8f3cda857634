/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/line-files.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* What an entry consists of (DWARF 5, 6.2.4.1); real ones have up to five parts. */
#define FORMAT_MAX 16

struct format {
	struct {
		uint64_t content; /* DW_LNCT_*. */
		uint64_t form;	  /* DW_FORM_*. */
	} parts[FORMAT_MAX];
	size_t count;
};

/* Makes room for one more entry of @size bytes: whenever the count is a power of two. */
static void *grow(void *entries, size_t count, size_t size)
{
	if (count & (count - 1))
		return entries;
	return reallocarray(entries, count ? 2 * count : 1, size);
}

static int add_directory(struct codectl_line_files *files, const char *name)
{
	void *larger = grow(files->directories, files->directory_count, sizeof(name));

	if (!larger)
		return -ENOMEM;
	files->directories = larger;
	files->directories[files->directory_count++] = name;
	return 0;
}

static int add_file(struct codectl_line_files *files, const char *name, uint64_t directory)
{
	void *larger = grow(files->files, files->file_count, sizeof(*files->files));

	if (!larger)
		return -ENOMEM;
	files->files = larger;
	files->files[files->file_count++] = (struct codectl_line_file){
		.name = name, .directory = directory};
	return 0;
}

int codectl_line_files_add(struct codectl_line_files *files, struct codectl_reader *reader)
{
	const char *name = codectl_reader_string(reader);
	uint64_t directory = codectl_reader_uleb128(reader);

	/* Time and length. */
	codectl_reader_uleb128(reader);
	codectl_reader_uleb128(reader);
	return reader->is_failed ? -EINVAL : add_file(files, name, directory);
}

/* DWARF 2 to 4: two lists, each up to an empty string. Directory 0 is the compiler's. */
static int read_lists(
	struct codectl_line_files *files, struct codectl_reader *reader, const char *comp_dir)
{
	int ret = add_directory(files, comp_dir);

	files->first = 1;
	while (!ret) {
		const char *name = codectl_reader_string(reader);

		if (!name || !*name)
			break;
		ret = add_directory(files, name);
	}
	while (!ret && codectl_reader_left(reader) > 0 && reader->start[reader->offset])
		ret = codectl_line_files_add(files, reader);
	codectl_reader_u8(reader);
	if (ret)
		return ret;
	return reader->is_failed ? -EINVAL : 0;
}

const char *codectl_line_string(const struct codectl_section_bytes *section, uint64_t offset)
{
	if (offset >= section->len || !memchr(section->bytes + offset, '\0', section->len - offset))
		return NULL;
	return (const char *)section->bytes + offset;
}

/* Reads an attribute of a form that is a number or is of no interest. */
static uint64_t read_number(struct codectl_reader *reader, uint64_t form)
{
	switch (form) {
	case DW_FORM_udata:
		return codectl_reader_uleb128(reader);
	case DW_FORM_data1:
		return codectl_reader_u8(reader);
	case DW_FORM_data2:
		return codectl_reader_u16(reader);
	case DW_FORM_data4:
		return codectl_reader_u32(reader);
	case DW_FORM_data8:
		return codectl_reader_u64(reader);
	case DW_FORM_data16:
		codectl_reader_bytes(reader, 16);
		return 0;
	case DW_FORM_block:
		codectl_reader_bytes(reader, codectl_reader_uleb128(reader));
		return 0;
	default:
		codectl_reader_fail(reader);
		return 0;
	}
}

static void read_format(struct codectl_reader *reader, struct format *format)
{
	format->count = codectl_reader_u8(reader);
	if (format->count > FORMAT_MAX)
		codectl_reader_fail(reader);
	for (size_t i = 0; i < format->count && !reader->is_failed; i++) {
		format->parts[i].content = codectl_reader_uleb128(reader);
		format->parts[i].form = codectl_reader_uleb128(reader);
	}
}

static void read_entry(struct codectl_reader *reader, const struct format *format,
	size_t offset_size, const struct codectl_line_sections *sections, const char **name,
	uint64_t *directory)
{
	*name = NULL;
	*directory = 0;
	for (size_t i = 0; i < format->count; i++) {
		uint64_t form = format->parts[i].form;
		const char *text = NULL;
		uint64_t number = 0;

		if (form == DW_FORM_string)
			text = codectl_reader_string(reader);
		else if (form == DW_FORM_line_strp)
			text = codectl_line_string(
				&sections->line_str, codectl_reader_uint(reader, offset_size));
		else if (form == DW_FORM_strp)
			text = codectl_line_string(
				&sections->str, codectl_reader_uint(reader, offset_size));
		else
			number = read_number(reader, form);
		if (format->parts[i].content == DW_LNCT_path)
			*name = text;
		else if (format->parts[i].content == DW_LNCT_directory_index)
			*directory = number;
	}
}

/* DWARF 5: directories, then files, each with a format and a count. */
static int read_tables(struct codectl_line_files *files, struct codectl_reader *reader,
	size_t offset_size, const struct codectl_line_sections *sections)
{
	int ret = 0;

	for (int is_file = 0; !ret && is_file < 2; is_file++) {
		struct format format;
		uint64_t count;

		read_format(reader, &format);
		count = codectl_reader_uleb128(reader);
		/* Each part takes a byte at least, so the bytes bound the count. */
		for (uint64_t i = 0; !ret && format.count && i < count; i++) {
			const char *name;
			uint64_t directory;

			read_entry(reader, &format, offset_size, sections, &name, &directory);
			if (reader->is_failed)
				break;
			ret = is_file ? add_file(files, name, directory)
				      : add_directory(files, name);
		}
	}
	if (ret)
		return ret;
	return reader->is_failed ? -EINVAL : 0;
}

int codectl_line_files_read(struct codectl_line_files *files, struct codectl_reader *reader,
	unsigned int version, size_t offset_size, const char *comp_dir,
	const struct codectl_line_sections *sections)
{
	return version < 5 ? read_lists(files, reader, comp_dir)
			   : read_tables(files, reader, offset_size, sections);
}

/* Joins what is not empty; directories may be relative to that of the compiler. */
static char *join(const char *comp_dir, const char *directory, const char *name)
{
	bool has_comp_dir = comp_dir && *comp_dir && *directory != '/';
	char *path;
	int len = asprintf(&path, "%s%s%s/%s", has_comp_dir ? comp_dir : "",
		has_comp_dir ? "/" : "", directory, name);

	return len < 0 ? NULL : path;
}

const char *codectl_line_files_path(struct codectl_line_files *files, uint64_t number)
{
	const char *comp_dir = files->directory_count ? files->directories[0] : NULL;
	struct codectl_line_file *file;
	const char *directory;

	if (number < files->first || number - files->first >= files->file_count)
		return NULL;
	file = &files->files[number - files->first];
	directory = file->directory < files->directory_count ? files->directories[file->directory]
							     : NULL;
	if (file->path || !file->name || !*file->name)
		return file->path;
	if (!directory || !*directory || *file->name == '/')
		return file->name;
	file->path = join(file->directory ? comp_dir : NULL, directory, file->name);
	return file->path;
}

void codectl_line_files_fini(struct codectl_line_files *files)
{
	for (size_t i = 0; i < files->file_count; i++)
		free(files->files[i].path);
	free(files->files);
	free(files->directories);
	*files = (struct codectl_line_files){0};
}
