/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/last-thread.h"

#include "provider/helper.h"
#include "sampler/procfs.h"

#include <stdbool.h>
#include <unistd.h>

#define LOOK_INTERVAL 500000000u /* ns. */

static uint64_t next_look;
static struct codectl_tid_list tids;

static bool is_main_thread_dead(void)
{
	struct codectl_thread_status status;

	return codectl_procfs_read_status((int32_t)getpid(), &status) == 0 && status.is_dead;
}

/* Whether the thread, which is not the main one, is none of the program's. */
static bool is_foreign(int32_t tid)
{
	struct codectl_thread_status status;
	char comm[16];

	if (tid == codectl_helper_tid())
		return true;
	return codectl_procfs_read_comm(tid, comm, sizeof(comm)) == 0 &&
	       codectl_procfs_read_status(tid, &status) == 0 &&
	       codectl_procfs_is_listener(comm, status.blocked_signals);
}

/* None of them starts another one: once nobody is left, nobody comes. */
static bool is_nobody_left(void)
{
	if (!is_main_thread_dead() || codectl_procfs_list_threads(&tids) != 0)
		return false;
	for (size_t i = 0; i < tids.count; i++) {
		if (tids.tids[i] != (int32_t)getpid() && !is_foreign(tids.tids[i]))
			return false;
	}
	return tids.count > 0;
}

void codectl_last_thread_look(uint64_t now)
{
	if (now < next_look)
		return;
	next_look = now + LOOK_INTERVAL;
	if (is_nobody_left())
		codectl_helper_end_process();
}
