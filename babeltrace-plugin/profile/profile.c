/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace may hold any text as a reason; beyond that many they are one. */
#define STACK_END_MAX 32
#define UNKNOWN_NAME  "[unknown]"

struct codectl_profile *codectl_profile_create(void)
{
	struct codectl_profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->tree = codectl_tree_create();
	if (!profile->tree) {
		free(profile);
		return NULL;
	}
	return profile;
}

void codectl_profile_destroy(struct codectl_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->thread_count; i++)
		free(profile->threads[i].comm);
	for (size_t i = 0; i < profile->stack_end_count; i++)
		free(profile->stack_ends[i].name);
	free(profile->threads);
	free(profile->processes);
	free(profile->stack_ends);
	codectl_index_fini(&profile->thread_index);
	codectl_index_fini(&profile->process_index);
	codectl_tree_destroy(profile->tree);
	free(profile);
}

static bool process_is_equal(const void *user, uint32_t position, const void *key)
{
	const struct codectl_profile *profile = user;
	const struct codectl_profile_process *process = &profile->processes[position];
	const struct codectl_profile_thread_key *wanted = key;

	return process->vpid == wanted->vpid && process->start_time == wanted->start_time;
}

static bool thread_is_equal(const void *user, uint32_t position, const void *key)
{
	const struct codectl_profile *profile = user;
	const struct codectl_profile_thread_key *thread = &profile->threads[position].key;
	const struct codectl_profile_thread_key *wanted = key;

	return thread->vtid == wanted->vtid && thread->vpid == wanted->vpid &&
	       thread->start_time == wanted->start_time;
}

