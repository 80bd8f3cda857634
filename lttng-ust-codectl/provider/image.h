/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/image.h: which process image this is. A fork makes a new image:
 * its own vpid and start time, and silence until LTTng-UST has set up tracing
 * in it. Any thread.
 */
#ifndef CODECTL_PROVIDER_IMAGE_H
#define CODECTL_PROVIDER_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Begins an image in the running process; the first use of the others does it too. */
void codectl_image_begin(void);

/* As codectl_image_begin(), in the child of a fork: closes the image for events. */
void codectl_image_begin_child(void);

/* Whether this is the process which began the image; false in a child that no handler ran in. */
bool codectl_image_is_own(void);

int32_t codectl_image_vpid(void);

/* When it began, CLOCK_MONOTONIC ns. */
uint64_t codectl_image_start_time(void);

/*
 * Whether events may be emitted. In a child, not before LTTng-UST has told of
 * a session of its own: until then the tracepoints still lead to the parent's
 * buffers, or to no one's.
 */
bool codectl_image_is_open(void);
void codectl_image_open(void);

/* For good: the process exits. */
void codectl_image_close(void);

#endif /* CODECTL_PROVIDER_IMAGE_H */
