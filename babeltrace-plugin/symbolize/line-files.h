/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/line-files.h: the source files that a line table of DWARF 2 to 5
 * numbers. Bounded by the bytes read. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_LINE_FILES_H
#define CODECTL_SYMBOLIZE_LINE_FILES_H

#include "format/reader.h"

/* The bytes of a section; all zero if the file has none. */
struct codectl_section_bytes {
	const uint8_t *bytes; /* Weak. */
	size_t len;
};

/* Where line tables and their strings are. */
struct codectl_line_sections {
	struct codectl_section_bytes line;     /* .debug_line */
	struct codectl_section_bytes line_str; /* .debug_line_str */
	struct codectl_section_bytes str;      /* .debug_str */
};

/* The string at @offset of a section, weak as that; NULL: it has none, or no end. */
const char *codectl_line_string(const struct codectl_section_bytes *section, uint64_t offset);

struct codectl_line_file {
	const char *name; /* Weak, in a section. */
	uint64_t directory;
	char *path; /* Owned; NULL until asked for. */
};

/* All zero: empty. */
struct codectl_line_files {
	const char **directories; /* Owned; the strings are weak, in a section. */
	size_t directory_count;
	struct codectl_line_file *files; /* Owned. */
	size_t file_count;
	size_t first; /* The number of files[0]: 1 before DWARF 5. */
};

/*
 * Reads the tables of version @version at @reader, where offsets take
 * @offset_size bytes. Returns 0, -EINVAL or -ENOMEM; what was read before an
 * error stays.
 */
int codectl_line_files_read(struct codectl_line_files *files, struct codectl_reader *reader,
	unsigned int version, size_t offset_size, const char *comp_dir,
	const struct codectl_line_sections *sections);

/* Reads one more file in the form of DWARF 2 to 4. Returns 0, -EINVAL or -ENOMEM. */
int codectl_line_files_add(struct codectl_line_files *files, struct codectl_reader *reader);

/* The path of file @number, weak as long as @files; NULL if it is not to be had. */
const char *codectl_line_files_path(struct codectl_line_files *files, uint64_t number);

void codectl_line_files_fini(struct codectl_line_files *files);

#endif /* CODECTL_SYMBOLIZE_LINE_FILES_H */
