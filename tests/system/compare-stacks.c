/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * compare-stacks [-v] FILE: thins the full samples that full-samples.py has
 * written to FILE, as the sampler would have done, unwinds each from all of its
 * words and from those that are left, and tells how many chains differ and what
 * the thinning saves. Fails if any differs.
 */
#include "format/elf.h"
#include "sampler/thin.h"
#include "unwind/module.h"
#include "unwind/unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CODE_MAX  4096
#define FRAME_MAX 4096

struct code {
	struct codectl_range range;
	uint64_t elf_start;
	const void *image; /* NULL: not at hand. */
	size_t image_len;
	struct codectl_elf elf;
	uint64_t bias;
	struct codectl_unwind_module *module; /* NULL: none. */
	char path[512];
};

struct chain {
	struct codectl_unwind_frame frames[FRAME_MAX];
	size_t count;
	enum codectl_stack_end end;
};

static struct {
	struct code codes[CODE_MAX]; /* Ascending. */
	struct codectl_range executable[CODE_MAX];
	size_t code_count;
	uint64_t vpid;
	struct codectl_unwinder *unwinder;
	struct codectl_unwind_ops ops;
	struct chain full, sparse;
	struct codectl_thin_scratch scratch;
	uint64_t map[CODECTL_THIN_MAP_MAX], full_map[CODECTL_THIN_MAP_MAX];
	uint64_t kept[CODECTL_THIN_WORDS_MAX];
	uint64_t segments;
	bool is_verbose;
	uint64_t samples, different, words, kept_words, frames;
	uint64_t ends[CODECTL_STACK_END_COUNT];
} all;

static const struct code *find(uint64_t address)
{
	for (size_t i = 0; i < all.code_count; i++) {
		if (codectl_range_has(&all.codes[i].range, address))
			return &all.codes[i];
	}
	return NULL;
}

static int find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	const struct code *found = find(lookup_pc);

	(void)user;
	if (!found)
		return -ENOENT;
	*code = (struct codectl_unwind_code){.module = found->module, .bias = found->bias};
	return 0;
}

static int read_code(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	const struct code *found = find(address);
	struct codectl_elf_range range;

	(void)user;
	if (!found || !found->image ||
		codectl_elf_vaddr_range(&found->elf, address - found->bias, &range) ||
		range.len < len)
		return -ENOENT;
	memcpy(bytes, range.bytes, len);
	return 0;
}

static void read_words(FILE *file, void *words, size_t count)
{
	if (fread(words, 8, count, file) != count) {
		fprintf(stderr, "compare-stacks: the file is too short\n");
		exit(EXIT_FAILURE);
	}
}

static uint64_t read_word(FILE *file)
{
	uint64_t word;

	read_words(file, &word, 1);
	return word;
}

static void use_image(struct code *code, const void *image, size_t len)
{
	uint64_t start, end;

	if (codectl_elf_init(&code->elf, image, len) ||
		codectl_elf_load_span(&code->elf, &start, &end))
		return;
	code->image = image;
	code->image_len = len;
	code->bias = code->elf_start - start;
	codectl_unwind_module_create(&code->elf, &code->module);
}

static void read_code_entry(FILE *file)
{
	struct code *code = &all.codes[all.code_count];
	struct stat status;
	size_t len;
	int fd;

	if (all.code_count == CODE_MAX)
		exit(EXIT_FAILURE);
	*code = (struct code){.range = {read_word(file), 0}};
	code->range.end = read_word(file);
	code->elf_start = read_word(file);
	len = read_word(file);
	if (len >= sizeof(code->path))
		exit(EXIT_FAILURE);
	read_words(file, code->path, (len + 7) / 8);
	all.executable[all.code_count++] = code->range;
	fd = open(code->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0) {
		void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (image != MAP_FAILED)
			use_image(code, image, (size_t)status.st_size);
	}
	close(fd);
}

static void read_image(FILE *file)
{
	size_t len = read_word(file);
	void *image = calloc(len + 8, 1);

	if (!image || all.code_count == 0)
		exit(EXIT_FAILURE);
	read_words(file, image, (len + 7) / 8);
	use_image(&all.codes[all.code_count - 1], image, len);
}

static void begin_process(FILE *file)
{
	all.vpid = read_word(file);
	all.code_count = 0;
	all.ops.generation++;
}

static void unwind(const struct codectl_event_sample *sample, struct chain *chain)
{
	chain->end = codectl_unwind(
		all.unwinder, &all.ops, sample, chain->frames, FRAME_MAX, &chain->count);
}

static void print_chain(const char *name, const struct chain *chain, size_t common)
{
	printf("  %s %zu %s:", name, chain->count, codectl_stack_end_name(chain->end));
	for (size_t i = common > 3 ? common - 3 : 0; i < common + 3 && i < chain->count; i++) {
		const struct code *code = find(chain->frames[i].pc);

		printf(" %" PRIx64 "=%s+%" PRIx64 "(%s)", chain->frames[i].pc,
			code ? strrchr(code->path, '/') ? strrchr(code->path, '/') + 1 : code->path
			     : "?",
			code ? chain->frames[i].pc - code->bias : 0,
			codectl_frame_via_name(chain->frames[i].via));
	}
	printf("\n");
}

/*
 * A last frame outside of all code is a word that was no return address: libgcc
 * has written over it, on its way to a landing pad. It is not kept.
 */
static void drop_garbage(struct chain *chain)
{
	if (chain->end == CODECTL_STACK_END_NO_MAP && chain->count > 1 &&
		!find(chain->frames[chain->count - 1].pc))
		chain->count--;
}

