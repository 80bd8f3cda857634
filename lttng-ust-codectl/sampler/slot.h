/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/slot.h: what the sampler knows of one thread, in a table that the
 * signal handler indexes with si_value. A slot belongs to one thread from the
 * moment its timer is created until the thread has ended; only then may it be
 * given to another, so a handler never meets a slot of somebody else.
 *
 * Whoever starts a thread may claim a slot for it (sampler/thread-start.h), and
 * the new thread fills it and hands it over to the helper thread as a newcomer.
 * From then on, the helper thread owns everything but what is marked as the
 * handler's or the thread's. Fields that two sides touch are accessed with
 * __atomic builtins.
 */
#ifndef CODECTL_SAMPLER_SLOT_H
#define CODECTL_SAMPLER_SLOT_H

#include "sampler/ring.h"
#include "sampler/thin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Threads that can be sampled at a time. */
#define CODECTL_SLOT_MAX 16384
/* TASK_COMM_LEN of the kernel. */
#define CODECTL_COMM_SIZE 16

enum codectl_slot_state {
	CODECTL_SLOT_FREE,
	CODECTL_SLOT_IDLE,    /* It has a timer, which is not armed: no session wants samples. */
	CODECTL_SLOT_BLOCKED, /* Not armed because the thread blocks the signal. */
	CODECTL_SLOT_ARMED,
	CODECTL_SLOT_ENDED, /* The thread is gone, its samples are still to be taken. */
};

struct codectl_slot {
	int32_t tid;
	int timer_id; /* The kernel's; both sides. -1 if there is none. */

	uint32_t first_weight; /* What the first sample weighs at least; both sides. */

	int perf_fd; /* -1 if there is no perf event. */
	uint64_t perf_id;
	bool is_held;	    /* Stopped for an exec(), to go on if that fails; both sides. */
	bool is_perf_first; /* The period is still that of the first sample; the handler's. */

	/* What a signal for a wall-clock sample must carry, 0 if none is due; both sides. */
	uint64_t wall_cookie;
	uint64_t wall_cpu_time;		/* CPU time when the thread was last looked at. */
	uint64_t wall_ticks;		/* Ticks since then. */
	struct codectl_kept *wall_kept; /* Owned; the last sample, NULL if there is none. */
	uint64_t wall_taken;		/* Samples that the handler has no part in. */

	struct codectl_ring ring;

	/*
	 * The part of the thread's stack that is certain to be mapped: the handler
	 * copies from it directly. Empty while home_end is 0. home_start may fall
	 * later, home_end never changes while the thread lives; both sides.
	 */
	uint64_t home_start;
	uint64_t home_end;
	bool may_call;	 /* The handler may use process_vm_readv(); both sides. */
	bool wants_home; /* The handler met a stack pointer outside of home; both sides. */

	bool is_busy;	/* The handler's. */
	uint64_t taken; /* Samples put into the ring; written by the handler. */
	uint64_t lost;	/* Samples without room; written by the handler. */

	/* Of a thread that we start; the creator's until it runs, then its own. */
	void *(*start)(void *);
	void *argument;
	/* What the thread leaves behind, 0 before that: its CPU time in ns, and its last name. */
	uint64_t last_cpu_time;
	char last_comm[CODECTL_COMM_SIZE];

	enum codectl_slot_state state;
	bool is_new;	  /* Its status was never looked at. */
	bool is_unsure;	  /* Armed at the first look; a second one is due. */
	bool is_listener; /* One of LTTng-UST's own threads: nobody wants to hear of it. */
	clockid_t clock;
	bool is_home_final;	    /* There is nothing more to be learnt about home. */
	unsigned int recheck_delay; /* Rounds between two looks at the signal mask. */
	unsigned int recheck_in;    /* Rounds until the next look. */
	char comm[CODECTL_COMM_SIZE];
	uint64_t cpu_time;	 /* ns, when last looked at. */
	uint64_t swept_cpu_time; /* What it was when name and signal mask were last looked at. */
	bool has_news;		 /* Statistics are to be emitted whatever they are. */
	uint64_t emitted_taken;
	uint64_t emitted_lost;
};

/*
 * Maps the table; @ring_size is the size of each slot's ring. Returns 0 or
 * -ENOMEM. Once per process.
 */
int codectl_slot_init_table(size_t ring_size);

/*
 * The slot with that index, or NULL if there is no such index. Weak; lives as
 * long as the process. Async-signal-safe.
 */
struct codectl_slot *codectl_slot_at(size_t index);

/*
 * Claims a free slot, which is IDLE then, without a timer and a thread. Returns
 * its index or a negative errno: -ENOSPC, -ENOMEM. Any thread.
 */
int codectl_slot_claim(void);

/* Gives back a claimed slot that no thread has got to know. Any thread. */
void codectl_slot_unclaim(size_t index);

/* The thread of a claimed slot, whose tid is set: from now on it is the helper thread's. */
void codectl_slot_hand_over(size_t index);

/*
 * The rest is the helper thread's.
 *
 * Takes a slot that was handed over: it is among the used ones then. Returns
 * NULL if there is none.
 */
struct codectl_slot *codectl_slot_take_newcomer(void);

/* Whether there is one. */
bool codectl_slot_has_newcomers(void);

/*
 * Claims a slot for thread @tid; it is among the used ones then. Returns its
 * index or a negative errno, as codectl_slot_claim().
 */
int codectl_slot_take(int32_t tid);

/* Gives the slot at position @position of the used ones back; later ones move down by one. */
void codectl_slot_free_used(size_t position);

/*
 * The slot whose thread is the calling one, or NULL. Looks at all of them.
 * Async-signal-safe.
 */
struct codectl_slot *codectl_slot_find_own(void);

/* The index of a slot. Async-signal-safe. */
size_t codectl_slot_index(const struct codectl_slot *slot);

/* Used slots, in ascending order of tid (an ended thread before one that reuses its tid). */
size_t codectl_slot_used_count(void);
struct codectl_slot *codectl_slot_used(size_t position);

/* Position of the last used slot with that tid, or SIZE_MAX. */
size_t codectl_slot_find_used(int32_t tid);

/*
 * Frees all slots at once, in the child of a fork: no timer is inherited, and
 * none of the parent's other threads.
 */
void codectl_slot_free_all(void);

#endif /* CODECTL_SAMPLER_SLOT_H */
