/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/helper.h: what the preloads need of the provider beyond codectl().
 * Exported by liblttng-ust-codectl.so for our own libraries only; not
 * installed, no stable ABI.
 *
 * The provider runs one helper thread per process, with all signals blocked.
 * It wakes up every few milliseconds and runs the tasks in order: first the
 * tasks that register objects and generated code, then the one that emits
 * samples, so that registrations precede the samples which need them.
 */
#ifndef CODECTL_PROVIDER_HELPER_H
#define CODECTL_PROVIDER_HELPER_H

#include "format/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_elf_info;

/* The order in which tasks run within one round. */
enum codectl_helper_stage {
	CODECTL_HELPER_STAGE_REGISTER,
	CODECTL_HELPER_STAGE_JIT,
	CODECTL_HELPER_STAGE_SAMPLE,
	CODECTL_HELPER_STAGE_COUNT
};

struct codectl_helper_task {
	/* One round; on the helper thread. May call codectl() and emit. */
	void (*run)(void *user);
	/*
	 * In the child of a fork, on its only thread, before the child has a
	 * helper thread: state of the parent's threads is to be dropped. May be
	 * NULL.
	 */
	void (*after_fork)(void *user);
	/*
	 * The process is about to exit (destructor), on an application thread; no
	 * round runs at the same time. Emits what is left. May be NULL.
	 */
	void (*finish)(void *user);
	/*
	 * The process image may be about to end without destructors (exec,
	 * _exit), and no round will run until that has failed; on the helper
	 * thread. Emits what is left. May be NULL.
	 */
	void (*flush)(void *user);
	void *user;
};

/*
 * Sets the task of @stage and starts the helper thread if there is none.
 * @task must live until the process ends. Returns 0 or a negative errno.
 */
int codectl_helper_set_task(
	enum codectl_helper_stage stage, const struct codectl_helper_task *task);

/*
 * Runs the REGISTER stage now, on the calling thread, and returns when it is
 * done (after dlopen, before and after dlclose). Not from a signal handler.
 */
void codectl_helper_run_register_stage(void);

/*
 * For an image that ends without destructors: has the helper thread run a last
 * round and flush its tasks, then keeps it and everybody else (state dumps,
 * codectl()) from writing to a trace, for a record that is never completed would
 * hold up its session for ever. Waits for that,
 * but not for long: the caller may hold a lock that the round needs. Returns
 * whether codectl_helper_resume() must follow if the image lives on: without a
 * helper thread, or in a child that shares the parent's memory (vfork), nothing
 * is done. Async-signal-safe, keeps errno.
 */
bool codectl_helper_pause(void);

/* Ends what a codectl_helper_pause() that returned true began. Async-signal-safe, keeps errno. */
void codectl_helper_resume(void);

/*
 * The program is about to change its root directory: the helper thread keeps the
 * one it has, with /proc and the files that are mapped. Async-signal-safe, keeps
 * errno.
 */
void codectl_helper_keep_root(void);

/* Has the next round begin at once. Makes a system call. Async-signal-safe, keeps errno. */
void codectl_helper_hurry(void);

/*
 * No thread of the program is left: the helper thread calls exit(), as the last one
 * would have, when the round is over. Helper thread.
 */
void codectl_helper_end_process(void);

/* The helper thread's tid, 0 if there is none: a sampler leaves it alone. Async-signal-safe. */
int32_t codectl_helper_tid(void);

/*
 * Whether that is the helper thread's start routine: it is no thread of the
 * program's. Async-signal-safe.
 */
bool codectl_helper_is_entry(void *(*start)(void *));

/*
 * At most so many ns between two rounds while samples are wanted, but not less
 * than a millisecond; 0 for the usual ones. Helper thread, or a constructor.
 */
void codectl_helper_set_period(uint64_t period);

/*
 * CLOCK_MONOTONIC in ns when the running round began its REGISTER stage: what
 * happened before has its registration emitted by the SAMPLE stage. Helper
 * thread only.
 */
uint64_t codectl_helper_round_start(void);

/*
 * How many state dumps have preceded what is emitted now: when it grows, there is
 * a session that knows nothing else. Helper thread (or finish()) only.
 */
uint64_t codectl_helper_dump_count(void);

/* Whether any session wants codectl:sample now. Async-signal-safe. */
bool codectl_provider_wants_samples(void);

/*
 * Whether this process is the one that the provider is in: not so in the child
 * of a vfork(), which has its parent's memory. Async-signal-safe.
 */
