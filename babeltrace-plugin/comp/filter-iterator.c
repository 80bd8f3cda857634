/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The methods of filter.h for message iterators.
 */
#include "comp/filter-iterator.h"

#include "comp/filter.h"
#include "comp/statuses.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* After how many messages processes in use are touched: far fewer than would let one go. */
#define TOUCH_INTERVAL 4096

static bool is_interrupted(void *user)
{
	return bt_self_message_iterator_is_interrupted(user) != BT_FALSE;
}

static void destroy_iterator(struct codectl_filter_iterator *iterator)
{
	iterator->options->search.is_interrupted = NULL;
	codectl_copier_destroy(iterator->copier);
	codectl_callstacks_destroy(iterator->callstacks);
	codectl_debug_info_field_destroy(iterator->debug_info);
	codectl_message_queue_fini(&iterator->queue);
	codectl_learner_fini(&iterator->learner);
	bt_message_iterator_put_ref(iterator->upstream);
	free(iterator);
}

/* Creates the parts that know of a trace. Returns 0 or -ENOMEM. */
static int create_parts(
	struct codectl_filter_iterator *iterator, bt_self_message_iterator *self_iterator)
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
	const struct codectl_callstacks_parts parts = {
		.options = &options->callstacks,
		.field_name = options->debug_info.field_name,
		.learner = learner,
		.names = iterator->debug_info,
		.payload = codectl_annotator_extension(&iterator->annotator),
	};
	iterator->callstacks = codectl_callstacks_create(&parts);
	if (!iterator->callstacks)
		return -ENOMEM;
	const struct codectl_copy_extension extension = codectl_callstacks_extension(
		iterator->callstacks);
	iterator->copier = codectl_copier_create(self_iterator, &extension);
	return iterator->copier ? 0 : -ENOMEM;
}

bt_message_iterator_class_initialize_method_status codectl_filter_iterator_init(
	bt_self_message_iterator *self_iterator,
	bt_self_message_iterator_configuration *configuration, bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self_iterator);
	struct codectl_filter_iterator *iterator = calloc(1, sizeof(*iterator));

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

static void log_stats(const struct codectl_filter_iterator *iterator)
{
	const struct codectl_log *log = &iterator->options->log;
	const struct codectl_copier_stats copier = codectl_copier_stats(iterator->copier);
	const struct codectl_debug_info_field_stats *field = codectl_debug_info_field_borrow_stats(
		iterator->debug_info);
	const uint64_t samples = iterator->learner.stats.samples;

	codectl_log_info(log,
		"Messages: copied=%" PRIu64 ", forwarded=%" PRIu64 ", samples=%" PRIu64
		", annotated-samples=%" PRIu64 ", open-traces=%" PRIu64,
		copier.copied, copier.forwarded, samples, iterator->annotator.samples,
		copier.open_traces);
	codectl_log_info(log,
		"Events with debug information: count=%" PRIu64 ", cached=%" PRIu64
		", of-unknown-processes=%" PRIu64 ", at-unknown-addresses=%" PRIu64,
		field->events, field->cached, field->no_process, field->no_mapping);
	codectl_callstacks_log_stats(iterator->callstacks);
	if (samples > iterator->annotator.samples)
		codectl_log_warning(log,
			"Some samples are in streams that began before their event class was "
			"known, and are passed on as they are: count=%" PRIu64,
			samples - iterator->annotator.samples);
	codectl_learner_log_stats(&iterator->learner);
	codectl_file_search_log_stats(&iterator->options->search, log);
}

void codectl_filter_iterator_finalize(bt_self_message_iterator *self_iterator)
{
	struct codectl_filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	log_stats(iterator);
	codectl_filter_drop_messages(iterator);
	destroy_iterator(iterator);
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

/*
 * There are no more messages. Closing the objects archives their files; whether
 * that worked is told while somebody still listens.
 */
static bt_message_iterator_class_next_method_status finish(
	bt_self_message_iterator *self_iterator, struct codectl_filter_iterator *iterator)
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
	bt_self_message_iterator *self_iterator, struct codectl_filter_iterator *iterator)
{
	bt_message_iterator_next_status status = bt_message_iterator_next(
		iterator->upstream, &iterator->batch, &iterator->batch_count);

	iterator->batch_next = 0;
	if (iterator->position - iterator->touched >= TOUCH_INTERVAL) {
		iterator->touched = iterator->position;
		codectl_contexts_touch_processes(iterator->learner.contexts);
	}
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	iterator->batch_count = 0;
	if (iterator->queue.count > 0 && (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ||
						 status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)) {
		iterator->hurry = iterator->position;
		iterator->phase = CODECTL_FILTER_PASSING;
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	}
	return status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ? finish(self_iterator, iterator)
							     : codectl_status_of_next(status);
}

