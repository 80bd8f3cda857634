/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/slot.h: what the sampler knows of one thread, in a table that the
 * signal handler indexes with si_value. A slot belongs to one thread from the
 * moment its timer is created until the thread has ended; only then may it be
 * given to another, so a handler never meets a slot of somebody else.
 *
 * The helper thread owns everything but what is marked as the handler's.
 * Fields that both touch are accessed with __atomic builtins.
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
 * Takes a free slot for thread @tid; it is IDLE then, without a timer, and
 * among the used ones. Returns its index or a negative errno: -ENOSPC, -ENOMEM.
 */
int codectl_slot_take(int32_t tid);

/* Gives the slot at position @position of the used ones back; later ones move down by one. */
void codectl_slot_free_used(size_t position);

/* Used slots, in ascending order of tid (an ended thread before one that reuses its tid). */
size_t codectl_slot_used_count(void);
struct codectl_slot *codectl_slot_used(size_t position);

/* Position of the last used slot with that tid, or SIZE_MAX. */
size_t codectl_slot_find_used(int32_t tid);

/* Frees all slots at once, in the child of a fork: no timer is inherited. */
void codectl_slot_free_all(void);

#endif /* CODECTL_SAMPLER_SLOT_H */
