/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/profile.h: named stacks, summed up per thread. Filled sample by
 * sample; then one of the writers of profile/writer.h turns it into text. It
 * copies what it keeps. One thread at a time.
 */
#ifndef CODECTL_PROFILE_PROFILE_H
#define CODECTL_PROFILE_PROFILE_H

#include "profile/tree.h"

/* The reason that a complete stack ends with. */
#define CODECTL_PROFILE_COMPLETE "outermost"

struct codectl_profile_thread_key {
	uint64_t start_time; /* When the process image began. */
	int32_t vpid;
	int32_t vtid;
};

/* Names without offsets; they need no terminator. Unknown is length 0. */
struct codectl_profile_frame {
	const char *func; /* Weak. */
	size_t func_len;
	const char *bin; /* Weak. */
	size_t bin_len;
};

struct codectl_profile_sample {
	struct codectl_profile_thread_key thread;
	const struct codectl_profile_frame *frames; /* Weak; innermost first. */
	size_t frame_count;
	uint64_t weight;
	bool is_wall;	       /* The weight counts periods of real time, not of CPU time. */
	const char *stack_end; /* Weak; why the stack ended, "" if unknown. */
};

/* Counters of a thread so far; later ones replace earlier ones. */
struct codectl_profile_thread_stats {
	struct codectl_profile_thread_key thread;
	const char *comm; /* Weak. */
	uint64_t taken;
	uint64_t lost;
	uint64_t cpu_time; /* ns */
};

struct codectl_profile_thread {
	struct codectl_profile_thread_key key;
	uint32_t process; /* Position among the processes. */
	uint32_t node;	  /* Where its stacks begin in the tree. */
	char *comm;	  /* Owned; NULL: not known. */
	uint64_t samples;
	uint64_t weight;
	bool has_stats;
	/* The last counters, and the sum of those of earlier threads of that number. */
	uint64_t taken, lost, earlier_lost;
	/* What the counters rose by since they were first seen. */
	uint64_t first_taken, first_cpu_time;
	uint64_t span_taken, span_cpu_time;
};

struct codectl_profile_process {
	uint64_t start_time;
	int32_t vpid;
	uint32_t main_thread; /* Whose name stands for it. */
};

struct codectl_profile_stack_end {
	char *name; /* Owned. */
	uint64_t samples;
};

struct codectl_profile {
	struct codectl_tree *tree;		/* Owned; threads are the children of the root. */
	struct codectl_profile_thread *threads; /* Owned. */
	size_t thread_count, thread_capacity;
	struct codectl_index thread_index;
	struct codectl_profile_process *processes; /* Owned. */
	size_t process_count, process_capacity;
	struct codectl_index process_index;
	struct codectl_profile_stack_end *stack_ends; /* Owned; few. */
	size_t stack_end_count, stack_end_capacity;
	uint64_t samples;
	uint64_t wall_samples; /* Of them, by real time. */
	uint64_t weight;
	/* What the tracer itself had no room for. Unknown counts are not in the sums. */
	uint64_t discarded_events, discarded_packets;
	bool has_uncounted_discards;
	uint64_t unreadable; /* Events that should have been samples but could not be used. */
};

/* An empty profile, owned by the caller; NULL without memory. */
struct codectl_profile *codectl_profile_create(void);
void codectl_profile_destroy(struct codectl_profile *profile);

/* Returns 0, -ENOMEM, or -EOVERFLOW if the tree has too many nodes. */
int codectl_profile_add_sample(
	struct codectl_profile *profile, const struct codectl_profile_sample *sample);

/* Returns 0, -ENOMEM, or -EOVERFLOW. */
int codectl_profile_set_thread_stats(
	struct codectl_profile *profile, const struct codectl_profile_thread_stats *stats);

/* Samples that did not get into the trace because a thread's ring was full. */
uint64_t codectl_profile_lost(const struct codectl_profile *profile);

/*
 * An estimate of the CPU time, in ns, that a weight of 1 stands for; 0 if the
 * trace does not tell, or has samples by real time. See the comment in profile.c.
 */
double codectl_profile_period(const struct codectl_profile *profile);

/* The name of a thread or of a process; "[unknown]" if the trace has none. */
const char *codectl_profile_thread_comm(const struct codectl_profile *profile, uint32_t thread);
const char *codectl_profile_process_comm(const struct codectl_profile *profile, uint32_t process);

#endif /* CODECTL_PROFILE_PROFILE_H */
