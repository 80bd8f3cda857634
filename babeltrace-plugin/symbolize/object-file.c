/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/object-file.h"

#include "symbolize/answers.h"
#include "symbolize/debug-info.h"
#include "symbolize/elf-contents.h"
#include "symbolize/finding.h"
#include "symbolize/symbols.h"
#include "symbolize/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What may be kept of the debug information of one object; a unit takes a few megabytes. */
#define MEMORY_MAX ((size_t)256 << 20)

struct codectl_object_file {
	struct codectl_finder finder;
	struct codectl_elf_file own;	  /* Closed if only a debug file was found. */
	struct codectl_elf_file separate; /* The separate debug file, if there is one. */
	struct codectl_elf_file inner;	  /* Out of .gnu_debugdata, if nothing else has symbols. */
	uint64_t debug_bias;		  /* What to add to a vaddr of own for separate. */
	bool is_read;			  /* Symbols and DWARF were tried. */
	struct codectl_symbols *symbols;  /* Owned; NULL if not to be had. */
	struct codectl_debug_info *debug_info; /* Owned; NULL if not to be had. */
	struct codectl_answers answers;
	void *unpacked; /* Owned; the section unpacked last. */
	struct codectl_symbol chain[CODECTL_DEBUG_INFO_LEVELS_MAX + 1]; /* The last one. */
};

/* Prelinking moves the file itself, but not its debug file. */
static uint64_t find_bias(const struct codectl_elf_file *own, const struct codectl_elf_file *debug)
{
	uint64_t own_start, debug_start, end;

	if (codectl_elf_load_span(&own->elf, &own_start, &end) ||
		codectl_elf_load_span(&debug->elf, &debug_start, &end))
		return 0;
	return debug_start - own_start;
}

static int open_files(struct codectl_object_file *file,
	const struct codectl_object_identity *identity, enum codectl_object_status *status)
{
	int ret = codectl_finding_open_own(&file->finder, identity, &file->own, status);

	if (ret && ret != -ENOENT)
		return ret;
	if (!ret && codectl_elf_file_has_debug_info(&file->own))
		return 0;

	int debug_ret = codectl_finding_open_debug(
		&file->finder, identity, &file->own, &file->separate);

	if (debug_ret == -ENOMEM)
		return debug_ret;
	if (!debug_ret && !ret)
		file->debug_bias = find_bias(&file->own, &file->separate);
	return debug_ret ? ret : 0;
}

int codectl_object_file_open(const struct codectl_object_search *search,
	const struct codectl_object_identity *identity, struct codectl_object_file **file,
	enum codectl_object_status *status)
{
	int ret;

	*status = CODECTL_OBJECT_NO_PATH;
	*file = calloc(1, sizeof(**file));
	if (!*file)
		return -ENOMEM;
	ret = codectl_finder_init(&(*file)->finder, search, identity->pathname);
	if (!ret)
		ret = open_files(*file, identity, status);
	if (ret) {
		codectl_object_file_close(*file);
		*file = NULL;
	}
	return ret;
}

bool codectl_object_file_is_image(const struct codectl_object_file *file)
{
	return codectl_elf_file_is_open(&file->own) && file->own.is_image;
}

void codectl_object_file_close(struct codectl_object_file *file)
{
	if (!file)
		return;
	codectl_answers_fini(&file->answers);
	codectl_symbols_destroy(file->symbols);
	codectl_debug_info_destroy(file->debug_info);
	codectl_elf_file_close(&file->separate);
	codectl_elf_file_close(&file->inner);
	codectl_elf_file_close(&file->own);
	free(file->unpacked);
	codectl_finder_fini(&file->finder);
	free(file);
}

const struct codectl_elf *codectl_object_file_borrow_elf(const struct codectl_object_file *file)
{
	return codectl_elf_file_is_open(&file->own) ? &file->own.elf : NULL;
}

const struct codectl_elf *codectl_object_file_borrow_debug_elf(
	const struct codectl_object_file *file)
{
	return codectl_elf_file_is_open(&file->separate) ? &file->separate.elf : NULL;
}

int codectl_object_file_unpack(
	struct codectl_object_file *file, const char *name, struct codectl_elf_range *range)
{
	struct codectl_elf_section section;
	const struct codectl_elf_file *from = &file->own;
	const char *reason;
	size_t len;
	void *bytes;