static bool is_in_libgcc(uint64_t pc)
{
	const struct code *code = find(pc);

	return code && strstr(code->path, "/libgcc_s.so");
}

/*
 * The register that leads from a piece of a split stack to another one is not
 * kept, as nobody knows that this is a stack. And what libgcc writes over a return
 * address may be a 0, which looks like an end: it is not kept either.
 */
static bool is_same_end(const struct chain *full, const struct chain *sparse)
{
	return full->end == sparse->end ||
	       (full->end == CODECTL_STACK_END_STACK_SWITCH &&
		       sparse->end == CODECTL_STACK_END_TRUNCATED) ||
	       (full->end == CODECTL_STACK_END_OUTERMOST &&
		       sparse->end == CODECTL_STACK_END_NO_MAP && full->count > 0 &&
		       is_in_libgcc(full->frames[0].pc));
}

static void compare(void)
{
	size_t common = 0;

	drop_garbage(&all.full);
	drop_garbage(&all.sparse);
	while (common < all.full.count && common < all.sparse.count &&
		all.full.frames[common].pc == all.sparse.frames[common].pc &&
		all.full.frames[common].via == all.sparse.frames[common].via &&
		all.full.frames[common].is_exact == all.sparse.frames[common].is_exact)
		common++;
	all.samples++;
	all.frames += all.full.count;
	all.ends[all.full.end]++;
	if (common == all.full.count && common == all.sparse.count &&
		is_same_end(&all.full, &all.sparse))
		return;
	if (all.different++ >= 10 && !all.is_verbose)
		return;
	printf("sample %" PRIu64 " of %" PRIu64 ": %zu frames alike\n", all.samples, all.vpid,
		common);
	print_chain("full", &all.full, common);
	print_chain("sparse", &all.sparse, common);
}

static void read_sample(FILE *file)
{
	static uint64_t regs[CODECTL_AMD64_REG_COUNT];
	static uint64_t words[CODECTL_THIN_WORDS_MAX];
	struct codectl_event_sample sample = {.stack_start = read_word(file)};
	size_t count = read_word(file);
	struct codectl_thin_rule rule = {
		.executable = all.executable,
		.executable_count = all.code_count,
		.segments = all.segments,
	};

	if (count > CODECTL_THIN_WORDS_MAX)
		exit(EXIT_FAILURE);
	read_words(file, regs, CODECTL_AMD64_REG_COUNT);
	read_words(file, words, count);
	rule.frame_pointer = regs[CODECTL_AMD64_RBP];
	sample.stack_len = (uint32_t)count * 8;
	sample.regs = regs;
	sample.reg_count = CODECTL_AMD64_REG_COUNT;
	sample.stack_map_count = codectl_thin_map_count(count);
	sample.stack_map = all.full_map;
	sample.stack = words;
	sample.stack_count = count;
	unwind(&sample, &all.full);
	sample.stack_map = all.map;
	sample.stack = all.kept;
	sample.stack_count = codectl_thin(
		&rule, &all.scratch, words, count, sample.stack_start, all.map, all.kept);
	unwind(&sample, &all.sparse);
	all.words += count;
	all.kept_words += sample.stack_count;
	compare();
}

static void report(void)
{
	double samples = all.samples ? (double)all.samples : 1;

	printf("%" PRIu64 " samples, %.1f frames, %" PRIu64
	       " different; per sample %.0f words, kept %.1f (%.1f %%), %.0f bytes with the map;",
		all.samples, (double)all.frames / samples, all.different,
		(double)all.words / samples, (double)all.kept_words / samples,
		100.0 * (double)all.kept_words / (double)(all.words ? all.words : 1),
		(double)all.kept_words * 8 / samples + (double)all.words / 8 / samples);
	for (int end = 0; end < CODECTL_STACK_END_COUNT; end++) {
		if (all.ends[end])
			printf(" %s %" PRIu64, codectl_stack_end_name((enum codectl_stack_end)end),
				all.ends[end]);
	}
	printf("\n");
}

/* This process's, as the kernel would save them: the recorded one had the same. */
static uint64_t read_segments(void)
{
	uint16_t cs, gs, fs, ss;

	__asm__("mov %%cs, %0\n\tmov %%gs, %1\n\tmov %%fs, %2\n\tmov %%ss, %3"
		: "=r"(cs), "=r"(gs), "=r"(fs), "=r"(ss));
	return (uint64_t)cs | (uint64_t)gs << 16 | (uint64_t)fs << 32 | (uint64_t)ss << 48;
}

int main(int argc, char **argv)
{
	FILE *file;
	uint64_t kind;

	all.segments = read_segments();

	all.is_verbose = argc > 2 && !strcmp(argv[1], "-v");
	file = argc > 1 ? fopen(argv[argc - 1], "re") : NULL;
	all.unwinder = codectl_unwinder_create();
	if (!file || !all.unwinder)
		return EXIT_FAILURE;
	memset(all.full_map, 0xff, sizeof(all.full_map));
	all.ops = (struct codectl_unwind_ops){.find_code = find_code, .read_code = read_code};
	while (fread(&kind, 8, 1, file) == 1) {
		if (kind == 1)
			begin_process(file);
		else if (kind == 2)
			read_code_entry(file);
		else if (kind == 3)
			read_image(file);
		else if (kind == 4)
			read_sample(file);
		else
			return EXIT_FAILURE;
	}
	report();
	fclose(file);
	return all.different ? EXIT_FAILURE : EXIT_SUCCESS;
}
