/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/image.h"

#include "provider/export.h"
#include "provider/helper.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t start_time;
static _Atomic int32_t vpid;

enum gate { GATE_OPEN, GATE_CHILD, GATE_EXIT };

static _Atomic int gate;

CODECTL_EXPORT uint64_t codectl_provider_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void codectl_image_begin(void)
{
	uint64_t none = 0;

	/* The first of several threads, or constructors, decides. */
	if (atomic_compare_exchange_strong(&start_time, &none, codectl_provider_now()))
		atomic_store(&vpid, getpid());
}

void codectl_image_begin_child(void)
{
	atomic_store(&gate, GATE_CHILD);
	atomic_store(&start_time, codectl_provider_now());
	atomic_store(&vpid, getpid());
}

bool codectl_image_is_own(void)
{
	return getpid() == codectl_image_vpid();
}

int32_t codectl_image_vpid(void)
{
	int32_t own = atomic_load(&vpid);

	if (own)
		return own;
	codectl_image_begin();
	return getpid();
}

uint64_t codectl_image_start_time(void)
{
	codectl_image_begin();
	return atomic_load(&start_time);
}

bool codectl_image_is_open(void)
{
	return atomic_load(&gate) == GATE_OPEN;
}

void codectl_image_open(void)
{
	int child = GATE_CHILD;

	atomic_compare_exchange_strong(&gate, &child, GATE_OPEN);
}

void codectl_image_close(void)
{
	atomic_store(&gate, GATE_EXIT);
}

CODECTL_EXPORT bool codectl_provider_is_own_image(void)
{
	return codectl_image_is_own();
}
