/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The part of filter-iterator.h that reads all messages once, for what they tell.
 */
#include "comp/filter-iterator.h"

#include "comp/statuses.h"

/* Goes through all messages for what they tell. Anything but OK ends it for now. */
static bt_message_iterator_next_status survey(struct codectl_filter_iterator *iterator, int *error)
{
	bt_message_iterator_next_status status = BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;

	while (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && *error == 0) {
		while (*error == 0 && iterator->batch_next < iterator->batch_count) {
			const bt_message *message = iterator->batch[iterator->batch_next++];
			const struct codectl_message_view view = codectl_message_view_of(message);

			*error = codectl_learner_take_in(
				&iterator->learner, &view, ++iterator->position);
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

bt_message_iterator_class_next_method_status codectl_filter_begin_survey(
	struct codectl_filter_iterator *iterator, bool *is_begun)
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
		iterator->phase = CODECTL_FILTER_SURVEY;
		/* What is learnt first is asked for last. */
		codectl_space_set_kept_max(
			codectl_resolver_borrow_space(iterator->learner.resolver), UINT64_MAX);
		*is_begun = true;
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

/* Ends it: all comes again, and nothing needs to wait. */
static bt_message_iterator_class_next_method_status end_survey(
	struct codectl_filter_iterator *iterator)
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
	iterator->phase = CODECTL_FILTER_PASSING;
	codectl_log_info(&iterator->options->log, "Surveyed all messages before passing them on");
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_next_method_status codectl_filter_run_survey(
	struct codectl_filter_iterator *iterator, int *error)
{
	bt_message_iterator_next_status status = survey(iterator, error);

	if (*error == 0 && status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
		return end_survey(iterator);
	return codectl_status_of_next(status);
}
