/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * elf-register/loaded-objects.h: the ELF objects that the dynamic loader has
 * mapped now, of all its namespaces. Everything is copied while the loader's
 * list is locked, in memory that was got before: in there nothing allocates,
 * opens files or takes a lock. One thread at a time.
 */
#ifndef CODECTL_ELF_REGISTER_LOADED_OBJECTS_H
#define CODECTL_ELF_REGISTER_LOADED_OBJECTS_H

#include "codectl/codectl.h"
#include "provider/loader-counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODECTL_LOADED_TEXT_MAX 8

struct codectl_loaded_text {
	uint64_t start;
	uint64_t end;
};

struct codectl_loaded_object {
	uint64_t elf_start;
	uint64_t elf_end;
	uint64_t sframe_start; /* 0: no SFrame section. */
	uint64_t sframe_end;
	struct codectl_loaded_text texts[CODECTL_LOADED_TEXT_MAX]; /* Executable PT_LOADs. */
	size_t text_count;
	uint8_t build_id[CODE_BUILD_ID_MAX];
	size_t build_id_len;
	const char *name; /* Weak, in the list: the loader's; "" is the program. */
	/* The caller's; false in a new list. */
	bool is_kept;	   /* It was there at the last look too. */
	bool is_permanent; /* It was there when the process started. */
};

/* A zeroed structure is an empty list. */
struct codectl_loaded_objects {
	struct codectl_loaded_object *objects; /* Owned. */
	size_t count;
	size_t capacity;
	char *names; /* Owned. */
	size_t names_len;
	size_t names_capacity;
	struct codectl_loader_counts counts;
	uint64_t looked_at; /* When it was last known to be right, CLOCK_MONOTONIC ns. */
	bool is_short;	    /* The last look had no room for all. */
};

/*
 * Whether anything was loaded or unloaded since @list was filled; if not, it is right as
 * of now. Takes some 50 ns.
 */
bool codectl_loaded_objects_is_stale(struct codectl_loaded_objects *list);

/* Fills @list with what is loaded now. Returns 0 or -ENOMEM (then it is empty). */
int codectl_loaded_objects_collect(struct codectl_loaded_objects *list);

/*
 * In the forking thread, before; and after the fork in the parent and in the
 * child. The wait is short, and bounded: the forking thread may hold locks which
 * keep the loader's list locked (liblttng-ust-fork and liblttng-ust-dl together).
 */
void codectl_loaded_objects_before_fork(void);
void codectl_loaded_objects_after_fork_parent(void);
void codectl_loaded_objects_after_fork_child(void);

/* Whether both are the same object, as far as one can see: same place, file and build. */
bool codectl_loaded_object_equals(
	const struct codectl_loaded_object *one, const struct codectl_loaded_object *other);

#endif /* CODECTL_ELF_REGISTER_LOADED_OBJECTS_H */
