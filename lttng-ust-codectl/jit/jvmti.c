/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The JVMTI agent libcodectl-jvmti.so (java -agentpath:…): the Java virtual
 * machine tells it of each compiled method and of its own generated code, and it
 * registers them: names, lines, and the methods that are inlined.
 */
#include "jit/jvmti-method.h"
#include "jit/jvmti-scopes.h"

#include "provider/export.h"
#include "provider/jit.h"

#include <jvmti.h>
#include <jvmticmlr.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

/* What is at an address: the machine may tell that it has gone when other code is there. */
struct loaded {
	struct loaded *next; /* Later ones at the same address. */
	jmethodID method;
	uint64_t id;
};

struct address {
	uint64_t start;
	struct loaded *first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *addresses; /* Tree of struct address by start. */
static uint64_t last_id;

static int compare(const void *left, const void *right)
{
	const struct address *a = left;
	const struct address *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Gives the method a number that names it among all that were ever at @start; 0: no memory. */
static uint64_t add_loaded(uint64_t start, jmethodID method)
{
	struct address *address = calloc(1, sizeof(*address));
	struct loaded *loaded = calloc(1, sizeof(*loaded));
	struct address **found = NULL;
	struct loaded **end;
	uint64_t id = 0;

	pthread_mutex_lock(&lock);
	if (address && loaded) {
		address->start = start;
		found = tsearch(address, &addresses, compare);
	}
	if (found) {
		id = ++last_id;
		loaded->method = method;
		loaded->id = id;
		for (end = &(*found)->first; *end; end = &(*end)->next)
			;
		*end = loaded;
	}
	pthread_mutex_unlock(&lock);
	if (!found || *found != address)
		free(address);
	if (!found)
		free(loaded);
	return id;
}

/* Takes out the oldest load of the method at @start. Returns its number, 0 if there is none. */
static uint64_t remove_loaded(uint64_t start, jmethodID method)
{
	const struct address key = {.start = start};
	struct address **found;
	struct address *address = NULL;
	struct loaded *loaded = NULL;
	uint64_t id = 0;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &addresses, compare);
	for (struct loaded **at = found ? &(*found)->first : NULL; at && *at; at = &(*at)->next) {
		if ((*at)->method == method) {
			loaded = *at;
			id = loaded->id;
			*at = loaded->next;
			break;
		}
	}
	if (found && !(*found)->first) {
		address = *found;
		tdelete(address, &addresses, compare);
	}
	pthread_mutex_unlock(&lock);
	free(address);
	free(loaded);
	return id;
}

static const jvmtiCompiledMethodLoadInlineRecord *find_inlines(const void *compile_info)
{
	const jvmtiCompiledMethodLoadRecordHeader *header = compile_info;

	for (; header; header = header->next) {
		if (header->kind == JVMTI_CMLR_INLINE_INFO)
			return (const void *)header;
	}
	return NULL;
}

static void JNICALL on_method_load(jvmtiEnv *env, jmethodID method, jint size, const void *code,
	jint map_len, const jvmtiAddrLocationMap *map, const void *compile_info)
{
	const jvmtiCompiledMethodLoadInlineRecord *inlines = find_inlines(compile_info);
	struct codectl_jvmti_methods methods;
	struct codectl_jvmti_scopes scopes;
	const struct codectl_jvmti_method *own;
	struct code_jit_symbol symbol = {
		.start = codectl_jvmti_address(code),
		.size = (uint64_t)(uint32_t)size,
	};

	codectl_jvmti_methods_init(&methods, env);
	own = codectl_jvmti_methods_get(&methods, method);
	codectl_jvmti_scopes_init(&scopes, &methods, symbol.start, symbol.size);
	if (own) {
		symbol.name = codectl_jvmti_address(own->name);
		symbol.id = add_loaded(symbol.start, method);
		if (inlines)
			codectl_jvmti_scopes_add_inlines(&scopes, inlines);
		else
			codectl_jvmti_scopes_add_map(
				&scopes, method, map, (size_t)(uint32_t)map_len);
		symbol.lines = codectl_jvmti_address(scopes.lines);
		symbol.line_count = scopes.line_count;
		symbol.inlines = codectl_jvmti_address(scopes.inlines);
		symbol.inline_count = scopes.inline_count;
		codectl_jit_add_symbol(&symbol, 0);
	}
	codectl_jvmti_scopes_finish(&scopes);
	codectl_jvmti_methods_finish(&methods);
}

static void JNICALL on_method_unload(jvmtiEnv *env, jmethodID method, const void *code)
{
	uint64_t id = remove_loaded(codectl_jvmti_address(code), method);

	(void)env;
	if (id)
		codectl_jit_remove_symbol(codectl_jvmti_address(code), id, 0);
}

/* The interpreter, stubs, adapters. */
static void JNICALL on_dynamic_code(jvmtiEnv *env, const char *name, const void *code, jint size)
{
	const struct code_jit_symbol symbol = {
		.start = codectl_jvmti_address(code),
		.size = (uint64_t)(uint32_t)size,
		.name = codectl_jvmti_address(name),
	};

	(void)env;
	if (size > 0)
		codectl_jit_add_symbol(&symbol, 0);
}

/* Without these the machine does not tell; with them it runs as fast. */
static int ask_for_events(jvmtiEnv *env)
{
	static const jvmtiEvent events[] = {JVMTI_EVENT_COMPILED_METHOD_LOAD,
		JVMTI_EVENT_COMPILED_METHOD_UNLOAD, JVMTI_EVENT_DYNAMIC_CODE_GENERATED};
	const jvmtiEventCallbacks callbacks = {
		.CompiledMethodLoad = on_method_load,
		.CompiledMethodUnload = on_method_unload,
		.DynamicCodeGenerated = on_dynamic_code,
	};
	const jvmtiCapabilities capabilities = {
		.can_generate_compiled_method_load_events = 1,
		.can_get_source_file_name = 1,
		.can_get_line_numbers = 1,
	};

	if ((*env)->AddCapabilities(env, &capabilities) != JVMTI_ERROR_NONE ||
		(*env)->SetEventCallbacks(env, &callbacks, sizeof(callbacks)) != JVMTI_ERROR_NONE)
		return -1;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if ((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, events[i], NULL) !=
			JVMTI_ERROR_NONE)
			return -1;
	}
	return 0;
}

/* A virtual machine without what we need runs on without us. */
static jvmtiEnv *start(JavaVM *vm)
{
	jvmtiEnv *env = NULL;

	if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK ||
		ask_for_events(env) != 0) {
		fputs("libcodectl-jvmti: this Java virtual machine does not tell of the methods "
		      "that it compiles; they will have no names\n",
			stderr);
		return NULL;
	}
	return env;
}

CODECTL_EXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)options;
	(void)reserved;
	start(vm);
	return JNI_OK;
}

/* Into a machine that runs (jcmd PID JVMTI.agent_load): what it has compiled so far is told too. */
CODECTL_EXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *env = start(vm);

	(void)options;
	(void)reserved;
	if (env) {
		(*env)->GenerateEvents(env, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
		(*env)->GenerateEvents(env, JVMTI_EVENT_COMPILED_METHOD_LOAD);
	}
	return JNI_OK;
}
