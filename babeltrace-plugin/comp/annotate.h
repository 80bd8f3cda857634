/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/annotate.h: what happens to a `codectl:sample`: its raw stack is left
 * out (unless it shall be kept), and `frames` and `stack_end` are appended to
 * its payload; doc/trace-format.md describes them. One thread.
 */
#ifndef CODECTL_COMP_ANNOTATE_H
#define CODECTL_COMP_ANNOTATE_H

#include "comp/decode.h"
#include "comp/resolve.h"
#include "trace-ir/copier.h"

#include <stdbool.h>
#include <stdint.h>

/* All pointers are weak and outlive it. */
struct codectl_annotator {
	struct codectl_decoder *decoder;
	struct codectl_resolver *resolver;
	bool keeps_raw_stack;
	uint64_t samples; /* That were given frames. */
};

/* The extension through which @annotator changes samples; it must stay where it is. */
struct codectl_payload_extension codectl_annotator_extension(struct codectl_annotator *annotator);

#endif /* CODECTL_COMP_ANNOTATE_H */
