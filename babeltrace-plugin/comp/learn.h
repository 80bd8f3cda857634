/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/learn.h: takes in what the events of a trace say of processes, whoever
 * wrote them: provider codectl, or LTTng-UST itself. Owns what is known of
 * processes and their code. One thread.
 */
#ifndef CODECTL_COMP_LEARN_H
#define CODECTL_COMP_LEARN_H

#include "comp/contexts.h"
#include "comp/decode.h"
#include "comp/lttng-decode.h"
#include "comp/resolve.h"
#include "comp/ust-map.h"
#include "format/likely.h"
#include "trace-ir/class-map.h"
#include "trace-ir/message-view.h"

#include <babeltrace2/babeltrace.h>

#include <stdint.h>

struct codectl_learner_stats {
	uint64_t samples;     /* Whether they could be decoded or not. */
	uint64_t undecodable; /* Events of provider codectl. */
};

/* Read its parts, change nothing. */
struct codectl_learner {
	const struct codectl_log *log;		     /* Weak. */
	struct codectl_decoder *decoder;	     /* Owned. */
	struct codectl_lttng_decoder *lttng_decoder; /* Owned. */
	struct codectl_contexts *contexts;	     /* Owned. */
	struct codectl_resolver *resolver;	     /* Owned. */
	struct codectl_ust_map *ust_map;	     /* Owned. */
	struct codectl_class_map readers;	     /* Who reads events of a class; static. */
	struct codectl_learner_stats stats;
};

/*
 * @field_name is as for codectl_contexts_create(). Returns 0, or -ENOMEM; then,
 * too, it must be finished.
 */
int codectl_learner_init(struct codectl_learner *learner,
	const struct codectl_resolver_options *options, const char *field_name);

void codectl_learner_fini(struct codectl_learner *learner);

/* Whom events of a class do not concern: most of them. */
extern const struct codectl_class_reader codectl_learner_nobody;

/* The same for any event. */
int codectl_learner_take_in_event(struct codectl_learner *learner,
	const struct codectl_message_view *message, uint64_t position);

/* Takes in @message, at @position in the sequence. Returns 0 or -ENOMEM. */
static inline int codectl_learner_take_in(struct codectl_learner *learner,
	const struct codectl_message_view *message, uint64_t position)
{
	if (CODECTL_LIKELY(!message->event ||
			   codectl_class_map_find(&learner->readers, message->event_class) ==
				   &codectl_learner_nobody))
		return 0;
	return codectl_learner_take_in_event(learner, message, position);
}

/* Forgets all that was learnt of processes. Returns 0 or -ENOMEM. */
int codectl_learner_rewind(struct codectl_learner *learner);

/* Writes the statistics at INFO level. */
void codectl_learner_log_stats(const struct codectl_learner *learner);

#endif /* CODECTL_COMP_LEARN_H */
