/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "elf-register/loaded-objects.h"

#include "format/elf.h"
#include "provider/helper.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef PT_GNU_SFRAME
#define PT_GNU_SFRAME 0x6474e554
#endif

#define FIRST_CAPACITY	     128
#define MAX_CAPACITY	     (1 << 16)
#define NAME_ROOM	     128 /* Bytes of names for each object, on average. */
#define NAMESPACE_PHDR_MAX   32
#define NAMESPACE_OBJECT_MAX 4096 /* A bound for walking a list that makes no sense. */

#define FORK_WAIT_NS 100000000

/* Held while in dl_iterate_phdr(), and across a fork by the thread that forks. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t forking_thread; /* The one that got it; 0: none. */

/* Header of an SFrame section, versions 1 to 3 (SFrame specification, 2.1). */
struct sframe_header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint8_t abi_arch;
	int8_t cfa_fixed_fp_offset;
	int8_t cfa_fixed_ra_offset;
	uint8_t auxhdr_len;
	uint32_t num_fdes;
	uint32_t num_fres;
	uint32_t fre_len;
	uint32_t fdeoff;
	uint32_t freoff;
};

#define SFRAME_MAGIC 0xdee2

_Static_assert(sizeof(struct sframe_header) == 28, "SFrame specification");

void codectl_loaded_objects_before_fork(void)
{
	uint64_t deadline = codectl_provider_now() + FORK_WAIT_NS;
	struct timespec until = {
		.tv_sec = (time_t)(deadline / 1000000000),
		.tv_nsec = (long)(deadline % 1000000000),
	};

	if (pthread_mutex_clocklock(&gate, CLOCK_MONOTONIC, &until) == 0)
		atomic_store(&forking_thread, pthread_self());
}

void codectl_loaded_objects_after_fork_parent(void)
{
	if (atomic_load(&forking_thread) == pthread_self()) {
		atomic_store(&forking_thread, 0);
		pthread_mutex_unlock(&gate);
	}
}

void codectl_loaded_objects_after_fork_child(void)
{
	pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	memcpy(&gate, &fresh, sizeof(gate));
	atomic_store(&forking_thread, 0);
}

static void iterate(
	int (*visit)(struct dl_phdr_info *, size_t, void *), struct codectl_loaded_objects *list)
{
	pthread_mutex_lock(&gate);
	dl_iterate_phdr(visit, list);
	pthread_mutex_unlock(&gate);
}

/* The loader's lock is held: what is in its list has been loaded, what is not is unloaded. */
static int on_first_object(struct dl_phdr_info *info, size_t size, void *user)
{
	struct codectl_loaded_objects *list = user;

	(void)size;
	list->counts = codectl_loader_counts_of(info);
	list->looked_at = codectl_provider_now();
	return 1;
}

bool codectl_loaded_objects_is_stale(struct codectl_loaded_objects *list)
{
	struct codectl_loaded_objects now = {.counts.adds = list->counts.adds + 1};

	iterate(on_first_object, &now);
	if (!codectl_loader_counts_are_equal(&now.counts, &list->counts))
		return true;
	list->looked_at = now.looked_at;
	return false;
}

/* Where PT_GNU_SFRAME says; the linker may have padded it, so the header has the last word. */
static void add_sframe(struct codectl_loaded_object *object, uint64_t bias, const ElfW(Phdr) * phdr)
{
	const struct sframe_header *header = (const void *)(uintptr_t)(bias + phdr->p_vaddr);
	uint64_t len = phdr->p_memsz;

	if (!(phdr->p_flags & PF_R) || phdr->p_memsz < sizeof(*header))
		return;
	if (header->magic == SFRAME_MAGIC) {
		uint64_t used = sizeof(*header) + (uint64_t)header->auxhdr_len + header->freoff +
				header->fre_len;

		if (used < len)
			len = used;
	}
	object->sframe_start = bias + phdr->p_vaddr;
	object->sframe_end = object->sframe_start + len;
}

static void add_build_id(
	struct codectl_loaded_object *object, uint64_t bias, const ElfW(Phdr) * phdr)
{
	const uint8_t *build_id;
	size_t len;

	if (object->build_id_len ||
		codectl_elf_find_build_id_note((const void *)(uintptr_t)(bias + phdr->p_vaddr),
			phdr->p_memsz, &build_id, &len) ||
		len > sizeof(object->build_id))
		return;
	memcpy(object->build_id, build_id, len);
	object->build_id_len = len;
}

/* Whether the loader mapped what this header describes, from a file and readable. */
static bool is_mapped(const ElfW(Phdr) * phdrs, size_t count, const ElfW(Phdr) * part)
{
	for (size_t i = 0; i < count; i++) {
		const ElfW(Phdr) *load = &phdrs[i];

		if (load->p_type == PT_LOAD && (load->p_flags & PF_R) &&
			part->p_vaddr >= load->p_vaddr &&
			part->p_vaddr - load->p_vaddr <= load->p_filesz &&
			part->p_memsz <= load->p_filesz - (part->p_vaddr - load->p_vaddr))
			return true;
	}
	return false;
}

static void add_load(struct codectl_loaded_object *object, uint64_t bias, const ElfW(Phdr) * phdr)
{
	uint64_t start = bias + phdr->p_vaddr;
	uint64_t end = start + phdr->p_memsz;

	if (start >= end)
		return;
	if (object->elf_end == 0 || start < object->elf_start)
		object->elf_start = start;
	if (end > object->elf_end)
		object->elf_end = end;
	if ((phdr->p_flags & PF_X) && object->text_count < CODECTL_LOADED_TEXT_MAX)
		object->texts[object->text_count++] = (struct codectl_loaded_text){
			.start = start, .end = end};
}