bool codectl_provider_is_own_image(void);

/* The last serial this process has given out. Async-signal-safe. */
uint64_t codectl_provider_last_serial(void);

/*
 * As CODE_UNREGISTER of an ELF object, but it has ended at @timestamp (CLOCK_MONOTONIC
 * ns; 0: now). Returns 0 or -ENOENT. Any thread; not in a signal handler.
 */
int codectl_provider_unregister_elf(uint64_t text_start, uint64_t text_end, uint64_t timestamp);

#define CODECTL_RECENT_MAX 256

struct codectl_recent_range {
	uint64_t start;
	uint64_t end;
};

/*
 * The code ranges that were registered since the call that left *@position as it
 * is (0 at first), the last CODECTL_RECENT_MAX of them; each may be unregistered
 * again. Writes them to @ranges, in the order of registration, and returns their
 * number. Any thread; not in a signal handler.
 */
size_t codectl_provider_recent_code(uint64_t *position, struct codectl_recent_range *ranges);

/*
 * As codectl(CODE_REGISTER_ELF), for a caller who knows that all pointers of @info
 * lead to memory, and strings are there: no system call has to find out. Returns 0
 * or the negative errno; keeps errno.
 */
int codectl_provider_register_elf(const struct code_elf_info *info);

/*
 * The registration of the ELF object that has code at @address: a copy; its strings
 * are weak, until the round is over. Returns whether there is one. In a round (or
 * finish()) only; no lock is waited for.
 */
bool codectl_provider_find_elf(uint64_t address, struct codectl_event_register_elf *elf);

/* The same, of the first one that has code between two addresses, the last exclusive. */
bool codectl_provider_find_elf_within(
	uint64_t start, uint64_t end, struct codectl_event_register_elf *elf);

/*
 * Emits a SAMPLE, THREAD_STATS, ELF_IMAGE or UNRECORDED_PROGRAM event; vpid and
 * start_time are filled in by the provider. Helper thread (or finish()) only.
 */
void codectl_provider_emit(struct codectl_event *event);

/* CLOCK_MONOTONIC in ns. Async-signal-safe. */
uint64_t codectl_provider_now(void);

/*
 * Copies @len bytes of this process's memory, which need not be there. Returns
 * 0, or -EFAULT if any of them cannot be read. Async-signal-safe; keeps errno.
 */
int codectl_provider_read_memory(uint64_t address, void *to, size_t len);

/* What decides when a thread is sampled. */
enum codectl_clock {
	CODECTL_CLOCK_CPU,  /* A timer on its CPU time: as fine as the kernel's tick. */
	CODECTL_CLOCK_PERF, /* A perf event on its CPU time: finer. */
	CODECTL_CLOCK_WALL, /* Real time, sleeping or not. */
};

/*
 * The environment, read once when the provider is loaded (provider/env.c is
 * the only place that reads it). Strings are weak, static lifetime.
 */
struct codectl_env {
	uint32_t frequency; /* LTTNG_UST_CODECTL_HZ: samples per second of CPU time; default 99. */
	uint32_t
		stack_size; /* LTTNG_UST_CODECTL_STACK_SIZE: bytes examined at most; default 131072. */
	bool has_full_stack; /* LTTNG_UST_CODECTL_STACK=full: every word examined is kept. */
	int signal_number;   /* LTTNG_UST_CODECTL_SIGNAL; default in provider/env.c. */
	uint64_t recording;  /* LTTNG_UST_CODECTL_RECORDING: see struct codectl_event; default 0. */
	int32_t only_pid; /* LTTNG_UST_CODECTL_PID: the process to record, 0 for any; default 0. */
	enum codectl_clock clock; /* LTTNG_UST_CODECTL_CLOCK: cpu, perf or wall; default cpu. */
	/* LTTNG_UST_CODECTL_WITHOUT_THREAD_START: leave pthread_create() alone. */
	bool is_without_thread_start;
	bool is_preloaded;     /* LD_PRELOAD has our libraries in it. */
	bool has_debug;	       /* LTTNG_UST_CODECTL_DEBUG: log to stderr. */
	char jit_adapters[64]; /* LTTNG_UST_CODECTL_JIT: see jit/adapters.h; default "all". */
};

const struct codectl_env *codectl_provider_borrow_env(void);

#endif /* CODECTL_PROVIDER_HELPER_H */
