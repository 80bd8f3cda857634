/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/kernel-symbols.h"

#include "symbolize/elf-contents.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A kernel with all its modules has 300 000 symbols in 15 MiB. */
#define FILE_MAX   ((size_t)128 << 20)
#define SYMBOL_MAX ((size_t)4 << 20)
#define FIRST_READ ((size_t)1 << 20)

/* The kernel's own limit of names. */
#define NAME_MAX_LEN 511

/* Behind the last function of a module there is no symbol that ends it. */
#define LAST_SIZE_MAX 4096

/* The most telling first, of those at the same address. */
enum rank { RANK_GLOBAL, RANK_LOCAL, RANK_WEAK, RANK_OTHER };

struct symbol {
	uint64_t address;
	uint32_t name;	 /* Where it is in the text. */
	uint32_t module; /* The same; 0, where no name is: the kernel itself. */
	enum rank rank;
};

struct codectl_kernel_symbols {
	char *text; /* Owned; the file, in which names and modules are terminated. */
	size_t len;
	struct symbol *symbols; /* Owned; by rising address, one at each. */
	size_t count;
	struct codectl_kernel_symbols_stats stats;
};

_Static_assert(FILE_MAX <= UINT32_MAX, "places in the text must fit into a symbol");

void codectl_kernel_symbols_close(struct codectl_kernel_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbols);
	free(symbols->text);
	free(symbols);
}

/* Reads all of @fd, whose size may be unknown: /proc says 0. Returns 0, -ENOMEM or -errno. */
static int read_all(int fd, struct codectl_kernel_symbols *symbols)
{
	size_t capacity = 0;

	for (;;) {
		/* One byte remains for the end of the last line. */
		if (capacity - symbols->len < 2) {
			char *grown;

			if (capacity > FILE_MAX)
				return -EFBIG;
			capacity = capacity ? 2 * capacity : FIRST_READ;
			grown = realloc(symbols->text, capacity);
			if (!grown)
				return -ENOMEM;
			symbols->text = grown;
		}
		ssize_t count = read(fd, symbols->text + symbols->len, capacity - symbols->len - 1);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		if (count == 0)
			break;
		symbols->len += (size_t)count;
	}
	if (symbols->len > FILE_MAX)
		return -EFBIG;
	if (symbols->text)
		symbols->text[symbols->len] = '\0';
	return 0;
}

static enum rank rank_of(char type)
{
	switch (type) {
	case 'T':
		return RANK_GLOBAL;
	case 't':
	case 'i':
		return RANK_LOCAL;
	case 'W':
	case 'w':
		return RANK_WEAK;
	default:
		return RANK_OTHER;
	}
}

static bool is_letter(char type)
{
	return (type >= 'a' && type <= 'z') || (type >= 'A' && type <= 'Z');
}

/* Reads an address of at most 16 digits. Returns what is behind it, or NULL. */
static char *read_address(char *line, uint64_t *address)
{
	char *c = line;

	for (*address = 0; c - line < 16; c++) {
		if (*c >= '0' && *c <= '9')
			*address = *address << 4 | (uint64_t)(*c - '0');
		else if (*c >= 'a' && *c <= 'f')
			*address = *address << 4 | (uint64_t)(*c - 'a' + 10);
		else
			break;
	}
	return c > line && *c == ' ' ? c + 1 : NULL;
}

/* Whether @text of @len bytes is a name: of printable ASCII characters, and not endless. */
static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= ' ' || c >= 0x7f)
			return false;
	}
	return len > 0 && len <= NAME_MAX_LEN;
}

/* Reads a @line, which is terminated, into *@symbol. Returns whether it is one. */
static bool read_line(
	const struct codectl_kernel_symbols *symbols, char *line, size_t len, struct symbol *symbol)
{
	char *text = read_address(line, &symbol->address);

	if (!text || strlen(line) != len || !is_letter(text[0]) || text[1] != ' ')
		return false;
	symbol->rank = rank_of(text[0]);
	text += 2;

	char *end = text + strcspn(text, "\t ");
	char *module = end + strspn(end, "\t ");
	size_t module_len = strlen(module);

	if (!is_name(text, (size_t)(end - text)))
		return false;
	symbol->name = (uint32_t)(text - symbols->text);
	symbol->module = 0;
	if (module_len > 0) {
		if (module[0] != '[' || module[module_len - 1] != ']' ||
			!is_name(module, module_len))
			return false;
		symbol->module = (uint32_t)(module - symbols->text);
	}
	*end = '\0';
	return true;
}

