/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * space/space.h: which code was at which address of which process at which
 * time, rebuilt from registration events. Everything in an event is untrusted:
 * what makes no sense is counted and dropped. One thread.
 *
 * A process image is named by (vpid, start_time); images share nothing but
 * code objects (equal path, build-id and debug link).
 */
#ifndef CODECTL_SPACE_SPACE_H
#define CODECTL_SPACE_SPACE_H

#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A file with code, as traces tell of it. Lives as long as its space: there are
 * as many as distinct files, however often they are mapped.
 */
struct codectl_code_object {
	char *pathname;	   /* Owned; "" if unknown. */
	uint8_t *build_id; /* Owned; NULL if unknown. */
	size_t build_id_len;
	char *debug_link_pathname; /* Owned; "" if none. */
	uint32_t debug_link_crc;
	uint64_t id; /* From 1 upwards, unique in the space: a key for caches. */
};

/* One registration: [text_start, text_end) holds code of `object` from `begin` to `end`. */
struct codectl_mapping {
	/* Weak; owned by the space. NULL: it is generated code. */
	const struct codectl_code_object *object;
	uint64_t id; /* From 1 upwards, unique in the space: a key for what is known of it. */
	uint64_t serial;
	uint64_t elf_start;
	uint64_t elf_end; /* 0: where the object begins is unknown. */
	uint64_t text_start;
	uint64_t text_end;
	uint64_t sframe_start;
	uint64_t sframe_end;
	uint64_t unwind_head;  /* Of generated code: see struct codectl_event_register_jit. */
	uint64_t reserved_len; /* The same. */
	uint32_t jit_format;   /* The same. */
	uint64_t begin;	       /* CLOCK_MONOTONIC ns. */
	uint64_t end;	       /* UINT64_MAX while registered. */
	uint64_t dump_number;  /* For space/ alone: the last state dump that had it. */
};

/* A function that is inlined in generated code. */
struct codectl_jit_inline {
	uint32_t parent;       /* 0: in the symbol itself; else 1 + the index of one before. */
	const char *name;      /* Weak; owned by the symbol. */
	const char *call_file; /* Where in the parent it is. Weak; "" if unknown. */
	uint32_t call_line;
};

/* From `offset` on, up to the next one, code is of that line. */
struct codectl_jit_line {
	uint32_t offset;  /* From the symbol's start. */
	uint32_t scope;	  /* 0: the symbol itself; else 1 + the index of an inlined function. */
	const char *file; /* Weak; owned by the symbol. "" if unknown. */
	uint32_t line;
};

/* A function of generated code. */
struct codectl_jit_symbol {
	uint64_t id; /* From 1 upwards, unique in the space. */
	uint64_t serial;
	uint64_t start;
	uint64_t size;
	char *name;			    /* Owned. */
	uint64_t begin;			    /* CLOCK_MONOTONIC ns. */
	uint64_t end;			    /* UINT64_MAX while it is loaded. */
	struct codectl_jit_inline *inlines; /* Owned. */
	uint32_t inline_count;
	struct codectl_jit_line *lines; /* Owned; ascending offsets. */
	uint32_t line_count;
};

struct codectl_process; /* One process image. */
struct codectl_space;

struct codectl_space_stats {
	uint64_t registrations;
	uint64_t unregistrations;
	uint64_t repeated;   /* Registrations already known (state dumps). */
	uint64_t bad_ranges; /* Dropped: empty or inverted text range, or outside its ELF. */
	uint64_t unknown_unregisters;
	uint64_t closed_by_dump;   /* Ended because a complete state dump did not have them. */
	uint64_t incomplete_dumps; /* State dumps of which a part is missing. */
	uint64_t jit_symbols;
	uint64_t jit_unloads;
	uint64_t bad_jit;   /* JIT events that were dropped: impossible, or of something unknown. */
	uint64_t kept;	    /* Now; see CODECTL_SPACE_KEPT_MAX. */
	uint64_t forgotten; /* Process images. */
};

/*
 * As much is kept: registrations and symbols, and a few more for each process image.
 * Beyond that, the image is forgotten which nobody told of or looked for the longest:
 * most have ended by then, but nothing says so. That is some 300 MiB.
 */
#define CODECTL_SPACE_KEPT_MAX (UINT64_C(1) << 20)

/* NULL without memory. */
struct codectl_space *codectl_space_create(void);
void codectl_space_destroy(struct codectl_space *space);

/* Keeps up to @kept_max from now on. */
void codectl_space_set_kept_max(struct codectl_space *space, uint64_t kept_max);

/* @on_forgotten is called with @user, weak, for each registration that is forgotten. */
void codectl_space_set_listener(struct codectl_space *space,
	void (*on_forgotten)(void *user, const struct codectl_mapping *mapping), void *user);

/*
 * Takes in a registration event; other types are ignored. Returns 0, -EINVAL
 * (dropped and counted) or -ENOMEM.
 */
int codectl_space_apply(struct codectl_space *space, const struct codectl_event *event);

/* The process image, or NULL if nothing is known of it. Weak, until the next apply(). */
struct codectl_process *codectl_space_find_process(
	struct codectl_space *space, int32_t vpid, uint64_t start_time);

/*
 * The registration that answers for @pc at @time: the one alive then, the
 * latest if several overlap, generated code before files; else the next one after @time, if nothing was
 * registered there at @time. NULL: no map. Weak, until the next apply().
 */
const struct codectl_mapping *codectl_process_find(
	const struct codectl_process *process, uint64_t pc, uint64_t time);

/* The same of files alone: what is behind generated code, if that was registered beside. */
const struct codectl_mapping *codectl_process_find_file(
	const struct codectl_process *process, uint64_t pc, uint64_t time);

/*
 * The function of generated code at @pc at @time; NULL: none is known, or a file
 * has been mapped there since. Weak, until the next apply().
 */
const struct codectl_jit_symbol *codectl_process_find_symbol(
	const struct codectl_process *process, uint64_t pc, uint64_t time);

/* The line of @symbol at @offset from its start, or NULL. */
const struct codectl_jit_line *codectl_jit_symbol_find_line(
	const struct codectl_jit_symbol *symbol, uint64_t offset);

/* The registration with that serial, or NULL. Weak, until the next apply(). */
const struct codectl_mapping *codectl_process_borrow_mapping(
	const struct codectl_process *process, uint64_t serial);

/*
 * Names the answers at @time: as long as this number is the same, so is each
 * answer of codectl_process_find(). Never 0, unique in the space.
 */
uint64_t codectl_process_generation(const struct codectl_process *process, uint64_t time);

/*
 * Where @time begins to have other answers: at all times from *@from (included)
 * to *@until (not included; UINT64_MAX: for ever) they are the same.
 */
void codectl_process_same_answers(
	const struct codectl_process *process, uint64_t time, uint64_t *from, uint64_t *until);

/*
 * Says more of what the registration @serial is a mapping of: only what names the
 * object counts of @identity. Returns 0, -ENOENT (no such registration) or -ENOMEM.
 */
int codectl_space_identify(struct codectl_space *space, struct codectl_process *process,
	uint64_t serial, const struct codectl_event_register_elf *identity);

/*
 * Whether the map is known as it was at @serial: each event up to it was seen, or a
 * complete state dump of that serial, or of an earlier one and each event since.
 */
bool codectl_process_is_complete(const struct codectl_process *process, uint64_t serial);

const struct codectl_space_stats *codectl_space_borrow_stats(const struct codectl_space *space);

#endif /* CODECTL_SPACE_SPACE_H */
