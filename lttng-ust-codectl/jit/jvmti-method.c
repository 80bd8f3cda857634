/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/jvmti-method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void codectl_jvmti_methods_init(struct codectl_jvmti_methods *methods, jvmtiEnv *env)
{
	methods->env = env;
	methods->first = NULL;
}

static void release(jvmtiEnv *env, void *memory)
{
	if (memory)
		(*env)->Deallocate(env, memory);
}

/* "Lorg/example/Main;" and "run" become "org.example.Main.run". */
static char *make_name(const char *class_signature, const char *method)
{
	size_t len = strlen(class_signature);
	char *name;

	if (len >= 2 && *class_signature == 'L' && class_signature[len - 1] == ';') {
		class_signature++;
		len -= 2;
	}
	if (asprintf(&name, "%.*s.%s", (int)len, class_signature, method) < 0)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		if (name[i] == '/')
			name[i] = '.';
	}
	return name;
}

static struct codectl_jvmti_method *ask(jvmtiEnv *env, jmethodID id)
{
	struct codectl_jvmti_method *method = calloc(1, sizeof(*method));
	char *signature = NULL;
	char *name = NULL;
	jclass class;

	if (!method)
		return NULL;
	method->id = id;
	if ((*env)->GetMethodDeclaringClass(env, id, &class) == JVMTI_ERROR_NONE &&
		(*env)->GetClassSignature(env, class, &signature, NULL) == JVMTI_ERROR_NONE &&
		(*env)->GetMethodName(env, id, &name, NULL, NULL) == JVMTI_ERROR_NONE) {
		method->name = make_name(signature, name);
		if ((*env)->GetSourceFileName(env, class, &method->file) != JVMTI_ERROR_NONE)
			method->file = NULL;
		if ((*env)->GetLineNumberTable(env, id, &method->entry_count, &method->entries) !=
			JVMTI_ERROR_NONE) {
			method->entries = NULL;
			method->entry_count = 0;
		}
	}
	release(env, signature);
	release(env, name);
	if (!method->name) {
		free(method);
		return NULL;
	}
	return method;
}

const struct codectl_jvmti_method *codectl_jvmti_methods_get(
	struct codectl_jvmti_methods *methods, jmethodID id)
{
	struct codectl_jvmti_method *method;

	for (method = methods->first; method; method = method->next) {
		if (method->id == id)
			return method;
	}
	method = ask(methods->env, id);
	if (method) {
		method->next = methods->first;
		methods->first = method;
	}
	return method;
}

/* Entries come in any order; an entry holds up to the next higher start. */
uint32_t codectl_jvmti_method_line(const struct codectl_jvmti_method *method, jlocation bci)
{
	const jvmtiLineNumberEntry *best = NULL;

	for (jint i = 0; i < method->entry_count; i++) {
		const jvmtiLineNumberEntry *entry = &method->entries[i];

		if (entry->start_location <= bci &&
			(!best || entry->start_location >= best->start_location))
			best = entry;
	}
	return best ? (uint32_t)best->line_number : 0;
}

void codectl_jvmti_methods_finish(struct codectl_jvmti_methods *methods)
{
	while (methods->first) {
		struct codectl_jvmti_method *method = methods->first;

		methods->first = method->next;
		release(methods->env, method->file);
		release(methods->env, method->entries);
		free(method->name);
		free(method);
	}
}
