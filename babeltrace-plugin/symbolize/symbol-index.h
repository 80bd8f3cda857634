/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/symbol-index.h: which symbols of the tables of an object are at an
 * address. Files have up to millions of symbols, and who asks wants few of them.
 * So they are only counted out into pieces of the code, by one look at each; what
 * an address needs is sorted in the piece that is asked for. One thread.
 */
#ifndef CODECTL_SYMBOLIZE_SYMBOL_INDEX_H
#define CODECTL_SYMBOLIZE_SYMBOL_INDEX_H

#include "symbolize/name.h"
#include "symbolize/symbol-table.h"

#include <stdbool.h>

/* A symbol table, of which two are used at most. */
struct codectl_symbol_source {
	struct codectl_symbol_table table;
	uint64_t bias;		    /* What its addresses are more than those asked for. */
	struct codectl_ranges code; /* Where code can be, with the bias. Owned. */
};

/* A stub of the procedure linkage table. */
struct codectl_symbol_stub {
	uint64_t start;
	uint64_t end;
	const char *name; /* Weak, of the function it jumps to. */
};

/* One that was found. */
struct codectl_found_symbol {
	uint64_t start;
	const char *text; /* Weak; as the table has it. */
	struct codectl_name name;
	uint64_t own_start; /* start may become that of what it is a part of. */
	uint32_t source;    /* Of the sources; their number is that of stubs. */
	uint32_t number;    /* In the table. */
	bool is_owned;	    /* It was looked for what it is a part of. */
};

struct codectl_symbol_piece;

#define CODECTL_SYMBOL_SOURCES_MAX 2

/* All zero: empty. Fill in sources and stubs, then build; ends with fini(). */
struct codectl_symbol_index {
	struct codectl_symbol_source sources[CODECTL_SYMBOL_SOURCES_MAX];
	size_t source_count;
	struct codectl_symbol_stub *stubs; /* Owned. */
	size_t stub_count;
	size_t stub_capacity;
	uint64_t base; /* Where the first piece begins. */
	unsigned int shift;
	struct codectl_symbol_piece *pieces; /* Owned; 1 << shift bytes each. */
	size_t piece_count;
	uint32_t *members; /* Owned; what is in the pieces, one after the other. */
	/* Those without a size, by how far they may reach at most; values are numbers of @ends. */
	struct codectl_ranges sizeless;
	struct codectl_found_symbol *ends; /* Owned. */
	size_t end_count;
	size_t end_capacity;
};

/* Returns 0 or -ENOMEM. */
int codectl_symbol_index_build(struct codectl_symbol_index *index);

void codectl_symbol_index_fini(struct codectl_symbol_index *index);

/*
 * Finds the symbol at @vaddr: that which starts last, of those which start there
 * the best one. Returns 0 with *@symbol weak as long as @index, -ENOENT or
 * -ENOMEM. *@is_sizeless: how far it reaches is a guess.
 */
int codectl_symbol_index_find(struct codectl_symbol_index *index, uint64_t vaddr,
	struct codectl_found_symbol **symbol, bool *is_sizeless);

/*
 * The start of the function with that name (of @len bytes) next to @near in its
 * table: local symbols of one file are together. Returns whether there is one.
 */
bool codectl_symbol_index_find_near(const struct codectl_symbol_index *index,
	const struct codectl_found_symbol *near, const char *name, size_t len,
	struct codectl_found_symbol *found);

#endif /* CODECTL_SYMBOLIZE_SYMBOL_INDEX_H */
