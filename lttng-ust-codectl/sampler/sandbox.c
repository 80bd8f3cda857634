/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/sandbox.h"

#include <sys/syscall.h>
#include <unistd.h>

static bool is_closed;
static bool is_strict;
static bool is_for_all;
static struct codectl_thread_status at_start;

void codectl_sandbox_init(void)
{
	if (codectl_procfs_read_status((int32_t)syscall(SYS_gettid), &at_start) != 0)
		at_start = (struct codectl_thread_status){0};
}

void codectl_sandbox_close(void)
{
	__atomic_store_n(&is_closed, true, __ATOMIC_SEQ_CST);
}

void codectl_sandbox_close_strictly(void)
{
	__atomic_store_n(&is_strict, true, __ATOMIC_SEQ_CST);
	codectl_sandbox_close();
}

void codectl_sandbox_close_for_all(void)
{
	__atomic_store_n(&is_for_all, true, __ATOMIC_SEQ_CST);
	codectl_sandbox_close();
}

void codectl_sandbox_look(const struct codectl_thread_status *status)
{
	if (status->is_strict)
		codectl_sandbox_close_strictly();
	/* Kernels before 5.9 tell no number: then any filter may be a new one. */
	else if (status->has_seccomp &&
		 (status->filter_count == 0 || status->filter_count != at_start.filter_count))
		codectl_sandbox_close();
}

bool codectl_sandbox_is_closed(void)
{
	return __atomic_load_n(&is_closed, __ATOMIC_ACQUIRE);
}

bool codectl_sandbox_is_any(void)
{
	return at_start.has_seccomp || codectl_sandbox_is_closed();
}

bool codectl_sandbox_is_strict(void)
{
	return __atomic_load_n(&is_strict, __ATOMIC_ACQUIRE);
}

bool codectl_sandbox_is_for_all(void)
{
	return __atomic_load_n(&is_for_all, __ATOMIC_ACQUIRE);
}
