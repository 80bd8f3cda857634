/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/jvmti-scopes.h"

#include <stdbool.h>
#include <stdlib.h>

/* By which an inlined function is found again: the same call in the same place. */
struct codectl_jvmti_call {
	jmethodID method;
	jint bci; /* Where its parent calls it. */
};

void codectl_jvmti_scopes_init(struct codectl_jvmti_scopes *scopes,
	struct codectl_jvmti_methods *methods, uint64_t start, uint64_t size)
{
	*scopes = (struct codectl_jvmti_scopes){.methods = methods, .start = start, .size = size};
}

static bool add_line(struct codectl_jvmti_scopes *scopes, const struct code_jit_line *line)
{
	if (scopes->line_count == CODE_JIT_LINE_MAX)
		return false;
	if (scopes->line_count == scopes->line_capacity) {
		uint32_t capacity = scopes->line_capacity ? 2 * scopes->line_capacity : 64;
		void *larger = reallocarray(scopes->lines, capacity, sizeof(*scopes->lines));

		if (!larger)
			return false;
		scopes->lines = larger;
		scopes->line_capacity = capacity;
	}
	scopes->lines[scopes->line_count++] = *line;
	return true;
}

static bool make_room(struct codectl_jvmti_scopes *scopes)
{
	uint32_t capacity = scopes->inline_capacity ? 2 * scopes->inline_capacity : 32;
	void *inlines;
	void *calls;

	if (scopes->inline_count < scopes->inline_capacity)
		return true;
	if (scopes->inline_count == CODE_JIT_INLINE_MAX)
		return false;
	inlines = reallocarray(scopes->inlines, capacity, sizeof(*scopes->inlines));
	if (inlines)
		scopes->inlines = inlines;
	calls = reallocarray(scopes->calls, capacity, sizeof(*scopes->calls));
	if (calls)
		scopes->calls = calls;
	if (!inlines || !calls)
		return false;
	scopes->inline_capacity = capacity;
	return true;
}

/* The scope of @method where @caller in scope @parent calls it; @parent if that cannot be. */
static uint32_t get_scope(struct codectl_jvmti_scopes *scopes, uint32_t parent,
	const struct codectl_jvmti_method *caller, jint bci, jmethodID id)
{
	const struct codectl_jvmti_method *method;

	/* The addresses are in order: the same call was met a moment ago, if at all. */
	for (uint32_t i = scopes->inline_count; i-- > 0;) {
		if (scopes->inlines[i].parent == parent && scopes->calls[i].method == id &&
			scopes->calls[i].bci == bci)
			return i + 1;
	}
	method = codectl_jvmti_methods_get(scopes->methods, id);
	if (!method || !make_room(scopes))
		return parent;
	scopes->inlines[scopes->inline_count] = (struct code_jit_inline){
		.name = codectl_jvmti_address(method->name),
		.call_file = codectl_jvmti_address(caller->file),
		.call_line = codectl_jvmti_method_line(caller, bci),
		.parent = parent,
	};
	scopes->calls[scopes->inline_count] = (struct codectl_jvmti_call){.method = id, .bci = bci};
	return ++scopes->inline_count;
}

void codectl_jvmti_scopes_add_inlines(
	struct codectl_jvmti_scopes *scopes, const jvmtiCompiledMethodLoadInlineRecord *record)
{
	uint64_t from = scopes->start;

	for (jint i = 0; i < record->numpcs; i++) {
		const PCStackInfo *info = &record->pcinfo[i];
		const struct codectl_jvmti_method *method = NULL;
		uint64_t to = codectl_jvmti_address(info->pc);
		uint32_t scope = 0;
		jint bci = 0;

		/* What holds at an address holds for the code before it, up to the last one. */
		if (to <= from || to - scopes->start > scopes->size || info->numstackframes <= 0)
			continue;
		for (jint j = info->numstackframes; j-- > 0;) {
			if (method)
				scope = get_scope(scopes, scope, method, bci, info->methods[j]);
			method = codectl_jvmti_methods_get(scopes->methods, info->methods[j]);
			bci = info->bcis[j];
			if (!method)
				break;
		}
		if (method &&
			!add_line(scopes, &(struct code_jit_line){
						  .file = codectl_jvmti_address(method->file),
						  .offset = (uint32_t)(from - scopes->start),
						  .line = codectl_jvmti_method_line(method, bci),
						  .scope = scope,
					  }))
			return;
		from = to;
	}
}

void codectl_jvmti_scopes_add_map(struct codectl_jvmti_scopes *scopes, jmethodID id,
	const jvmtiAddrLocationMap *map, size_t count)
{
	const struct codectl_jvmti_method *method = codectl_jvmti_methods_get(scopes->methods, id);
	uint64_t last = scopes->start;

	for (size_t i = 0; method && map && i < count; i++) {
		uint64_t address = codectl_jvmti_address(map[i].start_address);

		if (address < last || address - scopes->start >= scopes->size)
			continue;
		if (!add_line(scopes,
			    &(struct code_jit_line){
				    .file = codectl_jvmti_address(method->file),
				    .offset = (uint32_t)(address - scopes->start),
				    .line = codectl_jvmti_method_line(method, map[i].location),
			    }))
			return;
		last = address;
	}
}

void codectl_jvmti_scopes_finish(struct codectl_jvmti_scopes *scopes)
{
	free(scopes->lines);
	free(scopes->inlines);
	free(scopes->calls);
}
