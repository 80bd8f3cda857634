/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "space/processes.h"

void codectl_processes_fini(struct codectl_processes *processes)
{
	while (processes->oldest) {
		struct codectl_process *process = processes->oldest;

		processes->oldest = process->newer;
		codectl_process_destroy(process);
	}
	*processes = (struct codectl_processes){0};
}

static struct codectl_process **bucket_of(
	struct codectl_processes *processes, int32_t vpid, uint64_t start_time)
{
	uint64_t hash = (uint64_t)(uint32_t)vpid * UINT64_C(0xd6e8feb86659fd93) + start_time;

	return &processes->buckets[hash * UINT64_C(0x9e3779b97f4a7c15) >> 50];
}

_Static_assert(CODECTL_PROCESS_BUCKETS == 1 << (64 - 50), "a hash must be a bucket");

static void unlink_process(struct codectl_processes *processes, struct codectl_process *process)
{
	*(process->older ? &process->older->newer : &processes->oldest) = process->newer;
	*(process->newer ? &process->newer->older : &processes->newest) = process->older;
}

static void link_newest(struct codectl_processes *processes, struct codectl_process *process)
{
	process->newer = NULL;
	process->older = processes->newest;
	*(processes->newest ? &processes->newest->newer : &processes->oldest) = process;
	processes->newest = process;
}

struct codectl_process *codectl_processes_find(
	struct codectl_processes *processes, int32_t vpid, uint64_t start_time)
{
	struct codectl_process *process = *bucket_of(processes, vpid, start_time);

	while (process && (process->vpid != vpid || process->start_time != start_time))
		process = process->next;
	if (process && process != processes->newest) {
		unlink_process(processes, process);
		link_newest(processes, process);
	}
	return process;
}

void codectl_processes_add(struct codectl_processes *processes, struct codectl_process *process)
{
	struct codectl_process **bucket = bucket_of(processes, process->vpid, process->start_time);

	process->next = *bucket;
	*bucket = process;
	link_newest(processes, process);
}

void codectl_processes_remove(struct codectl_processes *processes, struct codectl_process *process)
{
	struct codectl_process **link = bucket_of(processes, process->vpid, process->start_time);

	while (*link != process)
		link = &(*link)->next;
	*link = process->next;
	unlink_process(processes, process);
}