	if (!codectl_unpack_find(from, name, &section)) {
		from = &file->separate;
		if (!codectl_unpack_find(from, name, &section))
			return -ENOENT;
	}
	if (codectl_unpack_section(from, &section, &bytes, &len, &reason)) {
		codectl_finder_tell(&file->finder, CODECTL_PART_SECTION, name, reason, false);
		return -ENOENT;
	}
	free(file->unpacked);
	file->unpacked = bytes;
	*range = (struct codectl_elf_range){.bytes = bytes, .len = len};
	return 0;
}

int codectl_object_file_read_code(
	struct codectl_object_file *file, uint64_t vaddr, uint8_t *bytes, size_t len)
{
	struct codectl_elf_range range;

	if (!codectl_elf_file_is_open(&file->own) ||
		codectl_elf_code_range(&file->own.elf, vaddr, &range) || len > range.len ||
		codectl_elf_contents_fetch(
			&file->own, (uint64_t)(range.bytes - file->own.elf.image), len))
		return -ENOENT;
	memcpy(bytes, range.bytes, len);
	return 0;
}

/* Reads what is needed of one of the files. */
static void fetch(struct codectl_object_file *file, struct codectl_elf_file *part,
	enum codectl_object_part kind)
{
	if (codectl_elf_file_is_open(part) && codectl_elf_contents_fetch_links(part))
		codectl_finder_tell(&file->finder, kind, part->path,
			codectl_object_status_text(CODECTL_OBJECT_CHANGED), false);
}

/* Symbols packed into the object itself, for those that have no others. */
static void open_inner(struct codectl_object_file *file)
{
	const char *reason;

	if (!codectl_elf_file_is_open(&file->own) || codectl_elf_file_has_symtab(&file->own) ||
		(codectl_elf_file_is_open(&file->separate) &&
			codectl_elf_file_has_symtab(&file->separate)))
		return;
	if (codectl_unpack_debugdata(&file->own, &file->inner, &reason) && reason)
		codectl_finder_tell(
			&file->finder, CODECTL_PART_SECTION, ".gnu_debugdata", reason, false);
}

static void read_symbols(struct codectl_object_file *file)
{
	struct codectl_elf_file *own = codectl_elf_file_is_open(&file->own) ? &file->own : NULL;
	struct codectl_elf_file *debug = codectl_elf_file_is_open(&file->separate) ? &file->separate
										   : NULL;
	uint64_t bias = file->debug_bias;

	open_inner(file);
	if (codectl_elf_file_is_open(&file->inner)) {
		debug = &file->inner;
		bias = find_bias(&file->own, &file->inner);
	}
	codectl_symbols_create(own, debug, bias, &file->symbols);
}

/* Without memory or sound contents for one of them, the other still answers. */
static void read_debug_files(struct codectl_object_file *file)
{
	fetch(file, &file->own, CODECTL_PART_OBJECT);
	fetch(file, &file->separate, CODECTL_PART_DEBUG_FILE);
	read_symbols(file);
	codectl_debug_info_create(&file->finder,
		codectl_elf_file_is_open(&file->separate) ? &file->separate : &file->own,
		&file->debug_info);
	file->is_read = true;
}

/* Fills in what the symbol table says. Returns whether it says for sure. */
static bool find_by_symbols(
	const struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *symbol)
{
	struct codectl_symbols_answer answer;

	if (!file->symbols || codectl_symbols_find(file->symbols, vaddr, &answer) != 0)
		return false;
	symbol->function = answer.name;
	symbol->offset = (int64_t)(vaddr - answer.start);
	symbol->plain_function = answer.plain_name;
	symbol->plain_offset = (int64_t)(vaddr - answer.plain_start);
	return !answer.is_sizeless;
}

/*
 * Names the function that has the code. The symbol table says most (exported
 * names, clones); DWARF, where @level may be NULL, knows what it does not.
 */
static void find_function(const struct codectl_object_file *file, uint64_t vaddr,
	const struct codectl_debug_info_level *level, struct codectl_symbol *symbol)
{
	bool is_sure = find_by_symbols(file, vaddr, symbol);
	const char *name;
	int64_t offset;

	if (!level)
		return;
	offset = (int64_t)(vaddr + file->debug_bias - level->entry);
	name = is_sure ? "" : codectl_debug_info_name(level);
	if (*name) {
		symbol->function = name;
		symbol->offset = offset;
	}
	name = codectl_debug_info_plain_name(level);
	if (*name) {
		symbol->plain_function = name;
		symbol->plain_offset = offset;
	}
}

/*
 * Fills @chain, which has room for one more than the debug information can have
 * levels. Returns the number of symbols.
 */
