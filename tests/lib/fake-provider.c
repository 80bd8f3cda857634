/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/fake-provider.h"

#include "provider/log.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct fake_emitted fake_emitted;

uint64_t codectl_provider_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t codectl_provider_last_serial(void)
{
	return FAKE_SERIAL;
}

int32_t codectl_helper_tid(void)
{
	return 0;
}

bool codectl_helper_is_entry(void *(*start)(void *))
{
	(void)start;
	return false;
}

void codectl_helper_keep_root(void)
{
}

void codectl_helper_hurry(void)
{
}

void codectl_helper_set_period(uint64_t period)
{
	(void)period;
}

int codectl_provider_read_memory(uint64_t address, void *to, size_t len)
{
	struct iovec local = {.iov_base = to, .iov_len = len};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = len};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)len ? 0 : -EFAULT;
}

void codectl_provider_emit(struct codectl_event *event)
{
	fake_emitted.count++;
	if (event->type == CODECTL_EVENT_SAMPLE)
		fake_emitted.weight += event->sample.weight;
	fake_emitted.last = *event;
}

void codectl_log_debug(const char *message, const char *name, int64_t value)
{
	(void)message;
	(void)name;
	(void)value;
}