/* Adds a symbol. Returns 0, -ENOMEM or -EFBIG. */
static int add(struct codectl_kernel_symbols *symbols, const struct symbol *symbol)
{
	/* Powers of two are when the array is full. */
	if ((symbols->count & (symbols->count - 1)) == 0) {
		size_t capacity = symbols->count ? 2 * symbols->count : 1;
		struct symbol *grown;

		if (symbols->count >= SYMBOL_MAX)
			return -EFBIG;
		grown = reallocarray(symbols->symbols, capacity, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		symbols->symbols = grown;
	}
	symbols->symbols[symbols->count++] = *symbol;
	symbols->stats.functions += symbol->rank != RANK_OTHER;
	symbols->stats.others += symbol->rank == RANK_OTHER;
	return 0;
}

/* Reads all lines; adds to *@hidden how many functions are at address 0. As above. */
static int read_lines(struct codectl_kernel_symbols *symbols, size_t *hidden)
{
	char *line = symbols->text;
	char *end = symbols->text + symbols->len;
	int ret = 0;

	while (ret == 0 && line < end) {
		char *next = memchr(line, '\n', (size_t)(end - line));
		struct symbol symbol;

		if (!next)
			next = end;
		*next = '\0';
		if (!read_line(symbols, line, (size_t)(next - line), &symbol))
			symbols->stats.bad_lines++;
		else if (symbol.address != 0)
			ret = add(symbols, &symbol);
		else
			*hidden += symbol.rank != RANK_OTHER;
		line = next + 1;
	}
	return ret;
}

/* Order at the same address: the best name first, then the first in the file. */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

/* Sorts, and leaves the best symbol at each address. */
static void sort(struct codectl_kernel_symbols *symbols)
{
	size_t kept = 0;

	qsort(symbols->symbols, symbols->count, sizeof(symbols->symbols[0]), compare);
	for (size_t i = 0; i < symbols->count; i++) {
		if (kept == 0 || symbols->symbols[kept - 1].address != symbols->symbols[i].address)
			symbols->symbols[kept++] = symbols->symbols[i];
	}
	symbols->count = kept;
}

/* Makes symbols of what @fd has. As codectl_kernel_symbols_open(). */
static int load(int fd, struct codectl_kernel_symbols *symbols, const char **reason)
{
	size_t hidden = 0;
	int ret = read_all(fd, symbols);

	if (ret == 0)
		ret = read_lines(symbols, &hidden);
	if (ret == -ENOMEM)
		return ret;
	*reason = ret == -EFBIG ? "it is too large" : "it cannot be read";
	if (ret < 0)
		return -EINVAL;
	if (symbols->stats.functions == 0) {
		*reason = hidden ? "all its addresses are zero: the kernel hides them from who has "
				   "no privileges (kernel.kptr_restrict)"
				 : "there are no symbols of functions in it";
		return -EINVAL;
	}
	sort(symbols);
	return 0;
}

int codectl_kernel_symbols_open(
	const char *path, struct codectl_kernel_symbols **symbols, const char **reason)
{
	enum codectl_object_status status;
	struct stat info;
	int fd = codectl_elf_contents_open(path, &info, &status);

	if (fd < 0) {
		*reason = codectl_object_status_text(status);
		return -EINVAL;
	}

	struct codectl_kernel_symbols *loaded = calloc(1, sizeof(*loaded));
	int ret = loaded ? load(fd, loaded, reason) : -ENOMEM;

	close(fd);
	if (ret < 0) {
		codectl_kernel_symbols_close(loaded);
		return ret;
	}
	*symbols = loaded;
	return 0;
}

static const char *module_of(
	const struct codectl_kernel_symbols *symbols, const struct symbol *symbol)
{
	return symbol->module ? symbols->text + symbol->module : "";
}

/* How many bytes of the function, which symbol @index is, there are at most. */
static uint64_t size_of(const struct codectl_kernel_symbols *symbols, size_t index)
{
	const struct symbol *symbol = &symbols->symbols[index];
	const struct symbol *next = symbol + 1;

	if (index + 1 == symbols->count)
		return LAST_SIZE_MAX;

	uint64_t size = next->address - symbol->address;

	return size > LAST_SIZE_MAX &&
			       strcmp(module_of(symbols, symbol), module_of(symbols, next)) != 0
		       ? LAST_SIZE_MAX
		       : size;
}

int codectl_kernel_symbols_find(const struct codectl_kernel_symbols *symbols, uint64_t address,
	struct codectl_kernel_symbol *symbol)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return -ENOENT;

	const struct symbol *found = &symbols->symbols[low - 1];

	if (found->rank == RANK_OTHER || address - found->address >= size_of(symbols, low - 1))
		return -ENOENT;
	*symbol = (struct codectl_kernel_symbol){
		.name = symbols->text + found->name,
		.module = module_of(symbols, found),
		.offset = address - found->address,
	};
	return 0;
}

const struct codectl_kernel_symbols_stats *codectl_kernel_symbols_borrow_stats(
	const struct codectl_kernel_symbols *symbols)
{
	return &symbols->stats;
}
