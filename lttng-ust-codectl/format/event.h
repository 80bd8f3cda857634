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

#include <stdbool.h>
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
	CODECTL_EVENT_REGISTER_JIT,
	CODECTL_EVENT_JIT_ROWS,
	CODECTL_EVENT_JIT_BLOB,
	CODECTL_EVENT_JIT_SYMBOL,
	CODECTL_EVENT_JIT_INLINES,
	CODECTL_EVENT_JIT_LINES,
	CODECTL_EVENT_JIT_SYMBOL_UNLOAD,
	CODECTL_EVENT_UNRECORDED_PROGRAM,
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
	uint64_t count;	 /* Live registrations that the dump holds, JIT symbols among them. */
	uint64_t rows;	 /* Rows of JIT tables that it holds. */
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

/* A part of an ELF file that cannot be found: of the vDSO, or of what is left of a file. */
struct codectl_event_elf_image {
	uint64_t address;      /* In its registered code, as of the event's timestamp. */
	uint64_t offset;       /* Of the part, from the image's start. */
	const uint64_t *image; /* Weak; its bytes, little-endian, padded to a whole word. */
	size_t image_count;
	uint64_t image_len;  /* Bytes, without the padding. */
	uint64_t image_size; /* Bytes of all parts together. */
};

/* How unwinding goes on in JIT code; the values are in traces, and public (codectl/ext.h). */
enum codectl_jit_format {
	CODECTL_JIT_TABLE = 0,	     /* Rows in ascending order: the RFC's table. */
	CODECTL_JIT_TABLE_V2 = 1,    /* The same with a stride in its header. */
	CODECTL_JIT_UNSORTED = 2,    /* Rows in any order. */
	CODECTL_JIT_UNSORTED_V2 = 3, /* The same with a stride in its header. */
	CODECTL_JIT_FP = 4,	     /* By frame pointers, everywhere. */
	CODECTL_JIT_SFRAME = 5,	     /* By an SFrame section. */
	CODECTL_JIT_EH_FRAME = 6,    /* By an .eh_frame section. */
	CODECTL_JIT_NONE = 7,	     /* Nothing is known but that it is code. */
	CODECTL_JIT_FORMAT_COUNT
};

/* Whether unwinding goes by rows of JIT_ROWS events. */
static inline bool codectl_jit_format_has_rows(uint32_t format)
{
	return format <= CODECTL_JIT_UNSORTED_V2;
}

/* Whether unwinding goes by the bytes of JIT_BLOB events. */
static inline bool codectl_jit_format_has_blob(uint32_t format)
{
	return format == CODECTL_JIT_SFRAME || format == CODECTL_JIT_EH_FRAME;
}

/* A range of generated code; see struct code_jit_info. */
struct codectl_event_register_jit {
	uint64_t serial;
	uint64_t text_start;
	uint64_t text_end;
	uint64_t unwind_head;  /* Where the first table, or the blob, is in the process; or 0. */
	uint64_t reserved_len; /* Bytes there: of a blob exactly; of a table 0 if not told. */
	uint32_t format;       /* enum codectl_jit_format. */
};

/* Rows that have appeared in a table; see struct code_jit_unwind_fre. Columns are equally long. */
struct codectl_event_jit_rows {
	uint64_t serial; /* Its own; 0 in a state dump, which repeats them. */
	uint64_t registered_serial;
	uint32_t table;		/* Which one of the chain, from 0. */
	uint64_t first;		/* The first row's index in that table. */
	const uint32_t *ip_off; /* Weak, as the others. */
	size_t ip_off_count;
	const uint32_t *size;
	size_t size_count;
	const int32_t *cfa_off;
	size_t cfa_off_count;
	const int32_t *ra_off;
	size_t ra_off_count;
	const int32_t *fp_off;
	size_t fp_off_count;
	const uint8_t *info;
	size_t info_count;
	const uint8_t *flags; /* NULL if all are 0. */
	size_t flags_count;   /* As many as rows, or 0. */
};

/* A part of the section that a registration (SFRAME, EH_FRAME) goes by. */
struct codectl_event_jit_blob {
	uint64_t registered_serial;
	uint64_t offset;
	const uint64_t *blob; /* Weak; its bytes, little-endian, padded to a whole word. */
	size_t blob_count;
	uint64_t blob_len; /* Bytes, without the padding. */
};

/* A function of generated code. */
struct codectl_event_jit_symbol {
	uint64_t serial;
	uint64_t start;
	uint64_t size;
	uint64_t id;	       /* The program's own, 0 if it has none. */
	const char *name;      /* Weak; never NULL. */
	uint32_t inline_count; /* In the JIT_INLINES events that follow. */
	uint32_t line_count;   /* In the JIT_LINES events that follow. */
};

/*
 * Some of the functions that are inlined in a symbol, each at a place of its
 * parent. Texts are separated by newlines, and numbered from 1; 0 is none.
 */
struct codectl_event_jit_inlines {
	uint64_t registered_serial;
	uint64_t first;		/* Number of the first one, from 0. */
	const uint32_t *parent; /* 0: the symbol itself; else 1 + the number of one before. */
	size_t parent_count;
	const uint32_t *name; /* Number of a text, as call_file. */
	size_t name_count;
	const uint32_t *call_file; /* From where the parent calls it. */
	size_t call_file_count;
	const uint32_t *call_line;
	size_t call_line_count;
	const char *texts; /* Weak. */
};

/* Some of the rows of a symbol's line table, ascending by offset. Texts as above. */
struct codectl_event_jit_lines {
	uint64_t registered_serial;
	uint64_t first;		/* Number of the first row, from 0. */
	const uint32_t *offset; /* From the symbol's start; the row holds up to the next one. */
	size_t offset_count;
	const uint32_t *scope; /* 0: the symbol itself; else 1 + the number of an inlined one. */
	size_t scope_count;
	const uint32_t *file; /* Number of a text. */
	size_t file_count;
	const uint32_t *line;
	size_t line_count;
	const char *texts; /* Weak. */
};

struct codectl_event_jit_symbol_unload {
	uint64_t serial;
	uint64_t registered_serial; /* Of the symbol. */
	uint64_t start;
	uint64_t size;
};

/* A process is about to become a program that cannot be recorded, or starts one. */
struct codectl_event_unrecorded_program {
	const char *pathname; /* Weak; never NULL, "" for programs beyond those that are named. */
	uint32_t reason;      /* enum codectl_program_kind, format/program.h. */
	uint32_t count;	      /* How often, since the last such event. */
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
		struct codectl_event_register_jit register_jit;
		struct codectl_event_jit_rows jit_rows;
		struct codectl_event_jit_blob jit_blob;
		struct codectl_event_jit_symbol jit_symbol;
		struct codectl_event_jit_inlines jit_inlines;
		struct codectl_event_jit_lines jit_lines;
		struct codectl_event_jit_symbol_unload jit_symbol_unload;
		struct codectl_event_unrecorded_program unrecorded_program;
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
