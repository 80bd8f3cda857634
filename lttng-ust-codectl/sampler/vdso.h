/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/vdso.h: puts the image of the vDSO into the trace, which has no file
 * that could be read later, when a sample needs it. Helper thread.
 */
#ifndef CODECTL_SAMPLER_VDSO_H
#define CODECTL_SAMPLER_VDSO_H

#include "format/event.h"

/*
 * Copies the image. In the constructor: later, the program may have unmapped it,
 * and a sandbox may kill for the system call that would find out.
 */
void codectl_vdso_init(void);

/*
 * Emits the image if @sample, which is about to be emitted, has an address in
 * the vDSO, and there are sessions which do not have the image so far.
 */
void codectl_vdso_precede(const struct codectl_event *sample);

/* In the child of a fork. */
void codectl_vdso_after_fork(void);

#endif /* CODECTL_SAMPLER_VDSO_H */
