/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The part of filter-iterator.h that decides which message is passed on and
 * which waits for what is told later.
 */
#include "comp/filter-iterator.h"

#include "format/likely.h"

#include <errno.h>

/* How many messages wait at most for what is told of their process. */
#define WAIT_MAX 32768
/* The same, where it is known but for one address: a constructor runs before its library is told. */
#define WAIT_FOR_ADDRESS_MAX 256

/* Gives *@out for @message, as codectl_copier_pass(). */
static int pass(struct codectl_filter_iterator *iterator,
	const struct codectl_message_view *message, uint64_t position, const bt_message **out)
{
	codectl_debug_info_field_set_message(iterator->debug_info, message->message, position,
		iterator->may_wait && position > iterator->hurry);
	return codectl_copier_pass(iterator->copier, message, out);
}

/* Whether what the first message waits for did not come yet. */
static bool must_wait(const struct codectl_filter_iterator *iterator)
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

void codectl_filter_give_up(struct codectl_filter_iterator *iterator)
{
	const struct codectl_debug_info_wait *wait = codectl_debug_info_field_borrow_wait(
		iterator->debug_info);

	if (iterator->is_waiting && !wait->is_for_address)
		codectl_ust_process_give_up(wait->process);
	iterator->is_waiting = false;
	iterator->phase = CODECTL_FILTER_PASSING;
}

/* Looks at the first message that may decide. Returns 0, -EAGAIN (it waits) or -ENOMEM. */
static int ask_first_event(
	struct codectl_filter_iterator *iterator, const struct codectl_message_view *message)
{
	if (iterator->is_waiting || !message->event)
		return 0;
	codectl_debug_info_field_set_message(
		iterator->debug_info, message->message, iterator->position, iterator->may_wait);
	int ret = codectl_callstacks_ask(iterator->callstacks, message->event);

	iterator->is_waiting = ret == -EAGAIN;
	if (ret == 0)
		iterator->phase = CODECTL_FILTER_PASSING;
	return ret == -EAGAIN ? 0 : ret;
}

/*
 * Takes in the next message of the batch, and passes it on if no other is before it;
 * adds to *@done how many were. Returns 0 or an error.
 */
static int take_message(
	struct codectl_filter_iterator *iterator, const bt_message **out, uint64_t *done)
{
	const bt_message *message = iterator->batch[iterator->batch_next++];
	const struct codectl_message_view view = codectl_message_view_of(message);
	uint64_t position = ++iterator->position;
	int ret = iterator->is_surveyed
			  ? 0
			  : codectl_learner_take_in(&iterator->learner, &view, position);

	/* What is not wanted has told what it tells. */
	if (CODECTL_UNLIKELY(iterator->has_range) && ret == 0 &&
		!codectl_time_range_has(&iterator->range, message)) {
		bt_message_put_ref(message);
		return 0;
	}
	if (CODECTL_UNLIKELY(iterator->phase == CODECTL_FILTER_BEGINNING) && ret == 0)
		ret = ask_first_event(iterator, &view);
	if (CODECTL_LIKELY(ret == 0 && iterator->phase == CODECTL_FILTER_PASSING &&
			   iterator->queue.count == 0)) {
		ret = pass(iterator, &view, position, out);
		if (CODECTL_LIKELY(ret != -EAGAIN)) {
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

int codectl_filter_take_messages(struct codectl_filter_iterator *iterator,
	bt_message_array_const messages, uint64_t capacity, uint64_t *done)
{
	int ret;

	do
		ret = take_message(iterator, &messages[*done], done);
	while (ret == 0 && iterator->queue.count == 0 && *done < capacity &&
		iterator->batch_next < iterator->batch_count);
	return ret;
}

bool codectl_filter_can_release(const struct codectl_filter_iterator *iterator)
{
	if (iterator->queue.count == 0)
		return false;
	return iterator->phase == CODECTL_FILTER_PASSING || iterator->is_waiting
		       ? !must_wait(iterator)
		       : false;
}

int codectl_filter_release_message(
	struct codectl_filter_iterator *iterator, const bt_message **out, uint64_t *done)
{
	const struct codectl_queued_message *front = codectl_message_queue_front(&iterator->queue);
	/* An unknown address was waited for long enough, whatever else comes. */
	if (iterator->position - front->position >= WAIT_FOR_ADDRESS_MAX &&
		codectl_debug_info_field_borrow_wait(iterator->debug_info)->is_for_address)
		iterator->hurry = front->position;
	const struct codectl_message_view view = codectl_message_view_of(front->message);
	int ret = pass(iterator, &view, front->position, out);

	iterator->phase = CODECTL_FILTER_PASSING;
	iterator->is_waiting = ret == -EAGAIN;
	if (ret == 0) {
		codectl_message_queue_pop(&iterator->queue);
		++*done;
	}
	return ret == -EAGAIN ? 0 : ret;
}

bool codectl_filter_is_queue_full(const struct codectl_filter_iterator *iterator)
{
	return iterator->queue.count >= WAIT_MAX ||
	       /* Who has no events yet says nothing by waiting. */
	       (iterator->phase == CODECTL_FILTER_BEGINNING && !iterator->is_waiting &&
		       iterator->queue.count >= WAIT_FOR_ADDRESS_MAX);
}

void codectl_filter_drop_messages(struct codectl_filter_iterator *iterator)
{
	while (iterator->batch_next < iterator->batch_count)
		bt_message_put_ref(iterator->batch[iterator->batch_next++]);
	codectl_message_queue_clear(&iterator->queue);
	iterator->is_waiting = false;
}