/* Adds an object, if there is room and it has code. */
static void add_object(struct codectl_loaded_objects *list, uint64_t bias, const char *name,
	const ElfW(Phdr) * phdrs, size_t phdr_count)
{
	size_t name_size = strlen(name) + 1;

	if (list->count == list->capacity || name_size > list->names_capacity - list->names_len) {
		list->is_short = true;
		return;
	}

	struct codectl_loaded_object *object = &list->objects[list->count];

	memset(object, 0, sizeof(*object));
	for (size_t i = 0; i < phdr_count; i++) {
		const ElfW(Phdr) *phdr = &phdrs[i];

		if (phdr->p_type == PT_LOAD)
			add_load(object, bias, phdr);
		else if (phdr->p_type == PT_NOTE && is_mapped(phdrs, phdr_count, phdr))
			add_build_id(object, bias, phdr);
		else if (phdr->p_type == PT_GNU_SFRAME && is_mapped(phdrs, phdr_count, phdr))
			add_sframe(object, bias, phdr);
	}
	object->name = memcpy(list->names + list->names_len, name, name_size);
	list->names_len += name_size;
	list->count++;
}

static bool has_object_at(const struct codectl_loaded_objects *list, uint64_t address)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->objects[i].elf_start == address)
			return true;
	}
	return false;
}

/*
 * An object of another namespace: there is no table of program headers to be
 * had, so it is read from where the ELF header is mapped, if it is.
 */
static void add_from_memory(struct codectl_loaded_objects *list, const struct link_map *map)
{
	ElfW(Ehdr) header;
	ElfW(Phdr) phdrs[NAMESPACE_PHDR_MAX];
	uint64_t bias = map->l_addr;

	if (!map->l_name || has_object_at(list, bias) ||
		codectl_provider_read_memory(bias, &header, sizeof(header)) ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_phentsize != sizeof(phdrs[0]) || header.e_phnum > NAMESPACE_PHDR_MAX ||
		codectl_provider_read_memory(
			bias + header.e_phoff, phdrs, header.e_phnum * sizeof(phdrs[0])))
		return;
	add_object(list, bias, map->l_name, phdrs, header.e_phnum);
}

/*
 * Objects loaded by dlmopen() are on the debugger's lists only (glibc 2.35 and
 * later). The lock that protects dl_iterate_phdr() protects these too.
 */
static void add_other_namespaces(struct codectl_loaded_objects *list)
{
#if __GLIBC_PREREQ(2, 35)
	if (_r_debug.r_version < 2)
		return;

	const struct r_debug_extended *space = (const struct r_debug_extended *)&_r_debug;
	size_t left = NAMESPACE_OBJECT_MAX;

	while ((space = space->r_next) && left > 0) {
		for (const struct link_map *map = space->base.r_map; map && left > 0;
			map = map->l_next, left--)
			add_from_memory(list, map);
	}
#else
	(void)list;
#endif
}

static int on_object(struct dl_phdr_info *info, size_t size, void *user)
{
	struct codectl_loaded_objects *list = user;

	(void)size;
	list->counts = codectl_loader_counts_of(info);
	if (list->count == 0)
		list->looked_at = codectl_provider_now();
	add_object(list, info->dlpi_addr, info->dlpi_name ? info->dlpi_name : "", info->dlpi_phdr,
		info->dlpi_phnum);
	return list->is_short;
}

/* Called once, for the sake of the lock. */
static int on_lock(struct dl_phdr_info *info, size_t size, void *list)
{
	(void)info;
	(void)size;
	add_other_namespaces(list);
	return 1;
}

static void *map_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static void free_memory(struct codectl_loaded_objects *list)
{
	if (list->objects)
		munmap(list->objects, list->capacity * sizeof(*list->objects));
	if (list->names)
		munmap(list->names, list->names_capacity);
	memset(list, 0, sizeof(*list));
}

/* An empty list with room for @capacity objects. */
static int reserve(struct codectl_loaded_objects *list, size_t capacity)
{
	free_memory(list);
	list->objects = map_memory(capacity * sizeof(*list->objects));
	list->names = map_memory(capacity * NAME_ROOM);
	list->capacity = list->objects ? capacity : 0;
	list->names_capacity = list->names ? capacity * NAME_ROOM : 0;
	if (!list->objects || !list->names) {
		free_memory(list);
		return -ENOMEM;
	}
	return 0;
}

int codectl_loaded_objects_collect(struct codectl_loaded_objects *list)
{
	if (!list->capacity && reserve(list, FIRST_CAPACITY))
		return -ENOMEM;
	for (;;) {
		list->count = 0;
		list->names_len = 0;
		list->is_short = false;
		iterate(on_object, list);
		/* Should something change in between, the counters tell so at the next look. */
		if (!list->is_short)
			iterate(on_lock, list);
		if (!list->is_short)
			return 0;
		if (list->capacity >= MAX_CAPACITY || reserve(list, list->capacity * 2)) {
			list->count = 0;
			return -ENOMEM;
		}
	}
}

bool codectl_loaded_object_equals(
	const struct codectl_loaded_object *one, const struct codectl_loaded_object *other)
{
	return one->elf_start == other->elf_start && one->elf_end == other->elf_end &&
	       one->text_count == other->text_count && one->sframe_start == other->sframe_start &&
	       !memcmp(one->texts, other->texts, sizeof(one->texts)) &&
	       one->build_id_len == other->build_id_len &&
	       !memcmp(one->build_id, other->build_id, one->build_id_len) &&
	       !strcmp(one->name, other->name);
}
