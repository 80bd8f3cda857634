/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Adapter `gdb`: the JIT interface of GDB. A run time keeps a list of in-memory
 * ELF files, and calls __jit_debug_register_code(), an empty function on which
 * the debugger has a breakpoint; we have a hook there instead, set when an
 * object with that function is seen.
 */
#include "jit/adapters.h"
#include "jit/gdb-object.h"
#include "jit/hook.h"
#include "jit/ranges.h"
#include "jit/symbol-lookup.h"

#include "provider/helper.h"
#include "provider/jit.h"
#include "provider/loader-counts.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

/* Larger objects are left alone; so are longer lists. */
#define OBJECT_MAX ((uint64_t)1 << 28)
#define ENTRY_MAX  100000

/* What the interface defines ("Debugging with GDB", Declarations). */
enum jit_action { JIT_NO_ACTION, JIT_REGISTER, JIT_UNREGISTER };

struct jit_code_entry {
	struct jit_code_entry *next;
	struct jit_code_entry *prev;
	const char *symfile_addr;
	uint64_t symfile_size;
};

struct jit_descriptor {
	uint32_t version;
	uint32_t action_flag;
	struct jit_code_entry *relevant_entry;
	struct jit_code_entry *first_entry;
};

/* What we have registered for an entry. */
struct object {
	struct object *next;
	const struct jit_code_entry *entry; /* Weak: compared only. */
	struct codectl_jit_ranges ranges;
	uint64_t *functions; /* Starts. */
	size_t function_count;
	size_t function_capacity;
	uint64_t image; /* Where the file is in memory. */
	const uint8_t *copy;
	struct codectl_jit_ranges text;
};

/* A leaf but for codectl(). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;
/* When we looked last; helper thread only. */
static struct codectl_loader_counts seen;

static void take_text(void *user, uint64_t start, uint64_t size)
{
	struct object *object = user;

	codectl_jit_ranges_add(&object->text, start, start + size);
}

static void take_function(void *user, const struct codectl_gdb_function *function)
{
	struct object *object = user;
	const struct code_jit_symbol symbol = {
		.start = function->start,
		.size = function->size,
		.name = (uint64_t)(uintptr_t)function->name,
	};

	if (object->function_count == object->function_capacity) {
		size_t capacity = object->function_capacity ? 2 * object->function_capacity : 16;
		uint64_t *larger = reallocarray(object->functions, capacity, sizeof(*larger));

		if (!larger)
			return;
		object->functions = larger;
		object->function_capacity = capacity;
	}
	if (codectl_jit_add_symbol(&symbol, 0) == 0)
		object->functions[object->function_count++] = function->start;
}

static bool is_within(
	const struct codectl_jit_ranges *ranges, const struct codectl_jit_range *range)
{
	for (size_t i = 0; i < ranges->count; i++) {
		if (range->start >= ranges->ranges[i].start && range->end <= ranges->ranges[i].end)
			return true;
	}
	return false;
}

/*
 * LLVM's MCJIT tells of an object before it relocates it: then what .eh_frame
 * says is not of this code. It registers that with libgcc later.
 */
static void take_eh_frame(void *user, uint64_t address, const uint8_t *bytes, size_t len)
{
	struct object *object = user;
	uint8_t *live = NULL;

	codectl_jit_ranges_join(&object->text);
	if (address) {
		live = malloc(len);
		if (!live || codectl_provider_read_memory(address, live, len) != 0)
			goto end;
		bytes = live;
	} else {
		address = object->image + (uint64_t)(bytes - object->copy);
	}
	codectl_jit_ranges_add_fdes(&object->ranges, bytes, len, address);
	for (size_t i = 0; i < object->ranges.count; i++) {
		if (!is_within(&object->text, &object->ranges.ranges[i])) {
			object->ranges.count = 0;
			break;
		}
	}
	codectl_jit_ranges_register(&object->ranges, bytes, len, address);
end:
	free(live);
}

static void register_entry(const struct jit_code_entry *entry)
{
	struct object *object = calloc(1, sizeof(*object));
	const struct codectl_gdb_callbacks callbacks = {
		.text = take_text,
		.function = take_function,
		.eh_frame = take_eh_frame,
		.user = object,
	};
	uint8_t *copy = NULL;

	if (!object || !entry->symfile_size || entry->symfile_size > OBJECT_MAX)
		goto fail;
	copy = malloc(entry->symfile_size);
	object->entry = entry;
	object->copy = copy;
	object->image = (uint64_t)(uintptr_t)entry->symfile_addr;
	if (!copy || codectl_provider_read_memory(object->image, copy, entry->symfile_size) != 0 ||
		codectl_gdb_object_read(copy, entry->symfile_size, &callbacks) != 0)
		goto fail;
	free(copy);
	object->copy = NULL;
	pthread_mutex_lock(&lock);
	object->next = objects;
	objects = object;
	pthread_mutex_unlock(&lock);
	return;
fail:
	free(copy);
	if (object)
		free(object->functions);
	free(object);
}

static void unregister_entry(const struct jit_code_entry *entry)
{
	struct object *object = NULL;

	pthread_mutex_lock(&lock);
	for (struct object **at = &objects; *at; at = &(*at)->next) {
		if ((*at)->entry == entry) {
			object = *at;
			*at = object->next;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	if (!object)
		return;
	for (size_t i = 0; i < object->function_count; i++)
		codectl_jit_remove_symbol(object->functions[i], 0, 0);
	codectl_jit_ranges_unregister(&object->ranges);
	free(object->functions);
	free(object);
}

/* In the place of __jit_debug_register_code(), on the thread that called it. */
static void changed(void *argument)
{
	const struct jit_descriptor *descriptor = argument;
	int saved_errno = errno;

	if (descriptor->action_flag == JIT_REGISTER && descriptor->relevant_entry)
		register_entry(descriptor->relevant_entry);
	else if (descriptor->action_flag == JIT_UNREGISTER && descriptor->relevant_entry)
		unregister_entry(descriptor->relevant_entry);
	errno = saved_errno;
}

/* What was registered before the hook was set: copied, for the list may change meanwhile. */
static void register_earlier(const struct jit_descriptor *descriptor)
{
	struct jit_descriptor head;
	struct jit_code_entry entry;
	uint64_t at;

	if (codectl_provider_read_memory((uint64_t)(uintptr_t)descriptor, &head, sizeof(head)) != 0)
		return;
	at = (uint64_t)(uintptr_t)head.first_entry;
	for (size_t i = 0; at && i < ENTRY_MAX; i++) {
		if (codectl_provider_read_memory(at, &entry, sizeof(entry)) != 0)
			return;
		register_entry((const struct jit_code_entry *)at);
		at = (uint64_t)(uintptr_t)entry.next;
	}
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *user)
{
	struct jit_descriptor *descriptor;
	void *function;

	(void)size;
	(void)user;
	function = codectl_symbol_lookup(info, "__jit_debug_register_code");
	if (!function)
		return 0;
	descriptor = codectl_symbol_lookup(info, "__jit_debug_descriptor");
	if (descriptor && codectl_hook_set(function, changed, descriptor) == 0)
		register_earlier(descriptor);
	return 0;
}

void codectl_jit_gdb_round(void)
{
	if (!codectl_jit_adapter_is_on(CODECTL_JIT_ADAPTER_GDB))
		return;
	if (codectl_loader_counts_update(&seen))
		dl_iterate_phdr(visit_object, NULL);
}

void codectl_jit_gdb_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void codectl_jit_gdb_after_fork(void)
{
	pthread_mutex_unlock(&lock);
}
