/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Adapter `frames`: __register_frame() and __deregister_frame() of libgcc, with
 * which a JIT makes exceptions pass its code (LLVM and all that use it), tell us
 * the unwind information of that code. The section is registered as it is.
 */
#include "jit/adapters.h"
#include "jit/ranges.h"

#include "provider/jit.h"
#include "provider/export.h"
#include "provider/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_LEN 4096

/* A section that is registered with libgcc. */
struct section {
	struct section *next;
	void *begin; /* As given by the program; also the address of the section. */
	struct codectl_jit_ranges ranges; /* What we have registered for it. */
};

/* A leaf but for codectl(); held across a fork, so that the child finds the list whole. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct section *sections;

static void (*_Atomic real_register)(void *);
static void *(*_Atomic real_deregister)(void *);

/*
 * The next definition after ours; that of libgcc_s also where a library has
 * loaded it for itself alone.
 */
static void *find_real(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	void *library;

	if (real)
		return real;
	library = dlopen("libgcc_s.so.1", RTLD_NOW);
	return library ? dlsym(library, name) : NULL;
}

/*
 * Copies the section at @begin, up to the entry of length 0 that ends it. Returns
 * a buffer for the caller to free, or NULL.
 */
static uint8_t *copy_section(uint64_t begin, size_t *len)
{
	size_t have = 0;
	size_t at = 0;
	uint8_t *bytes = NULL;

	while (at < CODE_JIT_BLOB_MAX) {
		uint32_t short_len;
		uint64_t entry_len;

		/* A page at a time, since nobody knows where the memory ends. */
		while (have < at + 12) {
			size_t step = PAGE_LEN - (begin + have) % PAGE_LEN;
			uint8_t *larger = realloc(bytes, have + step);

			if (!larger)
				goto fail;
			bytes = larger;
			if (codectl_provider_read_memory(begin + have, bytes + have, step) != 0) {
				/* The end may be the last four bytes of the last page. */
				if (have < at + 4)
					goto fail;
				break;
			}
			have += step;
		}
		memcpy(&short_len, bytes + at, sizeof(short_len));
		if (!short_len) {
			*len = at + sizeof(short_len);
			return bytes;
		}
		entry_len = short_len + sizeof(short_len);
		if (short_len == UINT32_MAX) {
			if (have < at + 12)
				goto fail;
			memcpy(&entry_len, bytes + at + sizeof(short_len), sizeof(entry_len));
			if (entry_len > CODE_JIT_BLOB_MAX)
				goto fail;
			entry_len += sizeof(short_len) + sizeof(entry_len);
		}
		if (entry_len > CODE_JIT_BLOB_MAX)
			goto fail;
		at += entry_len;
	}
fail:
	free(bytes);
	return NULL;
}

static void register_section(void *begin)
{
	struct section *section = calloc(1, sizeof(*section));
	uint8_t *bytes;
	size_t len;

	if (!section)
		return;
	section->begin = begin;
	bytes = copy_section((uint64_t)(uintptr_t)begin, &len);
	if (bytes) {
		uint64_t address = (uint64_t)(uintptr_t)begin;

		codectl_jit_ranges_add_fdes(&section->ranges, bytes, len, address);
		codectl_jit_ranges_register(&section->ranges, bytes, len, address);
	}
	free(bytes);
	if (!section->ranges.count) {
		free(section);
		return;
	}
	pthread_mutex_lock(&lock);
	section->next = sections;
	sections = section;
	pthread_mutex_unlock(&lock);
}

static void unregister_section(const void *begin)
{
	struct section *section = NULL;

	pthread_mutex_lock(&lock);
	for (struct section **at = &sections; *at; at = &(*at)->next) {
		if ((*at)->begin == begin) {
			section = *at;
			*at = section->next;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	if (section)
		codectl_jit_ranges_unregister(&section->ranges);
	free(section);
}

/* As libgcc declares them. */
void __register_frame(void *begin);
void *__deregister_frame(void *begin);

CODECTL_EXPORT void __register_frame(void *begin)
{
	void (*real)(void *) = atomic_load(&real_register);

	if (!real) {
		real = (void (*)(void *))find_real("__register_frame");
		atomic_store(&real_register, real);
	}
	if (real)
		real(begin);
	if (begin && codectl_jit_adapter_is_on(CODECTL_JIT_ADAPTER_FRAMES)) {
		int saved_errno = errno;

		register_section(begin);
		errno = saved_errno;
	}
}

CODECTL_EXPORT void *__deregister_frame(void *begin)
{
	void *(*real)(void *) = atomic_load(&real_deregister);
	int saved_errno = errno;

	if (!real) {
		real = (void *(*)(void *))find_real("__deregister_frame");
		atomic_store(&real_deregister, real);
	}
	if (begin)
		unregister_section(begin);
	errno = saved_errno;
	return real ? real(begin) : NULL;
}

void codectl_jit_frames_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void codectl_jit_frames_after_fork(void)
{
	pthread_mutex_unlock(&lock);
}
