/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * edge-split: for -fsplit-stack: a thread goes deeper than its stack is, so
 * that its frames are on several pieces of memory. Usage: edge-split MS
 */
#include "edge.h"

#include <pthread.h>
#include <stdio.h>

static NOINLINE int descend(int depth)
{
	volatile char room[4000];

	room[0] = (char)depth;
	if (depth > 0)
		return descend(depth - 1) + (room[0] != (char)depth);
	spin();
	return room[0];
}

static NOINLINE void deep(void)
{
	for (int depth = 0; depth < 200; depth += 40) {
		if (descend(depth))
			abort();
	}
}

PHASE(deep)

static void *run(void *argument)
{
	phase_deep();
	return argument;
}

int main(int argc, char **argv)
{
	pthread_attr_t attributes;
	pthread_t thread;

	edge_take_budget(argc, argv);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	if (pthread_create(&thread, &attributes, run, NULL))
		return 1;
	pthread_attr_destroy(&attributes);
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
