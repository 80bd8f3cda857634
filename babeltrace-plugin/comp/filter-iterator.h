/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/filter-iterator.h: an iterator of filter.codectl.debug-info, for the files
 * of its methods alone: filter-iterator.c has those that Babeltrace calls,
 * filter-passing.c decides which message is passed on and which waits,
 * filter-survey.c reads all messages once before. One thread.
 */
#ifndef CODECTL_COMP_FILTER_ITERATOR_H
#define CODECTL_COMP_FILTER_ITERATOR_H

#include "comp/annotate.h"
#include "comp/callstacks.h"
#include "comp/debug-info-field.h"
#include "comp/filter-options.h"
#include "comp/learn.h"
#include "comp/message-queue.h"
#include "trace-ir/copier.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

enum codectl_filter_phase {
	CODECTL_FILTER_BEGINNING, /* Nothing was passed on yet; the first event decides how to go on. */
	CODECTL_FILTER_SURVEY, /* All is read once, for what it tells; then again. */
	CODECTL_FILTER_PASSING,
};

struct codectl_filter_iterator {
	struct codectl_filter_options *options; /* Weak; the component outlives it. */
	bt_message_iterator *upstream;		/* Owned reference. */
	struct codectl_learner learner;
	struct codectl_copier *copier; /* Owned. */
	struct codectl_annotator annotator;
	struct codectl_debug_info_field *debug_info; /* Owned. */
	struct codectl_callstacks *callstacks;	     /* Owned. */
	struct codectl_time_range range;	     /* As the options have it, with dates. */
	bool has_range;
	enum codectl_filter_phase phase;
	bool is_surveyed;  /* All that there is to learn is learnt. */
	uint64_t position; /* Of the last message in their sequence. */
	/* What came from upstream and was not looked at: messages [next, count). References owned. */
	bt_message_array_const batch;
	uint64_t batch_next;
	uint64_t batch_count;
	struct codectl_message_queue queue; /* What was looked at and not passed on. */
	bool is_waiting;		    /* The first of them waits. */
	bool may_wait;			    /* As the options have it, and not after a survey. */
	uint64_t touched; /* When processes in use were touched last: a position. */
	uint64_t hurry;	  /* Those up to this position wait no longer. */
};

/*
 * Takes in messages of the batch, which is not empty, as long as nothing waits, and
 * passes on into @messages, from *@done on, those that no other is before; adds to
 * *@done how many were. Returns 0 or an error.
 */
int codectl_filter_take_messages(struct codectl_filter_iterator *iterator,
	bt_message_array_const messages, uint64_t capacity, uint64_t *done);

/* Whether the queue has a message to pass on. */
bool codectl_filter_can_release(const struct codectl_filter_iterator *iterator);

/* Passes on the first message that waits no longer. As codectl_filter_take_messages(). */
int codectl_filter_release_message(
	struct codectl_filter_iterator *iterator, const bt_message **out, uint64_t *done);

/* Whether the queue may grow no longer. */
bool codectl_filter_is_queue_full(const struct codectl_filter_iterator *iterator);

/* What waits has waited too long. */
void codectl_filter_give_up(struct codectl_filter_iterator *iterator);

/* Drops what came from upstream and was not passed on. */
void codectl_filter_drop_messages(struct codectl_filter_iterator *iterator);

/* Begins a survey if upstream can be read twice, which is then set. Returns OK, AGAIN or ERROR. */
bt_message_iterator_class_next_method_status codectl_filter_begin_survey(
	struct codectl_filter_iterator *iterator, bool *is_begun);

/* Goes on with it; at its end all comes again. With *@error set, whatever it returns. */
bt_message_iterator_class_next_method_status codectl_filter_run_survey(
	struct codectl_filter_iterator *iterator, int *error);

#endif /* CODECTL_COMP_FILTER_ITERATOR_H */
