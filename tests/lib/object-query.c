/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/object-query.h"

#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/elf-file.h"

#include <stdio.h>
#include <stdlib.h>

void object_query_prepare(struct object_query *query, const char *name)
{
	struct codectl_elf_file file;
	enum codectl_object_status status;
	const uint8_t *build_id;
	size_t len;

	memset(query, 0, sizeof(*query));
	query->search.debug_dirs = query->debug_dirs;
	query->identity.debug_link_pathname = "";
	query->identity.build_id = query->build_id;
	snprintf(query->path, sizeof(query->path), "%s", fixture_path(name));
	query->identity.pathname = query->path;
	CHECK_INT(codectl_elf_file_open(&file, query->path, &status), 0);
	if (codectl_elf_build_id(&file.elf, &build_id, &len) == 0) {
		CHECK(len <= sizeof(query->build_id));
		memcpy(query->build_id, build_id, len);
		query->identity.build_id_len = len;
	}
	codectl_elf_file_close(&file);
}

struct codectl_object_file *object_query_open(const struct object_query *query)
{
	struct codectl_object_file *file;
	enum codectl_object_status status;

	CHECK_INT(codectl_object_file_open(&query->search, &query->identity, &file, &status), 0);
	return file;
}

void object_query_strip(void)
{
	FIXTURE_RUN("objcopy --only-keep-debug program program.debug && strip program && "
		    "objcopy --add-gnu-debuglink=program.debug program");
}

uint64_t object_query_number(const char *command)
{
	char *text;
	uint64_t number;

	FIXTURE_RUN("%s > number", command);
	text = fixture_read("number", NULL);
	number = strtoull(text, NULL, 16);
	free(text);
	CHECK(number);
	return number;
}

uint64_t object_query_address(const char *name, const char *symbol)
{
	char command[256];

	snprintf(command, sizeof(command), "nm '%s' | grep ' %s$'", name, symbol);
	return object_query_number(command);
}

void object_query_check(struct codectl_object_file *file, uint64_t vaddr, const char *function,
	uint64_t offset, const char *source)
{
	struct codectl_symbol symbol;
	const char *slash;

	CHECK_INT(codectl_object_file_symbolize(file, vaddr, &symbol), 0);
	CHECK_STR(symbol.function, function);
	CHECK_HEX(symbol.offset, offset);
	slash = strrchr(symbol.source_path, '/');
	CHECK_STR(slash ? slash + 1 : symbol.source_path, source);
	CHECK_INT(symbol.source_line > 0, *source != '\0');
}

bool object_query_has_lines(const struct object_query *query, uint64_t vaddr)
{
	struct codectl_object_file *file;
	enum codectl_object_status status;
	struct codectl_symbol symbol;
	bool is_known;

	if (codectl_object_file_open(&query->search, &query->identity, &file, &status) != 0)
		return false;
	is_known = codectl_object_file_symbolize(file, vaddr, &symbol) == 0 &&
		   symbol.source_line > 0;
	codectl_object_file_close(file);
	return is_known;
}
