/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * sampler/images.h: puts into the trace what the analysis needs of ELF objects whose
 * file it will not find: deleted, replaced, or not readable. Only of objects which
 * samples touch, once for each session that begins. Holder of the helper's round
 * lock.
 */
#ifndef CODECTL_SAMPLER_IMAGES_H
#define CODECTL_SAMPLER_IMAGES_H

#include "format/event.h"

/*
 * Looks at the objects that @sample, which is about to be emitted, has addresses
 * of, if they are new; and emits their images if they need one.
 */
void codectl_images_precede(const struct codectl_event *sample);

/*
 * Looks at all objects again which samples have touched so far, for files that were
 * replaced since: at times, and before the image ends.
 */
void codectl_images_recheck(void);

/* In the child of a fork. */
void codectl_images_after_fork(void);

#endif /* CODECTL_SAMPLER_IMAGES_H */
