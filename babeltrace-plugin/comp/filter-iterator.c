/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The half of filter.h that passes messages on.
 */
#include "comp/filter.h"

#include "comp/annotate.h"
#include "comp/debug-info-field.h"
#include "comp/filter-options.h"
#include "comp/learn.h"
#include "comp/message-queue.h"
#include "comp/statuses.h"
#include "trace-ir/copier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How many messages wait at most for what is told of their process. */
#define WAIT_MAX 32768
/* The same, where it is known but for one address: a constructor runs before its library is told. */
#define WAIT_FOR_ADDRESS_MAX 256

enum phase {
	PHASE_BEGINNING, /* Nothing was passed on yet; the first event decides how to go on. */
	PHASE_SURVEY,	 /* All is read once, for what it tells; then again. */
	PHASE_PASSING,
};

struct filter_iterator {
	struct codectl_filter_options *options; /* Weak; the component outlives it. */
	bt_message_iterator *upstream;		/* Owned reference. */
	struct codectl_learner learner;
	struct codectl_copier *copier; /* Owned. */
	struct codectl_annotator annotator;
	struct codectl_debug_info_field *debug_info; /* Owned. */
	struct codectl_time_range range;	     /* As the options have it, with dates. */
	bool has_range;
	enum phase phase;
	bool is_surveyed;  /* All that there is to learn is learnt. */
	uint64_t position; /* Of the last message in their sequence. */
	/* What came from upstream and was not looked at: messages [next, count). References owned. */
	bt_message_array_const batch;
	uint64_t batch_next;
	uint64_t batch_count;
	struct codectl_message_queue queue; /* What was looked at and not passed on. */
	bool is_waiting;		    /* The first of them waits. */
	bool may_wait;			    /* As the options have it, and not after a survey. */
	uint64_t hurry;			    /* Those up to this position wait no longer. */
};

static bool is_interrupted(void *user)
{
	return bt_self_message_iterator_is_interrupted(user) != BT_FALSE;
}

static void destroy_iterator(struct filter_iterator *iterator)
{
	iterator->options->search.is_interrupted = NULL;
	codectl_copier_destroy(iterator->copier);
	codectl_debug_info_field_destroy(iterator->debug_info);
	codectl_message_queue_fini(&iterator->queue);
	codectl_learner_fini(&iterator->learner);
	bt_message_iterator_put_ref(iterator->upstream);
	free(iterator);
}

/* Creates the parts that know of a trace. Returns 0 or -ENOMEM. */
static int create_parts(struct filter_iterator *iterator, bt_self_message_iterator *self_iterator)
{
	const struct codectl_filter_options *options = iterator->options;
	const struct codectl_resolver_options resolver_options = {
		.search = &options->search.search,
		.has_full_paths = options->has_full_paths,
		.has_full_names = options->has_full_names,
		.has_inlines = options->has_inlines,
		.mode = (enum codectl_unwind_mode)options->mode,
		.log = &options->log,
		.archive = options->archive,
	};
	struct codectl_learner *learner = &iterator->learner;

	if (codectl_learner_init(learner, &resolver_options, options->debug_info.field_name) < 0)
		return -ENOMEM;
	iterator->debug_info = codectl_debug_info_field_create(&options->debug_info, learner);
	if (!iterator->debug_info)
		return -ENOMEM;
	iterator->annotator = (struct codectl_annotator){
		.decoder = learner->decoder,
		.resolver = learner->resolver,
		.keeps_raw_stack = options->keeps_raw_stack,
	};
	const struct codectl_copy_extension extension = {
		.payload = codectl_annotator_extension(&iterator->annotator),
		.context = codectl_debug_info_field_extension(iterator->debug_info),
	};
	iterator->copier = codectl_copier_create(self_iterator, &extension);
	return iterator->copier ? 0 : -ENOMEM;
}