static size_t make_chain(
	struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *chain)
{
	const struct codectl_symbol unknown = {
		.function = "", .plain_function = "", .source_path = ""};
	struct codectl_debug_info_level levels[CODECTL_DEBUG_INFO_LEVELS_MAX];
	uint64_t debug_vaddr = vaddr + file->debug_bias;
	size_t level_count = 0, count = 0;

	chain[0] = unknown;
	if (file->debug_info) {
		level_count = codectl_debug_info_find_chain(file->debug_info, debug_vaddr, levels);
		codectl_debug_info_find_source(file->debug_info, debug_vaddr, &chain[0].source_path,
			&chain[0].source_line);
	}
	while (count < level_count && levels[count].is_inlined) {
		const struct codectl_debug_info_level *level = &levels[count];
		struct codectl_symbol *symbol = &chain[count++];

		symbol->function = codectl_debug_info_name(level);
		symbol->plain_function = codectl_debug_info_plain_name(level);
		symbol->offset = (int64_t)(debug_vaddr - level->entry);
		symbol->is_inlined = true;
		symbol[1] = unknown;
		if (level->call_path && level->call_line) {
			symbol[1].source_path = level->call_path;
			symbol[1].source_line = level->call_line;
		}
	}
	find_function(file, vaddr, count < level_count ? &levels[count] : NULL, &chain[count]);
	/* Nothing at all is no chain. */
	return count || *chain->function || *chain->source_path ? count + 1 : 0;
}

bool codectl_object_file_trim(struct codectl_object_file *file, size_t max)
{
	if (!file->debug_info || !codectl_debug_info_trim(file->debug_info, max))
		return false;
	/* Their strings were there. */
	codectl_answers_forget(&file->answers);
	return true;
}

int codectl_object_file_find_chain(struct codectl_object_file *file, uint64_t vaddr,
	const struct codectl_symbol **chain, size_t *count)
{
	if (!codectl_answers_find(&file->answers, vaddr, chain, count)) {
		if (!file->is_read)
			read_debug_files(file);
		codectl_object_file_trim(file, MEMORY_MAX);
		*chain = file->chain;
		*count = make_chain(file, vaddr, file->chain);
		codectl_answers_add(&file->answers, vaddr, *chain, *count);
	}
	return *count ? 0 : -ENOENT;
}

int codectl_object_file_symbolize(
	struct codectl_object_file *file, uint64_t vaddr, struct codectl_symbol *symbol)
{
	const struct codectl_symbol *chain;
	size_t count;
	int ret = codectl_object_file_find_chain(file, vaddr, &chain, &count);

	*symbol = ret ? (struct codectl_symbol){.function = "",
				.plain_function = "",
				.source_path = ""}
		      : chain[count - 1];
	if (!ret) {
		symbol->source_path = chain->source_path;
		symbol->source_line = chain->source_line;
	}
	return ret;
}

/* Where a debug file without build-id is found again: by the link, beside the object. */
static char *name_debug_file(const struct codectl_object_file *file)
{
	const char *object = file->finder.pathname;
	const char *slash = strrchr(object, '/');
	const char *link = strrchr(file->separate.path, '/');
	char *name;

	if (!slash || !link)
		return strdup("");
	return asprintf(&name, "%.*s/.debug%s", (int)(slash - object), object, link) < 0 ? NULL
											 : name;
}

static int visit_separate(
	const struct codectl_object_file *file, codectl_object_part_visit *visit, void *user)
{
	struct codectl_object_part_file part = {
		.part = CODECTL_PART_DEBUG_FILE,
		.path = file->separate.path,
	};
	char *name = name_debug_file(file);
	int ret;

	if (!name)
		return -ENOMEM;
	part.name = name;
	if (codectl_elf_build_id(&file->separate.elf, &part.build_id, &part.build_id_len) != 0)
		part.build_id_len = 0;
	ret = visit(user, &part);
	free(name);
	return ret;
}

int codectl_object_file_for_each_part(
	const struct codectl_object_file *file, codectl_object_part_visit *visit, void *user)
{
	struct codectl_object_part_file part = {
		.part = CODECTL_PART_OBJECT,
		.path = file->own.path,
		.name = file->finder.pathname,
	};
	int ret = 0;

	if (file->own.path) {
		if (codectl_elf_build_id(&file->own.elf, &part.build_id, &part.build_id_len) != 0)
			part.build_id_len = 0;
		ret = visit(user, &part);
	}
	if (!ret && file->separate.path)
		ret = visit_separate(file, visit, user);
	if (!ret && file->debug_info)
		ret = codectl_debug_info_for_each_part(file->debug_info, visit, user);
	return ret;
}
