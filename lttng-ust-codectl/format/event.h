/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/event.h: one event of the provider `codectl`, as both halves see it.
 * The provider fills it and hands it to a tracepoint; the plugin's decoder
 * fills it from a trace. doc/trace-format.md describes the fields.
 *
 * Plain data. Pointers are borrowed: from the caller on the recording side,
 * from the message (or the decoder) on the reading side.
 */
#ifndef CODECTL_FORMAT_EVENT_H
#define CODECTL_FORMAT_EVENT_H

#include <stddef.h>
#include <stdint.h>

#define CODECTL_PROVIDER_NAME "codectl"

/* DWARF numbers of amd64 registers (System V psABI, fig. 3.36). */
enum codectl_amd64_reg {
	CODECTL_AMD64_RAX,
	CODECTL_AMD64_RDX,
	CODECTL_AMD64_RCX,
	CODECTL_AMD64_RBX,
	CODECTL_AMD64_RSI,
	CODECTL_AMD64_RDI,
	CODECTL_AMD64_RBP,
	CODECTL_AMD64_RSP,
	CODECTL_AMD64_R8,
	CODECTL_AMD64_R9,
	CODECTL_AMD64_R10,
	CODECTL_AMD64_R11,
	CODECTL_AMD64_R12,
	CODECTL_AMD64_R13,
	CODECTL_AMD64_R14,
	CODECTL_AMD64_R15,
	CODECTL_AMD64_RIP, /* The return address column. */
	CODECTL_AMD64_REG_COUNT
};

enum codectl_event_type {
	CODECTL_EVENT_REGISTER_ELF,
	CODECTL_EVENT_UNREGISTER,
	CODECTL_EVENT_STATEDUMP_BEGIN,
	CODECTL_EVENT_STATEDUMP_END,
	CODECTL_EVENT_SAMPLE,
	CODECTL_EVENT_THREAD_STATS,
	CODECTL_EVENT_ELF_IMAGE,
	CODECTL_EVENT_TYPE_COUNT
};

/* Why a stack was taken; the values are in traces, never renumber them. */
enum codectl_sample_kind {
	CODECTL_SAMPLE_CPU = 0,
	CODECTL_SAMPLE_WALL = 1,
	CODECTL_SAMPLE_CALL = 2,
	CODECTL_SAMPLE_TRACEPOINT = 3,
};

/* An executable range of an ELF object; see struct code_elf_info. */
struct codectl_event_register_elf {
	uint64_t serial;
	uint64_t elf_start;
	uint64_t elf_end;
	uint64_t text_start;
	uint64_t text_end;
	uint64_t sframe_start;
	uint64_t sframe_end;
	const char *pathname;	 /* Weak; never NULL, "" if unavailable. */
	const uint8_t *build_id; /* Weak; NULL if build_id_len is 0. */
	size_t build_id_len;
	const char *debug_link_pathname; /* Weak; never NULL, "" if unavailable. */
	uint32_t debug_link_crc;
};

struct codectl_event_unregister {
	uint64_t serial;	    /* Its own: registering and unregistering share one count. */
	uint64_t registered_serial; /* Of the registration which ends. */
	uint64_t text_start;
	uint64_t text_end;
};

/* Both ends of a state dump: what is dumped is all that lives at `serial`. */
struct codectl_event_statedump {
	uint64_t serial; /* The last one given out so far. */
	uint64_t count;	 /* Live registrations that the dump holds. */
};

/*
 * A sampled stack. stack_len bytes from stack_start upwards were examined; bit i
 * of stack_map says that the i-th 8-byte word of them is in stack[]. The start
 * is up to a red zone below the stack pointer (psABI 3.2.2): there, leaf
 * functions save registers, and epilogues leave those that they have restored.
 */
struct codectl_event_sample {
	int32_t vtid;
	uint32_t cpu;
	uint32_t kind;	 /* enum codectl_sample_kind. */
	uint32_t weight; /* 1 + timer overruns. */
	uint64_t serial; /* The last one given out when the sample was taken. */
	uint64_t stack_start;
	uint32_t stack_len;   /* Bytes; a multiple of 8. */
	const uint64_t *regs; /* Weak; by DWARF number, pc last. */
	size_t reg_count;
	const uint64_t *stack_map; /* Weak; (stack_len / 8 + 63) / 64 words. */
	size_t stack_map_count;
	const uint64_t *stack; /* Weak; the kept words in ascending order. */
	size_t stack_count;
};

/* Emitted when a thread is first sampled, when it ends and at the end. */
struct codectl_event_thread_stats {
	int32_t vtid;
	const char *comm;  /* Weak; the kernel's name of the thread. */
	uint64_t taken;	   /* Samples put into the ring so far. */
	uint64_t lost;	   /* Samples for which the ring had no room. */
	uint64_t cpu_time; /* CPU time of the thread, ns. */
};

/* A part of an ELF image that has no file: the vDSO. */
struct codectl_event_elf_image {
	uint64_t address;      /* In its registered code, as of the event's timestamp. */
	uint64_t offset;       /* Of the part, from elf_start. */
	const uint64_t *image; /* Weak; its bytes, little-endian, padded to a whole word. */
	size_t image_count;
	uint64_t image_len; /* Bytes, without the padding. */
};

struct codectl_event {
	enum codectl_event_type type;
	int32_t vpid;
	/*
	 * CLOCK_MONOTONIC, ns, when this process image began (provider loaded,
	 * or forked). With vpid it names the image: an exec, a reused pid and
	 * a pid of another container are told apart by it.
	 */
	uint64_t start_time;
	/*
	 * CLOCK_MONOTONIC, ns, when it happened, which is earlier than when it
	 * was emitted. In a state dump: when the code was registered.
	 */
	uint64_t timestamp;
	/*
	 * Which run of `codectl record` the program belongs to, inherited by its
	 * children; 0 for none. Sessions of other recordings filter by it.
	 */
	uint64_t recording;
	union {
		struct codectl_event_register_elf register_elf;
		struct codectl_event_unregister unregister;
		struct codectl_event_statedump statedump;
		struct codectl_event_sample sample;
		struct codectl_event_thread_stats thread_stats;
		struct codectl_event_elf_image elf_image;
	};
};

/*
 * The name of an event as traces have it, `codectl:sample`; NULL for a value
 * that is no type. Async-signal-safe.
 */
const char *codectl_event_name(enum codectl_event_type type);

/* The type with that full name, or -1. Async-signal-safe. */
int codectl_event_type_from_name(const char *name);

#endif /* CODECTL_FORMAT_EVENT_H */