bt_message_iterator_class_initialize_method_status codectl_filter_iterator_init(
	bt_self_message_iterator *self_iterator,
	bt_self_message_iterator_configuration *configuration, bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self_iterator);
	struct filter_iterator *iterator = calloc(1, sizeof(*iterator));

	(void)port;
	if (!iterator)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	iterator->options = bt_self_component_get_data(component);
	iterator->range = iterator->options->range;
	iterator->has_range = iterator->range.begin.is_set || iterator->range.end.is_set;
	iterator->may_wait = iterator->options->look_ahead != CODECTL_LOOK_AHEAD_NO;
	switch (bt_message_iterator_create_from_message_iterator(
		self_iterator, iterator->options->input, &iterator->upstream)) {
	case BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_MEMORY_ERROR:
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	default:
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (create_parts(iterator, self_iterator) < 0) {
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration, bt_message_iterator_can_seek_forward(iterator->upstream));
	bt_self_message_iterator_set_data(self_iterator, iterator);
	iterator->options->search.user = self_iterator;
	iterator->options->search.is_interrupted = is_interrupted;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void log_stats(const struct filter_iterator *iterator)
{
	const struct codectl_log *log = &iterator->options->log;
	const struct codectl_copier_stats copier = codectl_copier_stats(iterator->copier);
	const struct codectl_debug_info_field_stats *field = codectl_debug_info_field_borrow_stats(
		iterator->debug_info);
	const uint64_t samples = iterator->learner.stats.samples;

	codectl_log_info(log,
		"Messages: copied=%" PRIu64 ", forwarded=%" PRIu64 ", samples=%" PRIu64
		", annotated-samples=%" PRIu64 ", open-traces=%" PRIu64,
		copier.copied, copier.forwarded, samples, copier.changed, copier.open_traces);
	codectl_log_info(log,
		"Events with debug information: count=%" PRIu64 ", cached=%" PRIu64
		", of-unknown-processes=%" PRIu64 ", at-unknown-addresses=%" PRIu64,
		field->events, field->cached, field->no_process, field->no_mapping);
	if (samples > copier.changed)
		codectl_log_warning(log,
			"Some samples are in streams that began before their event class was "
			"known, and are passed on as they are: count=%" PRIu64,
			samples - copier.changed);
	codectl_learner_log_stats(&iterator->learner);
	codectl_file_search_log_stats(&iterator->options->search, log);
}

static void drop_batch(struct filter_iterator *iterator)
{
	while (iterator->batch_next < iterator->batch_count)
		bt_message_put_ref(iterator->batch[iterator->batch_next++]);
}

void codectl_filter_iterator_finalize(bt_self_message_iterator *self_iterator)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	log_stats(iterator);
	drop_batch(iterator);
	destroy_iterator(iterator);
}

/* Gives *@out for @message, as codectl_copier_pass(). */
static int pass(struct filter_iterator *iterator, const bt_message *message, uint64_t position,
	const bt_message **out)
{
	codectl_debug_info_field_set_message(iterator->debug_info, message, position,
		iterator->may_wait && position > iterator->hurry);
	return codectl_copier_pass(iterator->copier, message, out);
}

static bt_message_iterator_class_next_method_status next_status(
	bt_self_message_iterator *self_iterator, int ret)
{
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self_iterator,
		"Cannot pass on a message: %s",
		ret == -ENOMEM ? "out of memory" : "a field class of a kind that is unknown here");
	return ret == -ENOMEM ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR
			      : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

/* Whether what the first message waits for did not come yet. */
static bool must_wait(const struct filter_iterator *iterator)
{
	const struct codectl_debug_info_wait *wait = codectl_debug_info_field_borrow_wait(
		iterator->debug_info);
	uint64_t first = codectl_message_queue_front(&iterator->queue)->position;

	if (!iterator->is_waiting || first <= iterator->hurry)
		return false;
	if (!wait->is_for_address)
		return !codectl_ust_process_is_settled(wait->process);
	return codectl_ust_process_changes(wait->process) == wait->changes &&
	       iterator->position - first < WAIT_FOR_ADDRESS_MAX;
}

