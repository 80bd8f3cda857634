/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/view.h: the sampler's view of the address space: a snapshot of the
 * mappings that is renewed when something tells that it is old, but never so
 * often that reading it takes more than about a hundredth of a CPU. Helper
 * thread.
 */
#ifndef CODECTL_SAMPLER_VIEW_H
#define CODECTL_SAMPLER_VIEW_H

#include "sampler/slot.h"
#include "sampler/thin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Learns the stacks of slots that want it, if the snapshot may be renewed now.
 * Once per round, after new threads got their slots.
 */
void codectl_view_update_homes(uint64_t now);

/* Renews the snapshot if code was registered since (@serial), or after a second. */
void codectl_view_update(uint64_t now, uint64_t serial);

struct codectl_recent_range;

/*
 * Takes what was registered since the last call for code too, until the second
 * update from now, whether it is still there or not. Puts @ranges into another
 * order.
 */
void codectl_view_add_code(struct codectl_recent_range *ranges, size_t count);

/*
 * Whether @pc, where code was run, is none that the snapshot has; then it is
 * renewed and true is returned. That may take some hundredths of a CPU.
 */
bool codectl_view_is_outdated_by_pc(uint64_t now, uint64_t pc);

/*
 * The same for a word that is a return address if @frame_pointer is one: code was
 * data when it was written. @words are those of the stack from @stack_start on.
 */
bool codectl_view_is_outdated_by_frames(uint64_t now, uint64_t frame_pointer, uint64_t stack_start,
	const uint64_t *words, size_t word_count);

/*
 * Whether a word looks like an address in memory that was mapped, or made
 * usable, after the snapshot was taken; then the snapshot is renewed and true is returned. Does
 * nothing when the snapshot may not be renewed yet.
 */
bool codectl_view_is_outdated_by(uint64_t now, const uint64_t *words, size_t word_count);

/*
 * What is code now, or was at any time since the last but one update: weak, valid
 * until the view is updated.
 */
void codectl_view_get_executable(const struct codectl_range **ranges, size_t *count);

/* In the child of a fork. */
void codectl_view_after_fork(void);

#endif /* CODECTL_SAMPLER_VIEW_H */
