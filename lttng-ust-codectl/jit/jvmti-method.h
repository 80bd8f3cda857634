/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * jit/jvmti-method.h: what the Java virtual machine says of the methods that
 * one compiled method consists of: name, source file, lines by bytecode index.
 * Asked once for each. Lives for one event, on its thread.
 */
#ifndef CODECTL_JIT_JVMTI_METHOD_H
#define CODECTL_JIT_JVMTI_METHOD_H

#include <jvmti.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_jvmti_method {
	struct codectl_jvmti_method *next;
	jmethodID id;
	char *name;		       /* package.Class.method; owned. */
	char *file;		       /* As in the class file; the machine's; NULL: unknown. */
	jvmtiLineNumberEntry *entries; /* The machine's; NULL: unknown. */
	jint entry_count;
};

struct codectl_jvmti_methods {
	jvmtiEnv *env; /* Weak. */
	struct codectl_jvmti_method *first;
};

void codectl_jvmti_methods_init(struct codectl_jvmti_methods *methods, jvmtiEnv *env);

/* The method, which lives until codectl_jvmti_methods_finish(); NULL: it has been unloaded. */
const struct codectl_jvmti_method *codectl_jvmti_methods_get(
	struct codectl_jvmti_methods *methods, jmethodID id);

/* The line of a bytecode index, 0: unknown. */
uint32_t codectl_jvmti_method_line(const struct codectl_jvmti_method *method, jlocation bci);

void codectl_jvmti_methods_finish(struct codectl_jvmti_methods *methods);

#endif /* CODECTL_JIT_JVMTI_METHOD_H */