/* What waits has waited too long. */
static void give_up(struct filter_iterator *iterator)
{
	const struct codectl_debug_info_wait *wait = codectl_debug_info_field_borrow_wait(
		iterator->debug_info);

	if (iterator->is_waiting && !wait->is_for_address)
		codectl_ust_process_give_up(wait->process);
	iterator->is_waiting = false;
	iterator->phase = PHASE_PASSING;
}

/* Looks at the first message that may decide. Returns 0, -EAGAIN (it waits) or -ENOMEM. */
static int ask_first_event(struct filter_iterator *iterator, const bt_message *message)
{
	if (iterator->is_waiting || bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return 0;
	codectl_debug_info_field_set_message(
		iterator->debug_info, message, iterator->position, iterator->may_wait);
	int ret = codectl_debug_info_field_ask(iterator->debug_info);
	iterator->is_waiting = ret == -EAGAIN;
	if (ret == 0)
		iterator->phase = PHASE_PASSING;
	return ret == -EAGAIN ? 0 : ret;
}

/*
 * Takes in the next message of the batch, and passes it on if no other is before it;
 * adds to *@done how many were. Returns 0 or an error.
 */
static int take_message(struct filter_iterator *iterator, const bt_message **out, uint64_t *done)
{
	const bt_message *message = iterator->batch[iterator->batch_next++];
	uint64_t position = ++iterator->position;
	int ret = iterator->is_surveyed
			  ? 0
			  : codectl_learner_take_in(&iterator->learner, message, position);

	/* What is not wanted has told what it tells. */
	if (ret == 0 && iterator->has_range && !codectl_time_range_has(&iterator->range, message)) {
		bt_message_put_ref(message);
		return 0;
	}
	if (ret == 0 && iterator->phase == PHASE_BEGINNING)
		ret = ask_first_event(iterator, message);
	if (ret == 0 && iterator->phase == PHASE_PASSING && iterator->queue.count == 0) {
		ret = pass(iterator, message, position, out);
		if (ret != -EAGAIN) {
			*done += ret == 0;
			bt_message_put_ref(message);
			return ret;
		}
		iterator->is_waiting = true;
		ret = 0;
	}
	if (ret == 0)
		ret = codectl_message_queue_push(&iterator->queue, message, position);
	if (ret < 0)
		bt_message_put_ref(message);
	return ret;
}

/* Takes in those of the batch, as long as nothing waits. As above. */
static int take_messages(struct filter_iterator *iterator, bt_message_array_const messages,
	uint64_t capacity, uint64_t *done)
{
	int ret;

	do
		ret = take_message(iterator, &messages[*done], done);
	while (ret == 0 && iterator->queue.count == 0 && *done < capacity &&
		iterator->batch_next < iterator->batch_count);
	return ret;
}

/* Passes on the first message that waits no longer. As above. */
static int release_message(struct filter_iterator *iterator, const bt_message **out, uint64_t *done)
{
	const struct codectl_queued_message *front = codectl_message_queue_front(&iterator->queue);
	/* An unknown address was waited for long enough, whatever else comes. */
	if (iterator->position - front->position >= WAIT_FOR_ADDRESS_MAX &&
		codectl_debug_info_field_borrow_wait(iterator->debug_info)->is_for_address)
		iterator->hurry = front->position;
	int ret = pass(iterator, front->message, front->position, out);

	iterator->phase = PHASE_PASSING;
	iterator->is_waiting = ret == -EAGAIN;
	if (ret == 0) {
		codectl_message_queue_pop(&iterator->queue);
		++*done;
	}
	return ret == -EAGAIN ? 0 : ret;
}

static void drop_messages(struct filter_iterator *iterator)
{
	drop_batch(iterator);
	codectl_message_queue_clear(&iterator->queue);
	iterator->is_waiting = false;
}

/* Whether the queue may grow no longer. */
static bool is_queue_full(const struct filter_iterator *iterator)
{
	return iterator->queue.count >= WAIT_MAX ||
	       /* Who has no events yet says nothing by waiting. */
	       (iterator->phase == PHASE_BEGINNING && !iterator->is_waiting &&
		       iterator->queue.count >= WAIT_FOR_ADDRESS_MAX);
}

/* Goes through all messages for what they tell. Anything but OK ends it for now. */
static bt_message_iterator_next_status survey(struct filter_iterator *iterator, int *error)
{
	bt_message_iterator_next_status status = BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;

	while (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && *error == 0) {
		while (*error == 0 && iterator->batch_next < iterator->batch_count) {
			const bt_message *message = iterator->batch[iterator->batch_next++];
			*error = codectl_learner_take_in(
				&iterator->learner, message, ++iterator->position);
			bt_message_put_ref(message);
		}
		iterator->batch_next = iterator->batch_count = 0;
		if (*error == 0)
			status = bt_message_iterator_next(
				iterator->upstream, &iterator->batch, &iterator->batch_count);
	}
	iterator->batch_count = status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK ? iterator->batch_count
									     : 0;
	return status;
}

/* Begins a survey if upstream can be read twice, which is then set. Returns 0 or an error. */
static bt_message_iterator_class_next_method_status begin_survey(
	struct filter_iterator *iterator, bool *is_begun)
{
	bt_bool can_seek = BT_FALSE;
	bt_message_iterator_can_seek_beginning_status status =
		bt_message_iterator_can_seek_beginning(iterator->upstream, &can_seek);

	*is_begun = false;
	if (status == BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_AGAIN)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	if (status != BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	if (can_seek) {
		/* What is in the batch was not looked at yet. */
		codectl_message_queue_clear(&iterator->queue);
		iterator->is_waiting = false;
		iterator->phase = PHASE_SURVEY;
		*is_begun = true;
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

/* Ends it: all comes again, and nothing needs to wait. */
static bt_message_iterator_class_next_method_status end_survey(struct filter_iterator *iterator)
{
	bt_message_iterator_seek_beginning_status status = bt_message_iterator_seek_beginning(
		iterator->upstream);

	if (status == BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	if (status != BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	codectl_copier_rewind(iterator->copier);
	iterator->position = 0;
	iterator->is_surveyed = true;
	iterator->may_wait = false;
	iterator->phase = PHASE_PASSING;
	codectl_log_info(&iterator->options->log, "Surveyed all messages before passing them on");
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static bt_message_iterator_class_next_method_status run_survey(
	bt_self_message_iterator *self_iterator, struct filter_iterator *iterator)
{
	int error = 0;
	bt_message_iterator_next_status status = survey(iterator, &error);

	if (error < 0)
		return next_status(self_iterator, error);
	return status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ? end_survey(iterator)
							     : codectl_status_of_next(status);
}

/*
 * There are no more messages. Closing the objects archives their files; whether
 * that worked is told while somebody still listens.
 */
static bt_message_iterator_class_next_method_status finish(
	bt_self_message_iterator *self_iterator, struct filter_iterator *iterator)
{
	struct codectl_archive *archive = iterator->options->archive;

	if (archive) {
		iterator->is_surveyed = false;
		iterator->may_wait = iterator->options->look_ahead != CODECTL_LOOK_AHEAD_NO;
	}
	if (archive && codectl_learner_rewind(&iterator->learner) < 0)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
	if (!archive || !codectl_archive_error(archive))
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self_iterator,
		"Cannot write to the archive \"%s\": %s", iterator->options->archive_path,
		strerror(-codectl_archive_error(archive)));
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

/* Gets a new batch. What waits goes on if there is none. */
static bt_message_iterator_class_next_method_status get_batch(
	bt_self_message_iterator *self_iterator, struct filter_iterator *iterator)
{
	bt_message_iterator_next_status status = bt_message_iterator_next(
		iterator->upstream, &iterator->batch, &iterator->batch_count);

	iterator->batch_next = 0;
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	iterator->batch_count = 0;
	if (iterator->queue.count > 0 && (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ||
						 status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)) {
		iterator->hurry = iterator->position;
		iterator->phase = PHASE_PASSING;
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	}
	return status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ? finish(self_iterator, iterator)
							     : codectl_status_of_next(status);
}

/* Whether the queue has a message to pass on. */
static bool can_release(const struct filter_iterator *iterator)
{
	if (iterator->queue.count == 0)
		return false;
	return iterator->phase == PHASE_PASSING || iterator->is_waiting ? !must_wait(iterator)
									: false;
}

/* One step; *@done tells how many of @messages are filled. */
static bt_message_iterator_class_next_method_status step(bt_self_message_iterator *self_iterator,
	struct filter_iterator *iterator, bt_message_array_const messages, uint64_t capacity,
	uint64_t *done, int *error)
{
	bool is_begun;

	if (can_release(iterator)) {
		*error = release_message(iterator, &messages[*done], done);
	} else if (is_queue_full(iterator)) {
		bt_message_iterator_class_next_method_status status =
			BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;

		is_begun = false;
		if (iterator->phase == PHASE_BEGINNING && iterator->is_waiting &&
			iterator->options->look_ahead == CODECTL_LOOK_AHEAD_AUTO)
			status = begin_survey(iterator, &is_begun);
		if (status != BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK)
			return status;
		if (!is_begun)
			give_up(iterator);
	} else if (iterator->batch_next < iterator->batch_count) {
		*error = take_messages(iterator, messages, capacity, done);
	} else {
		return get_batch(self_iterator, iterator);
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

/* Whether what there is should be passed on before anything else is asked for. */
static bool is_full(const struct filter_iterator *iterator, uint64_t done, uint64_t capacity)
{
	return done == capacity || (done > 0 && iterator->batch_next == iterator->batch_count &&
					   !can_release(iterator));
}

bt_message_iterator_class_next_method_status codectl_filter_iterator_next(
	bt_self_message_iterator *self_iterator, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);
	bt_message_iterator_class_next_method_status status =
		BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	uint64_t done = 0;
	bool is_begun;
	int error = 0;

	if (iterator->phase == PHASE_BEGINNING && iterator->position == 0 &&
		iterator->options->look_ahead == CODECTL_LOOK_AHEAD_FULL)
		status = begin_survey(iterator, &is_begun);
	while (status == BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK && error == 0 &&
		!is_full(iterator, done, capacity)) {
		if (iterator->phase == PHASE_SURVEY)
			status = run_survey(self_iterator, iterator);
		else
			status = step(self_iterator, iterator, messages, capacity, &done, &error);
	}
	if (error < 0) {
		while (done > 0)
			bt_message_put_ref(messages[--done]);
		drop_messages(iterator);
		return next_status(self_iterator, error);
	}
	*count = done;
	return status;
}

bt_message_iterator_class_can_seek_beginning_method_status
codectl_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self_iterator, bt_bool *can_seek_beginning)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	return codectl_status_of_can_seek(
		bt_message_iterator_can_seek_beginning(iterator->upstream, can_seek_beginning));
}

bt_message_iterator_class_seek_beginning_method_status codectl_filter_iterator_seek_beginning(
	bt_self_message_iterator *self_iterator)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	drop_messages(iterator);
	codectl_copier_rewind(iterator->copier);
	iterator->position = 0;
	iterator->hurry = 0;
	/* What is learnt of all stays true. */
	if (iterator->is_surveyed)
		return codectl_status_of_seek(
			bt_message_iterator_seek_beginning(iterator->upstream));
	iterator->phase = PHASE_BEGINNING;
	codectl_debug_info_field_rewind(iterator->debug_info);
	if (codectl_learner_rewind(&iterator->learner) < 0)
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_MEMORY_ERROR;
	return codectl_status_of_seek(bt_message_iterator_seek_beginning(iterator->upstream));
}