/* @thread is the position that the asking thread is about to get. */
static int find_process(struct codectl_profile *profile,
	const struct codectl_profile_thread_key *key, uint32_t thread, uint32_t *process)
{
	uint64_t hash = codectl_index_hash_u64(CODECTL_INDEX_HASH_INIT, (uint32_t)key->vpid);
	struct codectl_profile_process *processes;
	int ret;

	hash = codectl_index_hash_u64(hash, key->start_time);
	*process = codectl_index_find(
		&profile->process_index, hash, process_is_equal, profile, key);
	if (*process != CODECTL_INDEX_NONE) {
		if (key->vtid == key->vpid)
			profile->processes[*process].main_thread = thread;
		return 0;
	}
	processes = codectl_array_reserve(profile->processes, &profile->process_capacity,
		profile->process_count, sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	profile->processes = processes;
	*process = (uint32_t)profile->process_count;
	ret = codectl_index_add(&profile->process_index, hash, *process);
	if (ret < 0)
		return ret;
	profile->processes[profile->process_count++] = (struct codectl_profile_process){
		.start_time = key->start_time,
		.vpid = key->vpid,
		.main_thread = thread,
	};
	return 0;
}

/* Below the root, a thread's node is called by its position: threads share no nodes. */
static int add_thread_node(struct codectl_tree *tree, uint32_t position, uint32_t *node)
{
	char text[16];
	uint32_t name;
	int len = snprintf(text, sizeof(text), "%" PRIu32, position);
	int ret = codectl_tree_intern(tree, text, (size_t)len, "", 0, &name);

	return ret < 0 ? ret : codectl_tree_child(tree, CODECTL_TREE_ROOT, name, node);
}

static int find_thread(struct codectl_profile *profile,
	const struct codectl_profile_thread_key *key, struct codectl_profile_thread **found)
{
	struct codectl_profile_thread thread = {.key = *key};
	struct codectl_profile_thread *threads;
	uint64_t hash = codectl_index_hash_u64(
		CODECTL_INDEX_HASH_INIT, (uint64_t)(uint32_t)key->vpid << 32 | (uint32_t)key->vtid);
	uint32_t position;
	int ret;

	hash = codectl_index_hash_u64(hash, key->start_time);
	position = codectl_index_find(&profile->thread_index, hash, thread_is_equal, profile, key);
	if (position != CODECTL_INDEX_NONE) {
		*found = &profile->threads[position];
		return 0;
	}
	if (profile->thread_count >= CODECTL_INDEX_NONE)
		return -EOVERFLOW;
	position = (uint32_t)profile->thread_count;
	threads = codectl_array_reserve(profile->threads, &profile->thread_capacity,
		profile->thread_count, sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	profile->threads = threads;
	ret = add_thread_node(profile->tree, position, &thread.node);
	if (ret == 0)
		ret = find_process(profile, key, position, &thread.process);
	if (ret == 0)
		ret = codectl_index_add(&profile->thread_index, hash, position);
	if (ret < 0)
		return ret;
	profile->threads[profile->thread_count++] = thread;
	*found = &profile->threads[position];
	return 0;
}

static struct codectl_profile_stack_end *find_stack_end(
	struct codectl_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->stack_end_count; i++) {
		if (!strcmp(profile->stack_ends[i].name, name))
			return &profile->stack_ends[i];
	}
	return NULL;
}

static int count_stack_end(struct codectl_profile *profile, const char *name)
{
	struct codectl_profile_stack_end *stack_end, *stack_ends;

	if (!*name)
		name = "unknown";
	stack_end = find_stack_end(profile, name);
	if (!stack_end && profile->stack_end_count >= STACK_END_MAX - 1) {
		name = "other";
		stack_end = find_stack_end(profile, name);
	}
	if (!stack_end) {
		stack_ends = codectl_array_reserve(profile->stack_ends,
			&profile->stack_end_capacity, profile->stack_end_count,
			sizeof(*stack_ends));
		if (!stack_ends)
			return -ENOMEM;
		profile->stack_ends = stack_ends;
		stack_end = &stack_ends[profile->stack_end_count];
		*stack_end = (struct codectl_profile_stack_end){.name = strdup(name)};
		if (!stack_end->name)
			return -ENOMEM;
		profile->stack_end_count++;
	}
	stack_end->samples++;
	return 0;
}

int codectl_profile_add_sample(
	struct codectl_profile *profile, const struct codectl_profile_sample *sample)
{
	struct codectl_tree *tree = profile->tree;
	struct codectl_profile_thread *thread;
	uint32_t node;
	int ret = find_thread(profile, &sample->thread, &thread);

	if (ret < 0)
		return ret;
	node = thread->node;
	for (size_t i = sample->frame_count; i-- > 0;) {
		const struct codectl_profile_frame *frame = &sample->frames[i];
		uint32_t name;

		ret = codectl_tree_intern(
			tree, frame->func, frame->func_len, frame->bin, frame->bin_len, &name);
		if (ret == 0)
			ret = codectl_tree_child(tree, node, name, &node);
		if (ret < 0)
			return ret;
	}
	ret = count_stack_end(profile, sample->stack_end);
	if (ret < 0)
		return ret;
	codectl_tree_add_weight(tree, node, sample->weight);
	thread->samples++;
	thread->weight = codectl_saturating_add(thread->weight, sample->weight);
	profile->samples++;
	profile->wall_samples += sample->is_wall;
	profile->weight = codectl_saturating_add(profile->weight, sample->weight);
	return 0;
}

int codectl_profile_set_thread_stats(
	struct codectl_profile *profile, const struct codectl_profile_thread_stats *stats)
{
	struct codectl_profile_thread *thread;
	uint64_t seen = codectl_saturating_add(stats->taken, stats->lost);
	int ret = find_thread(profile, &stats->thread, &thread);

	if (ret < 0)
		return ret;
	if (stats->comm && *stats->comm && (!thread->comm || strcmp(thread->comm, stats->comm))) {
		char *comm = strdup(stats->comm);

		if (!comm)
			return -ENOMEM;
		free(thread->comm);
		thread->comm = comm;
	}
	/* Counters only rise; if they fell, the number has gone to another thread. */
	if (thread->has_stats && (stats->taken < thread->taken || stats->lost < thread->lost)) {
		thread->earlier_lost = codectl_saturating_add(thread->earlier_lost, thread->lost);
		thread->has_stats = false;
	}
	if (!thread->has_stats) {
		thread->has_stats = true;
		thread->first_taken = seen;
		thread->first_cpu_time = stats->cpu_time;
		thread->span_taken = thread->span_cpu_time = 0;
	} else if (seen >= thread->first_taken && stats->cpu_time >= thread->first_cpu_time) {
		thread->span_taken = seen - thread->first_taken;
		thread->span_cpu_time = stats->cpu_time - thread->first_cpu_time;
	}
	thread->taken = stats->taken;
	thread->lost = stats->lost;
	return 0;
}

uint64_t codectl_profile_lost(const struct codectl_profile *profile)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < profile->thread_count; i++) {
		lost = codectl_saturating_add(lost, profile->threads[i].lost);
		lost = codectl_saturating_add(lost, profile->threads[i].earlier_lost);
	}
	return lost;
}

/*
 * A thread's counters are absolute, and it may have run long before the trace
 * began. Only what they rose by between the first and the last time belongs
 * together: that much CPU time for that many samples. Counters count samples,
 * the tree counts weights, hence the average weight.
 */
double codectl_profile_period(const struct codectl_profile *profile)
{
	double cpu_time = 0, taken = 0;

	for (size_t i = 0; i < profile->thread_count; i++) {
		cpu_time += (double)profile->threads[i].span_cpu_time;
		taken += (double)profile->threads[i].span_taken;
	}
	if (taken <= 0 || !profile->weight || profile->wall_samples)
		return 0;
	return cpu_time / taken * (double)profile->samples / (double)profile->weight;
}

const char *codectl_profile_thread_comm(const struct codectl_profile *profile, uint32_t thread)
{
	const char *comm = profile->threads[thread].comm;

	return comm ? comm : UNKNOWN_NAME;
}

const char *codectl_profile_process_comm(const struct codectl_profile *profile, uint32_t process)
{
	return codectl_profile_thread_comm(profile, profile->processes[process].main_thread);
}