/* One step; *@done tells how many of @messages are filled. */
static bt_message_iterator_class_next_method_status step(bt_self_message_iterator *self_iterator,
	struct codectl_filter_iterator *iterator, bt_message_array_const messages,
	uint64_t capacity, uint64_t *done, int *error)
{
	bool is_begun;

	if (codectl_filter_can_release(iterator)) {
		*error = codectl_filter_release_message(iterator, &messages[*done], done);
	} else if (codectl_filter_is_queue_full(iterator)) {
		bt_message_iterator_class_next_method_status status =
			BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;

		is_begun = false;
		if (iterator->phase == CODECTL_FILTER_BEGINNING && iterator->is_waiting &&
			iterator->options->look_ahead == CODECTL_LOOK_AHEAD_AUTO)
			status = codectl_filter_begin_survey(iterator, &is_begun);
		if (status != BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK)
			return status;
		if (!is_begun)
			codectl_filter_give_up(iterator);
	} else if (iterator->batch_next < iterator->batch_count) {
		*error = codectl_filter_take_messages(iterator, messages, capacity, done);
	} else {
		return get_batch(self_iterator, iterator);
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

/* Whether what there is should be passed on before anything else is asked for. */
static bool is_full(
	const struct codectl_filter_iterator *iterator, uint64_t done, uint64_t capacity)
{
	return done == capacity || (done > 0 && iterator->batch_next == iterator->batch_count &&
					   !codectl_filter_can_release(iterator));
}

bt_message_iterator_class_next_method_status codectl_filter_iterator_next(
	bt_self_message_iterator *self_iterator, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count)
{
	struct codectl_filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);
	bt_message_iterator_class_next_method_status status =
		BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	uint64_t done = 0;
	bool is_begun;
	int error = 0;

	if (iterator->phase == CODECTL_FILTER_BEGINNING && iterator->position == 0 &&
		iterator->options->look_ahead == CODECTL_LOOK_AHEAD_FULL)
		status = codectl_filter_begin_survey(iterator, &is_begun);
	while (status == BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK && error == 0 &&
		!is_full(iterator, done, capacity)) {
		if (iterator->phase == CODECTL_FILTER_SURVEY)
			status = codectl_filter_run_survey(iterator, &error);
		else
			status = step(self_iterator, iterator, messages, capacity, &done, &error);
	}
	if (error < 0) {
		while (done > 0)
			bt_message_put_ref(messages[--done]);
		codectl_filter_drop_messages(iterator);
		return next_status(self_iterator, error);
	}
	*count = done;
	return status;
}

bt_message_iterator_class_can_seek_beginning_method_status
codectl_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self_iterator, bt_bool *can_seek_beginning)
{
	struct codectl_filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	return codectl_status_of_can_seek(
		bt_message_iterator_can_seek_beginning(iterator->upstream, can_seek_beginning));
}

bt_message_iterator_class_seek_beginning_method_status codectl_filter_iterator_seek_beginning(
	bt_self_message_iterator *self_iterator)
{
	struct codectl_filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	codectl_filter_drop_messages(iterator);
	codectl_copier_rewind(iterator->copier);
	iterator->position = 0;
	iterator->hurry = 0;
	/* What is learnt of all stays true. */
	if (iterator->is_surveyed)
		return codectl_status_of_seek(
			bt_message_iterator_seek_beginning(iterator->upstream));
	iterator->phase = CODECTL_FILTER_BEGINNING;
	codectl_debug_info_field_rewind(iterator->debug_info);
	if (codectl_learner_rewind(&iterator->learner) < 0)
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_MEMORY_ERROR;
	return codectl_status_of_seek(bt_message_iterator_seek_beginning(iterator->upstream));
}
