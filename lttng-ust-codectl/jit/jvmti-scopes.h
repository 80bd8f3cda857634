/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/jvmti-scopes.h: from what the Java virtual machine tells of a compiled
 * method to the line table and inlined functions of codectl/ext.h.
 */
#ifndef CODECTL_JIT_JVMTI_SCOPES_H
#define CODECTL_JIT_JVMTI_SCOPES_H

#include "codectl/ext.h"
#include "jit/jvmti-method.h"

#include <jvmticmlr.h>

/* An address as codectl/ext.h has it. */
static inline uint64_t codectl_jvmti_address(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

struct codectl_jvmti_scopes {
	struct codectl_jvmti_methods *methods; /* Weak; owns the texts. */
	uint64_t start;
	uint64_t size;
	struct code_jit_line *lines; /* Owned, as the others. */
	uint32_t line_count;
	uint32_t line_capacity;
	struct code_jit_inline *inlines;
	struct codectl_jvmti_call *calls; /* One for each of inlines. */
	uint32_t inline_count;
	uint32_t inline_capacity;
};

void codectl_jvmti_scopes_init(struct codectl_jvmti_scopes *scopes,
	struct codectl_jvmti_methods *methods, uint64_t start, uint64_t size);

/* From the records of HotSpot: at each of some addresses, all methods and bytecode indices. */
void codectl_jvmti_scopes_add_inlines(
	struct codectl_jvmti_scopes *scopes, const jvmtiCompiledMethodLoadInlineRecord *record);

/* From the map of addresses to bytecode indices of @method alone. */
void codectl_jvmti_scopes_add_map(struct codectl_jvmti_scopes *scopes, jmethodID method,
	const jvmtiAddrLocationMap *map, size_t count);

void codectl_jvmti_scopes_finish(struct codectl_jvmti_scopes *scopes);

#endif /* CODECTL_JIT_JVMTI_SCOPES_H */
