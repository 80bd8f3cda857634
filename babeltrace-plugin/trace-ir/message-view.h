/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/message-view.h: a message with what everybody asks of it, so that the
 * library is asked once for each event. Weak, as long as the message. One thread.
 */
#ifndef CODECTL_TRACE_IR_MESSAGE_VIEW_H
#define CODECTL_TRACE_IR_MESSAGE_VIEW_H

#include "format/likely.h"

#include <babeltrace2/babeltrace.h>

struct codectl_message_view {
	const bt_message *message;
	const bt_event *event; /* NULL: the message is none, and the rest is not set. */
	const bt_event_class *event_class;
	const bt_stream *stream;
};

static inline struct codectl_message_view codectl_message_view_of(const bt_message *message)
{
	struct codectl_message_view view = {.message = message};

	if (CODECTL_LIKELY(bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT)) {
		view.event = bt_message_event_borrow_event_const(message);
		view.event_class = bt_event_borrow_class_const(view.event);
		view.stream = bt_event_borrow_stream_const(view.event);
	}
	return view;
}

#endif /* CODECTL_TRACE_IR_MESSAGE_VIEW_H */
